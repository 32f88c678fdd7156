// The work after a hook: what a conversation holds now goes to the index, and only that.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "cli/options.h"

namespace cgrep {

/// What Cursor tells a hook. (Whose account it is, it tells as well: that is not taken.)
struct HookEvent {
  std::string name{};  // stop, sessionEnd, subagentStop, afterAgentResponse
  std::string conversation{};
  std::string generation{};
  std::filesystem::path transcript{};           // where it says it is; may be empty
  std::filesystem::path subagent_transcript{};  // of a subagent that stopped
  std::int64_t time = 0;                        // ms: when it told
};

/// Reads the transcript with its subagents, the messages in the editor's database and the chat of
/// the conversation, and again as they grow for up to 5 s, as Cursor writes them later than it
/// tells. Ends quietly, whatever happens.
void run_hook_worker(const Places& places, const HookEvent& event);

}  // namespace cgrep
