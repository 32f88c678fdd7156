// A table of a new SQLite database that rows are added to.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <string_view>

#include <sqlite3.h>

namespace cgrep::bench {

/// Complete when it is gone.
class Table {
 public:
  Table(const std::filesystem::path& path, const char* create, const char* insert) {
    std::filesystem::create_directories(path.parent_path());
    check(sqlite3_open(path.c_str(), &database_));
    execute("PRAGMA synchronous = OFF");
    execute(create);
    execute("BEGIN");
    check(sqlite3_prepare_v2(database_, insert, -1, &insert_, nullptr));
  }

  ~Table() {
    sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr);
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }

  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void add(std::initializer_list<std::string_view> values) {
    int column = 0;
    for (const auto value : values)
      sqlite3_bind_text(insert_, ++column, value.data(), static_cast<int>(value.size()),
                        SQLITE_TRANSIENT);
    if (sqlite3_step(insert_) != SQLITE_DONE) check(SQLITE_ERROR);
    check(sqlite3_reset(insert_));
  }

 private:
  void execute(const char* sql) { check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }

  void check(int code) const {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database_));
  }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

}  // namespace cgrep::bench
