// The project of the current directory, as --here means it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "query/filters.h"

namespace cgrep {

/// The repository around the folder, the one it is a worktree of, and their other worktrees; the
/// folder itself when there is no repository.
Here find_here(const std::filesystem::path& folder);

/// The same of the current directory; empty when that is gone.
Here find_here();

/// Only the repository around the current directory, or that itself; empty when it is gone.
std::string current_repository();

}  // namespace cgrep
