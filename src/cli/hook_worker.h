// The work after a hook: what a conversation holds now goes to the index, and only that.
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/hook_event.h"
#include "cli/options.h"

namespace cgrep {

/// Reads the transcript with its subagents, the messages in the editor's database and the chat of
/// the conversation, and again as they grow for up to 5 s, as Cursor writes them later than it
/// tells. Ends quietly, whatever happens.
void run_hook_worker(const Places& places, const HookEvent& event);

}  // namespace cgrep
