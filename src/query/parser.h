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

/// How words are meant, all of them.
struct WordStyle {
  bool whole = false;  // -w: they do not find their other forms
  Case match_case = Case::insensitive;
};

ParsedQuery parse_query(std::string_view pattern, WordStyle style = {});

}  // namespace cgrep
