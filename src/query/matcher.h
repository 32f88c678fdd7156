// Matcher: decides on the text. Xapian proposes documents by their words; phrases, nearness and
// what to highlight are settled here, by the text itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "query/hit.h"
#include "query/query.h"

namespace cgrep {

/// For one query whose `forms` are filled. Pure; cheap to copy; may be shared by threads.
class Matcher {
 public:
  explicit Matcher(const Query& query);

  /// Whether the text satisfies the tree: words by their forms, phrases and nearness exactly.
  /// What is not about the text (fields) is taken as it serves: `"a b" OR role:user` and
  /// `NOT role:user` match every text.
  bool matches(std::string_view text) const;

  /// The same for a document of which is known whether a field holds.
  using FieldHolds = std::function<bool(const Query& field)>;
  bool matches(std::string_view text, const FieldHolds& holds) const;

  /// What to highlight: matches of all words, prefixes and phrases that are not under a `not`,
  /// sorted, not overlapping. A phrase that stands in the text is one span.
  std::vector<Span> spans(std::string_view text) const;

  /// The lines of the text that have spans, with spans relative to the line. A span over several
  /// lines belongs to each. Line ends: \n, \r\n.
  std::vector<MatchLine> lines(std::string_view text) const;

 private:
  struct Plan;
  std::shared_ptr<const Plan> plan_;
};

}  // namespace cgrep
