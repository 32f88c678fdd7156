// The hash by which copies of a text are known, in whatever store they are.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "document.h"
#include "hash.h"

namespace cgrep {

/// White space folded and trimmed: the stores differ in it. Points into `buffer`.
inline std::string_view folded_space(std::string_view text, std::string& buffer) {
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  if (buffer.size() < text.size()) buffer.resize(text.size());
  char* const begin = buffer.data();
  char* to = begin;
  bool parted = false;
  for (std::size_t i = 0; i < text.size();) {
#ifdef __SSE2__
    // Most white space is a single space: up to the first that is not, all is taken as it is.
    constexpr std::size_t kPiece = sizeof(__m128i);
    if (to != begin && !parted && i + kPiece <= text.size()) {
      const __m128i piece = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
      const auto where = [](__m128i bytes) {
        return static_cast<unsigned>(_mm_movemask_epi8(bytes));
      };
      const auto spaces = where(_mm_cmpeq_epi8(piece, _mm_set1_epi8(' ')));
      const auto breaks = where(_mm_and_si128(_mm_cmpgt_epi8(piece, _mm_set1_epi8('\t' - 1)),
                                              _mm_cmplt_epi8(piece, _mm_set1_epi8('\r' + 1))));
      constexpr unsigned kLast = 1u << (kPiece - 1);  // what follows it is not known
      const auto to_fold = breaks | (spaces & (spaces >> 1 | breaks >> 1 | kLast));
      const auto taken = static_cast<std::size_t>(std::countr_zero(to_fold | 1u << kPiece));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), piece);  // there is room: to lags behind
      to += taken;
      i += taken;
      if (taken == kPiece) continue;
    }
#endif
    const char c = text[i++];
    if (is_space(c)) {
      parted = to != begin;
      continue;
    }
    if (parted) *to++ = ' ';
    parted = false;
    *to++ = c;
  }
  return {begin, static_cast<std::size_t>(to - begin)};
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
