// The one place that knows CLI11: the options of a command line → what their table does with them.
// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command_line.h"
#include "cli/option_table.h"

namespace cgrep {

/// Gives the options to CLI11; its errors become Error.
void parse_options(const OptionTable& table, const CommandLine& line);

}  // namespace cgrep
