// Where a made-up history goes: one Writer per store.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "bench/history.h"

namespace cgrep::bench {

class Writer {
 public:
  virtual ~Writer() = default;
  virtual void write(const Conversation& conversation) = 0;

  /// After the last conversation: writes what tells of all of them.
  virtual void finish() {}
};

/// `.cursor/projects/<slug>/agent-transcripts/<id>/<id>.jsonl` and its subagents.
std::unique_ptr<Writer> transcripts_writer(const std::filesystem::path& home);

/// `.config/Cursor/User/globalStorage/state.vscdb`; complete when the writer is gone. `giant`: with
/// long results of tools, and with the rows of other families that make up most of a real one.
std::unique_ptr<Writer> bubbles_writer(const std::filesystem::path& home, bool giant);

/// Titles and summaries, where the IDE and the agent keep them; complete when the writer is gone.
std::unique_ptr<Writer> notes_writer(const std::filesystem::path& home);

/// What stands beside the conversations: summaries, plans, prompts and old chats.
std::unique_ptr<Writer> extras_writer(const std::filesystem::path& home);

/// The folder of a project's transcripts is named like this.
std::string slug_of(std::string path);

/// The name of the argument that matters most to a tool.
std::string_view main_argument(std::string_view tool);

/// Appends a JSON string with its quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace cgrep::bench
