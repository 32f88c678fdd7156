// What changed in cursorDiskKV, or another table, since it was last read, without reading all of
// it.
//
// Cursor writes a row by replacing it, which gives the new row the highest rowid. So what is new or
// was rewritten has a higher rowid than all that was there at the last reading. But when the last
// rows are deleted, their numbers are used again. So a mark also knows what the last row was, and
// some of those before it: nothing was written before one that is still there. That one itself is
// looked at again, as it may have been deleted and written anew.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
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
  std::int64_t hour = 0;    // since 1970, when all of it was last compared with what was noted

  struct Row {
    std::int64_t number = 0;
    std::uint32_t key = 0;  // its hash
  };
  std::vector<Row> rows{};  // the last one first; the farther from it, the fewer

  std::string text() const;
  static std::optional<StateMark> parse(std::string_view text);
};

/// Which rows of a table may have been written since a mark was made.
struct RowsSince {
  StateMark now{};
  std::optional<std::int64_t> first{};  // from this one on; absent: nobody can tell
  bool compare = true;        // a day has passed since all rows were compared with what was noted
  std::int64_t compared = 0;  // the hour when they were
};

/// Absent when there is no table with these columns, of which the first one is its key. An empty
/// mark: never read.
std::optional<RowsSince> rows_since(SourceDatabase& database, std::string_view mark,
                                    std::string_view name,
                                    std::initializer_list<std::string_view> columns);

/// What a reading of cursorDiskKV has to look at.
class StateChanges {
 public:
  /// Since the reading that returned this mark, in the families of keys. Empty: never read.
  StateChanges(SourceDatabase& database, std::string_view since,
               std::initializer_list<std::string_view> families);

  /// Whether there is such a table.
  bool exist() const { return now_.has_value(); }

  /// It cannot be told what changed, and all must be read.
  bool everything() const { return everything_; }

  /// A row that is updated in its place keeps its number, and one that is deleted leaves none. So
  /// once a day all is compared with what was noted (DailyLook).
  bool compare() const { return compare_; }

  /// Keys that were written, sorted.
  const std::vector<std::string>& keys() const { return keys_; }
  bool has(std::string_view key) const;

  /// Of this reading, when it is complete.
  std::string mark() const { return now_ ? now_->text() : std::string(); }

  /// The mark for a reading that goes on from here: it must see again what changed before this one
  /// began.
  std::string so_far() const { return everything_ ? mark() : since_; }

  /// The mark for a reading that has all that is new, and goes on to compare the rest.
  std::string before_look() const;

 private:
  std::string since_;
  std::optional<StateMark> now_{};
  bool everything_ = true;
  bool compare_ = false;
  std::int64_t compared_ = 0;  // the hour of the last look
  std::vector<std::string> keys_{};
};

/// The comparison of all conversations, in their order, with what was noted of them. It costs what
/// there is, so a reading that has no time left ends in the midst of it, and the next one goes on.
class DailyLook {
 public:
  /// Nothing is wanted when it is not due. Both must live longer.
  DailyLook(const StateChanges& changes, Sink& sink);

  /// Whether this one is still to be compared.
  bool wants(std::string_view conversation) const;

  /// So many bytes were read for it.
  void read(std::size_t bytes) { bytes_ += bytes; }

  /// It was compared, and read again where it differed. From time to time this is kept.
  void done(std::string_view conversation);

  /// All of them were.
  void end();

  /// What is noted of it, among the notes of conversations. No id holds a colon.
  static constexpr std::string_view kPart = "compared:";

 private:
  const StateChanges& changes_;
  Sink& sink_;
  std::string after_{};  // those up to this one were compared before
  std::size_t bytes_ = 0;
};

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
