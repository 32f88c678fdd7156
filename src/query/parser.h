// The pattern of a word search → Query. Pure: no index, no clock. Never fails: what the grammar
// does not know is literal.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/query.h"

namespace cgrep {

struct ParsedQuery {
  Query query{};

  /// `word:` that stand before a value and are no field; said only when nothing was found.
  std::vector<std::string> unknown_fields{};
};

/// `whole_words` (-w): words do not find their other forms.
ParsedQuery parse_query(std::string_view pattern, bool whole_words = false);

}  // namespace cgrep
