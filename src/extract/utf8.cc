#include "extract/utf8.h"

#include <algorithm>

#include <simdjson.h>

namespace cgrep {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
}

bool continues(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// Length of the valid character of several bytes at `i`; 0 when there is none.
// E0, ED, F0 and F4 narrow their second byte: no overlong forms, surrogates, or above U+10FFFF.
std::size_t sequence_length(std::string_view bytes, std::size_t i) {
  const auto lead = byte_at(bytes, i);
  const auto second = byte_at(bytes, i + 1);
  if (!continues(second)) return 0;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (!continues(byte_at(bytes, i + 2))) return 0;
  if (lead == 0xE0) return second >= 0xA0 ? 3 : 0;
  if (lead == 0xED) return second <= 0x9F ? 3 : 0;
  if (lead >= 0xE1 && lead <= 0xEF) return 3;
  if (!continues(byte_at(bytes, i + 3))) return 0;
  if (lead == 0xF0) return second >= 0x90 ? 4 : 0;
  if (lead == 0xF4) return second <= 0x8F ? 4 : 0;
  return lead >= 0xF1 && lead <= 0xF3 ? 4 : 0;
}

}  // namespace

bool valid_utf8(std::string_view bytes) {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

std::size_t repaired_size(std::string_view bytes) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto length = byte_at(bytes, i) < 0x80 ? 1 : sequence_length(bytes, i);
    size += length == 0 ? kReplacement.size() : length;
    i += std::max<std::size_t>(length, 1);
  }
  return size;
}

std::string repaired_utf8(std::string_view bytes) {
  if (valid_utf8(bytes)) return std::string(bytes);
  std::string repaired;
  repaired.reserve(repaired_size(bytes));
  for (std::size_t i = 0; i < bytes.size();) {
    const auto length = byte_at(bytes, i) < 0x80 ? 1 : sequence_length(bytes, i);
    if (length == 0) {
      repaired += kReplacement;
      ++i;
    } else {
      repaired += bytes.substr(i, length);
      i += length;
    }
  }
  return repaired;
}

bool is_text(std::string_view bytes) {
  constexpr std::size_t kStart = 8000;
  return bytes.substr(0, kStart).find('\0') == std::string_view::npos;
}

std::size_t cut_position(std::string_view text, std::size_t max) {
  if (text.size() <= max) return text.size();
  while (max > 0 && continues(byte_at(text, max))) --max;
  return max;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace cgrep
