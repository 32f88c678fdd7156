// The source is SQL with three additions: values in readable notation, named values, and
// directives on lines of their own. corpus/README.md describes them.

#include "corpus/database.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sqlite3.h>

#include "corpus/hex.h"
#include "corpus/notation.h"
#include "error.h"
#include "index/sha256.h"

namespace cgrep::corpus {
namespace {

class Database {
 public:
  explicit Database(const std::filesystem::path& path) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open(path.c_str(), &handle);
    handle_.reset(handle);
    if (code != SQLITE_OK) throw Error(sqlite3_errmsg(handle));
    execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;"
        "CREATE TEMP TABLE named (name TEXT PRIMARY KEY, id TEXT, data BLOB);");
  }

  void execute(const std::string& sql) {
    for (const char* next = sql.c_str(); *next != '\0';) next = execute_first(next);
  }

  /// From here on nothing reaches the main file, not even when the connection is closed.
  void keep_wal() {
    execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0;");
    sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close(handle); }
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  const char* execute_first(const char* sql) {
    sqlite3_stmt* prepared = nullptr;
    const char* rest = nullptr;
    const bool ok = sqlite3_prepare_v2(handle_.get(), sql, -1, &prepared, &rest) == SQLITE_OK;
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(prepared);
    int code = SQLITE_ROW;
    while (ok && prepared != nullptr && code == SQLITE_ROW) code = sqlite3_step(prepared);
    if (!ok || (prepared != nullptr && code != SQLITE_DONE)) fail(sql);
    return rest;
  }

  [[noreturn]] void fail(std::string_view sql) const {
    sql.remove_prefix(std::min(sql.find_first_not_of(" \n"), sql.size()));
    throw Error(fmt::format("{}, in: {}…", sqlite3_errmsg(handle_.get()), sql.substr(0, 70)));
  }

  std::unique_ptr<sqlite3, Close> handle_;
};

std::string sql_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "''" : std::string(1, c);
  return out + '\'';
}

std::string sql_blob(std::string_view bytes) {
  return "X'" + to_hex(bytes) + '\'';
}

/// Reads the source once from top to bottom; SQL is run as soon as something follows that
/// depends on its having been run.
class Script {
 public:
  Script(std::string source, const std::filesystem::path& destination)
      : source_(std::move(source)), database_(destination) {}

  void run() {
    static const std::regex kSpecial(
        R"(\$(json|proto|hex|text)( [A-Za-z0-9_-]+)?\$|(?:^|\n)@([a-z]+)[ ]*(?=\n))");
    std::cmatch found;
    while (std::regex_search(source_.c_str() + at_, source_.c_str() + source_.size(), found,
                             kSpecial, flags())) {
      pending_ += found.prefix().str();
      at_ += static_cast<std::size_t>(found.position() + found.length());
      found[3].matched ? obey(found[3]) : take_value(found[1], found[2]);
    }
    pending_ += source_.substr(at_);
    run_pending();
  }

  std::size_t line() const {
    const auto end = source_.begin() + static_cast<std::ptrdiff_t>(at_);
    return static_cast<std::size_t>(std::count(source_.begin(), end, '\n')) + 1;
  }

 private:
  /// `^` means the start of the source, not of what is left of it.
  std::regex_constants::match_flag_type flags() const {
    return at_ == 0 ? std::regex_constants::match_default : std::regex_constants::match_not_bol;
  }

  void run_pending() {
    database_.execute(pending_);
    pending_.clear();
  }

  void obey(const std::string& directive) {
    run_pending();
    if (directive == "wal") return database_.keep_wal();
    if (directive == "rollback") return database_.execute("PRAGMA journal_mode = DELETE;");
    throw Error(fmt::format("unknown directive @{}", directive), "@wal and @rollback exist");
  }

  void take_value(const std::string& kind, const std::string& name) {
    const std::size_t first_line = line();
    const auto end = source_.find("$$", at_);
    if (end == source_.npos) throw Error(fmt::format("${}$ without $$", kind));
    const auto body = std::string_view(source_).substr(at_, end - at_);
    const std::string bytes = bytes_of({kind, body, first_line}, names_);
    at_ = end + 2;
    if (!name.empty()) return remember(name.substr(1), bytes);
    pending_ += kind == "json" || kind == "text" ? sql_text(bytes) : sql_blob(bytes);
  }

  void remember(const std::string& name, const std::string& bytes) {
    run_pending();
    database_.execute(fmt::format("INSERT INTO temp.named VALUES ({}, {}, {});", sql_text(name),
                                  sql_text(to_hex(sha256(bytes))), sql_blob(bytes)));
    names_[name] = bytes;
  }

  std::string source_;
  Database database_;
  NamedValues names_;
  std::string pending_;
  std::size_t at_ = 0;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot read it");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

void make_database(const std::filesystem::path& source, const std::filesystem::path& destination) {
  try {
    Script(read(source), destination).run();
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", source.string(), error.what()), error.hint());
  }
}

}  // namespace cgrep::corpus
