// What is said when nothing was found: what would have helped.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/printer.h"
#include "query/advice.h"
#include "query/query.h"

namespace cgrep {

/// `pattern` is what was typed; corrected words are put into it.
std::vector<Help> help_of(const std::vector<Advice>& advice, const std::string& pattern);

/// `rol:user`, searched for as text, and `role:usr`, which names no role.
std::vector<Help> help_of_fields(const std::vector<std::string>& unknown, const Query& query);

/// One line for people.
std::string help_line(const Help& help);

/// All of it, to standard error.
void print_help(const std::vector<Help>& help);

}  // namespace cgrep
