// Protobuf on the wire, without its schema: the fields of a message, one after the other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cgrep {

struct WireField {
  enum class Type : std::uint8_t { varint, fixed64, bytes, fixed32 };
  std::uint32_t number = 0;
  Type type = Type::varint;
  std::uint64_t value = 0;   // of all but bytes
  std::string_view bytes{};  // a string, a message, or just bytes: the wire does not tell

  bool is_bytes() const { return type == Type::bytes; }
};

/// Reads the fields in their order, without copying: they live as long as the message. Foreign
/// bytes are safe: it stops where they are no field.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// Absent at the end, and where the message is cut, damaged, or uses groups.
  std::optional<WireField> next();

  /// Stopped before the end.
  bool damaged() const { return damaged_; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<std::uint64_t> fixed(std::size_t size);
  std::optional<std::string_view> bytes();
  std::optional<WireField> field();

  std::string_view rest_;
  bool damaged_ = false;
};

/// Whether all of it is fields. An empty message is one, too.
bool is_wire_message(std::string_view bytes);

/// The first field with the number that holds bytes; absent when there is none.
std::optional<std::string_view> wire_bytes(std::string_view message, std::uint32_t number);

/// The same, and nothing when it is absent.
inline std::string_view wire_text(std::string_view message, std::uint32_t number) {
  return wire_bytes(message, number).value_or(std::string_view());
}

/// The first varint with the number.
std::optional<std::uint64_t> wire_varint(std::string_view message, std::uint32_t number);

}  // namespace cgrep
