// The hash by which copies of a text are known, in whatever store they are.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "document.h"
#include "hash.h"

namespace cgrep {

/// White space folded and trimmed: the stores differ in it. Points into `buffer`.
inline std::string_view folded_space(std::string_view text, std::string& buffer) {
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  buffer.resize(text.size());
  char* const begin = buffer.data();
  char* to = begin;
  bool parted = false;
  for (const char c : text) {
    if (is_space(c)) {
      parted = to != begin;
      continue;
    }
    if (parted) *to++ = ' ';
    parted = false;
    *to++ = c;
  }
  buffer.resize(static_cast<std::size_t>(to - begin));
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
