// Exact patterns: literals and regular expressions, matched on lines as grep does, in linear time.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "query/hit.h"
#include "query/query.h"

namespace cgrep {

/// What is looked for: any of the patterns.
struct ExactQuery {
  std::vector<std::string> patterns{};
  bool literal = false;  // no regular expressions
  Case match_case = Case::smart;
  bool whole_words = false;
  bool whole_lines = false;
};

/// May be shared by threads.
class ExactMatcher {
 public:
  /// Throws Error when a pattern is no regular expression that RE2 knows.
  explicit ExactMatcher(const ExactQuery& asked);
  ~ExactMatcher();
  ExactMatcher(const ExactMatcher&) = delete;
  ExactMatcher& operator=(const ExactMatcher&) = delete;

  /// Whether any line of the text matches.
  bool matches(std::string_view text) const;

  /// How many do.
  std::uint32_t count(std::string_view text) const;

  /// The lines that match, with all their matches. Line ends: \n, \r\n.
  std::vector<MatchLine> lines(std::string_view text) const;

  bool case_sensitive() const;

  /// If there are any: a line matches that has just these bytes, and no other.
  const std::string& plain_bytes() const;

  /// The regular expression that is searched for, as RE2 gets it.
  const std::string& printed() const;

  /// Literals, in lower case, of which a matching line holds some: see may_match().
  const std::vector<std::string>& literals() const;

  /// Whether a text that holds just these literals (their indices, sorted) may match. With none:
  /// whether there is any text that needs no look at all.
  bool may_match(const std::vector<int>& held) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
