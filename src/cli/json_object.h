// JsonObject: a JSON object, written member by member.
// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/display.h"
#include "extract/json.h"

namespace cgrep {

class JsonObject {
 public:
  /// An empty text is null: in history, absent and empty mean the same.
  JsonObject& text(std::string_view key, std::string_view value) {
    return raw(key, value.empty() ? "null" : json_quote(value));
  }
  /// A text that may be empty.
  JsonObject& string(std::string_view key, std::string_view value) {
    return raw(key, json_quote(value));
  }
  JsonObject& flag(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }

  template <typename Number>
  JsonObject& number(std::string_view key, Number value) {
    return raw(key, fmt::format("{}", value));
  }
  template <typename Number>
  JsonObject& number(std::string_view key, const std::optional<Number>& value) {
    return raw(key, value ? fmt::format("{}", *value) : "null");
  }
  template <typename Text>
  JsonObject& texts(std::string_view key, std::span<const Text> values) {
    std::string array = "[";
    for (const Text& value : values) {
      if (array.size() > 1) array += ',';
      array += json_quote(value);
    }
    return raw(key, array + "]");
  }
  JsonObject& object(std::string_view key, const JsonObject& value) {
    return raw(key, value.printed());
  }
  /// `value` is JSON.
  JsonObject& raw(std::string_view key, std::string_view value) {
    if (!members_.empty()) members_ += ',';
    members_ += json_quote(key);
    members_ += ':';
    members_ += value;
    return *this;
  }

  std::string printed() const { return fmt::format("{{{}}}", members_); }

 private:
  std::string members_{};
};

/// `{"type":…,"data":{…}}` and a line end. What could drive a terminal is escaped.
inline std::string json_event(std::string_view type, const JsonObject& data) {
  return json_without_controls(JsonObject().string("type", type).object("data", data).printed()) +
         "\n";
}

}  // namespace cgrep
