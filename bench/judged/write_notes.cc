// Titles as the IDE keeps them (composerData in state.vscdb), and what Cursor noted about
// conversations (conversation_summaries in ai-code-tracking.db).

#include <string>

#include <fmt/format.h>

#include "bench/table.h"
#include "bench/writer.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

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
