// Bytes as hexadecimal digits.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cgrep::corpus {

/// In lower case.
inline std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  digits.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += kDigits[byte >> 4];
    digits += kDigits[byte & 0xf];
  }
  return digits;
}

}  // namespace cgrep::corpus
