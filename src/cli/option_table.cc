#include "cli/option_table.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "cli/nearest.h"
#include "error.h"

namespace cgrep {
namespace {

// Takes the first part off the text.
std::string_view next_part(std::string_view& text, char separator) {
  const auto part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

// `--no-heading` of `--no-heading{false}`
std::string_view next_name(std::string_view& names) {
  const auto name = next_part(names, ',');
  return name.substr(0, name.find('{'));
}

std::vector<std::string> names_after(std::string_view dashes, std::string_view names) {
  std::vector<std::string> found;
  while (!names.empty()) {
    const auto name = next_name(names);
    if (name.find_first_not_of('-') == dashes.size())
      found.emplace_back(name.substr(dashes.size()));
  }
  return found;
}

bool excludes(const Option& a, const Option& b) {
  for (auto names = a.excludes; !names.empty();)
    if (b.has(next_part(names, ','))) return true;
  return false;
}

}  // namespace

bool Option::has(std::string_view name) const {
  for (auto rest = names; !rest.empty();)
    if (next_name(rest) == name) return true;
  return false;
}

std::vector<std::string> Option::shorts() const {
  return names_after("-", names);
}

std::vector<std::string> Option::longs() const {
  return names_after("--", names);
}

bool exclude_each_other(const Option& a, const Option& b) {
  return excludes(a, b) || excludes(b, a);
}

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) parts.emplace_back(next_part(text, separator));
  return parts;
}

OptionTable::OptionTable(std::string_view command) : command_(command) {
  constexpr std::size_t kMost = 80;
  options_.reserve(kMost);
}

const Option* OptionTable::find(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(),
                                  [&](const Option& option) { return option.has(name); });
  return found == options_.end() ? nullptr : &*found;
}

std::vector<std::string_view> OptionTable::groups() const {
  std::vector<std::string_view> groups;
  for (const Option& option : options_)
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end())
      groups.push_back(option.group);
  return groups;
}

Option& OptionTable::add(std::string_view names, std::string_view value_name,
                         std::string_view description) {
  return options_.emplace_back(
      Option{.names = names, .value = value_name, .description = description, .group = group_});
}

Option& OptionTable::add_flag(std::string_view names, std::string_view description) {
  Option& option = add(names, {}, description);
  option.take = [](const Option&, const std::string&) {};
  return option;
}

Option& OptionTable::add_flag(std::string_view names, bool& value, std::string_view description) {
  Option& option = add(names, {}, description);
  option.take = [&value](const Option&, const std::string& given) { value = given == "true"; };
  return option;
}

Option& OptionTable::add_switch(std::string_view names, std::optional<bool>& value,
                                std::string_view description) {
  Option& option = add(names, {}, description);
  option.take = [&value](const Option&, const std::string& given) { value = given == "true"; };
  return option;
}

Option& OptionTable::add_value(std::string_view names, std::optional<std::string>& value,
                               std::string_view value_name, std::string_view description) {
  Option& option = add(names, value_name, description);
  option.take = [&value](const Option&, const std::string& given) { value = given; };
  return option;
}

Option& OptionTable::add_list(std::string_view names, std::vector<std::string>& values,
                              std::string_view value_name, std::string_view description) {
  Option& option = add(names, value_name, description);
  option.repeatable = true;
  option.take = [&values](const Option&, const std::string& given) { values.push_back(given); };
  return option;
}

Option& OptionTable::add_number(std::string_view names, std::optional<std::size_t>& value,
                                std::string_view description) {
  Option& option = add(names, "NUM", description);
  option.take = [&value](const Option& self, const std::string& given) {
    std::size_t number = 0;
    const char* end = given.data() + given.size();
    const auto [stopped, error] = std::from_chars(given.data(), end, number);
    if (error != std::errc{} || stopped != end)
      throw Error(fmt::format("option {} needs a number, not '{}'", self.names, given),
                  fmt::format("{} 5", self.names.substr(self.names.rfind(',') + 1)));
    value = number;
  };
  return option;
}

void OptionTable::refuse_choice(const Option& option, const std::string& typed) {
  throw Error(fmt::format("unknown value '{}' of {}", typed, option.names),
              names_hint(typed, parts_of(option.value, '|')));
}

}  // namespace cgrep
