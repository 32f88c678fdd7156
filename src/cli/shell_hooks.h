// What shells run before each prompt, so that the index is fresh.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "extract/roots.h"

namespace cgrep {

/// Shells that have one: bash, zsh, fish.
std::vector<std::string> hook_shells();

/// Code for `eval`: runs `cgrep index --quiet --lazy` of this binary before each prompt of an
/// interactive shell, and none when it is there already.
std::string shell_hook(std::string_view shell, const std::filesystem::path& binary);

/// The lines that run that code when the shell starts; nothing when the binary is gone.
std::string shell_hook_lines(std::string_view shell, const std::filesystem::path& binary);

/// The file that the shell reads when it starts. `home` is a home that was copied or mounted; else
/// the environment tells.
std::filesystem::path shell_rc_file(std::string_view shell, const std::filesystem::path& home,
                                    const Environment& environment);

/// This program, as it will still be found tomorrow: by the name in PATH that leads to it, else
/// where it is.
std::filesystem::path own_binary(const Environment& environment);

}  // namespace cgrep
