#include "extract/json_reader.h"

#include <algorithm>
#include <charconv>

#include "extract/times.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

// A parser that once saw a large record holds several times its size; it is not kept for small
// ones.
constexpr std::size_t kKeptBytes = 4u << 20;

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

simdjson::error_code JsonReader::parse_copy(std::string_view bytes, JsonElement& element) {
  if (bytes.size() < kKeptBytes && parser_.capacity() > kKeptBytes) {
    parser_ = simdjson::dom::parser();
    buffer_ = std::string();
  }
  buffer_.reserve(bytes.size() + simdjson::SIMDJSON_PADDING);
  buffer_.assign(bytes);
  buffer_.append(simdjson::SIMDJSON_PADDING, ' ');
  return parser_.parse(buffer_.data(), bytes.size(), false).get(element);
}

std::optional<JsonElement> JsonReader::parse(std::string_view bytes) {
  bytes = without_padding(bytes);
  JsonElement element;
  auto error = parse_copy(bytes, element);
  if (repairable(error)) error = parse_copy(repaired_json(bytes), element);
  if (error != simdjson::SUCCESS) return std::nullopt;
  return element;
}

std::optional<JsonElement> member(JsonElement value, std::string_view key) {
  JsonElement found;
  if (!value.is_object() || value.at_key(key).get(found) != simdjson::SUCCESS || found.is_null())
    return std::nullopt;
  return found;
}

JsonMembers::JsonMembers(JsonElement object) {
  simdjson::dom::object members;
  if (object.get(members) != simdjson::SUCCESS) return;
  marks_.reserve(members.size());
  members_.reserve(members.size());
  for (const auto& [key, value] : members) {
    marks_.push_back(mark_of(key));
    members_.emplace_back(key, value);
  }
}

std::uint32_t JsonMembers::mark_of(std::string_view key) {
  if (key.empty()) return 0;
  const auto at = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(key[i])}; };
  return static_cast<std::uint32_t>(key.size()) << 24 ^ at(0) << 16 ^ at(key.size() / 2) << 8 ^
         at(key.size() - 1);
}

// The first of that name counts.
std::optional<JsonElement> JsonMembers::find(std::string_view key) const {
  const auto mark = mark_of(key);
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (marks_[i] != mark || members_[i].first != key) continue;
    if (members_[i].second.is_null()) return std::nullopt;
    return members_[i].second;
  }
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
