// The second stage of a ranked search: reads the texts of the best candidates and puts their
// conversations in order.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "query/matches.h"
#include "query/query.h"
#include "query/snapshot.h"

namespace cgrep {

/// `best` are all matches in Xapian's order, `groups` the same by conversation. Conversations that
/// the second stage did not reach follow the others in Xapian's order.
void order_by_relevance(Snapshot& snapshot, const Request& request, const Query& query,
                        const std::vector<Match>& best, std::vector<Group>& groups);

}  // namespace cgrep
