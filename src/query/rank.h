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

/// What the second stage looks at.
struct Evidence {
  double weight = 0;  // Xapian's
  Role role = Role::user;
  std::optional<Time> time{};
  bool subagent = false;
  bool here = false;  // in the project of the current directory
  bool orphan = false;
  Closeness closeness{};
};

class Ranker {
 public:
  /// The query's `forms` are filled.
  Ranker(const Query& query, const RankWeights& weights, std::int64_t now_ms);

  /// Looks at the first 64 KB.
  Closeness closeness(std::string_view text) const;

  double document_score(const Evidence& evidence) const;

  /// `scores` of its documents, best first; the best counts most, and a title that names the words
  /// adds to it.
  double conversation_score(const std::vector<double>& scores, std::string_view title) const;

 private:
  /// Forms of the words that are asked for → which of them.
  std::unordered_map<std::string, std::uint32_t> words_{};
  std::vector<std::string> typed_{};
  RankWeights weights_;
  std::int64_t now_ms_;
};

}  // namespace cgrep
