// cgrep help: explain a command.
#include <algorithm>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/help.h"

namespace cgrep {
namespace {

ExitCode help(Context& context) {
  const auto commands = declare_commands();
  if (context.operands.empty()) {
    context.out.write(general_help(commands.front()));
    return ExitCode::ok;
  }
  const std::string& name = context.operands.front();
  const auto command = std::find_if(commands.begin(), commands.end(), [&](const auto& candidate) {
    return candidate.command->name == name;
  });
  if (command == commands.end() || context.operands.size() > 1)
    throw Error(fmt::format("no command '{}'", shell_quoted(context.operands)),
                search_hint(context.typed));
  context.out.write(command_help(*command));
  return ExitCode::ok;
}

}  // namespace

Action declare_help(OptionTable&) {
  return help;
}

}  // namespace cgrep
