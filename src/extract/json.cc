#include "extract/json.h"

#include <cmath>

#include <fmt/format.h>

#include "extract/json_reader.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

using simdjson::dom::element_type;

Json tree(JsonElement element);

Json::Value array_of(JsonElement element) {
  Json::Array items;
  for (const JsonElement item : element.get_array()) items.push_back(tree(item));
  return items;
}

Json::Value object_of(JsonElement element) {
  Json::Object members;
  for (const auto& [key, value] : element.get_object()) members.emplace_back(key, tree(value));
  return members;
}

Json tree(JsonElement element) {
  switch (element.type()) {
    case element_type::ARRAY:
      return Json(array_of(element));
    case element_type::OBJECT:
      return Json(object_of(element));
    case element_type::INT64:
      return Json(Json::Value(element.get_int64().value()));
    case element_type::UINT64:  // above what int64 holds
      return Json(Json::Value(static_cast<double>(element.get_uint64().value())));
    case element_type::DOUBLE:
      return Json(Json::Value(element.get_double().value()));
    case element_type::STRING:
      return Json(Json::Value(std::string(element.get_string().value())));
    case element_type::BOOL:
      return Json(Json::Value(element.get_bool().value()));
    case element_type::NULL_VALUE:
      return {};
  }
  return {};
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20)
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      else
        out += c;
  }
}

}  // namespace

std::optional<Json> Json::parse(std::string_view text) {
  JsonReader reader;
  const auto element = reader.parse(text);
  if (!element) return std::nullopt;
  return tree(*element);
}

const Json* Json::find(std::string_view key) const {
  if (const auto* members = object())
    for (const auto& [name, value] : *members)
      if (name == key) return &value;
  return nullptr;
}

std::optional<bool> Json::boolean() const {
  const auto* value = std::get_if<bool>(&value_);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::int64_t> Json::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  const auto* value = std::get_if<double>(&value_);
  constexpr double kLimit = 9.0e18;
  if (value == nullptr || std::abs(*value) > kLimit || std::trunc(*value) != *value)
    return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<double> Json::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  const auto* value = std::get_if<double>(&value_);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::string_view Json::text(std::string_view key) const {
  const Json* value = find(key);
  return value != nullptr && value->string() != nullptr ? std::string_view(*value->string())
                                                        : std::string_view();
}

std::string json_quote(std::string_view text) {
  std::string quoted = "\"";
  quoted.reserve(text.size() + 2);
  const std::string repaired = valid_utf8(text) ? std::string() : repaired_utf8(text);
  for (const char c : repaired.empty() ? text : std::string_view(repaired))
    append_escaped(quoted, c);
  return quoted += '"';
}

}  // namespace cgrep
