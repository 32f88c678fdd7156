#include "extract/json_reader.h"

#include <algorithm>
#include <charconv>

#include "extract/input_file.h"
#include "extract/times.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

// A parser that once saw a large record holds several times its size; it is not kept for small
// ones. A copy of one is worth avoiding, and it is looked at before it is parsed. (Behind a small
// one stands what was there before, which a parser may take for more of it.)
constexpr std::size_t kLargeBytes = 4u << 20;

static_assert(kPadding >= simdjson::SIMDJSON_PADDING);

std::string_view without_padding(std::string_view bytes) {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  constexpr std::string_view kNul("\0", 1);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(kNul), bytes.size()));
  if (bytes.starts_with(kBom)) bytes.remove_prefix(kBom.size());
  const auto last = bytes.find_last_not_of(kNul);
  return bytes.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool repairable(simdjson::error_code error) {
  return error == simdjson::UTF8_ERROR || error == simdjson::STRING_ERROR ||
         error == simdjson::UNESCAPED_CHARS;
}

// The four hex digits of the \uXXXX at `i`; absent when it is none.
std::optional<unsigned> unicode_escape(std::string_view text, std::size_t i) {
  if (i + 6 > text.size() || text[i] != '\\' || text[i + 1] != 'u') return std::nullopt;
  unsigned value = 0;
  const auto digits = text.substr(i + 2, 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 4, value, 16);
  if (error != std::errc{} || end != digits.data() + 4) return std::nullopt;
  return value;
}

// Makes the escape at `i` one that stands for a character. Returns its length.
std::size_t mend_escape(std::string& text, std::size_t i) {
  const auto value = unicode_escape(text, i);
  if (!value) return 2;
  const bool high = *value >= 0xD800 && *value < 0xDC00;
  const bool low = *value >= 0xDC00 && *value < 0xE000;
  if (high) {
    const auto next = unicode_escape(text, i + 6);
    if (next && *next >= 0xDC00 && *next < 0xE000) return 12;
  }
  if (high || low) text.replace(i + 2, 4, "FFFD");
  return 6;
}

}  // namespace

namespace {

// After the quote that ends the string which began before `i`.
std::size_t end_of_string(std::string_view bytes, std::size_t i) {
  for (; i < bytes.size(); ++i) {
    if (bytes[i] == '"') return i + 1;
    if (bytes[i] == '\\') ++i;
  }
  return bytes.size();
}

}  // namespace

std::string repaired_json(std::string_view bytes) {
  std::string text = repaired_utf8(bytes);
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\\') {
      i += mend_escape(text, i);
      continue;
    }
    if (static_cast<unsigned char>(text[i]) < 0x20) text[i] = ' ';
    ++i;
  }
  return text;
}

// A word of the tape for each bracket and string, two for a number; each of them, each comma and
// each colon is one of the structural indexes; strings are copied, with their lengths.
std::size_t memory_to_parse(std::string_view bytes) {
  constexpr std::size_t kIndex = 4;
  constexpr std::size_t kWord = 8;
  constexpr std::size_t kAroundString = 5;
  std::size_t memory = 0;
  for (std::size_t i = 0; i < bytes.size();) {
    switch (bytes[i]) {
      case ' ':
      case '\t':
      case '\n':
      case '\r':
        ++i;
        break;
      case ',':
      case ':':
        memory += kIndex;
        ++i;
        break;
      case '[':
      case ']':
      case '{':
      case '}':
        memory += kIndex + kWord;
        ++i;
        break;
      case '"': {
        const auto end = end_of_string(bytes, i + 1);
        memory += kIndex + kWord + kAroundString + (end - i);
        i = end;
        break;
      }
      default:
        memory += kIndex + 2 * kWord;
        i = std::min(bytes.find_first_of(",:[]{}\" \t\r\n", i), bytes.size());
    }
  }
  return memory;
}

// `held` are the bytes that are in memory because of this record.
simdjson::error_code JsonReader::parse_in_place(std::string_view bytes, std::size_t held,
                                                JsonElement& element) {
  const bool large = bytes.size() >= kLargeBytes;
  if (!large && parser_.capacity() > kLargeBytes) parser_ = simdjson::dom::parser();
  if (large && held + memory_to_parse(bytes) > memory_) return simdjson::CAPACITY;
  return parser_.parse(bytes.data(), bytes.size(), false).get(element);
}

simdjson::error_code JsonReader::parse_copy(std::string_view bytes, JsonElement& element) {
  if (2 * bytes.size() > memory_) return simdjson::CAPACITY;
  if (bytes.size() < kLargeBytes && buffer_.capacity() > kLargeBytes) buffer_ = std::string();
  buffer_.reserve(bytes.size() + kPadding);
  buffer_.assign(bytes);
  buffer_.append(kPadding, ' ');
  return parse_in_place({buffer_.data(), bytes.size()}, 2 * bytes.size(), element);
}

std::optional<JsonElement> JsonReader::parse_repaired(std::string_view bytes) {
  // It may grow to three times its size, and is mostly strings, of which the parser makes a copy.
  if (bytes.size() >= kLargeBytes && bytes.size() + 2 * repaired_size(bytes) > memory_)
    return std::nullopt;
  buffer_ = std::string();
  buffer_ = repaired_json(bytes);
  const auto size = buffer_.size();
  buffer_.append(kPadding, ' ');
  JsonElement element;
  if (parse_in_place({buffer_.data(), size}, bytes.size() + size, element) != simdjson::SUCCESS)
    return std::nullopt;
  return element;
}

std::optional<JsonElement> JsonReader::parse(std::string_view bytes) {
  bytes = without_padding(bytes);
  JsonElement element;
  const auto error = parse_copy(bytes, element);
  if (repairable(error)) return parse_repaired(bytes);
  if (error != simdjson::SUCCESS) return std::nullopt;
  return element;
}

std::optional<JsonElement> JsonReader::parse(const std::string& bytes) {
  if (bytes.size() < kLargeBytes || bytes.capacity() < bytes.size() + kPadding)
    return parse(std::string_view(bytes));
  return parse_padded(bytes);
}

std::optional<JsonElement> JsonReader::parse_padded(std::string_view bytes) {
  bytes = without_padding(bytes);
  JsonElement element;
  const auto error = parse_in_place(bytes, bytes.size(), element);
  if (repairable(error)) return parse_repaired(bytes);
  if (error != simdjson::SUCCESS) return std::nullopt;
  return element;
}

std::optional<JsonElement> member(JsonElement value, std::string_view key) {
  JsonElement found;
  if (!value.is_object() || value.at_key(key).get(found) != simdjson::SUCCESS || found.is_null())
    return std::nullopt;
  return found;
}

void JsonMembers::read(JsonElement object) {
  members_.clear();
  slots_.fill(0);
  crowded_ = false;
  simdjson::dom::object members;
  if (object.get(members) != simdjson::SUCCESS) return;
  for (const auto& [key, value] : members) {
    members_.emplace_back(key, value);
    crowded_ = members_.size() > kMostInSlots;
    if (crowded_) continue;
    auto at = slot_of(key);
    while (slots_[at] != 0) at = (at + 1) % kSlots;
    slots_[at] = static_cast<std::uint16_t>(members_.size());
  }
}

std::optional<JsonElement> JsonMembers::find_among_all(std::string_view key) const {
  for (const auto& [name, value] : members_)
    if (name == key) return value.is_null() ? std::nullopt : std::optional(value);
  return std::nullopt;
}

std::optional<std::int64_t> time_of(JsonElement value) {
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return time_from_number(number);
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return parse_time(text);
  return std::nullopt;
}

}  // namespace cgrep
