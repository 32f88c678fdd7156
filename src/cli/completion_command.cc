// cgrep completion: a completion script for a shell.
#include <algorithm>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/nearest.h"

namespace cgrep {
namespace {

ExitCode completion(Context& context) {
  const std::vector<std::string> shells = completion_shells();
  const bool one = context.operands.size() == 1;
  const std::string shell = one ? context.operands.front() : std::string();
  if (std::find(shells.begin(), shells.end(), shell) != shells.end()) {
    context.out.write(completion_script(shell, declare_commands()));
    return ExitCode::ok;
  }
  if (context.operands.empty())
    throw Error("completion needs the name of a shell", names_hint("", shells));
  throw Error(fmt::format("unknown shell '{}'", shell_quoted(context.operands)),
              fmt::format("{}; {}", names_hint(shell, shells), search_hint(context.typed)));
}

}  // namespace

Action declare_completion(CLI::App&) {
  return completion;
}

}  // namespace cgrep
