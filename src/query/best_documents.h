// Best documents: what Xapian finds for a query, by several cores where there is much to read.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <xapian.h>

#include "index/runs.h"

namespace cgrep {

struct BestDocument {
  std::int64_t row = 0;
  double weight = 0;
};

/// Who may be asked whether a document counts.
struct DocumentsAsked {
  const Xapian::MatchDecider* decider = nullptr;  // null: all do
  bool by_many = false;                           // by several threads at once
};

/// The best first, at most `most`: the same ones in the same order, however many cores there are.
/// `parts`: into how many it is divided; 0: as it pays.
std::vector<BestDocument> best_documents(const Runs& runs, const Xapian::Query& query,
                                         Xapian::doccount most, DocumentsAsked asked,
                                         unsigned parts = 0);

}  // namespace cgrep
