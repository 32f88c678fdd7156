// What the commands that take a pattern have in common.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/query.h"

namespace cgrep {

/// The operands as one pattern.
std::string joined(const std::vector<std::string>& operands);

/// Whether the query asks for the field anywhere, and not only leaves something out by it.
bool names_field(const Query& query, std::string_view field);

/// Now, as dates are counted from it.
std::int64_t current_ms();

}  // namespace cgrep
