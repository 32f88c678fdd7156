// baseline-fts5: SQLite's own full-text index, the texts in a table beside it, one thread.
//   build TEXTS FILE     makes it in one transaction, without a journal
//   search FILE WORD…    asks for all words, prints the ids of the best 20

#include <exception>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>

#include <sqlite3.h>

#include "bench/baselines/texts.h"

namespace cgrep::bench {
namespace {

class Database {
 public:
  explicit Database(const char* path) { check(sqlite3_open(path, &database_)); }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql) { check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }

  sqlite3_stmt* prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr));
    return statement;
  }

  void check(int code) const {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database_));
  }

 private:
  sqlite3* database_ = nullptr;
};

void insert(Database& database, sqlite3_stmt* statement, sqlite3_int64 row, std::string_view text) {
  sqlite3_bind_int64(statement, 1, row);
  sqlite3_bind_text(statement, 2, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  if (sqlite3_step(statement) != SQLITE_DONE) database.check(SQLITE_ERROR);
  database.check(sqlite3_reset(statement));
}

void build(const char* file, const char* path) {
  const Texts texts(file);
  Database database(path);
  database.execute(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
      "CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT);"
      "CREATE VIRTUAL TABLE words USING fts5(text, content='texts', content_rowid='id',"
      " tokenize='porter unicode61');"
      "BEGIN");
  sqlite3_stmt* const text = database.prepare("INSERT INTO texts VALUES (?, ?)");
  sqlite3_stmt* const words = database.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)");
  sqlite3_int64 row = 0;
  for (const Text& each : texts.all()) {
    insert(database, text, ++row, each.text);
    insert(database, words, row, each.text);
  }
  sqlite3_finalize(text);
  sqlite3_finalize(words);
  database.execute("COMMIT");
}

void search(const char* path, std::span<char*> words) {
  std::string pattern;
  for (const char* word : words) pattern += '"' + std::string(word) + "\" ";
  Database database(path);
  sqlite3_stmt* const found =
      database.prepare("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 20");
  sqlite3_bind_text(found, 1, pattern.c_str(), -1, SQLITE_STATIC);
  while (sqlite3_step(found) == SQLITE_ROW) std::cout << sqlite3_column_int64(found, 0) << '\n';
  database.check(sqlite3_finalize(found));
}

void run(std::span<char*> arguments) {
  const std::string_view command = arguments.size() > 3 ? arguments[1] : "";
  if (command == "build")
    build(arguments[2], arguments[3]);
  else if (command == "search")
    search(arguments[2], arguments.subspan(3));
  else
    throw std::runtime_error("usage: build TEXTS FILE | search FILE WORD…");
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    cgrep::bench::run({argv, static_cast<std::size_t>(argc)});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "baseline-fts5: " << error.what() << '\n';
    return 2;
  }
}
