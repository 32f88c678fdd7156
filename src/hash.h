// A 64-bit hash of bytes for identities: stable across versions and machines, as it is kept in
// history.db. Not for adversaries.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace cgrep {

namespace detail {
/// Multiplies to 128 bits and folds the halves: every input bit reaches every output bit.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t load64(const char* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}
}  // namespace detail

/// Bytes, 16 at a time; the length and a zero-padded rest at the end.
inline std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0) {
  constexpr std::uint64_t kFirst = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t kSecond = 0xd6e8feb86659fd93;
  std::uint64_t state = seed ^ kFirst;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 16; at += 16, left -= 16)
    state = detail::mix(detail::load64(at) ^ kSecond, detail::load64(at + 8) ^ state);
  char rest[16] = {};
  if (left > 0) std::memcpy(rest, at, left);
  state = detail::mix(detail::load64(rest) ^ kSecond, detail::load64(rest + 8) ^ state);
  return detail::mix(state ^ kFirst, bytes.size() ^ kSecond);
}

}  // namespace cgrep
