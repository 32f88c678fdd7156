// Names of tools: each has several, by the age of the record and the store it is in.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace cgrep {

/// The one name for all of them: `run_terminal_cmd`, `Shell` and `bash` are `Shell`. An unknown
/// name is returned as it is, so the view lives as long as `raw`.
std::string_view normalised_tool(std::string_view raw);

}  // namespace cgrep
