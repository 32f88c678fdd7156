// What is made from the command table and its options: man pages and completions.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

namespace cgrep {

/// A page of man/ with its marks filled in: @COMMANDS@, @OPTIONS@ (of the search), @STORES@,
/// @CATALOGUE@ (all stores), @FIELDS@, @KEYS@ (of the config), @PAGES@ (of commands).
std::string man_page(std::string_view page_template, std::span<const DeclaredCommand> commands);

/// Whether the command has a page of its own; the search has cgrep(1).
bool has_page(const Command& command);

/// cgrep-COMMAND(1); `prose`, in mdoc, goes into its description and may be empty.
std::string command_page(const DeclaredCommand& declared, std::string_view prose);

std::vector<std::string> completion_shells();

/// The script for one of completion_shells().
std::string completion_script(std::string_view shell, std::span<const DeclaredCommand> commands);

/// What may stand for a value of this name: the stores for `STORE`, the parts of `auto|always`.
/// Empty when it can be anything.
std::vector<std::string> value_choices(std::string_view value_name);

}  // namespace cgrep
