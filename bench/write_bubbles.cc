// Bubbles: one database, a row per message and a row per conversation that orders them.

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "bench/random.h"
#include "bench/text.h"
#include "bench/writer.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

// Commit now and then, so that the journal stays small.
constexpr std::size_t kConversationsPerCommit = 500;

/// Fields that every bubble carries and nobody reads; they make up most of its size.
std::string filler() {
  std::string fields;
  for (const std::string_view name : {"approximateLintErrors",
                                      "lints",
                                      "codebaseContextChunks",
                                      "commits",
                                      "pullRequests",
                                      "attachedCodeChunks",
                                      "assistantSuggestedDiffs",
                                      "gitDiffs",
                                      "interpreterResults",
                                      "images",
                                      "attachedFolders",
                                      "attachedFoldersNew",
                                      "userResponsesToSuggestedCodeBlocks",
                                      "suggestedCodeBlocks",
                                      "diffsForCompressingFiles",
                                      "relevantFiles",
                                      "toolResults",
                                      "notepads",
                                      "capabilities",
                                      "capabilityContexts",
                                      "existedSubsequentTerminalCommand",
                                      "fileDiffTrajectories",
                                      "docsReferences",
                                      "webReferences",
                                      "aiWebSearchResults",
                                      "attachedFoldersListDirResults",
                                      "humanChanges",
                                      "summarizedComposers",
                                      "cursorRules",
                                      "contextPieces",
                                      "editTrailContexts",
                                      "allThinkingBlocks",
                                      "diffsSinceLastApply",
                                      "deletedFiles",
                                      "supportedTools",
                                      "consoleLogs",
                                      "uiElementPicked",
                                      "knowledgeItems",
                                      "documentationSelections",
                                      "externalLinks",
                                      "projectLayouts",
                                      "capabilitiesRan",
                                      "multiFileLinterErrors",
                                      "diffHistories",
                                      "recentLocationsHistory",
                                      "recentlyViewedFiles",
                                      "isRefunded",
                                      "useWeb",
                                      "attachedHumanChanges"})
    fields += fmt::format(",\"{}\":[]", name);
  return fields + R"(,"tokenCount":{"inputTokens":0,"outputTokens":0},"conversationState":"~")";
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

/// Long texts and bytes for giant databases, cut from a pool: what they say does not matter.
class Filling {
 public:
  Filling() {
    TextMaker maker;
    for (std::string& block : blocks_) block = maker.code(random_, kBlock);
  }

  /// Half of them are below the median.
  std::string text(double median) {
    constexpr std::size_t kMost = 1u << 20;
    const auto size = std::min(kMost, static_cast<std::size_t>(random_.log_normal(median, 1)));
    std::string text;
    while (text.size() < size) text += blocks_[random_.below(blocks_.size())];
    text.resize(size);
    return text;
  }

  std::string id() { return fmt::format("{:016x}{:016x}", random_.next(), random_.next()); }
  bool chance(double probability) { return random_.chance(probability); }

 private:
  static constexpr std::size_t kBlock = 2048;
  Random random_{7};
  std::array<std::string, 256> blocks_{};
};

std::string tool_fields(const Message& message, std::string_view result) {
  const std::string params =
      fmt::format("{{\"{}\":{}}}", main_argument(message.tool), json_string(message.text));
  return R"(,"text":"","toolFormerData":{"name":")" + message.tool + R"(","params":)" +
         json_string(params) + R"(,"rawArgs":"","result":)" + json_string(result) +
         R"(,"status":"completed"})";
}

std::string bubble(const Message& message, std::string_view id, std::string_view project,
                   std::string_view result) {
  static const std::string kFiller = filler();
  std::string out = fmt::format(R"({{"_v":3,"type":{},"bubbleId":"{}","createdAt":"{:%FT%T}.000Z")",
                                message.kind == Kind::user ? 1 : 2, id,
                                fmt::gmtime(message.time.time_since_epoch().count()));
  out += message.kind == Kind::tool ? tool_fields(message, result)
                                    : ",\"text\":" + json_string(message.text);
  out += ",\"workspaceProjectDir\":" + json_string(project);
  return out + kFiller + '}';
}

std::int64_t milliseconds(const Message& message) {
  return message.time.time_since_epoch().count() * 1000;
}

std::string bubble_id(const Conversation& conversation, std::size_t i) {
  return fmt::format("{}-{:012x}", conversation.id.substr(0, 23), i);
}

/// Title, summary and todos, as far as there are.
std::string notes(const Conversation& conversation) {
  std::string out;
  if (!conversation.title.empty()) out += ",\"name\":" + json_string(conversation.title);
  if (!conversation.summary.empty())
    out += fmt::format(R"(,"latestConversationSummary":{{"summary":{{"summary":{}}}}})",
                       json_string(conversation.summary));
  std::string todos;
  for (const auto& todo : conversation.todos)
    todos += fmt::format(R"({}{{"id":"{}","content":{},"status":"pending"}})",
                         todos.empty() ? "" : ",", todos.size(), json_string(todo));
  if (!todos.empty()) out += ",\"todos\":[" + todos + ']';
  return out;
}

std::string composer(const Conversation& conversation, std::string_view parent) {
  std::string headers;
  for (std::size_t i = 0; i < conversation.messages.size(); ++i)
    headers += fmt::format("{}{{\"bubbleId\":\"{}\",\"type\":{}}}", i == 0 ? "" : ",",
                           bubble_id(conversation, i),
                           conversation.messages[i].kind == Kind::user ? 1 : 2);
  const std::string origin =
      parent.empty() ? "null" : fmt::format(R"({{"parentComposerId":"{}"}})", parent);
  return fmt::format(
      R"({{"_v":17,"composerId":"{}","createdAt":{},"lastUpdatedAt":{},"unifiedMode":"agent",)"
      R"("workspaceIdentifier":{{"id":"0","uri":{{"fsPath":"{}","scheme":"file"}}}},)"
      R"("subagentInfo":{},"fullConversationHeadersOnly":[{}],"conversationMap":{{}}{}}})",
      conversation.id, milliseconds(conversation.messages.front()),
      milliseconds(conversation.messages.back()), conversation.project, origin, headers,
      notes(conversation));
}

class BubblesWriter : public Writer {
 public:
  BubblesWriter(const fs::path& home, bool giant) {
    if (giant) filling_.emplace();
    const fs::path folder = home / ".config/Cursor/User/globalStorage";
    fs::create_directories(folder);
    check(sqlite3_open((folder / "state.vscdb").c_str(), &database_));
    execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
        "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
        "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
        "BEGIN");
    check(sqlite3_prepare_v2(database_, "INSERT INTO cursorDiskKV VALUES (?, ?)", -1, &insert_,
                             nullptr));
  }

  ~BubblesWriter() override {
    sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr);
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }

  BubblesWriter(const BubblesWriter&) = delete;
  BubblesWriter& operator=(const BubblesWriter&) = delete;

  void write(const Conversation& conversation) override {
    write_one(conversation, "");
    for (const Conversation& child : conversation.subagents) write_one(child, conversation.id);
    if (++written_ % kConversationsPerCommit == 0) execute("COMMIT; BEGIN");
  }

 private:
  void write_one(const Conversation& conversation, std::string_view parent) {
    put("composerData:" + conversation.id, composer(conversation, parent));
    for (std::size_t i = 0; i < conversation.messages.size(); ++i) {
      const std::string id = bubble_id(conversation, i);
      put("bubbleId:" + conversation.id + ':' + id,
          bubble(conversation.messages[i], id, conversation.project,
                 filling_ ? filling_->text(kResult) : ""));
      if (filling_) put_others(conversation.id, id);
    }
  }

  // In the proportions of a real database, between the bubbles, as they were written.
  void put_others(const std::string& conversation, const std::string& id) {
    const std::string ids = conversation + ':' + id;
    if (filling_->chance(0.6))
      put("agentKv:blob:" + filling_->id() + filling_->id(), "\n" + filling_->text(10'000));
    if (filling_->chance(0.17)) put("checkpointId:" + ids, filling_->text(25'000));
    if (filling_->chance(0.15))
      put("codeBlockDiff:" + ids,
          R"({"newModelDiffWrtV0":[{"modified":[)" + json_string(filling_->text(8'000)) + "]}]}");
    if (filling_->chance(0.05))
      put("messageRequestContext:" + ids,
          R"({"gitStatusRaw":)" + json_string(filling_->text(8'000)) + '}');
    if (filling_->chance(0.05))
      put("codeBlockPartialInlineDiffFates:" + ids, filling_->text(3'000));
    if (filling_->chance(0.003)) put("inlineDiff:0:" + filling_->id(), filling_->text(3'000));
    if (filling_->chance(0.002))
      put("composer.content." + filling_->id() + filling_->id(), filling_->text(20'000));
  }

  void put(const std::string& key, const std::string& value) {
    sqlite3_bind_text(insert_, 1, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
    sqlite3_bind_text(insert_, 2, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
    if (sqlite3_step(insert_) != SQLITE_DONE) check(SQLITE_ERROR);
    check(sqlite3_reset(insert_));
  }

  void execute(const char* sql) { check(sqlite3_exec(database_, sql, nullptr, nullptr, nullptr)); }

  void check(int code) const {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(database_));
  }

  static constexpr double kResult = 18'000;
  std::optional<Filling> filling_{};
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  std::size_t written_ = 0;
};

}  // namespace

std::unique_ptr<Writer> bubbles_writer(const fs::path& home, bool giant) {
  return std::make_unique<BubblesWriter>(home, giant);
}

}  // namespace cgrep::bench
