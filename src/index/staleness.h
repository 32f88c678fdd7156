// Staleness: how many sources are newer than the index, told by stat alone. Writes nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "extract/roots.h"

namespace cgrep {

class History;

/// Sources that an update would read, and those that are no longer there.
std::size_t stale_sources(History& history, const Roots& roots);

}  // namespace cgrep
