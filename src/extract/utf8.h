// UTF-8: what comes from outside may be damaged, what goes on from here never is.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cgrep {

bool valid_utf8(std::string_view bytes);

/// The same text, with U+FFFD for every byte that is not part of a valid character.
std::string repaired_utf8(std::string_view bytes);

/// Of what that returns.
std::size_t repaired_size(std::string_view bytes);

/// How much of a valid text can be kept in `max` bytes without cutting a character.
std::size_t cut_position(std::string_view text, std::size_t max);

/// As git sees it: no NUL near the start.
bool is_text(std::string_view bytes);

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace cgrep
