#include "extract/sqlite.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

namespace cgrep {

namespace {

// Nobody asks how much memory SQLite uses; to count it takes a lock for each piece.
[[maybe_unused]] const int configured = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);

const char* hint_for(int extended, int system_error) {
  constexpr const char* kNoRoom = "free some disk space, or use --index DIR";
  if (extended == SQLITE_IOERR_DATA) return "cgrep index --rebuild";
  switch (extended & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "cgrep index --rebuild";
    case SQLITE_FULL:
      return kNoRoom;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another process holds it; try again";
    case SQLITE_IOERR:
      if (system_error == ENOSPC || system_error == EDQUOT) return kNoRoom;
      if (system_error == EFBIG) return "raise the limit of file sizes (ulimit -f)";
      return "look at the disk and its file system, or use --index DIR";
    default:
      return "use --index DIR for a folder of your own";
  }
}

[[noreturn]] void fail(sqlite3* connection, int code, const std::string& label) {
  const int before = errno;
  int extended = connection != nullptr ? sqlite3_extended_errcode(connection) : code;
  if (extended == SQLITE_OK) extended = code;
  const int primary = extended & 0xff;
  if (primary == SQLITE_NOMEM) throw std::bad_alloc();
  std::string message = connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  if (label.empty()) throw SqliteError(message, extended);
  int system_error = connection != nullptr ? sqlite3_system_errno(connection) : 0;
  if (system_error == 0) system_error = before;  // of some calls SQLite does not keep it
  if (extended == SQLITE_IOERR_DATA)
    message = "a page is damaged";
  else if (primary == SQLITE_IOERR && system_error != 0)
    message.append(": ").append(std::strerror(system_error));  // NOLINT(concurrency-mt-unsafe)
  throw SqliteError(label + ": " + message, extended, hint_for(extended, system_error));
}

// SQLite binds NULL for a null pointer, and an empty string_view may hold one.
const char* not_null(std::string_view bytes) {
  return bytes.data() != nullptr ? bytes.data() : "";
}

}  // namespace

StatementCache::~StatementCache() {
  for (auto* statement : idle_) sqlite3_finalize(statement);
}

sqlite3_stmt* StatementCache::take(std::string_view sql) {
  const auto found = std::find_if(idle_.rbegin(), idle_.rend(), [&](sqlite3_stmt* statement) {
    return sqlite3_sql(statement) == sql;
  });
  if (found == idle_.rend()) return nullptr;
  auto* const statement = *found;
  idle_.erase(std::next(found).base());
  return statement;
}

void StatementCache::put(sqlite3_stmt* statement) {
  constexpr std::size_t kIdle = 24;
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  if (idle_.size() == kIdle) {
    sqlite3_finalize(idle_.front());
    idle_.erase(idle_.begin());
  }
  idle_.push_back(statement);
}

Database::Database(const std::filesystem::path& path, int flags, std::string label)
    : label_(std::make_unique<std::string>(std::move(label))),
      cache_(std::make_unique<StatementCache>()) {
  open(path, flags);
}

void Database::close() {
  for (auto* const lazy : lazy_) lazy->statement_.reset();
  cache_ = std::make_unique<StatementCache>();
  if (sqlite3_next_stmt(handle(), nullptr) != nullptr)
    throw std::logic_error("a database is closed while a statement of it is in use");
  connection_.reset();
}

void Database::open(const std::filesystem::path& path, int flags) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);  // also to be closed when opening failed
  if (code != SQLITE_OK) fail(connection, code, *label_);
  sqlite3_extended_result_codes(connection, 1);
}

void Database::exec(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(handle(), code, *label_);
}

Statement Database::prepare(std::string_view sql) {
  if (auto* const idle = cache_->take(sql)) return {idle, *cache_, *label_};
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(handle(), not_null(sql), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) fail(handle(), code, *label_);
  return {statement, *cache_, *label_};
}

void Database::busy_timeout(int milliseconds) {
  sqlite3_busy_timeout(handle(), milliseconds);
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) fail(sqlite3_db_handle(handle()), code, *label_);
}

void Statement::bind(int index, std::string_view text) {
  check(sqlite3_bind_text64(handle(), index, not_null(text), text.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8));
}

void Statement::bind_int64(int index, std::int64_t value) {
  check(sqlite3_bind_int64(handle(), index, value));
}

void Statement::bind_blob(int index, std::string_view bytes) {
  check(sqlite3_bind_blob64(handle(), index, not_null(bytes), bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind_kept_blob(int index, std::string_view bytes) {
  check(sqlite3_bind_blob64(handle(), index, not_null(bytes), bytes.size(), SQLITE_STATIC));
}

void Statement::bind_null(int index) {
  check(sqlite3_bind_null(handle(), index));
}

bool Statement::step() {
  const int code = sqlite3_step(handle());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) fail(sqlite3_db_handle(handle()), code, *label_);
  return false;
}

void Statement::reset() {
  sqlite3_reset(handle());  // repeats the error of the last step, which was thrown then
  sqlite3_clear_bindings(handle());
}

void Statement::run() {
  try {
    while (step()) {
    }
  } catch (...) {
    reset();
    throw;
  }
  reset();
}

std::int64_t Statement::int64(int column) const {
  return sqlite3_column_int64(handle(), column);
}

std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle(), column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

std::string_view Statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle(), column) == SQLITE_NULL;
}

std::string uri_of(const std::filesystem::path& path, std::string_view parameters) {
  std::string uri = "file:";
  for (const char c : path.native()) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte >= 0x7f || c == '%' || c == '?' || c == '#')
      uri += fmt::format("%{:02X}", byte);
    else
      uri += c;
  }
  return uri.append(parameters);
}

}  // namespace cgrep
