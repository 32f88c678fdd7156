// What Cursor tells a hook on standard input.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "extract/roots.h"

namespace cgrep {

/// (Whose account it is, Cursor tells as well: that is not taken.)
struct HookEvent {
  std::string name{};  // stop, sessionEnd, subagentStop, afterAgentResponse
  std::string conversation{};
  std::string generation{};
  std::filesystem::path transcript{};           // where it says it is; may be empty
  std::filesystem::path subagent_transcript{};  // of a subagent that stopped
  std::int64_t time = 0;                        // ms: when it told
};

/// What the JSON says; absent when it is none, or names no conversation. An id that could lead
/// elsewhere as a part of a path is none.
std::optional<HookEvent> hook_event(std::string_view json, const Environment& environment);

}  // namespace cgrep
