// argv → options and operands. CLI11 parses options; where they stand, and what is an operand, is
// decided here: CLI11 2.1 takes commands anywhere, strips the brackets of `[abc]` and lets list
// options swallow what follows them.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"

namespace cgrep {

using Words = std::vector<std::string>;

/// Where the first operand stands, if it is not behind `--`: it may name a command. The options of
/// all commands tell which words are the values of an option; a name that is a flag in one is no
/// option with a value here.
std::optional<std::size_t> first_operand(const Words& words,
                                         std::span<const OptionTable* const> tables);

struct CommandLine {
  Words options{};  // `--name` or `--name=value`: what CLI11 cannot misread
  Words operands{};

  /// Whether the option was given, by its long name.
  bool has(std::string_view option) const;
};

/// Parts the words for one command. Throws Error for an option that it does not have; `typed`, all
/// that stood on the command line, goes into the hint.
CommandLine part_words(const Words& words, const OptionTable& table, const Words& typed);

/// The words as one would type them in a shell.
std::string shell_quoted(std::span<const std::string> words);

/// The hint for words that begin like a command but are none: `cgrep -- index out of range`.
std::string search_hint(const Words& typed);

}  // namespace cgrep
