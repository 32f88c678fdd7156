// Reads databases that Cursor may be writing to, without harm: nothing is ever written, created or
// locked for longer than a few MB take to read, and what is only in the -wal is read, too.
//
// How a database is opened depends on what lies beside it:
//   at rest        no -wal, or an empty one: immutable, which looks at nothing but the file;
//                  checked afterwards
//   in use         a -wal and its -shm: read-only, both of them, too; in short transactions
//   left behind    a -wal without its -shm, a read-only or network medium: read-only, without
//   locks,
//                  with an index of the -wal in memory; checked afterwards
// A database in the older rollback mode is never locked, since its writers wait for readers.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/sqlite.h"
#include "extract/store.h"

namespace cgrep {

/// Not for several threads.
class SourceDatabase {
 public:
  /// Which values can be read: up to kMaxRecordBytes, or those that take little memory; a larger
  /// one then makes reading throw Unreadable.
  enum class Values : std::uint8_t { all, small };

  /// Throws Unreadable when it is no file below its root, or cannot be opened now.
  explicit SourceDatabase(const Source& source, Values readable = Values::all);
  ~SourceDatabase();
  SourceDatabase(const SourceDatabase&) = delete;
  SourceDatabase& operator=(const SourceDatabase&) = delete;

  /// Calls `read` in one transaction, on one snapshot. It must be short and only gather: it is
  /// called again, and has to begin anew, when the file changed under it. Deliver afterwards.
  /// Throws Unreadable when somebody else keeps it busy, SqliteError when it is damaged.
  void snapshot(const std::function<void(Database& database)>& read);

  bool only_small() const;

  std::uint64_t inode() const;
  /// When it was last changed, by the newer of it and its -wal.
  std::int64_t mtime_ms() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Opens the source and returns what `read` returns. A damaged database is a problem: then, what
/// was delivered stands, and the mark is empty.
std::string read_database(const Source& source, Sink& sink,
                          const std::function<std::string(SourceDatabase& database)>& read);

/// Names of the table's columns; empty when there is no such table.
std::vector<std::string> columns_of(Database& database, std::string_view table);

/// Whether its rows are numbered, in the order in which they were written.
bool has_rowids(SourceDatabase& database, std::string_view table);

/// For those who read a table piece by piece, after each piece: whether its last row comes after
/// the piece before. In a damaged tree rows may go round without end; then it throws SqliteError.
inline void require_advance(bool advanced) {
  if (!advanced) throw SqliteError("rows are out of order", SQLITE_CORRUPT);
}

/// A value in a table of keys and values.
struct KeyedValue {
  enum class State : std::uint8_t {
    present,
    null,     // the key is there, without a value
    missing,  // the key is not there
    too_big,  // over kMaxRecordBytes
    damaged,
  };
  State state = State::missing;
  std::string bytes{};  // of TEXT and BLOB alike; with padding (input_file.h)
};

struct KeyedRow {
  std::string key{};
  KeyedValue value{};
};

/// A table with a key and a value column, such as cursorDiskKV, ItemTable or blobs. The database
/// must live longer.
class KeyedTable {
 public:
  explicit KeyedTable(SourceDatabase& database, std::string_view table = "cursorDiskKV",
                      std::string_view key = "key", std::string_view value = "value");

  bool exists() const { return exists_; }

  /// Keys from `first` on and before `last`, sorted, at most `limit`; touches no value.
  std::vector<std::string> keys(std::string_view first, std::string_view last,
                                std::size_t limit = kAll);
  /// The first key from `first` on and before `last`, then the first from `next(key)` on, which is
  /// greater than the key, and so forth.
  std::vector<std::string> keys_apart(std::string_view first, std::string_view last,
                                      const std::function<std::string(const std::string&)>& next);
  /// Those that begin with the prefix.
  std::vector<std::string> keys_with(std::string_view prefix, std::size_t limit = kAll);

  KeyedValue value(std::string_view key);

  /// Delivers the values of the keys, in their order; they may be moved from. Reads a few MB at a
  /// time; no transaction is open while `deliver` runs.
  void values(std::span<const std::string> keys,
              const std::function<void(const std::string& key, KeyedValue& value)>& deliver);

  /// The rows with keys from `first` on and before `last`, sorted, in one go, which takes half the
  /// time of asking for each. Valid until the next call. Absent when they are too much to be kept,
  /// or not all can be read: then keys() and values() tell of each.
  std::optional<std::span<const KeyedRow>> rows(std::string_view first, std::string_view last);

  static constexpr std::size_t kAll = static_cast<std::size_t>(-1);

 private:
  /// How many there are; absent when they are not all in rows_.
  std::optional<std::size_t> read_rows(Database& snapshot, std::string_view first,
                                       std::string_view last);

  SourceDatabase& database_;
  std::string table_;
  std::string key_;
  std::string value_;
  bool exists_ = false;
  std::vector<KeyedValue> batch_{};  // their memory is used again
  std::vector<KeyedRow> rows_{};
};

/// The end of the keys that begin with the prefix: the first text after all of them.
std::string end_of_prefix(std::string_view prefix);

/// Reports a value that cannot be used as a problem; true when it is there and can.
bool usable(const KeyedValue& value, const std::string& key, Sink& sink);

}  // namespace cgrep
