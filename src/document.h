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
  surface,   // "ide" or "cli"
  created,   // ms since 1970
  updated,   // ms since 1970
  seen,      // ms since 1970: mtime of a file that holds it
  archived,  // "1"
};

/// One source's word on one fact. Sources may contradict each other: the lower rung wins, and
/// the join (index/join.h) is the only place that decides.
struct Claim {
  std::string conversation{};  // or a slug, see slug_subject()
  Fact fact = Fact::project;
  int rung = 0;
  std::string value{};
};

/// A claim about all conversations under projects/<slug> names this as its conversation.
inline std::string slug_subject(std::string_view slug) {
  return "slug:" + std::string(slug);
}

/// The ladders of the formats: who is believed about what, best first.
namespace rung {
namespace project {
inline constexpr int trusted = 10;         // projects/<slug>/.workspace-trusted
inline constexpr int repo = 20;            // projects/<slug>/repo.json
inline constexpr int chat_meta = 30;       // chats/*/<id>/meta.json
inline constexpr int composer = 40;        // composerData, composerHeaders
inline constexpr int workspace_line = 50;  // `Workspace Path:` in an injected block
inline constexpr int walk = 60;            // the slug, matched against the file system
inline constexpr int tools = 70;           // common folder of the tool calls' paths
}  // namespace project
namespace title {
inline constexpr int chat_meta = 20;
}  // namespace title
namespace any {
inline constexpr int only = 50;  // a fact that only one kind of source can tell
}  // namespace any
}  // namespace rung

/// A damaged or unknown record that was skipped and counted; never an error.
struct Problem {
  std::string what{};     // the kind, such as "not JSON": counted by it; never holds content
  std::string example{};  // where the first one is: an offset, a key; never holds content
  bool passing = false;   // looked at again the next time its source is read
};

}  // namespace cgrep
