// The second stage of a ranked search: of the conversations that look best by Xapian's weights, the
// texts of the best documents and what the others say of the same words decide.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "query/matches.h"
#include "query/query.h"
#include "query/snapshot.h"

namespace cgrep {

/// `groups` are all matches by conversation, in Xapian's order. Conversations that the second stage
/// did not reach follow the others in that order.
void order_by_relevance(Snapshot& snapshot, const Request& request, const Query& query,
                        std::vector<Group>& groups);

}  // namespace cgrep
