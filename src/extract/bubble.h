// A bubble: one message, or part of one, of the IDE. Rows of their own in current versions, inside
// the conversation's document in old ones.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/json_reader.h"
#include "extract/store.h"

namespace cgrep {

/// Where a bubble stands, while it is read.
struct BubblePlace {
  std::string_view store{};
  std::string_view conversation{};
  std::string_view key{};  // of the bubble; its documents' keys begin with it
  std::uint64_t position = 0;
  std::optional<Time> time{};  // when it has none of its own
  bool orphan = false;
  bool delegated = false;  // if it is a user's
  bool again = false;      // delivered before: what it lost since then is gone
};

/// What a bubble tells beside its documents.
struct BubbleFacts {
  std::optional<std::int64_t> time{};  // its own
  bool user = false;
  std::string model{};
  std::string project{};        // workspaceProjectDir
  std::string workspace_uri{};  // first of workspaceUris
  std::string workspace_line{};
  std::string request{};
  std::vector<std::string> children{};  // ids of conversations that it started
  std::string child_id{};               // one of them, whose document is part of the bubble
  std::int64_t tokens = 0;
};

/// Reads bubbles; holds the parsers for what is JSON inside of JSON.
class BubbleReader {
 public:
  explicit BubbleReader(Sink& sink) : sink_(sink) {}

  /// Only its own time.
  static std::optional<std::int64_t> time_of_bubble(const JsonMembers& bubble);

  BubbleFacts read(JsonElement value, const BubblePlace& place);

 private:
  struct Parts;

  Sink& sink_;
  JsonReader inner_{JsonReader::kInnerMemory};
  JsonMembers members_{};  // of the bubble that is read
};

/// All documents of a bubble that was delivered before are gone.
void lose_bubble(const std::string& key, Sink& sink);

/// The path in `{"uri": {"fsPath": …}}`, `{"uri": "file:…"}`, `{"relativeWorkspacePath": …}`, or in
/// just a string.
std::string path_in(JsonElement value);

/// A problem when the record says a version that is not in the list; it is read all the same.
void check_version(JsonElement record, std::string_view family, std::int64_t newest,
                   std::string_view key, Sink& sink);

}  // namespace cgrep
