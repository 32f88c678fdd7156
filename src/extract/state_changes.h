// What changed in cursorDiskKV since it was last read, without reading all of it.
//
// Cursor writes a row by replacing it, which gives the new row the highest rowid. So what is new or
// was rewritten has a higher rowid than all that was there at the last reading. But when the last
// rows are deleted, their numbers are used again. So a mark also knows what the last row was, and
// some of those before it: nothing was written before one that is still there. That one itself is
// looked at again, as it may have been deleted and written anew.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/source_database.h"

namespace cgrep {

/// How far a database was read.
struct StateMark {
  std::uint64_t inode = 0;
  std::int64_t schema = 0;  // goes up with VACUUM, which may renumber rows

  struct Row {
    std::int64_t number = 0;
    std::uint32_t key = 0;  // its hash
  };
  std::vector<Row> rows{};  // the last one first; the farther from it, the fewer

  std::string text() const;
  static std::optional<StateMark> parse(std::string_view text);
};

/// The mark for a reading that begins now; absent when there is no such table.
std::optional<StateMark> mark_now(SourceDatabase& database);

/// Keys that begin with the prefix and were written since; absent when that cannot be told, and
/// all must be read.
std::optional<std::vector<std::string>> changed_keys(SourceDatabase& database,
                                                     std::string_view since, const StateMark& now,
                                                     std::string_view prefix);

/// `bubbleId:<conversation>:<id>` → its three parts; false when it has not as many. Ids may hold
/// anything but a colon.
struct StateKey {
  std::string_view family{};
  std::string_view conversation{};
  std::string_view id{};
};
std::optional<StateKey> split_key(std::string_view key);

/// The ids of conversations that have keys in the family, raw, sorted; seeks from one to the next
/// without touching the keys between them.
std::vector<std::string> conversations_of(KeyedTable& table, std::string_view family);

}  // namespace cgrep
