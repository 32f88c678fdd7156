// README's section on speed, made from results.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "bench/measure/results.h"

namespace cgrep::bench {

/// Machine, history and command; then times and ratios of 100 k messages (or the nearest size that
/// there is); then the newest figures of giant databases and long lives.
std::string speed_section(const std::vector<Results>& all);

/// The text with what stands between the markers replaced. Throws when it has no markers.
std::string with_section(const std::string& text, const std::string& section);

}  // namespace cgrep::bench
