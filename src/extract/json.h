// JSON for all folders: small documents as a tree, and strings in quotes. The records of stores
// are read by json_reader.h, which only extract/ includes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cgrep {

/// A JSON value, read only.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;  // in the order of the text
  using Value =
      std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object>;

  /// Absent when it is not JSON. Invalid UTF-8 and unpaired surrogates become U+FFFD.
  static std::optional<Json> parse(std::string_view text);

  Json() = default;
  explicit Json(Value value) : value_(std::move(value)) {}

  /// A member's value; null when there is none or this is no object.
  const Json* find(std::string_view key) const;

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  std::optional<bool> boolean() const;
  /// Also of a number with a fraction of zero.
  std::optional<std::int64_t> integer() const;
  std::optional<double> number() const;
  /// Null when it is no string.
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  /// Null when it is no array.
  const Array* array() const { return std::get_if<Array>(&value_); }
  /// Null when it is no object.
  const Object* object() const { return std::get_if<Object>(&value_); }

  /// A member that is a string; empty when there is none.
  std::string_view text(std::string_view key) const;

  const Value& value() const { return value_; }

 private:
  Value value_ = nullptr;
};

/// The text as a JSON string, in quotes; always valid UTF-8 and on one line.
std::string json_quote(std::string_view text);

}  // namespace cgrep
