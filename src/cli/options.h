// Options as the commands declare them, and what they have in common.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/nearest.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "error.h"
#include "extract/roots.h"

namespace cgrep {

/// Groups of options that mean the same in all commands that have them.
inline constexpr const char* kPlacesGroup = "Places";
inline constexpr const char* kHelpGroup = "Help";

/// One declared option, as help, man page and completions show it.
struct OptionInfo {
  std::vector<std::string> shorts{};  // without dashes
  std::vector<std::string> longs{};
  std::string value{};  // `STORE`, `relevance|newest|oldest`; empty for flags
  std::string description{};
  std::string group{};
  bool repeatable = false;  // a list: given several times, or with commas
};

/// The options of an app in the order of their declaration.
std::vector<OptionInfo> describe_options(const CLI::App& app);

/// A list: repeatable, or comma-separated.
CLI::Option* add_list(CLI::App& app, const std::string& names, std::vector<std::string>& values,
                      const std::string& value_name, const std::string& description);

/// One value; the last one given counts.
template <typename Value>
CLI::Option* add_value(CLI::App& app, const std::string& names, Value& value,
                       const std::string& value_name, const std::string& description) {
  return app.add_option(names, value, description)
      ->type_name(value_name)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// A number that is not negative; the last one given counts.
CLI::Option* add_number(CLI::App& app, const std::string& names, std::optional<std::size_t>& value,
                        const std::string& description);

/// A flag with a counterpart (`--heading,--no-heading{false}`); the last one given counts.
CLI::Option* add_switch(CLI::App& app, const std::string& names, std::optional<bool>& value,
                        const std::string& description);

template <typename Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// One of a few names. The value's name lists them, so that completions know them.
template <typename Variable, typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Variable& variable,
                        const Choices<Value>& choices, const std::string& description) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  const auto choose = [&variable, choices, names, name](const std::string& typed) {
    for (const auto& [known, value] : choices)
      if (known == typed) {
        variable = value;
        return;
      }
    throw Error("unknown value '" + typed + "' of " + name, names_hint(typed, names));
  };
  return app.add_option_function<std::string>(name, choose, description)
      ->type_name(CLI::detail::join(names, "|"))
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// The values of list options: what stands between the commas.
std::vector<std::string> split_lists(const std::vector<std::string>& values);

/// `--index`, `--root`.
struct PlaceOptions {
  std::optional<std::string> index{};
  std::optional<std::string> root{};
};
void declare_places(CLI::App& app, PlaceOptions& options);

/// `--color`.
void declare_color(CLI::App& app, ColorWhen& when);

/// Where the index and the history are.
struct Places {
  std::filesystem::path index{};
  Roots roots{};
  std::vector<std::string> exclude{};    // projects that are kept out
  std::optional<std::int64_t> retain{};  // ms for which what is gone is kept

  bool has_history() const {
    return !roots.data.empty() || !roots.ide.empty() || !roots.config.empty();
  }
  /// Throws Error that says where it was looked for.
  void require_history() const;
};
Places find_places(const PlaceOptions& options, const Environment& environment,
                   const Settings& settings);

}  // namespace cgrep
