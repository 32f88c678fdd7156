// What Cursor tells a hook, and the files of others that a hook is put into and taken out of.
#include <algorithm>

#include "cli/hook_block.h"
#include "cli/hook_event.h"
#include "cli/hooks_json.h"
#include "cli/json_text.h"
#include "error.h"
#include "fuzz/checks.h"
#include "fuzz/target.h"

namespace cgrep::fuzz {
namespace {

// Ids become parts of paths and of keys.
bool leads_nowhere(std::string_view id) {
  constexpr std::size_t kLongest = 200;
  return id.size() <= kLongest && !id.starts_with('.') &&
         id.find_first_of("/:*?% \n\\") == std::string_view::npos &&
         id.find('\0') == std::string_view::npos;
}

FUZZ_TARGET(hook_event) {
  const auto event = hook_event(bytes, [](const char*) { return std::optional<std::string>(); });
  if (!event) return;
  require(!event->conversation.empty(), "an event tells of a conversation");
  require(leads_nowhere(event->conversation), "a conversation's id leads nowhere");
  require(leads_nowhere(event->generation), "a generation's id leads nowhere");
}

std::vector<CursorHook> hooks_of(const std::string& text) {
  return cursor_hooks(text);
}

void check_installed(const std::string& text, const std::string& command) {
  const auto before = hooks_of(text);
  const auto with = with_cursor_hooks(text, command);
  const JsonText still_json(with);
  for (const auto event : kCursorEvents) {
    const auto after = hooks_of(with);
    const auto is_there = [&](const CursorHook& hook) {
      return hook.event == event && hook.command == command;
    };
    require(std::any_of(after.begin(), after.end(), is_there), "each event has the hook");
  }
  require(with_cursor_hooks(with, command) == with, "twice is once");
  const auto without = without_cursor_hooks(with);
  if (without) require(hooks_of(*without).empty(), "none is left");
  if (before.empty()) require(without == text, "what was there before is there again");
}

FUZZ_TARGET(hooks_json) {
  const std::string text(bytes);
  try {
    check_installed(text, "/usr/bin/cgrep hook run");
  } catch (const Error& error) {
    require(!std::string_view(error.what()).empty(), "an error says what is wrong");
  }
}

FUZZ_TARGET(hook_block) {
  const std::string text(bytes);
  const std::string lines = "eval this\n";
  try {
    const bool before = hook_block(text).has_value();
    const auto with = with_hook_block(text, lines);
    require(hook_block(with) == lines, "the lines are there");
    require(with_hook_block(with, lines) == with, "twice is once");
    const auto without = without_hook_block(with);
    if (!before) require(without == text, "what was there before is there again");
  } catch (const Error& error) {
    require(!error.hint().empty(), "a block without an end gets a hint");
  }
}

}  // namespace
}  // namespace cgrep::fuzz
