// Misspelt words: what the vocabulary has that looks almost the same.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/runs.h"

namespace cgrep {

/// The word of the runs that was probably meant: the nearest, of those the most frequent. Absent
/// when none is near enough.
std::optional<std::string> nearest_word(const Runs& runs, std::string_view folded);

}  // namespace cgrep
