#include "cli/option_parser.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "error.h"

namespace cgrep {
namespace {

// Those that were given, each once, in the order of the table: errors are told in that order.
std::vector<const Option*> given_options(const OptionTable& table, const CommandLine& line) {
  std::vector<const Option*> given;
  for (const std::string_view word : line.options)
    if (const Option* option = table.find(word.substr(0, word.find('=')))) given.push_back(option);
  std::sort(given.begin(), given.end());
  given.erase(std::unique(given.begin(), given.end()), given.end());
  return given;
}

CLI::Option* declare(CLI::App& app, const Option& option) {
  const std::string names(option.names);
  if (option.is_flag())
    return app.add_flag(names)->each(
        [&option](const std::string& value) { option.take(option, value); });
  const CLI::callback_t take = [&option](const CLI::results_t& values) {
    for (const std::string& value : values) option.take(option, value);
    return true;
  };
  return app.add_option(names, take)
      ->multi_option_policy(option.repeatable ? CLI::MultiOptionPolicy::TakeAll
                                              : CLI::MultiOptionPolicy::TakeLast);
}

// CLI11 compares each option with all others: to be told of all takes a fifth of a search.
void declare(CLI::App& app, const std::vector<const Option*>& options) {
  std::vector<CLI::Option*> declared;
  for (const Option* option : options) {
    declared.push_back(declare(app, *option));
    for (std::size_t i = 0; i + 1 < declared.size(); ++i)
      if (exclude_each_other(*options[i], *option)) declared[i]->excludes(declared.back());
  }
}

}  // namespace

void parse_options(const OptionTable& table, const CommandLine& line) {
  if (line.options.empty()) return;
  CLI::App app("", std::string(table.command()));
  app.set_help_flag();
  declare(app, given_options(table, line));
  // CLI11 takes the words from the back.
  Words reversed(line.options.rbegin(), line.options.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw Error(error.what(), fmt::format("cgrep {} --help lists the options", table.command()));
  }
}

}  // namespace cgrep
