// Matches: the documents that answer a question, by their rows, and the conversations they are in.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "document.h"
#include "index/history.h"
#include "query/request.h"

namespace cgrep {

/// A document that matches.
struct Match {
  std::int64_t row = 0;
  std::int64_t conversation = 0;
  std::uint32_t number = 0;  // the document's, in its conversation
  double score = 0;
  std::uint32_t lines = 0;  // that match, where they were counted
  std::optional<std::int64_t> time{};
  Role role = Role::user;
  bool delegated = false;  // this and the next as far as a search by words needs them
  bool orphan = false;
};

/// The matches of one conversation.
struct Group {
  std::int64_t conversation = 0;
  std::vector<Match> matches{};
  double score = 0;
  bool ranked = false;                          // by the second stage
  std::shared_ptr<const Conversation> known{};  // if it was read already; without its address
};

/// Conversations in the order of their first matches.
std::vector<Group> grouped(const std::vector<Match>& matches);

/// Newer first; of the same age, the larger number said it later. None is oldest.
bool newer(const Match& a, const Match& b);

/// The best first, then the newer.
bool better(const Match& a, const Match& b);

/// Matches of each conversation and the conversations themselves: newest first, or oldest; what
/// has no time comes last in both.
void order_by_time(History& history, std::vector<Group>& groups, Sort sort);

/// Best first, then newer, then by address.
void order_by_score(History& history, std::vector<Group>& groups);

}  // namespace cgrep
