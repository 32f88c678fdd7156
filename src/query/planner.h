// Query → Xapian::Query. What the runs cannot decide (phrases, nearness, some fields) is left to a
// check on the document: the Xapian query then lets too much through, never too little.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <xapian.h>

#include "index/runs.h"
#include "query/conditions.h"
#include "query/forms.h"
#include "query/query.h"

namespace cgrep {

struct Plan {
  Xapian::Query query{};
  bool exact = true;  // else every candidate has to be checked on its text and metadata
};

class Planner {
 public:
  Planner(const Runs& runs, Conditions& conditions) : runs_(runs), conditions_(conditions) {}

  /// Also fills the `forms` of the query's words from the vocabulary.
  Plan plan(Query& query);

 private:
  Plan word(Query& query);
  Plan cjk_word(const std::string& folded, Query& query);
  Plan words_together(Query& query);
  Plan field(const Query& query);
  Plan all_of(Query& query);
  Plan any_of(Query& query);
  Plan with_longer(Plan plan, Query& query, const FormFinder& finder);

  const Runs& runs_;
  Conditions& conditions_;
};

}  // namespace cgrep
