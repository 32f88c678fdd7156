#include "cli/hook_places.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/edited_file.h"
#include "cli/hook_block.h"
#include "cli/hooks_json.h"
#include "cli/shell_hooks.h"
#include "error.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCursor = "cursor";

std::string cursor_command(const fs::path& binary) {
  const std::vector<std::string> words = {binary.string(), "hook", "run"};
  return shell_quoted(words);
}

std::string wanted_text(const HookPlace& place, const std::optional<std::string>& text,
                        const fs::path& binary) {
  return place.name == kCursor ? with_cursor_hooks(text, cursor_command(binary))
                               : with_hook_block(text, shell_hook_lines(place.name, binary));
}

// Which file it is, and what to do.
template <typename Edit>
auto editing(const HookPlace& place, const Edit& edit) {
  try {
    return edit();
  } catch (const Error& error) {
    const auto file = place.file.string();
    if (std::string_view(error.what()).find(file) != std::string_view::npos) throw;
    throw Error(fmt::format("{}: {}", file, error.what()),
                error.hint().empty() ? "mend it by hand; nothing was changed" : error.hint());
  }
}

fs::path home_folder(const Environment& environment, const std::optional<std::string>& root) {
  if (root) {
    std::error_code error;
    auto home = fs::canonical(*root, error);
    if (error || !fs::is_directory(home))
      throw Error(*root + ": no such folder", "--root takes the copy of a home folder");
    return home;
  }
  const auto home = environment("HOME");
  if (!home || !home->starts_with('/')) throw Error("HOME is not set", "--root DIR names a home");
  return *home;
}

std::string first_command(const HookPlace& place, const std::string& text) {
  if (place.name == kCursor) {
    const auto hooks = cursor_hooks(text);
    return hooks.empty() ? std::string() : hooks.front().command;
  }
  const auto block = hook_block(text);
  if (!block) return {};
  // The last line runs it.
  const auto line = block->rfind('\n', block->size() - 2);
  return block->substr(line + 1, block->size() - line - 2);
}

}  // namespace

std::vector<std::string> hook_names() {
  auto names = hook_shells();
  names.insert(names.begin(), kCursor);
  return names;
}

std::vector<HookPlace> hook_places(const Environment& environment,
                                   const std::optional<std::string>& root) {
  const auto home = home_folder(environment, root);
  const Environment own = [&](const char* name) { return root ? std::nullopt : environment(name); };
  std::vector<HookPlace> places = {{.name = kCursor, .file = home / ".cursor/hooks.json"}};
  for (const auto& shell : hook_shells())
    places.push_back({.name = shell, .file = shell_rc_file(shell, home, own)});
  return places;
}

HookState look_at_hook(const HookPlace& place, const fs::path& binary) {
  HookState state;
  try {
    const auto text = read_user_file(place.file);
    if (!text) return state;
    state.command = first_command(place, *text);
    state.installed = !state.command.empty();
    state.current = state.installed && wanted_text(place, text, binary) == *text;
  } catch (const Error& error) {
    state.problem = error.what();
  }
  return state;
}

bool install_hook(const HookPlace& place, const fs::path& binary) {
  return editing(place, [&] {
    const auto text = read_user_file(place.file);
    const auto wanted = wanted_text(place, text, binary);
    if (wanted == text) return false;
    replace_user_file(place.file, wanted);
    return true;
  });
}

bool uninstall_hook(const HookPlace& place) {
  return editing(place, [&] {
    const auto text = read_user_file(place.file);
    if (!text) return false;
    const auto left =
        place.name == kCursor ? without_cursor_hooks(*text) : without_hook_block(*text);
    if (left == text) return false;
    if (left)
      replace_user_file(place.file, *left);
    else
      remove_user_file(place.file);
    return true;
  });
}

}  // namespace cgrep
