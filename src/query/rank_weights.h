// RankWeights: how much each thing that the second stage looks at counts.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "document.h"

namespace cgrep {

struct RankWeights {
  std::array<double, kRoleNames.size()> roles = {1.25, 1.15, 0.80, 0.70, 0.60,
                                                 0.50, 1.30, 1.50, 1.10, 1.00};
  double phrase = 2.0;
  double closeness = 1.0;
  double other_form = 0.85;
  double subagent = 0.85;
  double here = 1.2;
  double orphan = 0.05;
  double recency = 0.15;
  double recency_days = 90;
  double title = 0.5;
  double others = 0.5;
  double partial = 0.0;

  /// Xapian's weight of the best document, and nothing else: what the rest is measured against.
  static RankWeights plain();
};

}  // namespace cgrep
