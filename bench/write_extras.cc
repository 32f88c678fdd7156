// What stands beside the conversations: conversation_summaries of ai-code-tracking.db, plans as
// Markdown, prompt_history.json of the command line, and a database per workspace with the last
// prompts typed there and chats of the time before composers.

#include <deque>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "bench/table.h"
#include "bench/writer.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

// Cursor keeps the last so many.
constexpr std::size_t kTyped = 500;
constexpr std::size_t kTypedInWorkspace = 100;

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::int64_t milliseconds(std::chrono::sys_seconds time) {
  return time.time_since_epoch().count() * 1000;
}

/// Lists that Cursor keeps of what was typed in one place, and chats of the old kind.
struct Workspace {
  std::deque<Message> typed{};
  std::string chats{};
};

void keep_last(std::deque<Message>& typed, const Message& message, std::size_t most) {
  typed.push_back(message);
  if (typed.size() > most) typed.pop_front();
}

template <typename Format>
std::string list_of(const std::deque<Message>& typed, const Format& format) {
  std::string out;
  for (const Message& message : typed) out += (out.empty() ? "" : ",") + format(message);
  return '[' + out + ']';
}

std::string legacy_chat(const Conversation& conversation) {
  std::string bubbles;
  for (std::size_t i = 0; i < conversation.messages.size(); ++i) {
    const Message& message = conversation.messages[i];
    const bool user = message.kind == Kind::user;
    bubbles +=
        fmt::format(R"({}{{"type":"{}","id":"{}",{}:{}}})", i == 0 ? "" : ",", user ? "user" : "ai",
                    i, user ? "\"text\"" : "\"rawText\"", json_string(message.text));
  }
  return fmt::format(R"({{"tabId":"{}","chatTitle":{},"lastSendTime":{},"bubbles":[{}]}})",
                     conversation.id, json_string(conversation.title),
                     milliseconds(conversation.messages.back().time), bubbles);
}

class ExtrasWriter : public Writer {
 public:
  explicit ExtrasWriter(fs::path home)
      : home_(std::move(home)),
        summaries_(home_ / ".cursor/ai-tracking/ai-code-tracking.db",
                   "CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title "
                   "TEXT, tldr TEXT, overview TEXT, summaryBullets TEXT, model TEXT, mode TEXT, "
                   "updatedAt INTEGER NOT NULL)",
                   "INSERT INTO conversation_summaries VALUES (?, ?, '', ?, '', '', 'agent', ?)") {
    fs::create_directories(home_ / ".cursor/plans");
  }

  void finish() override {
    const auto text = [](const Message& message) { return json_string(message.text); };
    std::ofstream(home_ / ".cursor/prompt_history.json") << list_of(typed_, text);
    std::uint64_t number = 0;
    for (const auto& [project, workspace] : workspaces_)
      write_workspace(project, workspace, fmt::format("{:032x}", mix(++number)));
  }

  void write(const Conversation& conversation) override {
    Workspace& workspace = workspaces_[conversation.project];
    if (conversation.legacy) {
      workspace.chats += (workspace.chats.empty() ? "" : ",") + legacy_chat(conversation);
      return;
    }
    if (!conversation.summary.empty())
      summaries_.add({conversation.id, conversation.title, conversation.summary,
                      std::to_string(milliseconds(conversation.messages.back().time))});
    if (!conversation.plan.empty()) write_plan(conversation);
    if (conversation.planted) return;  // needles stay where the manifest says
    for (const Message& message : conversation.messages)
      if (message.kind == Kind::user) {
        keep_last(typed_, message, kTyped);
        keep_last(workspace.typed, message, kTypedInWorkspace);
      }
  }

 private:
  void write_plan(const Conversation& conversation) const {
    const auto id = conversation.id.substr(0, 8);
    std::ofstream(home_ / ".cursor/plans" / fmt::format("plan_{}.plan.md", id)) << fmt::format(
        "---\nname: Plan {}\noverview: {}\n---\n\n# Plan\n\n{}\n", id,
        conversation.plan.substr(0, conversation.plan.find_first_of(".\n")), conversation.plan);
  }

  void write_workspace(const std::string& project, const Workspace& workspace,
                       const std::string& name) const {
    const fs::path folder = home_ / ".config/Cursor/User/workspaceStorage" / name;
    Table items(folder / "state.vscdb",
                "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)",
                "INSERT INTO ItemTable VALUES (?, ?)");
    std::ofstream(folder / "workspace.json") << fmt::format(R"({{"folder":"file://{}"}})", project);
    items.add({"aiService.prompts", list_of(workspace.typed, [](const Message& message) {
                 return R"({"text":)" + json_string(message.text) + R"(,"commandType":4})";
               })});
    items.add({"aiService.generations", list_of(workspace.typed, [](const Message& message) {
                 return fmt::format(R"({{"unixMs":{},"type":"composer","textDescription":{}}})",
                                    milliseconds(message.time), json_string(message.text));
               })});
    if (!workspace.chats.empty())
      items.add(
          {"workbench.panel.aichat.view.aichat.chatdata", R"({"tabs":[)" + workspace.chats + "]}"});
  }

  fs::path home_;
  Table summaries_;
  std::deque<Message> typed_{};
  std::map<std::string, Workspace> workspaces_{};
};

}  // namespace

std::unique_ptr<Writer> extras_writer(const fs::path& home) {
  return std::make_unique<ExtrasWriter>(home);
}

}  // namespace cgrep::bench
