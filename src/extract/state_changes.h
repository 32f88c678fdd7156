// What changed in cursorDiskKV since it was last read, without reading all of it.
//
// Cursor writes a row by replacing it, which gives the new row the highest rowid. So what is new or
// was rewritten has a rowid that is not below the highest one of the last reading; that one itself
// is looked at again, since the last row's number is used again when it is replaced.
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
  std::int64_t schema = 0;   // goes up with VACUUM, which may renumber rows
  std::int64_t highest = 0;  // rowid

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
