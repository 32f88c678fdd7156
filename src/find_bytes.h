// Finding bytes in a text, as fast as the machine can.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace cgrep {

/// Where they stand, from there on; npos: nowhere. `bytes` are not empty.
inline std::size_t find_bytes(std::string_view text, std::string_view bytes, std::size_t from) {
  if (from >= text.size()) return std::string_view::npos;
#ifdef __SSE2__
  // First and last byte are looked for in sixteen places at once. Long needles are left to
  // memmem(), which takes linear time whatever they are.
  constexpr std::size_t kLongest = 32;
  constexpr std::size_t kPlaces = sizeof(__m128i);
  const std::size_t size = bytes.size();
  const auto load = [&](std::size_t at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
  };
  if (size > 1 && size <= kLongest) {
    const __m128i first = _mm_set1_epi8(bytes.front());
    const __m128i last = _mm_set1_epi8(bytes.back());
    for (; from + size - 1 + kPlaces <= text.size(); from += kPlaces) {
      const __m128i both = _mm_and_si128(_mm_cmpeq_epi8(load(from), first),
                                         _mm_cmpeq_epi8(load(from + size - 1), last));
      for (auto mask = static_cast<unsigned>(_mm_movemask_epi8(both)); mask != 0;
           mask &= mask - 1) {
        const std::size_t at = from + static_cast<std::size_t>(std::countr_zero(mask));
        if (std::memcmp(text.data() + at + 1, bytes.data() + 1, size - 2) == 0) return at;
      }
    }
  }
#endif
  const void* found = memmem(text.data() + from, text.size() - from, bytes.data(), bytes.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace cgrep
