#include "index/history.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <unordered_map>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "address.h"
#include "error.h"
#include "extract/file_system.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/at_rest.h"
#include "index/checked_files.h"
#include "index/files.h"
#include "index/flags.h"
#include "index/folder.h"
#include "index/frames.h"
#include "index/order.h"
#include "index/runs.h"

namespace cgrep {

namespace {

constexpr int kApplicationId = 0x63677270;  // "cgrp"
constexpr int kSchema = 7;
constexpr int kPatienceMs = 10'000;

// The schema. Rows refer to each other by row id; ids of documents are never reused, since runs
// name documents by them. Times are ms since 1970, UTC.
constexpr const char* kTables = R"sql(
-- Single values: next_document (row), next_run (number), salt (of kept_out), exclude (the patterns
-- of projects that were left out last, one a line), cleaning (what a removal has still to do),
-- direct_runs (what the last probe of writing runs directly was good for; negative: it failed),
-- generation (another after each commit), packed (the generation that was written anew).
CREATE TABLE state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- The ledger: what has been read of which source. inode, size and mtime (ns) are what stat said
-- before reading, the same for the -wal of a database; mark is the extractor's own note of where
-- it stopped, version the extractor's. missing: the file is gone, its documents are kept, and path is
-- a hash (kept_out.h). skipped: it holds something that is excluded.
CREATE TABLE sources (id INTEGER PRIMARY KEY, store INTEGER NOT NULL, path BLOB NOT NULL,
  version INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
  wal_inode INTEGER NOT NULL, wal_size INTEGER NOT NULL, wal_mtime INTEGER NOT NULL,
  mark BLOB NOT NULL, missing INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0, UNIQUE (store, path));

-- Listings of folders, so that an unchanged one is not listed again. entries: kind and name, '\0'.
CREATE TABLE folders (path BLOB PRIMARY KEY, inode INTEGER NOT NULL, mtime INTEGER NOT NULL,
  entries BLOB NOT NULL) WITHOUT ROWID;

-- What the join (join.h) made of the claims. next: the next document's number. stores: bits by store
-- id, and whether several sources have messages of it (order.h). first, last: times
-- of its documents; fallback: for documents without a time, with its origin. files: what a store
-- says that it touched beside the files of its documents, one path a line.
CREATE TABLE conversations (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
  next INTEGER NOT NULL DEFAULT 1, stores INTEGER NOT NULL DEFAULT 0, slug TEXT, project TEXT,
  title TEXT, parent TEXT, model TEXT, mode TEXT, branch TEXT, surface TEXT, files TEXT,
  tokens INTEGER, archived INTEGER NOT NULL DEFAULT 0, first INTEGER, last INTEGER,
  fallback INTEGER, fallback_origin INTEGER);
-- Those that a conversation started: they follow when its project changes.
CREATE INDEX conversations_parent ON conversations (parent) WHERE parent IS NOT NULL;

-- One row per current text; a document that changes gets a new row and keeps its number.
-- hash: of role and text with white space folded; equal in all copies. stores: bits by store id.
-- origin: where time came from. files: one path a line. flags: flags.h. position: reading order.
-- gone: since when it is. source, identity, nth, place: its only copy, see copies.
CREATE TABLE documents (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL,
  number INTEGER NOT NULL, role INTEGER NOT NULL, stores INTEGER NOT NULL, hash INTEGER NOT NULL,
  position INTEGER NOT NULL, flags INTEGER NOT NULL, time INTEGER, origin INTEGER, tool TEXT,
  files TEXT, gone INTEGER, source INTEGER, identity INTEGER, nth INTEGER, place INTEGER);
CREATE UNIQUE INDEX documents_number ON documents (conversation, number);
CREATE INDEX documents_hash ON documents (conversation, hash);
-- Prompts and what users said, wherever: which prompts only repeat a message.
CREATE INDEX documents_user ON documents (hash) WHERE role = 0;
CREATE INDEX documents_prompt ON documents (hash) WHERE role = 9;

-- The texts, apart, so that a look at the documents does not wade through them (frames.h).
CREATE TABLE texts (id INTEGER PRIMARY KEY, frame BLOB NOT NULL);

-- Which source holds which document, by the identity it has there. A document without a copy is
-- gone. position: reading order in that source. flags, time and origin: what that source says of
-- it; the document has what all of them say together. The copy of a document that was never
-- anywhere else is no row here (copies.h): the document has its source, what it says is what the
-- document has, its position is place, or the document's where that is NULL, and its identity is
-- that of a key, or made of nth, when it is the n-th with its hash of its conversation.
CREATE TABLE copies (source INTEGER NOT NULL, identity INTEGER NOT NULL,
  document INTEGER NOT NULL, store INTEGER NOT NULL, position INTEGER NOT NULL,
  flags INTEGER NOT NULL DEFAULT 0, time INTEGER, origin INTEGER,
  PRIMARY KEY (source, identity)) WITHOUT ROWID;
CREATE INDEX copies_document ON copies (document);

-- What the sources say of conversations, or of all conversations of a slug or workspace
-- ("slug:…", "workspace:…"). The lowest rung wins (document.h, join.h). teller: the conversation
-- in whose part of the source it was said, '=' when it told of itself; when that part is read again, what is not said again is
-- withdrawn, unless it tells of a conversation that is gone: then its source becomes negative, and
-- it counts where no other says anything.
CREATE TABLE claims (subject TEXT NOT NULL, fact INTEGER NOT NULL, rung INTEGER NOT NULL,
  source INTEGER NOT NULL, teller TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (subject, fact, rung, source, teller)) WITHOUT ROWID;
CREATE INDEX claims_teller ON claims (source, teller);

-- Records that were skipped, by kind, and the part of the source they are in. passing: looked at
-- again whenever the source is read.
CREATE TABLE problems (source INTEGER NOT NULL, teller TEXT NOT NULL, what TEXT NOT NULL,
  count INTEGER NOT NULL, example TEXT NOT NULL, passing INTEGER NOT NULL,
  PRIMARY KEY (source, teller, what)) WITHOUT ROWID;

-- What extractors noted of parts of their sources.
CREATE TABLE notes (source INTEGER NOT NULL, part TEXT NOT NULL, note BLOB NOT NULL,
  PRIMARY KEY (source, part)) WITHOUT ROWID;

-- Stores that are read and searched when they are named, since somebody named them.
CREATE TABLE opted_in (store INTEGER PRIMARY KEY);

-- What was found of stores that nobody opted into. only: conversations that no other store has.
CREATE TABLE left_out (store INTEGER PRIMARY KEY, sources INTEGER NOT NULL, only INTEGER NOT NULL);

-- The current runs (runs.h), each with the seal of its files (seal.h). What is in words/ and
-- neither here nor in retired is litter.
CREATE TABLE runs (name TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL,
  documents INTEGER NOT NULL, seal TEXT NOT NULL DEFAULT '') WITHOUT ROWID;

-- Runs that were merged into others; a reader may still be about to open them. at: ms.
CREATE TABLE retired (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

-- Rows that runs still have and documents no longer has. purge: no run may keep its words.
CREATE TABLE dropped (id INTEGER PRIMARY KEY, purge INTEGER NOT NULL DEFAULT 0);
)sql";

// Since schema 3.
constexpr const char* kKeptOutTables = R"sql(
-- What is kept out though its sources have it, by salted hashes (kept_out.h).
CREATE TABLE kept_out (entry BLOB PRIMARY KEY, reason INTEGER NOT NULL) WITHOUT ROWID;

-- Stores that are read by default, and that somebody asked to forget.
CREATE TABLE opted_out (store INTEGER PRIMARY KEY);

INSERT INTO state (key, value) VALUES ('salt', randomblob(16));
)sql";

// Since schema 6.
constexpr const char* kHeldTables = R"sql(
CREATE INDEX documents_identity ON documents (source, identity) WHERE identity IS NOT NULL;

-- Conversations that a source has, or had, documents of.
CREATE TABLE held (source INTEGER NOT NULL, conversation INTEGER NOT NULL,
  PRIMARY KEY (source, conversation)) WITHOUT ROWID;
)sql";

// Since schema 5.
constexpr const char* kTurnTables = R"sql(
-- When turns of a conversation ended, as a hook saw it. They date the documents with the numbers
-- from first to before next that have no better time (turns.h).
CREATE TABLE turns (conversation TEXT NOT NULL, time INTEGER NOT NULL, generation TEXT NOT NULL,
  first INTEGER NOT NULL, next INTEGER NOT NULL,
  PRIMARY KEY (conversation, time)) WITHOUT ROWID;
)sql";

constexpr std::string_view kDocumentColumns =
    "id, conversation, number, role, stores, flags, time, origin, tool, files";

std::int64_t single(Database& database, std::string_view sql) {
  auto statement = database.prepare(sql);
  return statement.step() ? statement.int64(0) : 0;
}

void create_private_file(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (!file.valid()) throw_errno("make", path);
}

constexpr int kReadOnly = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
constexpr int kReadWrite = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;

std::string checked_uri(const std::filesystem::path& database) {
  return uri_of(database, fmt::format("?vfs={}", checked_files()));
}

// Whose journals are of no use without it, or spoil what is put in its place.
void remove_journals_of(const std::filesystem::path& database) {
  for (const char* suffix : {"-wal", "-shm", "-journal"})
    std::filesystem::remove(database.string() + suffix);
}

// The usual journal needs memory that processes share, which a network does not give.
void choose_journal(Database& database, const std::filesystem::path& folder) {
  const bool network = is_remote(folder);
  if (network) database.exec("PRAGMA locking_mode=EXCLUSIVE");  // it may still have the other
  database.exec(network ? "PRAGMA journal_mode=DELETE; PRAGMA locking_mode=NORMAL"
                        : "PRAGMA journal_mode=WAL");
}

void create_tables(const std::filesystem::path& path) {
  Database database(checked_uri(path), kReadWrite, path.string());
  reserve_checksums(database);
  database.exec("PRAGMA page_size=8192; BEGIN IMMEDIATE");
  database.exec(kTables);
  database.exec(kKeptOutTables);
  database.exec(kTurnTables);
  database.exec(kHeldTables);
  database.exec(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}; COMMIT",
                            kApplicationId, kSchema));
  choose_journal(database, path.parent_path());
}

std::filesystem::path fresh_history(const std::filesystem::path& folder) {
  return folder / "history.new.db";
}

void remove_database(const std::filesystem::path& database) {
  remove_journals_of(database);
  std::filesystem::remove(database);
}

// Made beside and moved into its place when it is whole: who looks finds all of it or nothing.
void make_history(const std::filesystem::path& folder) {
  const auto file = folder / "history.db";
  std::error_code ignored;
  if (std::filesystem::exists(file) && std::filesystem::file_size(file, ignored) > 0) return;
  const auto fresh = fresh_history(folder);
  remove_database(fresh);
  create_private_file(fresh);
  create_tables(fresh);
  remove_journals_of(file);
  std::filesystem::rename(fresh, file);
  sync_folder(folder);
}

bool has_journal(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::file_size(folder / "history.db-wal", error) > 0 && !error;
}

// Readers and writers share a file beside the database. Where it cannot be made (a read-only
// folder, a full disk), a reader keeps the writer away, and looks at the database alone, or at it
// and its journal with nobody else. If there is a writer, that file is there.
struct ReadAlone {
  explicit ReadAlone(const std::filesystem::path& folder)
      : lock(open((folder / "lock").c_str(), O_RDONLY | O_CLOEXEC)) {
    if (lock.valid() && flock(lock.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      writer = true;
  }

  FileDescriptor lock;
  bool writer = false;
};

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::optional<Time> time_from(const Statement& row, int time, int origin) {
  if (row.is_null(time)) return std::nullopt;
  return Time{.ms = row.int64(time), .origin = static_cast<TimeOrigin>(row.int64(origin))};
}

StoredDocument document_from(const Statement& row) {
  const auto flags = static_cast<std::uint32_t>(row.int64(5));
  return {.row = row.int64(0),
          .conversation = row.int64(1),
          .number = static_cast<std::uint32_t>(row.int64(2)),
          .role = static_cast<Role>(row.int64(3)),
          .time = time_from(row, 6, 7),
          .tool = std::string(row.text(8)),
          .files = split_lines(row.text(9)),
          .stores = static_cast<std::uint32_t>(row.int64(4)),
          .gone = (flags & flag::gone) != 0,
          .delegated = (flags & flag::delegated) != 0,
          .orphan = (flags & flag::orphan) != 0,
          .truncated = (flags & flag::truncated) != 0,
          .repeated = (flags & flag::repeated) != 0};
}

const Store* store_with_id(std::int64_t id) {
  for (const Store* store : all_stores())
    if (store->id == id) return store;
  return nullptr;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

}  // namespace

std::vector<std::string_view> store_names(std::uint32_t bits) {
  std::vector<std::string_view> names;
  for (const Store* store : all_stores())
    if ((bits & store_bit(*store)) != 0) names.push_back(store->name);
  return names;
}

struct History::Impl {
  Impl(const std::filesystem::path& path, int flags, const std::string& parameters = {})
      : folder(path),
        database(checked_uri(path / "history.db") + parameters, flags,
                 (path / "history.db").string()) {
    database.busy_timeout(kPatienceMs);
  }

  std::filesystem::path folder;
  std::optional<AtRest> at_rest{};
  std::optional<ReadAlone> alone{};
  Database database;
  bool writes = false;
  bool beside = false;  // what is open is not yet in its place
  bool first = false;   // it was put there now
  Frames frames{};
  std::string packed{};  // what packed_text() returned

  // The first ones that were asked for. A short answer asks for each of its documents several
  // times: to choose, to order and to show them; what is read is a snapshot.
  static constexpr std::size_t kDocumentsSeen = 64;
  std::unordered_map<std::int64_t, StoredDocument> documents_seen{};

  // Made when first used: a rare-word search needs few of them.
  std::optional<Statement> document{};
  std::optional<Statement> text{};
  std::optional<Statement> source{};
  std::optional<Statement> conversation{};
  std::optional<Statement> fallback{};
  std::optional<Statement> neighbours{};

  Statement& prepared(std::optional<Statement>& statement, std::string_view sql) {
    if (!statement) statement.emplace(database.prepare(sql));
    statement->reset();
    return *statement;
  }

  static std::unique_ptr<Impl> to_write(const std::filesystem::path& folder);
  static std::unique_ptr<Impl> to_read(const std::filesystem::path& folder, int flags);
  static std::unique_ptr<Impl> to_read_at_rest(const std::filesystem::path& folder);
  static std::unique_ptr<Impl> to_read_alone(const std::filesystem::path& folder);

  void set_up_writing();
  void forget_statements();
  bool empty_journal_now();
  void take_snapshot();
  void vacuum();
  void migrate();
  void add_checksums();
  void add_facts_of_copies();
  void add_own_copies(std::int64_t version);
  void drop_tables();
  void check_application();
  void check_schema();
  std::string shortest_prefix(const std::string& key);
};

// SQLite makes a copy of all texts first. It lies here, and not where all users have their
// temporary files.
void History::Impl::vacuum() {
  struct TemporaryFolder {
    explicit TemporaryFolder(const std::filesystem::path& path) {
      sqlite3_temp_directory = sqlite3_mprintf("%s", path.c_str());
    }
    ~TemporaryFolder() { sqlite3_free(std::exchange(sqlite3_temp_directory, nullptr)); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  };
  const TemporaryFolder here(folder);
  database.exec("VACUUM");
}

// Schema 1 was never part of a release and knew transcripts only: they are read again. Schema 2 did
// not know since when a document is gone: since now, then. Schema 3 had neither seals of runs,
// which the writer makes, nor checksums of texts that are kept as they are. Schema 4 knew of no
// turns, and not what each copy says of its document: all of them what it has, until they are read
// again. Schema 5 had rows for all copies, which stay. Schema 6 had longer frames (frames.h), which
// stay as well.
void History::Impl::migrate() {
  const auto version = single(database, "PRAGMA user_version");
  if (version < 1 || version >= kSchema) return;
  if (!has_checksums(database)) {
    reserve_checksums(database);
    database.exec("PRAGMA journal_mode=DELETE");
    vacuum();  // writes every page anew
  }
  database.exec("BEGIN IMMEDIATE");
  if (version == 1) drop_tables();
  if (version == 2)
    database.exec(
        fmt::format("ALTER TABLE sources ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;"
                    "ALTER TABLE documents ADD COLUMN gone INTEGER;"
                    "ALTER TABLE dropped ADD COLUMN purge INTEGER NOT NULL DEFAULT 0;"
                    "UPDATE documents SET gone = unixepoch() * 1000 WHERE flags & {} != 0",
                    flag::gone));
  if (version <= 2) database.exec(kKeptOutTables);
  if (version == 2 || version == 3) {
    database.exec("ALTER TABLE runs ADD COLUMN seal TEXT NOT NULL DEFAULT ''");
    add_checksums();
  }
  if (version <= 4) database.exec(kTurnTables);
  if (version >= 2 && version <= 4) add_facts_of_copies();
  if (version <= 5) add_own_copies(version);
  database.exec(fmt::format("PRAGMA user_version={}; COMMIT", kSchema));
}

void History::Impl::add_own_copies(std::int64_t version) {
  if (version >= 2)
    database.exec(
        "ALTER TABLE documents ADD COLUMN source INTEGER;"
        "ALTER TABLE documents ADD COLUMN identity INTEGER;"
        "ALTER TABLE documents ADD COLUMN nth INTEGER;"
        "ALTER TABLE documents ADD COLUMN place INTEGER");
  database.exec(kHeldTables);
  database.exec(
      "INSERT INTO held SELECT DISTINCT c.source, d.conversation FROM copies c JOIN documents d "
      "ON d.id = c.document;"
      "UPDATE claims SET teller = '=' WHERE teller = subject AND subject != ''");
}

void History::Impl::add_facts_of_copies() {
  database.exec(
      fmt::format("ALTER TABLE copies ADD COLUMN flags INTEGER NOT NULL DEFAULT 0;"
                  "ALTER TABLE copies ADD COLUMN time INTEGER;"
                  "ALTER TABLE copies ADD COLUMN origin INTEGER;"
                  "UPDATE copies SET (flags, time, origin) = (SELECT d.flags & {}, d.time, "
                  "d.origin FROM documents d WHERE d.id = document) "
                  "WHERE document IN (SELECT id FROM documents);"
                  "UPDATE copies SET position = position + (store << 32) WHERE position < 0;"
                  "UPDATE documents SET position = coalesce((SELECT min(position) FROM copies c "
                  "WHERE c.document = documents.id), position) WHERE position < 0",
                  flag::told));
}

// Of texts that are kept as they are.
void History::Impl::add_checksums() {
  auto rows = database.prepare("SELECT id, frame FROM texts ORDER BY id");
  auto save = database.prepare("UPDATE texts SET frame = ?2 WHERE id = ?1");
  while (rows.step()) {
    if (is_checked(rows.blob(1))) continue;
    save.bind(1, rows.int64(0));
    save.bind_blob(2, frames.pack(rows.blob(1)));
    save.run();
  }
}

void History::Impl::drop_tables() {
  std::vector<std::string> tables;
  auto names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
  while (names.step()) tables.emplace_back(names.text(0));
  names.reset();
  for (const auto& table : tables) database.exec(fmt::format("DROP TABLE \"{}\"", table));
  database.exec(kTables);
}

void History::Impl::check_application() {
  if (single(database, "PRAGMA application_id") != kApplicationId)
    throw Error(fmt::format("{} is not an index of cgrep", (folder / "history.db").string()),
                "use --index DIR for another folder");
}

void History::Impl::check_schema() {
  check_application();
  const auto version = single(database, "PRAGMA user_version");
  if (version > kSchema)
    throw Error(fmt::format("the index was made by a newer cgrep (schema {}, this one knows {})",
                            version, kSchema),
                "update cgrep, or use --index DIR for another folder");
  if (version < kSchema)
    throw Error(fmt::format("the index was made by an older cgrep (schema {}, this one makes {})",
                            version, kSchema),
                "cgrep index");
  if (!has_checksums(database))
    throw Error(fmt::format("{}: its header is damaged", (folder / "history.db").string()),
                "cgrep index --rebuild");
}

// Long enough that neither neighbour in the order of keys shares it.
std::string History::Impl::shortest_prefix(const std::string& key) {
  auto& found =
      prepared(neighbours,
               "SELECT (SELECT key FROM conversations WHERE key < ?1 ORDER BY key DESC LIMIT 1), "
               "(SELECT key FROM conversations WHERE key > ?1 ORDER BY key LIMIT 1)");
  found.bind(1, key);
  std::size_t length = kMinAddressLength;
  if (found.step())
    for (const int neighbour : {0, 1})
      if (!found.is_null(neighbour))
        length = std::max(length, common_prefix(key, found.text(neighbour)) + 1);
  found.reset();
  return key.substr(0, length);
}

// What is removed is overwritten: free pages of a history are no place for secrets.
std::unique_ptr<History::Impl> History::Impl::to_write(const std::filesystem::path& folder) {
  make_history(folder);
  auto impl = std::make_unique<Impl>(folder, kReadWrite);
  impl->writes = true;
  impl->set_up_writing();
  impl->check_application();
  impl->migrate();
  choose_journal(impl->database, folder);
  impl->check_schema();
  return impl;
}

void History::Impl::set_up_writing() {
  database.busy_timeout(kPatienceMs);
  // Its statements stay prepared, and would take all of the small pieces of memory that are kept.
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_LOOKASIDE, nullptr, 1200, 400);
  // What it refuses is left alone; ~History() decides of what it has written.
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  database.exec("PRAGMA synchronous=FULL; PRAGMA cache_size=-32000; PRAGMA secure_delete=ON");
}

// False when somebody reads it.
bool History::Impl::empty_journal_now() {
  database.busy_timeout(0);
  const bool emptied = single(database, "PRAGMA wal_checkpoint(TRUNCATE)") == 0;
  database.busy_timeout(kPatienceMs);
  return emptied;
}

void History::Impl::forget_statements() {
  for (auto* statement : {&document, &text, &source, &conversation, &fallback, &neighbours})
    statement->reset();
}

// A journal that a process left behind when it died has to be dealt with, which is writing; so the
// flags may say more than that.
std::unique_ptr<History::Impl> History::Impl::to_read(const std::filesystem::path& folder,
                                                      int flags) {
  auto impl = std::make_unique<Impl>(folder, flags);
  impl->take_snapshot();
  return impl;
}

// Null when it is not.
std::unique_ptr<History::Impl> History::Impl::to_read_at_rest(const std::filesystem::path& folder) {
  auto at_rest = is_remote(folder) ? std::nullopt : AtRest::hold(folder / "history.db");
  if (!at_rest) return nullptr;
  auto impl = std::make_unique<Impl>(folder, kReadOnly, "&immutable=1");
  impl->at_rest = std::move(at_rest);
  impl->take_snapshot();
  return impl;
}

std::unique_ptr<History::Impl> History::Impl::to_read_alone(const std::filesystem::path& folder) {
  ReadAlone alone(folder);
  if (alone.writer) return to_read(folder, kReadOnly);
  const bool journal = has_journal(folder);
  auto impl = std::make_unique<Impl>(folder, journal ? kReadWrite : kReadOnly,
                                     journal ? "" : "&immutable=1");
  if (journal) {
    sqlite3_db_config(impl->database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    impl->database.exec("PRAGMA locking_mode=EXCLUSIVE");
  }
  impl->alone.emplace(std::move(alone));
  impl->take_snapshot();
  return impl;
}

void History::Impl::take_snapshot() {
  // Pages that are used again cost less than new memory, and the upper ones of all trees are few.
  database.exec("PRAGMA cache_size=14");
  if (!at_rest) database.exec("PRAGMA query_only=1");
  check_schema();
  database.exec("BEGIN");
  if (at_rest) return;  // it is one, but so it is not taken anew by each statement
  single(database, "SELECT count(*) FROM runs");  // the first read takes it
}

History::History(const std::filesystem::path& folder, Mode mode) {
  if (mode == Mode::write) {
    impl_ = Impl::to_write(folder);
    return;
  }
  if (!std::filesystem::exists(folder / "history.db"))
    throw Error(fmt::format("no index in {}", folder.string()), "cgrep index");
  refuse_shared_folder(folder);
  impl_ = Impl::to_read_at_rest(folder);
  if (impl_) return;
  try {
    impl_ = Impl::to_read(folder, kReadOnly);
  } catch (const SqliteError& error) {
    const int code = error.primary();
    const bool no_room = code == SQLITE_CANTOPEN || code == SQLITE_FULL ||
                         (code == SQLITE_IOERR && error.code() != SQLITE_IOERR_DATA);
    if (code == SQLITE_READONLY && access(folder.c_str(), W_OK) == 0)
      impl_ = Impl::to_read(folder, kReadWrite);
    else if (no_room || code == SQLITE_READONLY)
      impl_ = Impl::to_read_alone(folder);
    else
      throw;
  }
}

// What a small update wrote stays in the journal: to move it into the database writes and syncs it
// a second time. A journal that has grown is moved, as whoever opens the database next reads it,
// and so is the little that a first index wrote after all else.
History::~History() {
  if (!impl_ || !impl_->writes) return;
  if (impl_->beside) {
    const auto fresh = fresh_history(impl_->folder);
    impl_.reset();
    std::error_code ignored;  // the next writer removes it
    for (const char* suffix : {"", "-journal", "-wal", "-shm"})
      std::filesystem::remove(fresh.string() + suffix, ignored);
    return;
  }
  constexpr std::uintmax_t kMostKept = 512 * 1024;
  std::error_code error;
  const auto journal = std::filesystem::file_size(impl_->folder / "history.db-wal", error);
  const int keep = !error && !impl_->first && journal <= kMostKept ? 1 : 0;
  sqlite3_db_config(impl_->database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep, nullptr);
  const auto file = impl_->folder / "history.db";
  impl_.reset();
  if (!is_remote(file)) AtRest::make_possible(file);
}

bool History::is_new() {
  return single(impl_->database,
                "SELECT EXISTS (SELECT 1 FROM sources) OR EXISTS (SELECT 1 FROM documents) OR "
                "EXISTS (SELECT 1 FROM runs)") == 0;
}

// All pages of it are new, and a journal would only have them written twice.
void History::write_beside() {
  auto& database = impl_->database;
  if (is_remote(impl_->folder) || !impl_->empty_journal_now()) return;
  const auto fresh = fresh_history(impl_->folder);
  remove_database(fresh);
  create_private_file(fresh);
  std::filesystem::copy_file(impl_->folder / "history.db", fresh,
                             std::filesystem::copy_options::overwrite_existing);
  impl_->forget_statements();
  database.close();
  impl_->beside = true;
  database.open(checked_uri(fresh), kReadWrite);
  impl_->set_up_writing();
  database.exec("PRAGMA journal_mode=MEMORY");
}

void History::vacuum() {
  impl_->vacuum();
}

bool History::is_beside() const {
  return impl_->beside;
}

// Who reads the empty one keeps it, and its journal, for as long as it is open.
void History::move_into_place() {
  auto& database = impl_->database;
  choose_journal(database, impl_->folder);
  sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
  impl_->forget_statements();
  database.close();
  const auto file = impl_->folder / "history.db";
  remove_journals_of(file);
  std::filesystem::rename(fresh_history(impl_->folder), file);
  sync_folder(impl_->folder);
  impl_->beside = false;
  impl_->first = true;
  database.open(checked_uri(file), kReadWrite);
  impl_->set_up_writing();
}

void History::leave_open() {
  // So that nobody takes it for lost.
  [[maybe_unused]] static Impl* volatile left_open = nullptr;
  if (!impl_->writes) left_open = impl_.release();
}

const std::filesystem::path& History::folder() const {
  return impl_->folder;
}
std::filesystem::path History::words() const {
  return impl_->folder / "words";
}
Database& History::database() {
  return impl_->database;
}

std::vector<Run> History::runs() {
  std::vector<Run> runs;
  auto rows = impl_->database.prepare("SELECT name, first, last, documents, seal FROM runs");
  while (rows.step())
    runs.push_back({.name = std::string(rows.text(0)),
                    .first = rows.int64(1),
                    .last = rows.int64(2),
                    .documents = rows.int64(3),
                    .seal = std::string(rows.text(4))});
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  return runs;
}

bool History::makes_runs_slowly() {
  return single(impl_->database, "SELECT value FROM state WHERE key = 'direct_runs'") < 0;
}

std::vector<std::int64_t> History::dropped() {
  std::vector<std::int64_t> dropped;
  auto rows = impl_->database.prepare("SELECT id FROM dropped ORDER BY id");
  while (rows.step()) dropped.push_back(rows.int64(0));
  return dropped;
}

std::optional<StoredDocument> History::document(std::int64_t row) {
  auto& seen = impl_->documents_seen;
  if (const auto found = seen.find(row); found != seen.end()) return found->second;
  static const auto sql = fmt::format("SELECT {} FROM documents WHERE id = ?1", kDocumentColumns);
  auto& found = impl_->prepared(impl_->document, sql);
  found.bind(1, row);
  std::optional<StoredDocument> document;
  if (found.step()) document = document_from(found);
  found.reset();
  if (document && !impl_->writes && seen.size() < Impl::kDocumentsSeen) seen[row] = *document;
  return document;
}

std::string History::text(std::int64_t row) {
  auto& found = impl_->prepared(impl_->text, "SELECT frame FROM texts WHERE id = ?1");
  found.bind(1, row);
  std::string text;
  if (found.step()) text = impl_->frames.unpack(found.blob(0));
  found.reset();
  return text;
}

std::string_view History::packed_text(std::int64_t row) {
  auto& found = impl_->prepared(impl_->text, "SELECT frame FROM texts WHERE id = ?1");
  found.bind(1, row);
  impl_->packed = found.step() ? found.blob(0) : std::string_view();
  found.reset();
  return impl_->packed;
}

std::string History::source_of(std::int64_t row) {
  auto& found = impl_->prepared(
      impl_->source,
      "SELECT path FROM sources WHERE id IN (SELECT source FROM documents WHERE id = ?1 "
      "UNION ALL SELECT source FROM copies WHERE document = ?1) ORDER BY id LIMIT 1");
  found.bind(1, row);
  std::string path(found.step() ? found.blob(0) : std::string_view());
  found.reset();
  return path;
}

void History::expect_many() {
  impl_->database.exec("PRAGMA cache_size=400");
}

Conversation History::conversation(std::int64_t row) {
  return addressed(unaddressed(row));
}

Conversation History::addressed(Conversation conversation) {
  conversation.address = impl_->shortest_prefix(conversation.key);
  return conversation;
}

Conversation History::unaddressed(std::int64_t row) {
  auto& found = impl_->prepared(
      impl_->conversation,
      "SELECT key, project, slug, title, parent, model, mode, branch, surface, first, last, "
      "fallback, fallback_origin, stores, archived, files, tokens FROM conversations "
      "WHERE id = ?1");
  found.bind(1, row);
  if (!found.step())
    throw Error(fmt::format("history.db: no conversation {}", row),
                "cgrep doctor checks the index");
  Conversation conversation{.row = row,
                            .key = std::string(found.text(0)),
                            .project = std::string(found.text(1)),
                            .slug = std::string(found.text(2)),
                            .title = std::string(found.text(3)),
                            .parent = std::string(found.text(4)),
                            .model = std::string(found.text(5)),
                            .mode = std::string(found.text(6)),
                            .branch = std::string(found.text(7)),
                            .surface = std::string(found.text(8)),
                            .fallback = time_from(found, 11, 12),
                            .stores = store_names(static_cast<std::uint32_t>(found.int64(13))),
                            .files = split_lines(found.text(15)),
                            .archived = found.int64(14) != 0};
  if (!found.is_null(16)) conversation.tokens = found.int64(16);
  conversation.first = conversation.last = conversation.fallback;
  if (!found.is_null(9)) conversation.first = Time{.ms = found.int64(9)};
  if (!found.is_null(10)) conversation.last = Time{.ms = found.int64(10)};
  found.reset();
  return conversation;
}

std::optional<Time> History::fallback_time(std::int64_t conversation) {
  auto& found = impl_->prepared(
      impl_->fallback, "SELECT fallback, fallback_origin FROM conversations WHERE id = ?1");
  found.bind(1, conversation);
  const auto time = found.step() ? time_from(found, 0, 1) : std::nullopt;
  found.reset();
  return time;
}

std::vector<std::int64_t> History::conversations_with_prefix(std::string_view prefix,
                                                             std::size_t limit) {
  auto found = impl_->database.prepare(
      "SELECT id, key FROM conversations WHERE key >= ?1 ORDER BY key LIMIT ?2");
  found.bind(1, prefix);
  found.bind(2, static_cast<std::int64_t>(limit));
  std::vector<std::int64_t> rows;
  while (found.step() && found.text(1).starts_with(prefix)) {
    if (found.text(1) == prefix) return {found.int64(0)};
    rows.push_back(found.int64(0));
  }
  return rows;
}

std::optional<std::int64_t> History::row_of_conversation(std::string_view key) {
  auto found = impl_->database.prepare("SELECT id FROM conversations WHERE key = ?1");
  found.bind(1, key);
  if (!found.step()) return std::nullopt;
  return found.int64(0);
}

bool History::holds_messages(std::string_view key) {
  auto found = impl_->database.prepare("SELECT stores FROM conversations WHERE key = ?1");
  found.bind(1, key);
  return found.step() && any_messages(static_cast<std::uint32_t>(found.int64(0)));
}

void History::for_each_document(std::int64_t conversation,
                                const std::function<bool(const StoredDocument&)>& visit) {
  auto rows = impl_->database.prepare(
      fmt::format("SELECT {} FROM documents WHERE conversation = ?1 ORDER BY position, number",
                  kDocumentColumns));
  rows.bind(1, conversation);
  while (rows.step())
    if (!visit(document_from(rows))) return;
}

void History::for_each_document(const std::function<bool(const StoredDocument&)>& visit) {
  auto rows = impl_->database.prepare(
      fmt::format("SELECT {} FROM documents ORDER BY id DESC", kDocumentColumns));
  while (rows.step())
    if (!visit(document_from(rows))) return;
}

void History::for_each_text(const std::function<void(StoredDocument&&, const PackedText&)>& visit) {
  auto rows = impl_->database.prepare(
      "SELECT d.id, d.conversation, d.number, d.role, d.stores, d.flags, d.time, d.origin, d.tool, "
      "d.files, t.frame FROM documents d CROSS JOIN texts t ON t.id = d.id ORDER BY d.id");
  const PackedText packed = [&] { return rows.blob(10); };
  while (rows.step()) visit(document_from(rows), packed);
}

void History::for_each_conversation(const std::function<bool(const Attribution&)>& visit) {
  auto rows = impl_->database.prepare(
      "SELECT id, project, slug, title, parent, model, mode, branch, surface, files, stores, "
      "archived FROM conversations");
  while (rows.step())
    if (!visit({.row = rows.int64(0),
                .project = rows.text(1),
                .slug = rows.text(2),
                .title = rows.text(3),
                .parent = rows.text(4),
                .model = rows.text(5),
                .mode = rows.text(6),
                .branch = rows.text(7),
                .surface = rows.text(8),
                .files = rows.text(9),
                .stores = static_cast<std::uint32_t>(rows.int64(10)) & ~kSeveralSources,
                .archived = rows.int64(11) != 0}))
      return;
}

std::vector<const Store*> History::opted_in() {
  std::vector<const Store*> stores;
  auto rows = impl_->database.prepare("SELECT store FROM opted_in ORDER BY store");
  while (rows.step())
    if (const Store* store = store_with_id(rows.int64(0))) stores.push_back(store);
  return stores;
}

std::vector<LeftOut> History::left_out() {
  std::vector<LeftOut> left_out;
  auto rows = impl_->database.prepare("SELECT store, sources, only FROM left_out ORDER BY store");
  while (rows.step())
    if (const Store* store = store_with_id(rows.int64(0)))
      left_out.push_back({.store = store,
                          .sources = static_cast<std::size_t>(rows.int64(1)),
                          .only = static_cast<std::size_t>(rows.int64(2))});
  return left_out;
}

std::vector<LeftOut> History::opted_in_only() {
  std::vector<LeftOut> left_out;
  for (const Store* store : opted_in()) {
    auto sources =
        impl_->database.prepare("SELECT count(*) FROM sources WHERE store = ?1 AND missing = 0");
    sources.bind(1, store->id);
    sources.step();
    left_out.push_back({.store = store, .sources = static_cast<std::size_t>(sources.int64(0))});
  }
  if (left_out.empty()) return left_out;
  auto rows = impl_->database.prepare("SELECT stores, count(*) FROM conversations GROUP BY 1");
  while (rows.step())
    for (auto& left : left_out) {
      const auto stores = static_cast<std::uint32_t>(rows.int64(0));
      if (any_messages(stores) && !any_messages(stores & ~store_bit(*left.store)))
        left.only += static_cast<std::size_t>(rows.int64(1));
    }
  return left_out;
}

std::vector<StoredProblem> History::problems() {
  std::vector<StoredProblem> problems;
  auto rows = impl_->database.prepare(
      // With min(), SQLite takes s.path from the row that has the minimum.
      "SELECT s.store, p.what, sum(p.count), min(p.example), s.path, count(DISTINCT s.id) "
      "FROM problems p JOIN sources s ON s.id = p.source WHERE s.missing = 0 "
      "GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2");
  while (rows.step())
    if (const Store* store = store_with_id(rows.int64(0)))
      problems.push_back({.store = store,
                          .what = std::string(rows.text(1)),
                          .count = static_cast<std::size_t>(rows.int64(2)),
                          .example = std::string(rows.text(3)),
                          .source = std::string(rows.blob(4)),
                          .sources = static_cast<std::size_t>(rows.int64(5))});
  return problems;
}

std::size_t History::document_count() {
  return static_cast<std::size_t>(single(impl_->database, "SELECT count(*) FROM documents"));
}

std::vector<StoreCounts> History::store_counts() {
  std::vector<StoreCounts> counts;
  for (const Store* store : all_stores()) {
    StoreCounts count{.store = store};
    auto sources = impl_->database.prepare(
        "SELECT count(*), (SELECT coalesce(sum(p.count), 0) FROM problems p JOIN sources s "
        "ON s.id = p.source WHERE s.store = ?1) FROM sources WHERE store = ?1 AND missing = 0");
    sources.bind(1, store->id);
    if (sources.step()) {
      count.sources = static_cast<std::size_t>(sources.int64(0));
      count.problems = static_cast<std::size_t>(sources.int64(1));
    }
    counts.push_back(count);
  }
  auto rows = impl_->database.prepare(
      "SELECT d.stores, d.flags & ?1, count(*), max(coalesce(d.time, c.fallback)), "
      "sum((d.flags & ?2) != 0) "
      "FROM documents d JOIN conversations c ON c.id = d.conversation GROUP BY 1, 2");
  rows.bind(1, static_cast<std::int64_t>(flag::gone));
  rows.bind(2, static_cast<std::int64_t>(flag::truncated));
  while (rows.step()) {
    for (auto& count : counts) {
      if ((static_cast<std::uint32_t>(rows.int64(0)) & store_bit(*count.store)) == 0) continue;
      const auto number = static_cast<std::size_t>(rows.int64(2));
      count.documents += number;
      if (rows.int64(1) != 0) count.gone += number;
      count.truncated += static_cast<std::size_t>(rows.int64(4));
      if (!rows.is_null(3)) count.newest = std::max(count.newest.value_or(0), rows.int64(3));
    }
  }
  return counts;
}

}  // namespace cgrep
