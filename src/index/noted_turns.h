// Turns that ended, as a hook notes them before it returns: one small file each, until a writer has
// recorded them (turns.h). So a turn dates its own lines whoever reads them first, and however
// late; and with a worker that is killed, no turn is lost.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "index/turns.h"

namespace cgrep {

struct NotedTurn {
  std::filesystem::path note{};
  Turn turn{};
};

/// The note; empty when none can be left: then only the worker knows of the turn.
std::filesystem::path note_turn(const std::filesystem::path& index, const Turn& turn);

bool is_any_turn_noted(const std::filesystem::path& index);

/// In the order in which they ended. For the one who writes, who removes the notes when they are
/// committed.
std::vector<NotedTurn> noted_turns(const std::filesystem::path& index);

}  // namespace cgrep
