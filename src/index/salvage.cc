#include "index/salvage.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "document.h"
#include "extract/sqlite.h"
#include "index/checked_files.h"
#include "index/files.h"
#include "index/flags.h"
#include "index/history.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "history.db";

bool is_damage(const SqliteError& error) {
  return error.primary() == SQLITE_CORRUPT || error.primary() == SQLITE_NOTADB ||
         error.primary() == SQLITE_TOOBIG || error.code() == SQLITE_IOERR_DATA;
}

// Runs are made again. Of what a damaged page says of history nothing is believed: one wrong bit
// names another tool, store or conversation, and nobody would ever know.
constexpr const char* kOnWholePages[] = {"conversations", "documents", "copies",
                                         "sources",       "claims",    "turns"};
// Texts have checksums of their own; of what is kept out, rather too much is kept than too little.
constexpr const char* kOnAnyPage[] = {"state",    "texts",     "kept_out",
                                      "opted_in", "opted_out", "dropped"};

std::vector<std::string> columns(Database& database, std::string_view table) {
  std::vector<std::string> names;
  auto rows = database.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY pk = 0, pk");
  rows.bind(1, table);
  while (rows.step()) names.emplace_back(rows.text(0));
  return names;
}

/// Copies what can be read of one table of the damaged database, one row after the other, so that
/// those before a damaged place stay. By two connections: one that met damage in a transaction
/// writes no more. In a damaged tree rows may go round without end: no more are taken than `most`.
class TableCopy {
 public:
  /// `add`: what is done with the columns of each row.
  TableCopy(Database& damaged, std::string table, const std::vector<std::string>& columns,
            std::uintmax_t most, Statement add)
      : damaged_(damaged),
        most_(most),
        table_(std::move(table)),
        names_(fmt::format("{}", fmt::join(columns, ", "))),
        key_(columns.front()),
        add_(std::move(add)) {}

  void run() {
    if (key_ == "id")
      copy_around_damage();
    else
      for (const char* order : {"", " DESC"}) copy(fmt::format("ORDER BY {}{}", key_, order), 0);
  }

 private:
  // Rows that are numbered can be asked for one by one: only those on a damaged page are lost.
  void copy_around_damage() {
    constexpr std::int64_t kGiveUpAfter = 100'000;
    std::int64_t from = 0;
    for (std::int64_t failures = 0; failures < kGiveUpAfter; ++failures) {
      last_.reset();
      if (copy("WHERE id >= ?1 ORDER BY id", from)) return;
      const bool came_further = last_ && *last_ >= from;
      if (came_further) failures = 0;
      from = (came_further ? *last_ : from) + 1;
    }
  }

  /// Whether it came to the end.
  bool copy(const std::string& which, std::int64_t from) {
    try {
      auto rows = damaged_.prepare(fmt::format("SELECT {} FROM {} {}", names_, table_, which));
      if (which.find('?') != std::string::npos) rows.bind(1, from);
      const int count = sqlite3_column_count(rows.handle());
      while (rows.step()) {
        if (taken_++ >= most_) return true;
        for (int i = 0; i < count; ++i)
          sqlite3_bind_value(add_.handle(), i + 1, sqlite3_column_value(rows.handle(), i));
        add_row();
        last_ = rows.int64(0);
      }
      return true;
    } catch (const SqliteError& error) {
      if (!is_damage(error) && error.primary() != SQLITE_ERROR) throw;
      return error.primary() == SQLITE_ERROR;  // there is no such table, or column
    }
  }

  // What a damaged page gives for a row may be none.
  void add_row() {
    try {
      add_.run();
    } catch (const SqliteError& error) {
      if (error.primary() != SQLITE_CONSTRAINT && error.primary() != SQLITE_MISMATCH) throw;
    }
  }

  Database& damaged_;
  std::uintmax_t most_;
  std::uintmax_t taken_ = 0;
  std::string table_;
  std::string names_;
  std::string key_;
  Statement add_;
  std::optional<std::int64_t> last_{};
};

void copy_table(Database& damaged, Database& database, const std::string& table,
                std::uintmax_t most) {
  std::vector<std::string> shared;
  const auto before = columns(damaged, table);
  for (const auto& name : columns(database, table))
    if (std::find(before.begin(), before.end(), name) != before.end()) shared.push_back(name);
  if (shared.empty()) return;
  std::string values = "?";
  for (std::size_t i = 1; i < shared.size(); ++i) values += ", ?";
  TableCopy(damaged, table, shared, most,
            database.prepare(fmt::format("INSERT OR REPLACE INTO {} ({}) VALUES ({})", table,
                                         fmt::join(shared, ", "), values)))
      .run();
}

/// Documents on damaged pages keep their numbers, if a source tells them again, and all that it
/// says of them; until then they are in no store. Those that nobody tells are removed at the end
/// (IndexWriter::finish_rebuild).
void copy_numbers(Database& damaged, Database& database, std::uintmax_t most) {
  TableCopy(damaged, "documents", {"id", "conversation", "number", "role", "hash"}, most,
            database.prepare(fmt::format(
                "INSERT OR IGNORE INTO documents (id, conversation, number, role, hash, position, "
                "stores, flags, gone) VALUES (?1, ?2, ?3, ?4, ?5, -1, 0, {}, 0)",
                flag::gone)))
      .run();
}

/// By `files` (a vfs). Nothing is moved from the journal into it.
Database open_damaged(const fs::path& file, std::string_view files) {
  Database damaged(uri_of(file, files.empty() ? std::string() : fmt::format("?vfs={}", files)),
                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, file.string());
  sqlite3_db_config(damaged.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // A damaged row may say that it is as long as it likes.
  sqlite3_limit(damaged.handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(kMaxRecordBytes));
  return damaged;
}

void copy_tables(const fs::path& file, Database& database, std::uintmax_t most) {
  try {
    auto checked = open_damaged(file, checked_files());
    for (const auto* table : kOnWholePages) copy_table(checked, database, table, most);
  } catch (const SqliteError& error) {
    if (!is_damage(error)) throw;  // where its tables are is not known: no page of theirs is
  }
  auto damaged = open_damaged(file, {});
  copy_numbers(damaged, database, most);
  for (const auto* table : kOnAnyPage) copy_table(damaged, database, table, most);
}

/// Names of conversations whose rows are lost stand also in an index. Its pages are checked, as a
/// wrong name would be believed.
void copy_names(const fs::path& file, Database& database) {
  auto add = database.prepare("INSERT OR IGNORE INTO conversations (id, key) VALUES (?1, ?2)");
  for (const char* order : {"", " DESC"}) try {
      auto damaged = open_damaged(file, checked_files());
      auto names =
          damaged.prepare(fmt::format("SELECT id, key FROM conversations INDEXED BY "
                                      "sqlite_autoindex_conversations_1 ORDER BY key{}",
                                      order));
      while (names.step()) {
        add.bind(1, names.int64(0));
        add.bind(2, names.text(1));
        add.run();
      }
    } catch (const SqliteError& error) {
      if (!is_damage(error) && error.primary() != SQLITE_ERROR) throw;
    }
}

// What refers to a row that is lost. What is left of a conversation whose name is lost says nothing
// of its sources: they tell it again, under its name. A document that no source has is gone, until
// one tells it.
constexpr const char* kMend = R"sql(
INSERT OR IGNORE INTO conversations (id, key)
  SELECT DISTINCT conversation, 'salvaged-' || conversation FROM documents
  WHERE conversation NOT IN (SELECT id FROM conversations);
DELETE FROM texts WHERE id NOT IN (SELECT id FROM documents);
DELETE FROM copies WHERE document NOT IN (SELECT d.id FROM documents d JOIN conversations k
  ON k.id = d.conversation WHERE k.key != 'salvaged-' || k.id)
  OR source NOT IN (SELECT id FROM sources)
  OR document IN (SELECT id FROM documents WHERE stores = 0 OR source IN (SELECT id FROM sources));
UPDATE documents SET source = NULL, identity = NULL, nth = NULL, place = NULL
  WHERE source NOT IN (SELECT id FROM sources)
  OR conversation IN (SELECT id FROM conversations WHERE key = 'salvaged-' || id);
UPDATE documents SET flags = flags | 1, gone = unixepoch() * 1000 WHERE NOT flags & 1
  AND source IS NULL AND id NOT IN (SELECT document FROM copies);
INSERT INTO held SELECT source, conversation FROM documents WHERE source IS NOT NULL
  UNION SELECT c.source, d.conversation FROM copies c JOIN documents d ON d.id = c.document;
DELETE FROM claims WHERE abs(source) NOT IN (SELECT id FROM sources);
UPDATE conversations SET next = max(next, 1 + coalesce((SELECT max(number) FROM documents
  WHERE conversation = conversations.id), 0));
UPDATE sources SET version = 0, inode = 0, size = 0, mtime = 0, mark = x'';
INSERT OR REPLACE INTO state (key, value) SELECT 'next_document', max(
  coalesce((SELECT value FROM state WHERE key = 'next_document'), 1),
  coalesce((SELECT max(id) + 1 FROM documents), 1), coalesce((SELECT max(id) + 1 FROM dropped), 1));
DELETE FROM dropped;
)sql";

std::size_t fill(const fs::path& folder, const fs::path& file) {
  History history(folder, History::Mode::write);
  auto& database = history.database();
  database.exec("BEGIN IMMEDIATE");
  constexpr std::uintmax_t kLeastRow = 8;
  const auto most = 2 * (fs::file_size(file) / kLeastRow);  // there and back
  copy_tables(file, database, most);
  copy_names(file, database);
  database.exec(kMend);
  database.exec("COMMIT");
  const auto saved = history.document_count();
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE");
  return saved;
}

bool is_of_older_schema(Database& database) {
  constexpr std::int64_t kChecksumsSince = 4;
  auto version = database.prepare("PRAGMA user_version");
  return version.step() && version.int64(0) < kChecksumsSince;
}

bool remove_files_of(const fs::path& database) {
  for (const char* suffix : {"-wal", "-shm"}) fs::remove(database.string() + suffix);
  return fs::remove(database);
}

// The database last: only then are both there.
void keep_aside(const fs::path& database, const fs::path& aside) {
  remove_files_of(aside);
  if (fs::exists(database.string() + "-wal"))
    fs::create_hard_link(database.string() + "-wal", aside.string() + "-wal");
  fs::create_hard_link(database, aside);
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
    Database database(uri_of(folder / kName, fmt::format("?vfs={}", checked_files())),
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
                      (folder / kName).string());
    sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                      nullptr);  // only looks
    if (!has_checksums(database) && !is_of_older_schema(database)) return true;
    auto check = database.prepare("PRAGMA quick_check(1)");
    return !check.step() || check.text(0) != "ok";
  } catch (const SqliteError& error) {
    if (!is_damage(error)) throw;
    return true;
  }
}

// The new one is complete before anything is moved; the journal goes with the old one, as it would
// spoil the new one. Who is killed between the two begins again with what is kept aside.
std::size_t salvage(const fs::path& folder) {
  const auto fresh = folder / "salvage";
  fs::remove_all(fresh);
  make_private_folder(fresh);
  std::size_t saved = 0;
  const auto aside = kept_aside(folder);
  const bool again = fs::exists(aside) && fs::equivalent(aside, folder / kName);
  try {
    saved = fill(fresh, again ? aside : folder / kName);
  } catch (const SqliteError& error) {
    // Nothing of it can be read.
    if (!is_damage(error)) throw;
    fs::remove_all(fresh);
    make_private_folder(fresh);
    const History history(fresh, History::Mode::write);
  }
  sync_files_of(fresh);
  if (!again) keep_aside(folder / kName, aside);
  for (const char* suffix : {"-wal", "-shm"}) fs::remove((folder / kName).string() + suffix);
  fs::rename(fresh / kName, folder / kName);
  fs::remove_all(fresh);
  sync_folder(folder);
  return saved;
}

}  // namespace cgrep
