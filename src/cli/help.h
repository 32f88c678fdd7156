// Help texts, made from the command table and the declared options.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/commands.h"
#include "cli/options.h"

namespace cgrep {

/// What bare `cgrep` prints.
std::string short_help();

/// `cgrep --help`: what it is, the commands, and the options of the search.
std::string general_help(const DeclaredCommand& search);

/// `cgrep COMMAND --help`.
std::string command_help(const DeclaredCommand& command);

/// `-p, --project PROJECT`
std::string option_names(const OptionInfo& option);

}  // namespace cgrep
