// Rows of cursorDiskKV that belong to one conversation, read as its documents: all of them, or what
// changed.
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extract/json_reader.h"
#include "extract/source_database.h"
#include "extract/state_changes.h"
#include "extract/store.h"

namespace cgrep {

/// The conversations of a database, by their raw ids.
struct StateConversations {
  std::vector<std::string> composers{};  // that have a row of their own, sorted
  std::vector<std::string> all{};        // that have rows, of whatever kind, sorted
  /// Ids of those that stood inside a bubble of another one before this reading, by that one.
  std::map<std::string, std::set<std::string>> children{};
};

/// Not for several threads.
class BubbleRows {
 public:
  using Keys = std::set<std::string>;

  /// All three must live longer.
  BubbleRows(SourceDatabase& database, const StateConversations& conversations, Sink& sink);
  ~BubbleRows();
  BubbleRows(const BubbleRows&) = delete;
  BubbleRows& operator=(const BubbleRows&) = delete;

  /// `changed`: its bubbles that were written since the last reading; null when nothing was. False
  /// when there is nothing to read.
  bool read(const std::string& raw, const Keys* changed);

  /// Whether its rows are others than those that were noted.
  bool differ(const std::string& raw, DailyLook& look);

  /// Messages inside a conversation's own document, which is kept under this key.
  void deliver_inline(const std::string& conversation, std::string_view store, JsonElement composer,
                      const std::string& key);

  /// One that stood inside a bubble is not there any more.
  void lose_child(const std::string& id);

  /// Begins the notes of conversations inside of bubbles; ids in keys hold no colon.
  static constexpr std::string_view kInside = "inside:";

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
