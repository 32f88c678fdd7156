// The work after a hook: what a conversation holds now goes to the index, and only that.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "cli/hook_event.h"
#include "cli/options.h"
#include "index/turns.h"

namespace cgrep {

/// The turn that ended with the event, with what its transcript tells by now; absent: none did.
std::optional<Turn> ended_turn(const Places& places, const HookEvent& event);

/// Reads the transcript with its subagents, the messages in the editor's database and the chat of
/// the conversation, and again as they grow for up to 5 s, as Cursor writes them later than it
/// tells. `note`: of the turn (noted_turns.h). Ends quietly, whatever happens.
void run_hook_worker(const Places& places, const HookEvent& event, const std::optional<Turn>& turn,
                     const std::filesystem::path& note);

}  // namespace cgrep
