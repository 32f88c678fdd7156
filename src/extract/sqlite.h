// SQLite, thinly: a Database and its Statements, closed by themselves, with errors that throw.
// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// Statements that are not used just now, by their text: to prepare one takes longer than most take
/// to run.
class StatementCache {
 public:
  StatementCache() = default;
  ~StatementCache();
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;

  /// Null when there is none.
  sqlite3_stmt* take(std::string_view sql);
  /// Takes it over.
  void put(sqlite3_stmt* statement);

 private:
  std::vector<sqlite3_stmt*> idle_{};  // those that were used last are at the end
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
  /// Without a copy: they must stay until it has run.
  void bind_kept_blob(int index, std::string_view bytes);
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
  struct PutBack {
    StatementCache* cache = nullptr;
    void operator()(sqlite3_stmt* statement) const { cache->put(statement); }
  };
  Statement(sqlite3_stmt* statement, StatementCache& cache, const std::string& label)
      : statement_(statement, PutBack{&cache}), label_(&label) {}
  void bind_int64(int index, std::int64_t value);
  void check(int code) const;

  std::unique_ptr<sqlite3_stmt, PutBack> statement_;
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

  /// Closes it; it may be opened again, as another one. Of statements there may only be lazy ones,
  /// which are prepared anew when they are next used.
  void close();
  void open(const std::filesystem::path& path, int flags);

  std::int64_t last_insert_rowid() const { return sqlite3_last_insert_rowid(handle()); }
  sqlite3* handle() const { return connection_.get(); }

 private:
  friend class LazyStatement;
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  std::unique_ptr<std::string> label_;  // statements refer to it
  std::unique_ptr<sqlite3, Close> connection_;
  std::unique_ptr<StatementCache> cache_;  // statements refer to it, too
  std::vector<class LazyStatement*> lazy_{};
};

/// A statement that is prepared when it is first used; the Database must live longer.
class LazyStatement {
 public:
  LazyStatement(Database& database, std::string sql) : database_(&database), sql_(std::move(sql)) {
    database_->lazy_.push_back(this);
  }
  ~LazyStatement() { std::erase(database_->lazy_, this); }
  LazyStatement(const LazyStatement&) = delete;
  LazyStatement& operator=(const LazyStatement&) = delete;

  Statement& operator*() {
    if (!statement_) statement_.emplace(database_->prepare(sql_));
    return *statement_;
  }
  Statement* operator->() { return &**this; }

 private:
  friend class Database;
  Database* database_;
  std::string sql_;
  std::optional<Statement> statement_{};
};

/// `file:` URI of a path, with everything escaped that has a meaning there.
std::string uri_of(const std::filesystem::path& path, std::string_view parameters);

}  // namespace cgrep
