#include "index/salvage.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "extract/sqlite.h"
#include "index/files.h"
#include "index/history.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "history.db";

// In the order in which they matter; runs are made again.
constexpr const char* kTables[] = {"state",    "conversations", "documents", "texts",
                                   "copies",   "sources",       "claims",    "kept_out",
                                   "opted_in", "opted_out",     "dropped"};

std::vector<std::string> columns(Database& database, std::string_view schema,
                                 std::string_view table) {
  std::vector<std::string> names;
  auto rows = database.prepare("SELECT name FROM pragma_table_info(?1, ?2) ORDER BY pk = 0, pk");
  rows.bind(1, table);
  rows.bind(2, schema);
  while (rows.step()) names.emplace_back(rows.text(0));
  return names;
}

// From one end up to where it is damaged; one row after the other, so that those before stay.
void copy_rows(Database& database, const std::string& table, const std::string& names,
               const std::string& order) {
  try {
    auto rows =
        database.prepare(fmt::format("SELECT {} FROM damaged.{} ORDER BY {}", names, table, order));
    const int count = sqlite3_column_count(rows.handle());
    std::string places = "?";
    for (int i = 1; i < count; ++i) places += ", ?";
    auto add = database.prepare(
        fmt::format("INSERT OR REPLACE INTO main.{} ({}) VALUES ({})", table, names, places));
    while (rows.step()) {
      for (int i = 0; i < count; ++i)
        sqlite3_bind_value(add.handle(), i + 1, sqlite3_column_value(rows.handle(), i));
      add.run();
    }
  } catch (const SqliteError& error) {
    if (error.primary() != SQLITE_CORRUPT && error.primary() != SQLITE_ERROR) throw;
  }
}

void copy_table(Database& database, const std::string& table) {
  std::vector<std::string> shared;
  const auto before = columns(database, "damaged", table);
  for (const auto& name : columns(database, "main", table))
    if (std::find(before.begin(), before.end(), name) != before.end()) shared.push_back(name);
  if (shared.empty()) return;
  const auto names = fmt::format("{}", fmt::join(shared, ", "));
  const auto& key = shared.front();
  copy_rows(database, table, names, key);
  copy_rows(database, table, names, key + " DESC");
}

// What refers to a row that is lost.
constexpr const char* kMend = R"sql(
DELETE FROM texts WHERE id NOT IN (SELECT id FROM documents);
DELETE FROM copies WHERE document NOT IN (SELECT id FROM documents)
  OR source NOT IN (SELECT id FROM sources);
DELETE FROM claims WHERE source NOT IN (SELECT id FROM sources);
INSERT OR IGNORE INTO conversations (id, key)
  SELECT DISTINCT conversation, 'salvaged-' || conversation FROM documents
  WHERE conversation NOT IN (SELECT id FROM conversations);
UPDATE conversations SET next = max(next, 1 + coalesce((SELECT max(number) FROM documents
  WHERE conversation = conversations.id), 0));
UPDATE sources SET version = 0, inode = 0, size = 0, mtime = 0, mark = x'';
INSERT OR REPLACE INTO state (key, value) SELECT 'next_document', max(
  coalesce((SELECT value FROM state WHERE key = 'next_document'), 1),
  coalesce((SELECT max(id) + 1 FROM documents), 1), coalesce((SELECT max(id) + 1 FROM dropped), 1));
DELETE FROM dropped;
)sql";

std::size_t fill(const fs::path& folder, const fs::path& damaged) {
  History history(folder, History::Mode::write);
  auto& database = history.database();
  auto attach = database.prepare("ATTACH ?1 AS damaged");
  attach.bind(1, damaged.string());
  attach.run();
  database.exec("BEGIN IMMEDIATE");
  for (const auto* table : kTables) copy_table(database, table);
  database.exec(kMend);
  database.exec("COMMIT");
  const auto saved = history.document_count();
  database.exec("DETACH damaged; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE");
  return saved;
}

void move_if_there(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  fs::rename(from, to, ignored);
}

bool remove_files_of(const fs::path& database) {
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(database.string() + suffix);
  return fs::remove(database);
}

}  // namespace

fs::path kept_aside(const fs::path& folder) {
  return folder / "history.damaged.db";
}

bool remove_kept_aside(const fs::path& folder) {
  fs::remove_all(folder / "salvage");
  return remove_files_of(kept_aside(folder));
}

bool is_damaged(const fs::path& folder) {
  if (!fs::exists(folder / kName)) return false;
  try {
    Database database(folder / kName, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
    auto check = database.prepare("PRAGMA quick_check(1)");
    return !check.step() || check.text(0) != "ok";
  } catch (const SqliteError& error) {
    if (error.primary() != SQLITE_CORRUPT && error.primary() != SQLITE_NOTADB) throw;
    return true;
  }
}

// The new one is complete before anything is moved; the journal goes with the old one, as it would
// spoil the new one.
std::size_t salvage(const fs::path& folder) {
  const auto fresh = folder / "salvage";
  fs::remove_all(fresh);
  make_private_folder(fresh);
  std::size_t saved = 0;
  try {
    saved = fill(fresh, folder / kName);
  } catch (const SqliteError& error) {
    // Nothing of it can be read.
    if (error.primary() != SQLITE_CORRUPT && error.primary() != SQLITE_NOTADB) throw;
    fs::remove_all(fresh);
    make_private_folder(fresh);
    const History history(fresh, History::Mode::write);
  }
  sync_files_of(fresh);
  const auto aside = kept_aside(folder);
  remove_files_of(aside);
  fs::create_hard_link(folder / kName, aside);
  move_if_there((folder / kName).string() + "-wal", aside.string() + "-wal");
  fs::remove((folder / kName).string() + "-shm");
  fs::rename(fresh / kName, folder / kName);
  fs::remove_all(fresh);
  sync_folder(folder);
  Database database(folder / kName, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX);
  database.exec("PRAGMA journal_mode=WAL");
  return saved;
}

}  // namespace cgrep
