// What `--model`, `branch:` and the like take, and what `--file` takes.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace cgrep {

/// Whether the pattern names the value, in any case.
///   claude-4-sonnet, sonnet   all of it, or whole parts of it (parts end at - . / _ and spaces)
///   claude*                   a glob of all of it (* ? [a-z])
///   none                      there is no value
bool name_matches(std::string_view pattern, std::string_view value);

/// Whether the pattern names the file.
///   /home/ada/widget   that file, or one below that folder
///   login.ts, src/*.ts whole components of the path's end; * and ? do not match `/`
///   src/**             ** matches anything
bool file_matches(std::string_view pattern, std::string_view path);

}  // namespace cgrep
