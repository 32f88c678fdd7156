// Word search: Xapian proposes documents by their words, best first; the texts of those decide.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <xapian.h>

#include "query/matches.h"
#include "query/planner.h"
#include "query/snapshot.h"

namespace cgrep {

class WordSearch {
 public:
  WordSearch(Snapshot& snapshot, const Request& request);

  /// The query with the forms of its words filled in.
  const Query& query() const { return query_; }

  /// The conversations in the order asked for. With a limit, of very many matches only the first
  /// page is looked at: then it is not complete().
  std::vector<Group> answer(Outcome& outcome);
  bool complete() const { return complete_; }

  /// All documents that match, best first.
  std::vector<Match> matches(Outcome& outcome);

  /// About how many there are, before the texts are checked.
  std::size_t estimate() const;

  /// From now on documents of these conversations only.
  void only_in(const std::vector<std::int64_t>& conversations);

  /// Conversations whose first matches were found by the first page may have more of them.
  void complete_groups(std::span<Group> groups, Outcome& outcome);

  /// From the tree to what is checked on the texts.
  std::string explain() const;

 private:
  std::function<bool(std::int64_t)> to_ask_of_rows(Outcome& outcome);
  std::vector<std::int64_t> rows_with_terms() const;
  std::vector<Match> candidates(const Xapian::Query& query, Xapian::doccount most,
                                Outcome& outcome);
  std::vector<Match> first_page(Outcome& outcome);
  std::vector<Match> scan(Outcome& outcome);
  void find_forms();
  void check_texts(std::vector<Match>& matches);

  Snapshot& snapshot_;
  const Request& request_;
  Query query_;
  std::vector<Condition> conditions_;
  Plan plan_{};
  Xapian::Query filtered_{};  // the plan and all conditions that are terms
  bool all_by_terms_ = true;  // no condition has to be asked of the document
  bool of_some_ = true;       // or only of those with some terms
  std::size_t asked_ = 0;     // documents, so far
  std::optional<std::vector<std::int64_t>> with_terms_{};  // rows, sorted; if they were needed
  bool complete_ = true;
  std::vector<Xapian::Query> places_{};  // of only_in(); empty: everywhere
};

}  // namespace cgrep
