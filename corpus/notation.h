// Readable notation → the bytes of a value: JSON, protobuf, hex and text, which may name each
// other. corpus/README.md describes the notation.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace cgrep::corpus {

/// Bytes that later values may refer to.
using NamedValues = std::map<std::string, std::string, std::less<>>;

/// One value as written: its kind (json, proto, hex or text) and its body.
struct Value {
  std::string kind{};
  std::string_view body{};
  std::size_t line = 1;  // where the body begins, for messages
};

/// The bytes of a value. Throws Error with the line when the notation is wrong.
std::string bytes_of(const Value& value, const NamedValues& names);

/// Decodes hex digits, white space ignored. Throws Error.
std::string from_hex(std::string_view digits);

std::string to_base64(std::string_view bytes);

}  // namespace cgrep::corpus
