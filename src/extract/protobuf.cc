#include "extract/protobuf.h"

namespace cgrep {

namespace {

constexpr std::uint64_t kMaxNumber = (1u << 29) - 1;

}  // namespace

std::optional<std::uint64_t> WireReader::varint() {
  constexpr std::size_t kLongest = 10;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kLongest && i < rest_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(rest_[i]);
    if (i == kLongest - 1 && byte > 1) return std::nullopt;  // more than 64 bits
    value |= static_cast<std::uint64_t>(byte & 0x7fu) << (7 * i);
    if ((byte & 0x80u) != 0) continue;
    rest_.remove_prefix(i + 1);
    return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t size) {
  if (rest_.size() < size) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
  rest_.remove_prefix(size);
  return value;
}

std::optional<std::string_view> WireReader::bytes() {
  const auto size = varint();
  if (!size || *size > rest_.size()) return std::nullopt;
  const auto found = rest_.substr(0, *size);
  rest_.remove_prefix(*size);
  return found;
}

std::optional<WireField> WireReader::field() {
  const auto tag = varint();
  if (!tag || *tag >> 3 == 0 || *tag >> 3 > kMaxNumber) return std::nullopt;
  WireField field{.number = static_cast<std::uint32_t>(*tag >> 3)};
  std::optional<std::uint64_t> value;
  switch (*tag & 7u) {
    case 0:
      value = varint();
      break;
    case 1:
      field.type = WireField::Type::fixed64;
      value = fixed(8);
      break;
    case 2:
      field.type = WireField::Type::bytes;
      if (const auto found = bytes()) {
        field.bytes = *found;
        value = 0;
      }
      break;
    case 5:
      field.type = WireField::Type::fixed32;
      value = fixed(4);
      break;
    default:  // groups, which nobody has written for long
      break;
  }
  if (!value) return std::nullopt;
  field.value = *value;
  return field;
}

std::optional<WireField> WireReader::next() {
  if (rest_.empty() || damaged_) return std::nullopt;
  auto found = field();
  damaged_ = !found;
  return found;
}

bool is_wire_message(std::string_view bytes) {
  WireReader reader(bytes);
  while (reader.next()) continue;
  return !reader.damaged();
}

std::optional<std::string_view> wire_bytes(std::string_view message, std::uint32_t number) {
  WireReader reader(message);
  while (const auto field = reader.next())
    if (field->number == number && field->is_bytes()) return field->bytes;
  return std::nullopt;
}

std::optional<std::uint64_t> wire_varint(std::string_view message, std::uint32_t number) {
  WireReader reader(message);
  while (const auto field = reader.next())
    if (field->number == number && field->type == WireField::Type::varint) return field->value;
  return std::nullopt;
}

}  // namespace cgrep
