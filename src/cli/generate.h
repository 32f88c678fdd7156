// What is made from the command table and its options: the man page's OPTIONS and completions.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

namespace cgrep {

/// The man page: a template with @COMMANDS@, @OPTIONS@, @STORES@ and @FIELDS@ filled in.
std::string man_page(std::string_view page_template, std::span<const DeclaredCommand> commands);

std::vector<std::string> completion_shells();

/// The script for one of completion_shells().
std::string completion_script(std::string_view shell, std::span<const DeclaredCommand> commands);

/// What may stand for a value of this name: the stores for `STORE`, the parts of `auto|always`.
/// Empty when it can be anything.
std::vector<std::string> value_choices(std::string_view value_name);

}  // namespace cgrep
