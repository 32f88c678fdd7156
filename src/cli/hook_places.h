// The hooks that can be installed: Cursor's and those of shells, and the files that hold them.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "extract/roots.h"

namespace cgrep {

/// One that can be installed.
struct HookPlace {
  std::string name{};  // cursor, bash, zsh, fish
  std::filesystem::path file{};
};

/// What is in its file.
struct HookState {
  bool installed = false;
  bool current = false;   // what would be installed now, in all places
  std::string command{};  // what is run
  std::string problem{};  // why that cannot be told
};

std::vector<std::string> hook_names();

/// All, in the home of this user, or in one that was copied or mounted at `root`.
std::vector<HookPlace> hook_places(const Environment& environment,
                                   const std::optional<std::string>& root);

HookState look_at_hook(const HookPlace& place, const std::filesystem::path& binary);

/// Whether the file had to be changed. Throws Error when it is damaged, and changes nothing.
bool install_hook(const HookPlace& place, const std::filesystem::path& binary);
bool uninstall_hook(const HookPlace& place);

}  // namespace cgrep
