// Turns: when the agent ended its answers, as a hook of it saw. A transcript that has no times of
// its own gets them from here.
//
// A turn dates what was numbered since the one before; numbers last, and so does that, whoever read
// the lines first. What stood in the transcript when it ended is its own; what comes later is so
// only until another ends, as long as no line there said that this one had ended. Of the first turn
// that was seen, only what follows the last prompt is known to belong to it. These times are as
// good as a tag in the text, which also is one for a whole turn: no guess, but a message's own time
// is better. So their origin is `tag`, and whatever is read first, the same time wins in the end.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "extract/sqlite.h"

namespace cgrep {

struct Turn {
  std::string conversation{};
  std::string generation{};            // the agent's own id of it; may be empty
  std::int64_t time = 0;               // ms
  std::optional<std::int64_t> size{};  // of its transcript by then, in bytes; absent: not known
  bool ended = false;                  // so said the transcript's last line
  friend bool operator==(const Turn&, const Turn&) = default;
};

struct RecordedTurn {
  std::int64_t conversation = 0;  // its row
  bool dates = false;             // some of it
};

/// Keeps it with the numbers that it dates; absent when there is nothing of its conversation. The
/// same turn again may date what came since as well. Inside the caller's transaction.
std::optional<RecordedTurn> record_turn(Database& database, const Turn& turn);

/// Gives documents the times of the turns that they belong to.
class TurnTimes {
 public:
  explicit TurnTimes(Database& database);

  /// Whether there was one to date; inside the caller's transaction.
  bool date(const std::string& key, std::int64_t conversation);

 private:
  Database& database_;
  bool any_;
};

}  // namespace cgrep
