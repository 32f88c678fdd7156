// Staleness: how many sources are newer than the index, told by stat alone. Writes nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "extract/roots.h"

namespace cgrep {

class History;
struct Store;

/// Sources that an update would read, and those that are no longer there. `exclude`: projects that
/// are kept out.
std::size_t stale_sources(History& history, const Roots& roots,
                          const std::vector<std::string>& exclude = {});

/// The same for each store that is read.
std::map<const Store*, std::size_t> stale_by_store(History& history, const Roots& roots,
                                                   const std::vector<std::string>& exclude = {});

}  // namespace cgrep
