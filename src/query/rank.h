// The second stage of ranking: candidates and their texts → an order that a person would choose.
// Xapian's weight says how much a document speaks of the words; here count where the words stand,
// who says them, when, and what the rest of the conversation says.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document.h"
#include "query/query.h"
#include "query/rank_weights.h"

namespace cgrep {

/// How close the words of the query stand in a text.
struct Closeness {
  bool phrase = false;  // side by side, in the order of the query
  bool typed = false;   // each in the form in which it was typed
  std::size_t window =
      0;  // words from the first to the last of the closest group; 0: not all there
};

/// What the second stage knows of a document.
struct DocumentEvidence {
  double weight = 0;  // Xapian's
  Role role = Role::user;
  bool orphan = false;
  std::optional<Closeness> closeness{};  // absent: its text was not read
};

/// What it knows of a conversation.
struct ConversationEvidence {
  std::vector<double> documents{};  // scores
  std::vector<double> partial{};    // scores of documents with only some of the words
  double opening = 0;               // score of the first message, when a person wrote it
  std::string_view title{};
  std::optional<std::int64_t> time{};  // ms; of the newest match
  bool subagent = false;
  bool here = false;  // in the project of the current directory
};

class Ranker {
 public:
  /// The query's `forms` are filled.
  Ranker(const Query& query, const RankWeights& weights, std::int64_t now_ms);

  /// Looks at the first 64 KB.
  Closeness closeness(std::string_view text) const;

  /// What it is in every match, if that can be told without its text: one word is asked for, and
  /// it has no other forms.
  std::optional<Closeness> known_closeness() const;

  double document_score(const DocumentEvidence& evidence) const;

  /// The best document counts most, then the others, each less than the one before. So a single
  /// remark does not beat a conversation that comes back to the words.
  double conversation_score(ConversationEvidence evidence) const;

  /// How many different words are asked for.
  std::size_t words() const { return typed_.size(); }

 private:
  double named_by(std::string_view title) const;

  /// Forms of the words that are asked for → which of them.
  std::unordered_map<std::string, std::uint32_t> words_{};
  std::vector<std::string> typed_{};
  bool one_word_ = false;  // is all of the query
  RankWeights weights_;
  std::int64_t now_ms_;
};

/// The words that a good answer has: those not under a `not`, in the order of the query.
std::vector<const Query*> wanted_words(const Query& query);

}  // namespace cgrep
