// Reads the JSON of stores, which may be damaged. Only for extract/: it shows simdjson.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

namespace cgrep {

using JsonElement = simdjson::dom::element;

/// One parser with its buffers, to be used again and again. Not for several threads.
class JsonReader {
 public:
  /// What the bytes of a record, a copy of them and what is parsed may take together. A text of 64
  /// MB fits; so many small values do not.
  static constexpr std::size_t kRecordMemory = 200u << 20;
  /// For JSON in strings of JSON, while all of the record around it is in memory.
  static constexpr std::size_t kInnerMemory = 96u << 20;

  explicit JsonReader(std::size_t memory = kRecordMemory) : memory_(memory) {}

  /// Absent when it is not JSON, even after repairing invalid UTF-8, unpaired surrogates and bare
  /// control characters, or would take too much memory. NULs around it and a BOM before it are
  /// ignored. The element is valid until the next call.
  std::optional<JsonElement> parse(std::string_view bytes);
  /// The same, without a copy of a large one that has padding.
  std::optional<JsonElement> parse(const std::string& bytes);
  std::optional<JsonElement> parse(const char* bytes) { return parse(std::string_view(bytes)); }
  /// The same, without a copy, of bytes that have padding (input_file.h).
  std::optional<JsonElement> parse_padded(std::string_view bytes);

 private:
  simdjson::error_code parse_copy(std::string_view bytes, JsonElement& element);
  simdjson::error_code parse_in_place(std::string_view bytes, std::size_t held,
                                      JsonElement& element);
  std::optional<JsonElement> parse_repaired(std::string_view bytes);

  std::size_t memory_;
  simdjson::dom::parser parser_;
  std::string buffer_;
};

/// What simdjson takes to parse them.
std::size_t memory_to_parse(std::string_view bytes);

/// The bytes with all repaired that makes simdjson refuse a text that others write and read.
std::string repaired_json(std::string_view bytes);

/// A member's value; absent when there is none, or null, or `value` is no object.
std::optional<JsonElement> member(JsonElement value, std::string_view key);

/// The members of an object that is asked for many of them: all keys are read once, and not for
/// each question. What `member` says of the object, it says of this. Valid as long as the element.
class JsonMembers {
 public:
  JsonMembers() = default;
  explicit JsonMembers(JsonElement object) { read(object); }

  /// Those of another object; keeps its memory.
  void read(JsonElement object);

  /// The first of that name counts; null is none.
  std::optional<JsonElement> find(std::string_view key) const {
    for (auto at = slot_of(key); slots_[at] != 0; at = (at + 1) % kSlots)
      if (const auto& [name, value] = members_[slots_[at] - 1u]; name == key)
        return value.is_null() ? std::nullopt : std::optional(value);
    return crowded_ ? find_among_all(key) : std::nullopt;
  }

 private:
  static constexpr std::size_t kSlots = 512;
  static constexpr std::size_t kMostInSlots = kSlots / 2;

  // What tells most keys apart; known to the compiler where the key is.
  static constexpr std::size_t slot_of(std::string_view key) {
    if (key.empty()) return 0;
    const auto at = [&](std::size_t i) {
      return std::uint32_t{static_cast<unsigned char>(key[i])};
    };
    const auto size = static_cast<std::uint32_t>(key.size());
    const auto mark = size << 24 ^ at(0) << 16 ^ at(key.size() / 2) << 8 ^ at(key.size() - 1);
    return (mark * 0x9e3779b1u) >> 23;
  }
  static_assert(kSlots == 1u << (32 - 23));

  std::optional<JsonElement> find_among_all(std::string_view key) const;

  std::vector<std::pair<std::string_view, JsonElement>> members_{};
  std::array<std::uint16_t, kSlots> slots_{};  // 1 + index; where several meet, one after the other
  bool crowded_ = false;                       // not all are in slots
};

inline std::optional<JsonElement> member(const JsonMembers& members, std::string_view key) {
  return members.find(key);
}

/// The first of these members that is a string and not empty; empty when there is none.
template <typename Value>
std::string_view text_of(const Value& value, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) {
    const auto found = member(value, key);
    std::string_view text;
    if (found && found->get(text) == simdjson::SUCCESS && !text.empty()) return text;
  }
  return {};
}
template <typename Value>
std::string_view text_of(const Value& value, std::string_view key) {
  return text_of(value, {key});
}

/// Calls visit(item) for each item of a member that is an array.
template <typename Value, typename Visit>
void for_each_item(const Value& value, std::string_view key, const Visit& visit) {
  simdjson::dom::array items;
  const auto found = member(value, key);
  if (!found || found->get_array().get(items) != simdjson::SUCCESS) return;
  for (const JsonElement item : items) visit(item);
}

/// A string's text; empty when it is none.
inline std::string_view string_of(JsonElement value) {
  std::string_view text;
  return value.get_string().get(text) == simdjson::SUCCESS ? text : std::string_view();
}

/// ms since 1970, of a number or a string in any form that times.h knows.
std::optional<std::int64_t> time_of(JsonElement value);

}  // namespace cgrep
