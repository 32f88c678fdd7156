// Messages as they are sent to the model: JSON in blobs, shared by the stores that keep them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "extract/json_reader.h"
#include "extract/message_delivery.h"

namespace cgrep {

/// What a message says of itself, without its content.
struct MessageHead {
  std::string role{};
  std::string request{};
};

/// Not for several threads.
class MessageReader {
 public:
  enum class Found : std::uint8_t {
    message,
    other,     // JSON, but no message: a notebook, or whatever else was read
    not_json,  // nothing was delivered
  };

  /// Delivers the parts of the message in `bytes`; what is found, is told either way.
  Found read(std::string_view bytes, MessageDelivery& to);

  /// Absent when it is no message.
  std::optional<MessageHead> head(std::string_view bytes);

 private:
  JsonReader json_;
  JsonReader arguments_{JsonReader::kInnerMemory};  // of calls that have them as JSON in a string
};

}  // namespace cgrep
