// The name nearest to what was typed; for hints.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// The nearest of the names, or nothing when none is near enough to be meant.
std::string nearest_name(std::string_view typed, std::span<const std::string> names);

/// `did you mean 'newest'? Known: relevance, newest, oldest`
std::string names_hint(std::string_view typed, std::span<const std::string> names);

}  // namespace cgrep
