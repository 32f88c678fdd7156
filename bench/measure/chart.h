// The growth chart: what ten times the history costs, as SVG.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "bench/measure/results.h"

namespace cgrep::bench {

/// Four panels (index time, search time, memory, size) over the sizes that there are results of.
std::string growth_chart(const std::vector<Results>& by_size);

}  // namespace cgrep::bench
