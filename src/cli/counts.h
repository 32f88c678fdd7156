// `--by`: how many documents match, by the values of fields, instead of the hits.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "cli/output.h"
#include "cli/tally.h"
#include "cli/terminal.h"
#include "query/searcher.h"

namespace cgrep {

/// Adds every document that answers the request.
void tally_documents(History& history, Searcher& searcher, const Request& request,
                     const Conversations& conversations, Tally& tally, Outcome& outcome);

/// `COUNT<TAB>VALUE…` in a pipe, with bars on a terminal, or as JSON.
void print_tally(const Tally& tally, std::optional<std::size_t> limit, bool json,
                 const Terminal& terminal, const Environment& environment, Output& out);

}  // namespace cgrep
