// Ids of conversations, in the form that addresses are made of.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cgrep {

struct Source;

/// An id as it stands in a store, fit for an address: one word, without white space, control
/// characters or colons (`task-call_x\nfc_y` → `task-call_x_fc_y`).
std::string conversation_id(std::string_view raw);

/// For documents that belong to no conversation: one of their own per source, such as
/// `prompts-1c9e0f5b2a7d6403`. The same wherever the home is mounted.
std::string made_up_conversation(const Source& source);

}  // namespace cgrep
