// Titles as the IDE keeps them (composerData in state.vscdb), and what Cursor noted about
// conversations (conversation_summaries in ai-code-tracking.db).

#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <sqlite3.h>

#include "bench/writer.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

/// One table that rows are added to.
class Table {
 public:
  Table(const fs::path& path, const char* create, const char* insert) {
    fs::create_directories(path.parent_path());
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

class NotesWriter : public Writer {
 public:
  explicit NotesWriter(const fs::path& home)
      : titles_(home / ".config/Cursor/User/globalStorage/state.vscdb",
                "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
                "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
                "INSERT INTO cursorDiskKV VALUES (?, ?)"),
        summaries_(home / ".cursor/ai-tracking/ai-code-tracking.db",
                   "CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title "
                   "TEXT, tldr TEXT, overview TEXT, summaryBullets TEXT, model TEXT, mode TEXT, "
                   "updatedAt INTEGER NOT NULL)",
                   "INSERT INTO conversation_summaries VALUES (?, '', ?, '', '', '', 'agent', ?)") {
  }

  void write(const Conversation& conversation) override {
    const auto updated =
        fmt::format("{}000", conversation.messages.back().time.time_since_epoch().count());
    if (!conversation.title.empty()) {
      std::string name;
      append_json_string(name, conversation.title);
      titles_.add({"composerData:" + conversation.id,
                   fmt::format(R"({{"_v":17,"composerId":"{}","name":{},"lastUpdatedAt":{}}})",
                               conversation.id, name, updated)});
    }
    if (!conversation.summary.empty())
      summaries_.add({conversation.id, conversation.summary, updated});
  }

 private:
  Table titles_;
  Table summaries_;
};

}  // namespace

std::unique_ptr<Writer> notes_writer(const fs::path& home) {
  return std::make_unique<NotesWriter>(home);
}

}  // namespace cgrep::bench
