// Flags of a document in history.db. The numbers are kept there: append only.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace cgrep::flag {

inline constexpr std::uint32_t gone = 1;
inline constexpr std::uint32_t delegated = 2;
inline constexpr std::uint32_t orphan = 4;
inline constexpr std::uint32_t truncated = 8;
inline constexpr std::uint32_t repeated = 16;  // a prompt that stands in a conversation as well

/// What a source may say of its document.
inline constexpr std::uint32_t told = delegated | orphan | truncated;

}  // namespace cgrep::flag
