// The lines that a hook has in a shell's rc file: put in and taken out, the rest as it is.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cgrep {

/// With `lines`, each of which ends, at the end, or where ours stood before. `text` is absent when
/// there is no file. Throws Error when an end of ours is missing.
std::string with_hook_block(const std::optional<std::string>& text, std::string_view lines);

/// Without ours. Absent when the file was made for them, and holds nothing else.
std::optional<std::string> without_hook_block(const std::string& text);

/// Ours; absent when there are none.
std::optional<std::string> hook_block(const std::string& text);

}  // namespace cgrep
