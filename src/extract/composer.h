// The document that the IDE keeps of a conversation (`composerData:<id>`), or the head of one in a
// list: what it says of the order of messages, of the project, of itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "extract/json_reader.h"
#include "extract/store.h"

namespace cgrep {

/// An entry of `fullConversationHeadersOnly`.
struct BubbleHeader {
  std::string id{};
  std::optional<std::int64_t> time{};
};

/// The messages' order; without those that are named twice.
std::vector<BubbleHeader> headers_of(JsonElement composer);

/// Messages that are kept inside the document, as versions up to 2025 did, in their order. Where
/// there never were any, what was typed and not sent.
struct InlineBubbles {
  std::vector<JsonElement> bubbles{};
  std::string draft{};
};
InlineBubbles inline_bubbles_of(JsonElement composer, JsonReader& inner);

/// Id of the conversation that started this one; empty when none did.
std::string parent_of(JsonElement composer);

/// Which rungs a head claims on; the document itself is believed more than lists of heads.
struct HeadRungs {
  int title = 0;
  int project = 0;
};

/// What heads and documents say alike: title, project, parent, mode, branch, times, archived.
void claim_head(JsonElement head, const std::string& conversation, HeadRungs rungs, Sink& sink);

}  // namespace cgrep
