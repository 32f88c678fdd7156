// The command table: declare_* describes a command's options, the function it returns runs it.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "error.h"
#include "extract/roots.h"

namespace cgrep {

/// What a command works with.
struct Context {
  Output& out;
  Environment environment{};
  std::vector<std::string> typed{};  // all that was typed after `cgrep`; for hints
  std::vector<std::string> operands{};
  Settings settings{};
};

using Action = std::function<ExitCode(Context&)>;

struct Example {
  std::string_view line{};
  std::string_view meaning{};
};

struct Command {
  std::string_view name{};
  std::string_view operands{};  // as the usage line shows them
  std::string_view summary{};
  std::span<const Example> examples{};
  Action (*declare)(OptionTable& table) = nullptr;
};

/// In the order in which they are listed; the first is the one that needs no name.
std::span<const Command> all_commands();

/// A command with its options, ready to parse.
struct DeclaredCommand {
  const Command* command = nullptr;
  OptionTable options{};
  Action run{};
  std::unique_ptr<PagerWhen> pager{};  // of commands that print for people
};
std::vector<DeclaredCommand> declare_commands();

/// Runs what was typed after `cgrep`. Throws Error, ClosedPipe.
ExitCode run_cgrep(std::vector<std::string> words, Output& out, const Environment& environment);

Action declare_search(OptionTable& table);
Action declare_show(OptionTable& table);
Action declare_export(OptionTable& table);
Action declare_resume(OptionTable& table);
Action declare_index(OptionTable& table);
Action declare_stores(OptionTable& table);
Action declare_doctor(OptionTable& table);
Action declare_log(OptionTable& table);
Action declare_stats(OptionTable& table);
Action declare_status(OptionTable& table);
Action declare_fields(OptionTable& table);
Action declare_forget(OptionTable& table);
Action declare_hook(OptionTable& table);
Action declare_completion(OptionTable& table);
Action declare_help(OptionTable& table);

}  // namespace cgrep
