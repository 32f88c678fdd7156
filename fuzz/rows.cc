#include "fuzz/rows.h"

#include <algorithm>

#include "extract/sqlite.h"
#include "extract/utf8.h"
#include "support/temp_dir.h"

namespace cgrep::fuzz {

namespace {

std::string_view take_until(std::string_view& rest, std::string_view separator) {
  const auto end = std::min(rest.find(separator), rest.size());
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + separator.size()));
  return taken;
}

bool has_table(Database& database, std::string_view name) {
  auto found = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1");
  found.bind(1, name);
  return found.step();
}

void fill(Database& database, const std::vector<Table>& tables, const std::vector<Row>& rows) {
  database.exec("BEGIN");
  for (const auto& table : tables) {
    if (!has_table(database, table.name)) database.exec(std::string(table.declared));
    auto add = database.prepare("INSERT OR REPLACE INTO " + std::string(table.name) + " (" +
                                std::string(table.key) + ", " + std::string(table.value) +
                                ") VALUES (?1, ?2)");
    bool as_text = false;
    for (const auto& row : rows) {
      if (row.table != table.name) continue;
      as_text = !as_text && valid_utf8(row.value);
      add.bind(1, row.key);
      if (as_text)
        add.bind(2, row.value);
      else
        add.bind_blob(2, row.value);
      add.run();
    }
  }
  database.exec("COMMIT");
}

}  // namespace

std::vector<Row> parse_rows(std::string_view bytes) {
  std::vector<Row> rows;
  while (!bytes.empty()) {
    auto row = take_until(bytes, kRow);
    const auto table = take_until(row, kField);
    const auto key = take_until(row, kField);
    rows.push_back({std::string(table), std::string(key), std::string(row)});
  }
  return rows;
}

std::string printed_rows(const std::vector<Row>& rows) {
  std::string bytes;
  for (const auto& row : rows)
    bytes.append(row.table).append(kField).append(row.key).append(kField).append(row.value).append(
        kRow);
  return bytes;
}

void make_database(const std::filesystem::path& path, const std::vector<Table>& tables,
                   const std::vector<Row>& rows, std::string_view journal) {
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::remove(path);
  Database database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = " + std::string(journal));
  fill(database, tables, rows);
}

std::string make_wal(const std::filesystem::path& path, const std::vector<Table>& tables,
                     const std::vector<Row>& rows) {
  make_database(path, tables, {}, "WAL");
  Database database(path, SQLITE_OPEN_READWRITE);
  fill(database, tables, rows);
  return test::read_file(path.string() + "-wal");
}

std::vector<Row> read_rows(const std::filesystem::path& path, const std::vector<Table>& tables) {
  std::vector<Row> rows;
  Database database(path, SQLITE_OPEN_READONLY);
  for (const auto& table : tables) {
    if (!has_table(database, table.name)) continue;
    auto found = database.prepare("SELECT " + std::string(table.key) + ", " +
                                  std::string(table.value) + " FROM " + std::string(table.name));
    while (found.step())
      rows.push_back(
          {std::string(table.name), std::string(found.blob(0)), std::string(found.blob(1))});
  }
  return rows;
}

const std::vector<Table>& state_tables() {
  static const std::vector<Table> kTables = {
      {"cursorDiskKV", "key", "value",
       "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"},
      {"ItemTable", "key", "value",
       "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)"},
      {"composerHeaders", "composerId", "value",
       "CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt "
       "INTEGER, lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER, "
       "checkpointAt INTEGER, value TEXT)"}};
  return kTables;
}

const std::vector<Table>& chat_tables() {
  static const std::vector<Table> kTables = {
      {"blobs", "id", "data", "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)"},
      {"meta", "key", "value", "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)"}};
  return kTables;
}

}  // namespace cgrep::fuzz
