// hooks.json of Cursor: puts `cgrep hook run` among its hooks and takes it out again. The text of
// others stays as it is, to the byte, so that taking out restores what was there before.
//
// What was made for the hook has to be known from the text alone, as people edit it meanwhile. So
// in a list, an object or a file that is made for it, white space follows the opening bracket; in
// one that was there and empty, the hook follows the bracket at once.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// The events that tell of something to read.
inline constexpr std::array<std::string_view, 4> kCursorEvents = {
    "stop", "sessionEnd", "subagentStop", "afterAgentResponse"};

/// With `command` in the list of each event, once; one of another cgrep becomes this. `text` is
/// absent when there is no file. Throws Error when it is damaged or of a shape unknown.
std::string with_cursor_hooks(const std::optional<std::string>& text, const std::string& command);

/// Without any. Absent when the file was made for them, and holds nothing else.
std::optional<std::string> without_cursor_hooks(const std::string& text);

/// The commands of a cgrep that are hooks of an event.
struct CursorHook {
  std::string event{};
  std::string command{};
};
std::vector<CursorHook> cursor_hooks(const std::string& text);

/// Whether a shell would run `hook run` of some cgrep by it.
bool is_own_command(std::string_view command);

}  // namespace cgrep
