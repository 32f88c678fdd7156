// RankWeights: how much each thing that the second stage looks at counts.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "document.h"

namespace cgrep {

/// The defaults are what the judged queries of bench/judged chose (see bench/README.md). Factors
/// multiply Xapian's weight; shares are added to a factor of one.
struct RankWeights {
  // What people said and were told is what they remember; output that repeats the words is not.
  std::array<double, kRoleNames.size()> roles = {
      1.00,  // user
      1.30,  // assistant
      0.80,  // thinking
      0.15,  // tool-call
      0.15,  // tool-result
      0.50,  // system
      1.30,  // summary
      2.00,  // title
      1.10,  // plan
      1.00,  // prompt
  };
  double phrase = 2.5;        // share: the words side by side
  double closeness = 1.5;     // share: times words / the window they stand in
  double other_form = 0.90;   // factor: only other forms of a word
  double opening = 0.8;       // share: the first message, which says what a conversation is about
  double orphan = 0.01;       // factor: after all that still is part of a conversation
  double others = 0.6;        // what the next best document counts, compared with the one before
  double partial = 0.8;       // factor: a document with only some of the words
  double title = 0.8;         // share: times the part of the words that the title names
  double subagent = 0.4;      // factor
  double here = 1.5;          // factor: in the current project
  double recency = 0.15;      // share: falls with the age
  double recency_days = 180;  // to this age by a factor of e

  /// Xapian's weight of the best document, and nothing else: what the rest is measured against.
  static RankWeights plain();
};

}  // namespace cgrep
