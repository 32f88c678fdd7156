// Words that no document has all of, but the documents of a conversation have between them.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "query/matches.h"
#include "query/snapshot.h"

namespace cgrep {

/// Conversations whose documents together have all parts of the query, with those documents.
/// Nothing when the query is not of several parts.
std::vector<Group> answer_spread(Snapshot& snapshot, const Request& request, Outcome& outcome);

}  // namespace cgrep
