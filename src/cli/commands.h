// The command table: declare_* describes a command's options, the function it returns runs it.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

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
  Action (*declare)(CLI::App& app) = nullptr;
};

/// In the order in which they are listed; the first is the one that needs no name.
std::span<const Command> all_commands();

/// A command with its options, ready to parse. Its name is that of the app.
struct DeclaredCommand {
  const Command* command = nullptr;
  std::unique_ptr<CLI::App> app{};
  Action run{};
  std::unique_ptr<PagerWhen> pager{};  // of commands that print for people
};
std::vector<DeclaredCommand> declare_commands();

/// Runs what was typed after `cgrep`. Throws Error, ClosedPipe.
ExitCode run_cgrep(std::vector<std::string> words, Output& out, const Environment& environment);

Action declare_search(CLI::App& app);
Action declare_show(CLI::App& app);
Action declare_export(CLI::App& app);
Action declare_resume(CLI::App& app);
Action declare_index(CLI::App& app);
Action declare_stores(CLI::App& app);
Action declare_doctor(CLI::App& app);
Action declare_log(CLI::App& app);
Action declare_stats(CLI::App& app);
Action declare_status(CLI::App& app);
Action declare_fields(CLI::App& app);
Action declare_forget(CLI::App& app);
Action declare_hook(CLI::App& app);
Action declare_completion(CLI::App& app);
Action declare_help(CLI::App& app);

}  // namespace cgrep
