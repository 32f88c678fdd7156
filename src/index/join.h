// The join: the one place that decides what a conversation is called, where it belongs and when it
// was, from what all stores say of it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

namespace cgrep {

class History;

/// What has to be joined anew.
struct Unjoined {
  std::map<std::int64_t, bool>
      conversations{};             // row → whether its documents were read from the start
  std::set<std::string> groups{};  // subjects: all conversations of these slugs and workspaces
  std::unordered_set<std::int64_t> prompts{};  // hashes of prompts and messages of users
  bool empty() const { return conversations.empty() && groups.empty() && prompts.empty(); }
};

/// Writes the result into the conversations' rows, inside the caller's transaction.
void join_conversations(History& history, const Unjoined& unjoined);

}  // namespace cgrep
