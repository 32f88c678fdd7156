// The options of a command. Each call makes such a table anew, so to declare one is only to note
// it. Help, man pages, completions and the config read it; option_parser.h parses what was given.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <forward_list>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// One declared option. Its texts are literals, or kept by its table.
struct Option {
  std::string_view names{};  // `-m,--max-count`; a counterpart ends with `{false}`
  std::string_view value{};  // `STORE`, `relevance|newest|oldest`; empty for flags
  std::string_view description{};
  std::string_view group{};
  std::string_view excludes{};  // `--list,--count`; they exclude it as well
  bool repeatable = false;      // a list: given several times, or with commas
  /// Is told each value that counts; of flags `true`, of counterparts `false`. Throws Error.
  std::function<void(const Option& option, const std::string& value)> take{};

  bool is_flag() const { return value.empty(); }
  bool has_counterpart() const { return names.find('{') != std::string_view::npos; }

  /// By its name as it is typed: `-m`, `--max-count`.
  bool has(std::string_view name) const;

  /// Without dashes.
  std::vector<std::string> shorts() const;
  std::vector<std::string> longs() const;
};

/// Whether only one of them may be given.
bool exclude_each_other(const Option& a, const Option& b);

/// What stands between the separators: the names of `auto|always|never`.
std::vector<std::string> parts_of(std::string_view text, char separator);

/// A value that options name.
template <typename Value>
struct Named {
  std::string_view name{};
  Value value{};
};

/// In the order of their declaration.
class OptionTable {
 public:
  /// For the command of this name.
  explicit OptionTable(std::string_view command = {});
  OptionTable(OptionTable&&) = default;  // copies would point into what the other keeps
  OptionTable& operator=(OptionTable&&) = default;

  std::string_view command() const { return command_; }
  auto begin() const { return options_.begin(); }
  auto end() const { return options_.end(); }

  /// The option of that name, `-m` or `--max-count`; null when there is none.
  const Option* find(std::string_view name) const;

  /// All groups, each where its first option stands.
  std::vector<std::string_view> groups() const;

  /// The group of the options that follow.
  void group(std::string_view name) { group_ = name; }

  // What is returned may be changed until the next one is added.

  Option& add_flag(std::string_view names, std::string_view description);
  Option& add_flag(std::string_view names, bool& value, std::string_view description);

  /// A flag with a counterpart (`--heading,--no-heading{false}`); the last one given counts.
  Option& add_switch(std::string_view names, std::optional<bool>& value,
                     std::string_view description);

  /// One value; the last one given counts.
  Option& add_value(std::string_view names, std::optional<std::string>& value,
                    std::string_view value_name, std::string_view description);

  /// A list: repeatable, or comma-separated.
  Option& add_list(std::string_view names, std::vector<std::string>& values,
                   std::string_view value_name, std::string_view description);

  /// A number that is not negative; the last one given counts.
  Option& add_number(std::string_view names, std::optional<std::size_t>& value,
                     std::string_view description);

  /// One of a few names, which outlive the table. The value's name lists them, so that completions
  /// know them.
  template <typename Variable, typename Value, std::size_t count>
  Option& add_choice(std::string_view names, Variable& variable,
                     const std::array<Named<Value>, count>& choices, std::string_view description) {
    std::string known;
    for (const auto& choice : choices) known.append(known.empty() ? "" : "|").append(choice.name);
    const auto choose = [&variable, &choices](const Option& option, const std::string& typed) {
      for (const auto& [name, value] : choices)
        if (name == typed) {
          variable = value;
          return;
        }
      refuse_choice(option, typed);
    };
    Option& option = add(names, keep(std::move(known)), description);
    option.take = choose;
    return option;
  }

  /// For a text that is no literal.
  std::string_view keep(std::string text) { return kept_.emplace_front(std::move(text)); }

 private:
  Option& add(std::string_view names, std::string_view value_name, std::string_view description);
  [[noreturn]] static void refuse_choice(const Option& option, const std::string& typed);

  std::string_view command_;
  std::string_view group_{};
  std::vector<Option> options_{};
  std::forward_list<std::string> kept_{};
};

}  // namespace cgrep
