// Plain SQLite calls, independent of the maker under test.

#include "open_database.h"

#include <memory>
#include <stdexcept>

#include <sqlite3.h>

namespace cgrep::corpus {
namespace {

struct Close {
  void operator()(sqlite3* handle) const { sqlite3_close(handle); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

std::string column(sqlite3_stmt* statement, int i) {
  const void* bytes = sqlite3_column_blob(statement, i);
  if (sqlite3_column_type(statement, i) == SQLITE_NULL) return "NULL";
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
  return {static_cast<const char*>(bytes), bytes == nullptr ? 0 : size};
}

std::string row(sqlite3_stmt* statement) {
  std::string text = column(statement, 0);
  for (int i = 1; i < sqlite3_column_count(statement); ++i) text += '|' + column(statement, i);
  return text;
}

}  // namespace

Rows query(const std::filesystem::path& database, const std::string& how, const std::string& sql) {
  sqlite3* handle = nullptr;
  const std::string uri = "file:" + database.string() + '?' + how;
  const int opened =
      sqlite3_open_v2(uri.c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  const std::unique_ptr<sqlite3, Close> connection(handle);
  sqlite3_stmt* prepared = nullptr;
  if (opened != SQLITE_OK ||
      sqlite3_prepare_v2(handle, sql.c_str(), -1, &prepared, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(handle));
  const std::unique_ptr<sqlite3_stmt, Close> statement(prepared);
  Rows rows;
  while (sqlite3_step(prepared) == SQLITE_ROW) rows.push_back(row(prepared));
  return rows;
}

Rows contents(const std::filesystem::path& database) {
  Rows all;
  for (const auto& table :
       query(database, "mode=ro", "SELECT name FROM sqlite_master WHERE type = 'table'")) {
    all.push_back(table);
    for (auto& text : query(database, "mode=ro", "SELECT rowid, * FROM \"" + table + "\""))
      all.push_back(std::move(text));
  }
  return all;
}

}  // namespace cgrep::corpus
