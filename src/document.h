// The vocabulary that all folders share: what one searchable piece of history is.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// Who or what a text comes from. The numbers are kept in history.db: append only.
enum class Role : std::uint8_t {
  user,
  assistant,
  thinking,
  tool_call,
  tool_result,
  system,
  summary,
  title,
  plan,
  prompt,
};

inline constexpr std::array<std::string_view, 10> kRoleNames = {
    "user",   "assistant", "thinking", "tool-call", "tool-result",
    "system", "summary",   "title",    "plan",      "prompt"};

constexpr std::string_view name_of(Role role) {
  return kRoleNames[static_cast<std::size_t>(role)];
}

constexpr std::optional<Role> role_named(std::string_view name) {
  for (std::size_t i = 0; i < kRoleNames.size(); ++i)
    if (kRoleNames[i] == name) return static_cast<Role>(i);
  return std::nullopt;
}

/// Where a time was taken from, best first. The numbers are kept in history.db: append only.
enum class TimeOrigin : std::uint8_t {
  native,   // the record's own time
  tag,      // a <timestamp> in the text, or the last one before
  session,  // when the conversation was created or last changed
  mtime,    // the file's; an upper bound
  none,
};

inline constexpr std::array<std::string_view, 5> kTimeOriginNames = {"native", "tag", "session",
                                                                     "mtime", "none"};

constexpr std::string_view name_of(TimeOrigin origin) {
  return kTimeOriginNames[static_cast<std::size_t>(origin)];
}

/// A moment in UTC, with where it came from.
struct Time {
  std::int64_t ms = 0;  // since 1970
  TimeOrigin origin = TimeOrigin::native;

  /// Inferred times are printed with a `~`.
  constexpr bool inferred() const {
    return origin == TimeOrigin::session || origin == TimeOrigin::mtime;
  }
  friend constexpr bool operator==(const Time&, const Time&) = default;
};

/// What makes it the same document when its source is read again: a key that its store keeps
/// (bubble key, blob id). Without a key, it is the k-th document with this role and text in its
/// source, and the writer counts the k.
struct Identity {
  std::string key{};
};

/// One searchable piece of history: a prompt, a reply, a tool call or its result.
struct Document {
  std::string_view store{};    // registry name, such as "transcripts"
  std::string conversation{};  // the agent's own id of it
  Role role = Role::user;
  std::optional<Time> time{};        // its own or tagged time; what is inferred, the join adds
  std::string text{};                // UTF-8, cleaned of wrappers
  std::string tool{};                // for tool calls and results: the name as it stands there
  std::vector<std::string> files{};  // paths that it touches or attaches
  Identity identity{};

  /// Copies of it in other stores are known by this where their texts differ, as those of tool
  /// calls do; empty: by the text. White space counts as little as in a text.
  std::string alike{};

  std::uint64_t position = 0;  // reading order among the documents of its source and conversation
  bool delegated = false;      // a prompt that an agent wrote, not a person
  bool orphan = false;         // no longer part of its conversation
  bool truncated = false;      // cut at kMaxTextBytes
};

/// A longer text is cut here, marked `truncated` and counted.
inline constexpr std::size_t kMaxTextBytes = 4u << 20;

/// A longer record (line, row, blob) is a problem and skipped.
inline constexpr std::size_t kMaxRecordBytes = 64u << 20;

/// What a source can say about a conversation. The numbers are kept in history.db: append only.
enum class Fact : std::uint8_t {
  project,  // absolute path
  slug,     // projects/<slug>
  title,
  parent,  // id of the conversation that started this one
  model,
  mode,
  branch,
  surface,    // "ide" or "cli"
  created,    // ms since 1970
  updated,    // ms since 1970
  seen,       // ms since 1970: mtime of a file that holds it
  archived,   // "1"
  workspace,  // id of a workspace of the IDE, see workspace_subject()
  files,      // paths, one a line
  tokens,     // how many the model was given
};

/// One source's word on one fact. Sources may contradict each other: the lower rung wins, and
/// the join (index/join.h) is the only place that decides.
struct Claim {
  std::string conversation{};  // or a group, see slug_subject() and workspace_subject()
  Fact fact = Fact::project;
  int rung = 0;
  std::string value{};
};

/// A claim about all conversations under projects/<slug> names this as its conversation.
inline std::string slug_subject(std::string_view slug) {
  return "slug:" + std::string(slug);
}

/// The same for all conversations that claim this Fact::workspace.
inline std::string workspace_subject(std::string_view workspace) {
  return "workspace:" + std::string(workspace);
}

/// The ladders of the formats: who is believed about what, best first.
namespace rung {
namespace project {
inline constexpr int trusted = 10;           // projects/<slug>/.workspace-trusted
inline constexpr int repo = 20;              // projects/<slug>/repo.json
inline constexpr int chat_meta = 30;         // chats/*/<id>/meta.json
inline constexpr int chat_workspace = 31;    // workspacePath in the chat's database
inline constexpr int chat_state = 32;        // workspace URIs in the chat's state
inline constexpr int worktree = 40;          // composerData: gitWorktree
inline constexpr int composer = 41;          // composerData: workspaceIdentifier
inline constexpr int composer_uri = 42;      // composerData: workspaceUri
inline constexpr int header_workspace = 43;  // composerHeaders: workspaceId
inline constexpr int header = 44;            // composerHeaders: paths in the value
inline constexpr int workspace_list = 45;    // the workspace whose database lists it
inline constexpr int workspace_pane = 46;    // the workspace that shows it in a pane
inline constexpr int bubble = 47;            // bubbles: workspaceProjectDir
inline constexpr int bubble_uri = 48;        // bubbles: workspaceUris
inline constexpr int parent = 49;            // that of the conversation that started it
inline constexpr int workspace_line = 50;    // `Workspace Path:` in an injected block
inline constexpr int walk = 60;              // the slug, matched against the file system
inline constexpr int tools = 70;             // common folder of the tool calls' paths
inline constexpr int hashes = 71;            // common folder of the files that it wrote
inline constexpr int attached = 72;          // common folder of what was attached
inline constexpr int tracked = 73;           // composerData: trackedGitRepos
}  // namespace project
namespace title {
inline constexpr int composer = 10;   // composerData: name
inline constexpr int header = 12;     // composerHeaders and its twins: name
inline constexpr int chat_meta = 20;  // chats/*/<id>/meta.json
inline constexpr int chat = 22;       // the chat's database
inline constexpr int legacy = 25;     // of chats before composers
inline constexpr int plan = 26;       // of plans that no conversation claims
inline constexpr int subtitle = 30;   // composerData: subtitle
inline constexpr int summary = 40;    // conversation_summaries
}  // namespace title
namespace model {
inline constexpr int composer = 10;  // composerData: modelConfig
inline constexpr int message = 20;   // the last message that names one
inline constexpr int chat = 30;      // the chat's database: lastUsedModel
inline constexpr int hashes = 40;    // ai_code_hashes
inline constexpr int summary = 50;   // conversation_summaries
}  // namespace model
namespace any {
inline constexpr int sure = 40;  // the conversation's own record of it
inline constexpr int only = 50;  // a fact that only one kind of source can tell
inline constexpr int hint = 60;  // told in passing
}  // namespace any
}  // namespace rung

/// A damaged or unknown record that was skipped and counted; never an error.
struct Problem {
  std::string what{};     // the kind, such as "not JSON": counted by it; never holds content
  std::string example{};  // where the first one is: an offset, a key; never holds content
  bool passing = false;   // looked at again the next time its source is read
};

}  // namespace cgrep
