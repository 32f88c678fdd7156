// SQLite, thinly: a Database and its Statements, closed by themselves, with errors that throw.
// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "error.h"

namespace cgrep {

class SqliteError : public Error {
 public:
  SqliteError(const std::string& what, int code, std::string hint = {})
      : Error(what, std::move(hint)), code_(code) {}

  /// The extended result code.
  int code() const { return code_; }

  /// The result code without its extension: SQLITE_BUSY, SQLITE_CORRUPT, …
  int primary() const { return code_ & 0xff; }

 private:
  int code_;
};

/// A prepared statement; must not outlive its Database. Indices of parameters begin at 1, columns
/// at 0.
class Statement {
 public:
  void bind(int index, std::string_view text);
  template <std::integral Integer>
  void bind(int index, Integer value) {
    bind_int64(index, static_cast<std::int64_t>(value));
  }
  void bind_blob(int index, std::string_view bytes);
  void bind_null(int index);

  /// Whether there is a row.
  bool step();

  /// Back to the start, without bindings.
  void reset();

  /// Steps to the end, then resets; also resets when it throws.
  void run();

  std::int64_t int64(int column) const;
  /// Valid until the next step() or reset(). NULL is empty.
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;

  sqlite3_stmt* handle() const { return statement_.get(); }

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Statement(sqlite3_stmt* statement, const std::string& label)
      : statement_(statement), label_(&label) {}
  void bind_int64(int index, std::int64_t value);
  void check(int code) const;

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const std::string* label_;
};

/// A connection. Not for several threads at once.
class Database {
 public:
  /// `flags` as for sqlite3_open_v2; with SQLITE_OPEN_URI the path may be a URI. With a label,
  /// errors begin with it and have a hint: what the user can do about it.
  Database(const std::filesystem::path& path, int flags, std::string label = {});

  void exec(const std::string& sql);
  Statement prepare(std::string_view sql);
  /// How long to wait for another process's lock.
  void busy_timeout(int milliseconds);

  std::int64_t changes() const { return sqlite3_changes64(handle()); }
  std::int64_t last_insert_rowid() const { return sqlite3_last_insert_rowid(handle()); }
  sqlite3* handle() const { return connection_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  std::unique_ptr<std::string> label_;  // statements refer to it
  std::unique_ptr<sqlite3, Close> connection_;
};

/// `file:` URI of a path, with everything escaped that has a meaning there.
std::string uri_of(const std::filesystem::path& path, std::string_view parameters);

}  // namespace cgrep
