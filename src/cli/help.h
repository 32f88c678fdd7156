// Help texts, made from the command table and the declared options.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/option_table.h"

namespace cgrep {

/// What bare `cgrep` prints.
std::string short_help();

/// `cgrep --help`: what it is, the commands, and the options of the search.
std::string general_help(const DeclaredCommand& search);

/// `cgrep COMMAND --help`.
std::string command_help(const DeclaredCommand& command);

/// The text in lines that begin at column `left`; the first one is already there.
std::string wrapped(std::string_view text, std::size_t left, std::size_t columns);

/// `-p, --project PROJECT`
std::string option_names(const Option& option);

}  // namespace cgrep
