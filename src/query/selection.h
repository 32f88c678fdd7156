// Selection: what passes the filters, without a pattern. One look at the tables, where a search
// would ask Xapian for everything.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "index/overview.h"
#include "query/filters.h"
#include "query/request.h"

namespace cgrep {

using DocumentVisitor = std::function<void(const StoredDocument&, const std::optional<Time>&)>;

class Selection {
 public:
  Selection(History& history, const Conversations& conversations, const Filters& filters);

  /// Every document that passes, with its own time or its conversation's. What is left out only
  /// for want of a time is counted.
  void for_each_document(Outcome& outcome, const DocumentVisitor& visit);

  /// Rows of the conversations of which a document passes.
  std::vector<std::int64_t> conversations(Outcome& outcome);

  /// How many of its documents pass; after conversations().
  DocumentCounts counts(std::int64_t conversation);

  /// For more than a few conversations: count them all at once.
  void count_all();

 private:
  History& history_;
  const Conversations& conversations_;
  const Filters& filters_;
  std::optional<UsualDocuments> usual_{};  // the filters, when they ask for nothing else
  std::unordered_map<std::int64_t, DocumentCounts> counts_{};
};

}  // namespace cgrep
