// What the completion scripts of all shells have in common: what can be offered where.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/option_table.h"

namespace cgrep {

/// What may be offered for a value or an operand.
struct Offer {
  enum class Kind : std::uint8_t { nothing, words, live, folders, files, fields };
  Kind kind = Kind::nothing;
  std::vector<std::string> words{};
  std::string live{};  // asked of the index when needed: `cgrep completion values LIVE`
};

/// For the value of an option, by its name: `STORE`, `auto|never`, `PROJECT`, `DIR`.
Offer offer_for_value(std::string_view value_name);

/// For the operands of a command, as the table shows them: `ADDRESS...`, `[PATH...]`.
Offer offer_for_operands(std::string_view operands);

/// `-p`, `--project`
std::vector<std::string> dashed_names(const Option& option);

std::vector<std::string> command_names();

/// `role:`, `store:`
std::vector<std::string> field_names();

/// Every option of every command once; one name means the same everywhere.
std::vector<const Option*> distinct_options(std::span<const DeclaredCommand> commands);

/// Names of the options that take a value.
std::vector<std::string> value_options(std::span<const DeclaredCommand> commands);

/// The script with `@MARK@` replaced by its part.
std::string filled(std::string_view script,
                   std::initializer_list<std::pair<std::string_view, std::string>> parts);

std::string bash_completion(std::span<const DeclaredCommand> commands);
std::string zsh_completion(std::span<const DeclaredCommand> commands);
std::string fish_completion(std::span<const DeclaredCommand> commands);

}  // namespace cgrep
