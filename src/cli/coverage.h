// What an answer does not cover: stores that were not searched, records that were not understood.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/printer.h"
#include "index/history.h"
#include "query/request.h"

namespace cgrep {

/// Adds the stores that were found and are not searched. `stores_named`: by --store.
void find_left_out(History& history, const Request& request, bool stores_named, Coverage& coverage);

/// Adds the records that were skipped in all stores.
void count_problems(History& history, Coverage& coverage);

/// Why a plain search leaves it out: `opt-in`, or `default-stores` of the config.
std::string_view why_left_out(const LeftOut& left);

/// A line for each reason, `not searched (opt-in): chats, diffs`, and one for what only they have.
std::vector<std::string> left_out_notes(const std::vector<LeftOut>& stores);

}  // namespace cgrep
