#include "cli/help.h"

#include <algorithm>

#include <fmt/format.h>

namespace cgrep {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kNames = 27;  // columns of the names, before their description

std::string entry(std::string_view names, std::string_view description) {
  const std::size_t left = kIndent + kNames;
  std::string line = std::string(kIndent, ' ') + std::string(names);
  if (line.size() + 1 > left)
    line += '\n' + std::string(left, ' ');
  else
    line.append(left - line.size(), ' ');
  return line + wrapped(description, left, kColumns) + '\n';
}

std::string options_help(const OptionTable& table) {
  std::string help;
  for (const std::string_view group : table.groups()) {
    help += fmt::format("\n{}:\n", group);
    for (const Option& option : table)
      if (option.group == group) help += entry(option_names(option), option.description);
  }
  return help;
}

std::string commands_help() {
  std::string help = "\nCommands:\n";
  for (const Command& command : all_commands()) help += entry(command.name, command.summary);
  return help;
}

// What an example means stands beside it, or below where that is too wide for a screen.
std::string examples_help(const Command& command) {
  constexpr std::size_t kWidth = 80;
  constexpr std::size_t kBetween = 4;
  if (command.examples.empty()) return {};
  std::size_t lines = 0;
  std::size_t meanings = 0;
  for (const Example& example : command.examples) {
    if (example.meaning.empty()) continue;
    lines = std::max(lines, example.line.size());
    meanings = std::max(meanings, example.meaning.size());
  }
  const bool beside = lines + meanings + kBetween <= kWidth;
  std::string help = "\nExamples:\n";
  for (const Example& example : command.examples) {
    if (example.meaning.empty())
      help += fmt::format("  {}\n", example.line);
    else if (beside)
      help += fmt::format("  {:<{}}  {}\n", example.line, lines, example.meaning);
    else
      help += fmt::format("  {}\n      {}\n", example.line, example.meaning);
  }
  return help;
}

constexpr std::string_view kLists =
    "\nLists (--store, --role, ...): several times, or with commas; !VALUE excludes.\n";

}  // namespace

std::string wrapped(std::string_view text, std::size_t left, std::size_t columns) {
  std::string lines;
  std::size_t used = left;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    if (used > left && used + 1 + word.size() > columns) {
      lines += '\n' + std::string(left, ' ');
      used = left;
    }
    if (used > left) {
      lines += ' ';
      ++used;
    }
    lines += word;
    used += word.size();
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return lines;
}

std::string option_names(const Option& option) {
  std::string names;
  const auto add = [&](std::string_view dashes, const std::string& name) {
    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", dashes, name);
  };
  for (const std::string& name : option.shorts()) add("-", name);
  for (const std::string& name : option.longs()) add("--", name);
  if (!option.is_flag()) names += fmt::format(" {}", option.value);
  return names;
}

std::string short_help() {
  return "Usage: cgrep [OPTIONS] PATTERN...\n"
         "       cgrep COMMAND [OPTIONS] ...\n"
         "\n"
         "  cgrep auth bug          search the history of Cursor's coding agent\n"
         "  cgrep show ADDRESS      read what was found\n"
         "  cgrep --help            all commands and options\n";
}

std::string general_help(const DeclaredCommand& search) {
  return "cgrep searches what was said to, by and around Cursor's coding agent.\n"
         "\n"
         "Usage: cgrep [OPTIONS] PATTERN...\n"
         "       cgrep COMMAND [OPTIONS] ...\n" +
         examples_help(*search.command) + commands_help() + options_help(search.options) +
         std::string(kLists) + "cgrep help COMMAND explains a command; man cgrep tells the rest.\n";
}

std::string command_help(const DeclaredCommand& command) {
  const auto& [name, operands, summary, examples, declare] = *command.command;
  std::string usage = fmt::format("Usage: cgrep {} [OPTIONS]", name);
  if (!operands.empty()) usage += fmt::format(" {}", operands);
  std::string help = fmt::format("{}.\n\n{}\n", summary, usage);
  help += examples_help(*command.command) + options_help(command.options);
  const auto& options = command.options;
  const bool lists = std::any_of(options.begin(), options.end(),
                                 [](const Option& option) { return option.repeatable; });
  return lists ? help + std::string(kLists) : help;
}

}  // namespace cgrep
