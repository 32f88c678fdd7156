// Addresses: lasting names of conversations, documents and ranges of them.
//   3f2a9c1e         a conversation, by a prefix of its id
//   3f2a9c1e:17      its document number 17
//   3f2a9c1e:10-20   all that stands between these two in reading order
// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cgrep {

/// The shortest prefix of a conversation's id that is ever printed.
inline constexpr std::size_t kMinAddressLength = 8;

struct Address {
  std::string conversation{};  // the id or a prefix of it
  std::optional<std::uint32_t> first{};
  std::optional<std::uint32_t> last{};  // set for a range only

  std::string text() const {
    std::string text = conversation;
    if (first) text += ':' + std::to_string(*first);
    if (last) text += '-' + std::to_string(*last);
    return text;
  }
  friend bool operator==(const Address&, const Address&) = default;
};

namespace detail {
inline std::optional<std::uint32_t> parse_number(std::string_view digits) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty())
    return std::nullopt;
  return number;
}
}  // namespace detail

/// Whether the text has the form of an address; whether it names something, only the index knows.
inline std::optional<Address> parse_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    if (text.empty()) return std::nullopt;
    return Address{.conversation = std::string(text)};
  }
  if (colon == 0) return std::nullopt;
  Address address{.conversation = std::string(text.substr(0, colon))};
  const auto numbers = text.substr(colon + 1);
  const auto dash = numbers.find('-');
  address.first = detail::parse_number(numbers.substr(0, dash));
  if (!address.first) return std::nullopt;
  if (dash != std::string_view::npos) {
    address.last = detail::parse_number(numbers.substr(dash + 1));
    if (!address.last) return std::nullopt;
  }
  return address;
}

}  // namespace cgrep
