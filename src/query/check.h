// Check: whether a candidate really is what the query asks for, by its metadata and its text.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "query/conditions.h"
#include "query/matcher.h"
#include "query/query.h"

namespace cgrep {

/// The whole tree, fields included. Parts without fields are the Matcher's.
class Check {
 public:
  Check(const Query& query, Conditions& conditions);

  bool holds(const Candidate& candidate, std::string_view text) const;

 private:
  Query::Kind kind_;
  std::optional<Matcher> matcher_{};
  Condition condition_{};
  std::vector<Check> children_{};
};

/// Whether there is a field in the tree.
bool has_field(const Query& query);

}  // namespace cgrep
