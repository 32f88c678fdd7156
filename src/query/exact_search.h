// Exact search: the index narrows, the matcher decides on the texts, in all cores.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "query/exact.h"
#include "query/matches.h"
#include "query/snapshot.h"

namespace cgrep {

class ExactSearch {
 public:
  /// Throws Error when a pattern is no regular expression.
  ExactSearch(Snapshot& snapshot, const Request& request);

  const ExactMatcher& matcher() const { return matcher_; }

  /// Every document whose text has a matching line. Newest first; sorted by relevance, those with
  /// the most matching documents.
  std::vector<Group> answer(Outcome& outcome);

  /// Which literals every match has, how they narrow, and how many texts are read.
  std::string explain() const;

 private:
  using Visit = std::function<void(StoredDocument&&, const History::PackedText&)>;
  void each_to_read(Outcome& outcome, const Visit& visit) const;

  Snapshot& snapshot_;
  const Request& request_;
  ExactMatcher matcher_;
  std::vector<Condition> conditions_;
};

}  // namespace cgrep
