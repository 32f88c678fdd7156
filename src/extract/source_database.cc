#include "extract/source_database.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract/file_system.h"
#include "extract/input_file.h"
#include "extract/paths.h"
#include "extract/read_counter.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr int kBusyMs = 2000;
constexpr int kTries = 3;
constexpr int kRefusals = 200;
constexpr int kPatience = 20;  // refusals that are answered at once; then each waits longer
constexpr std::size_t kSmallValue = 4u << 20;
constexpr std::size_t kBatchBytes = 4u << 20;
constexpr std::size_t kBatchRows = 500;
constexpr std::size_t kKeysAtOnce = 10'000;

/// What stat says of a file, as far as it tells whether it changed.
struct FileState {
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

std::optional<FileState> state_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileState{.inode = status.st_ino,
                   .size = status.st_size,
                   .mtime_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

/// The database and what lies beside it.
struct Surroundings {
  std::optional<FileState> file{};
  std::optional<FileState> wal{};
  std::optional<FileState> journal{};
  bool shm = false;

  bool wal_holds_anything() const { return wal && wal->size > 0; }
};

fs::path beside(const fs::path& path, std::string_view suffix) {
  auto neighbour = path;
  neighbour += suffix;
  return neighbour;
}

Surroundings look_at(const fs::path& path) {
  return {.file = state_of(path),
          .wal = state_of(beside(path, "-wal")),
          .journal = state_of(beside(path, "-journal")),
          .shm = state_of(beside(path, "-shm")).has_value()};
}

// SQLite opens a -wal for writing, and makes it when it is not there, even for a reader; removes it
// when the database looks empty; and keeps the database locked for as long as it is open, so that a
// writer who leaves it has to leave the -wal as well. These ways of opening files are SQLite's own,
// but for that: what a reader of a -wal needs is locked in the -shm.
constexpr const char* kReadOnlyFiles = "cgrep-read-only";
constexpr const char* kUnlockedFiles = "cgrep-unlocked";

int lock_nothing(sqlite3_file*, int) {
  return SQLITE_OK;
}

int delete_nothing(sqlite3_vfs*, const char*, int) {
  return SQLITE_IOERR_DELETE;
}

sqlite3_io_methods without_locks(sqlite3_io_methods methods) {
  methods.xLock = lock_nothing;
  methods.xUnlock = lock_nothing;
  return methods;
}

int open_for_reading(sqlite3_vfs* files, const char* name, sqlite3_file* file, int flags,
                     int* flags_used) {
  auto* own = static_cast<sqlite3_vfs*>(files->pAppData);
  if ((flags & SQLITE_OPEN_WAL) != 0)
    flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  const int code = own->xOpen(own, name, file, flags, flags_used);
  if (code != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0 || files->zName != kReadOnlyFiles)
    return code;
  static const sqlite3_io_methods unlocked = without_locks(*file->pMethods);
  file->pMethods = &unlocked;
  return code;
}

sqlite3_vfs reading_files(const char* name, const char* own_name) {
  sqlite3_initialize();
  sqlite3_vfs* own = sqlite3_vfs_find(own_name);
  sqlite3_vfs files = *own;
  files.zName = name;
  files.pAppData = own;
  files.xOpen = open_for_reading;
  files.xDelete = delete_nothing;
  return files;
}

void prepare_files() {
  static sqlite3_vfs read_only = reading_files(kReadOnlyFiles, nullptr);
  static sqlite3_vfs unlocked = reading_files(kUnlockedFiles, "unix-none");
  static const bool registered = sqlite3_vfs_register(&read_only, 0) == SQLITE_OK &&
                                 sqlite3_vfs_register(&unlocked, 0) == SQLITE_OK;
  if (!registered) throw Unreadable("SQLite refuses");
}

/// A file that is looked at and not read.
class WatchedFile {
 public:
  WatchedFile() = default;
  ~WatchedFile() { close(); }
  WatchedFile(const WatchedFile&) = delete;
  WatchedFile& operator=(const WatchedFile&) = delete;

  void open(const fs::path& path) {
    close();
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }

  /// Whether somebody has it to himself, in SQLite's terms: EXCLUSIVE. So does who closes it last,
  /// while the -wal is written back, and then removed.
  bool is_being_closed() const {
    constexpr off_t kShared = 0x40000002;
    constexpr off_t kSharedBytes = 510;
    struct flock lock = {};
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = kShared;
    lock.l_len = kSharedBytes;
    return fcntl(descriptor_, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
  }

 private:
  int descriptor_ = -1;
};

bool is_damage(const SqliteError& error) {
  return error.primary() == SQLITE_CORRUPT || error.primary() == SQLITE_NOTADB;
}

// A reader that may not write to the -shm is refused when it looks while a commit writes there.
bool is_busy(const SqliteError& error) {
  return error.primary() == SQLITE_BUSY || error.primary() == SQLITE_LOCKED ||
         error.primary() == SQLITE_PROTOCOL || error.primary() == SQLITE_READONLY;
}

}  // namespace

struct SourceDatabase::Impl {
  enum class Way : std::uint8_t { at_rest, in_use, left_behind };

  Impl(const Source& source, Values readable);
  ~Impl() { close(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void open();
  void close();
  void open_at_rest();
  void open_in_use();
  void open_left_behind();
  void make_ready();
  bool moved() const;
  void read_once(const std::function<void(Database&)>& read);

  fs::path path;
  fs::path wal;      // beside it
  fs::path journal;  // of the older mode
  fs::path root;
  Values values;
  bool wal_mode = false;  // as the file's header says
  Way way = Way::at_rest;
  Surroundings before{};  // when it was opened
  WatchedFile watched{};  // of one in use
  std::optional<Database> database{};
};

SourceDatabase::Impl::Impl(const Source& source, Values readable)
    : path(source.path), root(source.root), values(readable) {
  constexpr std::size_t kHeader = 20;
  const InputFile file(source);  // a regular file, below the root, that may be read
  const auto header = file.bytes(0, kHeader);
  wal_mode = header.size() == kHeader && header[18] == 2 && header[19] == 2;
  std::error_code error;
  path = fs::canonical(path, error);  // the -wal lies beside the file, not beside a link to it
  if (error) throw Unreadable(error.message());
  wal = beside(path, "-wal");
  journal = beside(path, "-journal");
  open();
}

// Asked after every few rows, so it asks for no more than it needs: nobody begins to use the older
// mode without writing to the file. One in use may change as it likes, as long as it has its -wal.
bool SourceDatabase::Impl::moved() const {
  if (way == Way::in_use) {
    if (watched.is_being_closed()) return true;
    const auto now = state_of(wal);
    return !now || now->inode != before.wal->inode;
  }
  return state_of(path) != before.file || state_of(wal) != before.wal ||
         (!wal_mode && state_of(journal) != before.journal);
}

void SourceDatabase::Impl::open() {
  close();
  before = look_at(path);
  if (!before.file) throw Unreadable("vanished");
  if (before.journal && before.journal->size > 0 && !wal_mode)
    throw Unreadable("is being written to");
  // Who writes to it begins with the -wal, which is seen afterwards.
  if (!wal_mode || !before.wal || !before.wal_holds_anything()) return open_at_rest();
  // With locks, it would make a -shm; on network media they tell nothing.
  if (is_remote(path) || !before.shm) return open_left_behind();
  try {
    open_in_use();
  } catch (const SqliteError& error) {
    const bool refused = error.primary() == SQLITE_CANTOPEN || error.primary() == SQLITE_READONLY ||
                         error.primary() == SQLITE_IOERR;
    if (!refused) throw;
    before = look_at(path);  // the -wal goes away with the last one who has it open
    before.wal_holds_anything() ? open_left_behind() : open_at_rest();
  }
}

void SourceDatabase::Impl::make_ready() {
  const auto most = values == Values::small ? kSmallValue : kMaxRecordBytes;
  sqlite3_limit(database->handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(most));
  database->busy_timeout(kBusyMs);
  // As much of it as stays in a processor's own cache: more makes each page cost more.
  database->exec("PRAGMA query_only=1; PRAGMA cache_size=-2000");
  // The schema is foreign too: nothing that it defines is run.
  for (const int switched : {SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                             SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(database->handle(), switched, 0, nullptr);
  if (auto* counter = ReadCounter::current()) counter->watch(database->handle());
}

void SourceDatabase::Impl::close() {
  auto* counter = ReadCounter::current();
  if (database && counter != nullptr) counter->count_pages(database->handle());
  database.reset();
  watched.close();
}

void SourceDatabase::Impl::open_at_rest() {
  way = Way::at_rest;
  database.emplace(uri_of(path, "?mode=ro&immutable=1"),
                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX);
  make_ready();
}

void SourceDatabase::Impl::open_in_use() {
  way = Way::in_use;
  prepare_files();
  watched.open(path);
  database.emplace(uri_of(path, fmt::format("?mode=ro&readonly_shm=1&vfs={}", kReadOnlyFiles)),
                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX);
  make_ready();
  // Only a look into it shows whether it can be read.
  auto probe = database->prepare("SELECT count(*) FROM sqlite_master");
  probe.step();
}

// Without locks, which need the -shm; the index of the -wal is made in memory. Whether somebody
// wrote meanwhile is seen afterwards, as of one at rest.
void SourceDatabase::Impl::open_left_behind() {
  way = Way::left_behind;
  prepare_files();
  database.emplace(uri_of(path, fmt::format("?mode=ro&vfs={}", kUnlockedFiles)),
                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX);
  sqlite3_db_config(database->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  database->exec("PRAGMA locking_mode=EXCLUSIVE");
  make_ready();
}

void SourceDatabase::Impl::read_once(const std::function<void(Database&)>& read) {
  // Nothing was written. COMMIT would repeat the errors of damaged pages, which were dealt with.
  auto rollback = database->prepare("ROLLBACK");
  const auto end = [&] { sqlite3_step(rollback.handle()); };
  database->prepare("BEGIN").run();
  try {
    read(*database);
  } catch (...) {
    end();
    throw;
  }
  end();
}

SourceDatabase::SourceDatabase(const Source& source, Values readable) {
  try {
    impl_ = std::make_unique<Impl>(source, readable);
  } catch (const SqliteError& error) {
    if (is_damage(error)) throw;
    throw Unreadable(error.what());
  }
}

SourceDatabase::~SourceDatabase() = default;

void SourceDatabase::snapshot(const std::function<void(Database& database)>& read) {
  int refusals = 0;
  for (int tries = 0; tries < kTries; ++tries) {
    try {
      // If it changed since the last time, that is seen after the reading.
      if (tries > 0 && impl_->moved()) impl_->open();
      impl_->read_once(read);
      if (!impl_->moved()) return;
    } catch (const SqliteError& error) {
      // What is read while somebody writes to it may look like damage.
      if (impl_->moved()) continue;
      if (is_damage(error)) throw;
      if (!is_busy(error)) throw Unreadable(error.what());
      if (error.primary() == SQLITE_READONLY && ++refusals < kRefusals) {
        --tries;
        std::this_thread::sleep_for(std::chrono::milliseconds(refusals / kPatience));
      }
    }
  }
  throw Unreadable("is busy");
}

bool SourceDatabase::only_small() const {
  return impl_->values == Values::small;
}

std::uint64_t SourceDatabase::inode() const {
  return impl_->before.file->inode;
}

std::int64_t SourceDatabase::mtime_ms() const {
  const auto wal = impl_->before.wal ? impl_->before.wal->mtime_ns : 0;
  return std::max(impl_->before.file->mtime_ns, wal) / 1'000'000;
}

std::string read_database(const Source& source, Sink& sink,
                          const std::function<std::string(SourceDatabase& database)>& read) {
  try {
    SourceDatabase database(source);
    return read(database);
  } catch (const SqliteError& error) {
    sink.problem({.what = error.primary() == SQLITE_NOTADB ? "not a database" : "damaged database",
                  .example = "file"});
    return {};
  }
}

std::vector<std::string> columns_of(Database& database, std::string_view table) {
  // A view or a virtual table of that name would run what its maker wrote, for as long as it likes;
  // only a table of rows has a page to begin with.
  auto statement = database.prepare(
      "SELECT columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns "
      "WHERE tables.type = 'table' AND tables.rootpage > 0 AND tables.name = ?1 COLLATE NOCASE");
  statement.bind(1, table);
  std::vector<std::string> names;
  while (statement.step()) names.emplace_back(statement.text(0));
  return names;
}

bool has_rowids(SourceDatabase& database, std::string_view table) {
  bool numbered = false;
  database.snapshot([&](Database& snapshot) {
    auto statement = snapshot.prepare("SELECT wr FROM pragma_table_list WHERE name = ?1");
    statement.bind(1, table);
    numbered = statement.step() && statement.int64(0) == 0;
  });
  return numbered;
}

KeyedTable::KeyedTable(SourceDatabase& database, std::string_view table, std::string_view key,
                       std::string_view value)
    : database_(database), table_(table), key_(key), value_(value) {
  database_.snapshot([&](Database& snapshot) {
    const auto columns = columns_of(snapshot, table_);
    const auto has = [&](const std::string& name) {
      return std::find(columns.begin(), columns.end(), name) != columns.end();
    };
    exists_ = has(key_) && has(value_);
  });
}

std::vector<std::string> KeyedTable::keys(std::string_view first, std::string_view last,
                                          std::size_t limit) {
  std::vector<std::string> all;
  if (!exists_) return all;
  const auto sql = fmt::format(
      "SELECT {0} FROM {1} WHERE {0} {2} ?1 AND {0} < ?2 ORDER BY {0} "
      "LIMIT ?3",
      key_, table_, "{}");
  std::string from(first);
  for (bool more = true; more && all.size() < limit;) {
    std::vector<std::string> some;
    const auto wanted = std::min(kKeysAtOnce, limit - all.size());
    database_.snapshot([&](Database& snapshot) {
      some.clear();
      auto statement = snapshot.prepare(fmt::format(fmt::runtime(sql), all.empty() ? ">=" : ">"));
      statement.bind(1, from);
      statement.bind(2, last);
      statement.bind(3, wanted);
      while (statement.step()) some.emplace_back(statement.text(0));
      if (!all.empty() && !some.empty()) require_advance(some.back() > from);
    });
    more = some.size() == wanted;
    if (more) from = some.back();
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  }
  return all;
}

std::vector<std::string> KeyedTable::keys_apart(
    std::string_view first, std::string_view last,
    const std::function<std::string(const std::string&)>& next) {
  std::vector<std::string> all;
  if (!exists_) return all;
  const auto sql = fmt::format(
      "SELECT {0} FROM {1} WHERE {0} >= ?1 AND {0} < ?2 ORDER BY {0} LIMIT 1", key_, table_);
  std::string from(first);
  for (bool more = true; more;) {
    std::vector<std::string> some;
    database_.snapshot([&](Database& snapshot) {
      some.clear();
      auto statement = snapshot.prepare(sql);
      for (auto at = from; some.size() < kBatchRows; at = next(some.back())) {
        statement.bind(1, at);
        statement.bind(2, last);
        if (!statement.step()) break;
        require_advance(statement.text(0) >= at);
        some.emplace_back(statement.text(0));
        statement.reset();
      }
    });
    more = some.size() == kBatchRows;
    if (more) from = next(some.back());
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  }
  return all;
}

std::string end_of_prefix(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
  if (end.empty()) return "\xff";  // no UTF-8 has it
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

std::vector<std::string> KeyedTable::keys_with(std::string_view prefix, std::size_t limit) {
  return keys(prefix, end_of_prefix(prefix), limit);
}

namespace {

void clear(KeyedValue& value) {
  constexpr std::size_t kMostKept = 8u << 10;                               // of hundreds of values
  if (value.bytes.capacity() > kMostKept) std::string().swap(value.bytes);  // `= {}` frees nothing
  value.bytes.clear();
  value.state = KeyedValue::State::missing;
}

void take_value(const Statement& statement, int column, KeyedValue& value) {
  value.state = statement.is_null(column) ? KeyedValue::State::null : KeyedValue::State::present;
  put_padded(statement.blob(column), value.bytes);
}

void read_value(Statement& statement, const std::string& key, KeyedValue& value, bool only_small) {
  clear(value);
  statement.reset();
  statement.bind(1, key);
  try {
    if (statement.step()) take_value(statement, 0, value);
  } catch (const SqliteError& error) {
    if (error.primary() == SQLITE_TOOBIG && !only_small)
      value.state = KeyedValue::State::too_big;
    else if (error.primary() == SQLITE_CORRUPT)
      value.state = KeyedValue::State::damaged;
    else
      throw;
  }
}

}  // namespace

KeyedValue KeyedTable::value(std::string_view key) {
  KeyedValue found;
  const std::string wanted(key);
  values({&wanted, 1}, [&](const std::string&, KeyedValue& value) { found = std::move(value); });
  return found;
}

void KeyedTable::values(
    std::span<const std::string> keys,
    const std::function<void(const std::string& key, KeyedValue& value)>& deliver) {
  if (!exists_) return;
  auto batch = std::exchange(batch_, {});  // who is delivered to may ask for others
  const auto sql = fmt::format("SELECT {} FROM {} WHERE {} = ?1", value_, table_, key_);
  while (!keys.empty()) {
    std::size_t read = 0;
    database_.snapshot([&](Database& snapshot) {
      read = 0;
      std::size_t bytes = 0;
      auto statement = snapshot.prepare(sql);
      while (read < std::min(keys.size(), kBatchRows) && bytes < kBatchBytes) {
        if (batch.size() == read) batch.emplace_back();
        read_value(statement, keys[read], batch[read], database_.only_small());
        bytes += batch[read++].bytes.size();
      }
    });
    for (std::size_t i = 0; i < read; ++i) deliver(keys[i], batch[i]);
    keys = keys.subspan(read);
  }
  batch_ = std::move(batch);
}

std::optional<std::size_t> KeyedTable::read_rows(Database& snapshot, std::string_view first,
                                                 std::string_view last) {
  constexpr std::size_t kFew = 16;  // tell how large the others are
  const auto range = fmt::format("FROM {1} WHERE {0} >= ?1 AND {0} < ?2", key_, table_);
  auto counted = snapshot.prepare(fmt::format("SELECT count(*) {}", range));
  counted.bind(1, first);
  counted.bind(2, last);
  counted.step();
  const auto count = static_cast<std::size_t>(counted.int64(0));
  if (count > kBatchRows) return std::nullopt;
  auto statement =
      snapshot.prepare(fmt::format("SELECT {0}, {1} {2} ORDER BY {0}", key_, value_, range));
  statement.bind(1, first);
  statement.bind(2, last);
  std::size_t read = 0;
  for (std::size_t bytes = 0; read < count && statement.step(); ++read) {
    if (rows_.size() == read) rows_.emplace_back();
    auto& row = rows_[read];
    row.key = statement.text(0);
    if (read > 0 && row.key <= rows_[read - 1].key) return std::nullopt;
    clear(row.value);
    take_value(statement, 1, row.value);
    bytes += row.value.bytes.size();
    if (bytes > kBatchBytes || (read == kFew && bytes / kFew * count > kBatchBytes))
      return std::nullopt;
  }
  return read == count ? std::optional(read) : std::nullopt;
}

std::optional<std::span<const KeyedRow>> KeyedTable::rows(std::string_view first,
                                                          std::string_view last) {
  if (!exists_) return std::nullopt;
  std::optional<std::size_t> read;
  database_.snapshot([&](Database& snapshot) {
    read.reset();
    try {
      read = read_rows(snapshot, first, last);
    } catch (const SqliteError& error) {
      if (error.primary() != SQLITE_TOOBIG && error.primary() != SQLITE_CORRUPT) throw;
    }
  });
  if (read) return std::span<const KeyedRow>(rows_).first(*read);
  for (auto& row : rows_) clear(row.value);
  return std::nullopt;
}

bool usable(const KeyedValue& value, const std::string& key, Sink& sink) {
  switch (value.state) {
    case KeyedValue::State::present:
      return !value.bytes.empty();
    case KeyedValue::State::too_big:
      sink.problem({.what = "value over 64 MB", .example = key});
      return false;
    case KeyedValue::State::damaged:
      sink.problem({.what = "damaged page", .example = key});
      return false;
    case KeyedValue::State::null:
    case KeyedValue::State::missing:
      return false;
  }
  return false;
}

}  // namespace cgrep
