// Snapshot: the state of the index that one search is answered from.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "index/frames.h"
#include "index/history.h"
#include "index/runs.h"
#include "query/conditions.h"
#include "query/request.h"

namespace cgrep {

struct Snapshot {
  explicit Snapshot(History& opened);

  /// Rows that runs still have and are no longer current.
  bool is_dropped(std::int64_t row) const;

  /// Whether all hold. Counts what they leave out only because it has no time.
  static bool hold(const std::vector<Condition>& asked, const Candidate& candidate,
                   Outcome& outcome);

  /// From now on the texts are read instead of the words.
  void words_are_damaged();

  History& history;
  std::int64_t now_ms;
  Conditions conditions;
  std::vector<std::int64_t> dropped;  // sorted
  std::optional<Runs> runs{};         // absent: nothing is indexed yet, or damaged
  Frames frames{};                    // for texts that are unpacked here
  bool damaged = false;
};

}  // namespace cgrep
