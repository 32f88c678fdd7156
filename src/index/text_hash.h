// The hash by which copies of a text are known, in whatever store they are.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "document.h"
#include "hash.h"

namespace cgrep {

/// White space folded and trimmed: the stores differ in it. Points into `buffer`.
inline std::string_view folded_space(std::string_view text, std::string& buffer) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  buffer.clear();
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(kSpace, at), text.size());
    if (!buffer.empty()) buffer += ' ';
    buffer.append(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return buffer;
}

/// What a user said and what a list of prompts repeats of it are the same text.
inline std::int64_t text_hash(std::string_view text, Role role, std::string& buffer) {
  const auto seed = role == Role::prompt ? Role::user : role;
  return static_cast<std::int64_t>(
      hash64(folded_space(text, buffer), static_cast<std::uint64_t>(seed)));
}

inline std::int64_t text_hash(std::string_view text, Role role) {
  std::string buffer;
  return text_hash(text, role, buffer);
}

}  // namespace cgrep
