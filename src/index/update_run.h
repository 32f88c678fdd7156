// One update: what changed is read and written, in one go. Called by update(), which holds the
// lock.
//
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/one_conversation.h"
#include "extract/roots.h"
#include "index/changes.h"
#include "index/history.h"
#include "index/look.h"
#include "index/noted_turns.h"
#include "index/read_ahead.h"
#include "index/update.h"
#include "index/writer.h"

namespace cgrep {

/// Whether an interrupted removal has left something to do.
bool needs_cleaning(History& history);

/// Whether it looks at all sources, and not only at some.
bool looks_at_all(const UpdateOptions& options);

/// What it is given must live longer.
class UpdateRun {
 public:
  /// `looked`, if any, was made after the caller took the lock, or nobody wrote since; and after
  /// `turns` were noted.
  UpdateRun(History& history, const Roots& roots, const UpdateOptions& options,
            const Looked* looked, std::vector<NotedTurn> turns)
      : history_(history),
        roots_(roots),
        options_(options),
        looked_(looked),
        turns_(std::move(turns)),
        changes_(history, roots, options) {}

  UpdateSummary run();

 private:
  void apply_exclusions();
  void opt_in();
  void choose_way();
  void watch_stores();
  void find_changes();
  void read_all();
  void read(const ChangedSource& changed);
  ReadingCounts read_all_of(const ChangedSource& changed, std::int64_t row);
  ReadingCounts read_one(const ChangedSource& changed, std::int64_t row, ExtractOne extract_one);
  void lose_vanished();
  void record_turns();
  void remove_notes();
  void remove_expired();
  void find_left_out();
  void finish();
  void compact();
  void remember_seen();
  void remember_all_seen();
  void check_words();
  void read_ahead();
  bool time_is_up() const;
  void sort_newest_first();
  void report(std::string_view phase, std::string_view store = {});
  IndexWriter& writer();

  History& history_;
  const Roots& roots_;
  const UpdateOptions& options_;
  const Looked* looked_;  // absent: discovery tells what changed
  std::vector<NotedTurn> turns_;
  Changes changes_;
  UpdateSummary summary_{};
  std::vector<const Store*> opted_in_ = history_.opted_in();
  std::optional<IndexWriter> writer_{};  // made when there is something to write
  std::optional<ReadAhead> ahead_{};     // gone when it is of no more use
  Progress progress_{};
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool reading_began_ = false;
  bool all_vanished_noted_ = true;
  bool stores_changed_ = false;  // of any conversation
};

}  // namespace cgrep
