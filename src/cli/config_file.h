// The config file: lines of `key = value`, and where each of them stands.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "extract/roots.h"

namespace cgrep {

/// A value that was set, and by what: for errors.
struct Setting {
  std::string key{};
  std::string value{};
  std::string origin{};  // `/home/ada/.config/cgrep/config:3`, `CGREP_LIMIT`
};

/// The lines of a config in their order. `#` begins a comment, at the start of a line or after a
/// space; a value in double quotes is taken as it stands. Throws Error that names the line.
std::vector<Setting> parse_config(std::string_view text, const std::string& path);

/// Reads the file that CGREP_CONFIG names, else $XDG_CONFIG_HOME/cgrep/config or
/// ~/.config/cgrep/config, which need not be there. Nothing when CGREP_CONFIG is empty.
/// Throws Error when the file cannot be read.
std::vector<Setting> read_config_file(const Environment& environment);

}  // namespace cgrep
