// cgrep hook: what keeps the index fresh without being asked, put in place and taken away. In JSON
// one event for each:
//   hook  name; file that holds it; installed; current: what would be installed now; command that
//         is run; problem: why that cannot be told.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/hook_places.h"
#include "cli/hook_run.h"
#include "cli/json_object.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/shell_hooks.h"

namespace cgrep {
namespace {

struct Options {
  bool json = false;
  PlaceOptions places{};
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::string> root_of(const Options& options, const Context& context) {
  auto root = options.places.root ? options.places.root : context.environment("CGREP_ROOT");
  return root && !root->empty() ? root : std::nullopt;
}

// The operands after the first.
std::vector<std::string> names_of(const Context& context, const std::vector<std::string>& known) {
  std::vector<std::string> names(context.operands.begin() + 1, context.operands.end());
  if (names.empty())
    throw Error(fmt::format("hook {} needs a name", context.operands.front()),
                names_hint("", known));
  for (const auto& name : names)
    if (!contains(known, name))
      throw Error(fmt::format("unknown hook '{}'", name), names_hint(name, known));
  return names;
}

ExitCode print_hook(Context& context) {
  const auto shells = names_of(context, hook_shells());
  if (shells.size() > 1) throw Error("hook print takes one shell", names_hint("", hook_shells()));
  context.out.write(shell_hook(shells.front(), own_binary(context.environment)));
  return ExitCode::ok;
}

ExitCode change_hooks(const Options& options, Context& context, bool install) {
  const auto names = names_of(context, hook_names());
  const auto binary = own_binary(context.environment);
  for (const auto& place : hook_places(context.environment, root_of(options, context))) {
    if (!contains(names, place.name)) continue;
    const bool changed = install ? install_hook(place, binary) : uninstall_hook(place);
    const auto* done = install ? "installed in" : "removed from";
    const auto* before = install ? "already in" : "not in";
    context.out.print("{:<7} {} {}\n", place.name, changed ? done : before, place.file.string());
  }
  return ExitCode::ok;
}

std::string told(const HookPlace& place, const HookState& state) {
  if (!state.problem.empty()) return fmt::format("unknown: {}", state.problem);
  if (!state.installed) return "not installed";
  if (state.current) return "installed";
  return fmt::format("installed otherwise; cgrep hook install {} updates it", place.name);
}

ExitCode print_status(const Options& options, Context& context) {
  if (context.operands.size() > 1)
    throw Error("hook status takes no names", search_hint(context.typed));
  const auto binary = own_binary(context.environment);
  bool any = false;
  for (const auto& place : hook_places(context.environment, root_of(options, context))) {
    const auto state = look_at_hook(place, binary);
    any = any || state.installed;
    if (!options.json) {
      context.out.print("{:<7} {:<14} {}\n", place.name, told(place, state), place.file.string());
      continue;
    }
    JsonObject data;
    data.string("name", place.name)
        .string("file", place.file.string())
        .flag("installed", state.installed)
        .flag("current", state.current)
        .text("command", state.command)
        .text("problem", state.problem);
    context.out.write(json_event("hook", data));
  }
  return any ? ExitCode::ok : ExitCode::no_match;
}

ExitCode hook(const Options& options, Context& context) {
  static const std::vector<std::string> kActions = {"print", "install", "uninstall", "status",
                                                    "run"};
  if (context.operands.empty())
    throw Error("hook needs to know what to do", names_hint("", kActions));
  const std::string& action = context.operands.front();
  if (action == "print") return print_hook(context);
  if (action == "install") return change_hooks(options, context, true);
  if (action == "uninstall") return change_hooks(options, context, false);
  if (action == "status") return print_status(options, context);
  if (action == "run")
    return hook_run(find_places(options.places, context.environment, context.settings),
                    context.environment);
  throw Error(fmt::format("hook cannot '{}'", action),
              fmt::format("{}; {}", names_hint(action, kActions), search_hint(context.typed)));
}

}  // namespace

Action declare_hook(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Output");
  table.add_flag("--json", options->json, "The answer of status as JSON objects, one per line");
  declare_places(table, options->places);
  return [options](Context& context) { return hook(*options, context); };
}

}  // namespace cgrep
