#include "cli/completions.h"

#include <algorithm>
#include <array>
#include <set>

#include "cli/generate.h"
#include "query/fields.h"

namespace cgrep {
namespace {

struct LiveValue {
  std::string_view name{};  // of the value
  std::string_view kind{};
};
constexpr auto kLiveValues = std::to_array<LiveValue>(
    {{"PROJECT", "projects"}, {"MODEL", "models"}, {"TOOL", "tools"}, {"ADDRESS", "addresses"}});

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

Offer offer_for_value(std::string_view value_name) {
  for (const LiveValue& live : kLiveValues)
    if (value_name == live.name) return {.kind = Offer::Kind::live, .live = std::string(live.kind)};
  if (value_name == "DIR") return {.kind = Offer::Kind::folders};
  if (value_name == "FILE" || value_name == "PATH") return {.kind = Offer::Kind::files};
  auto choices = value_choices(value_name);
  if (choices.empty()) return {};
  return {.kind = Offer::Kind::words, .words = std::move(choices)};
}

Offer offer_for_operands(std::string_view operands) {
  if (has(operands, "ADDRESS")) return offer_for_value("ADDRESS");
  if (has(operands, "PATH")) return {.kind = Offer::Kind::files};
  if (has(operands, "PATTERN")) return {.kind = Offer::Kind::fields, .words = field_names()};
  // Several words: `print|install [HOOK...]`
  Offer offer{.kind = Offer::Kind::words};
  for (std::size_t begin = 0; begin < operands.size();) {
    const auto end = std::min(operands.find(' ', begin), operands.size());
    for (auto& word : value_choices(operands.substr(begin, end - begin)))
      offer.words.push_back(std::move(word));
    begin = end + 1;
  }
  return offer.words.empty() ? Offer{} : offer;
}

std::vector<std::string> dashed_names(const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.shorts()) names.push_back("-" + name);
  for (const std::string& name : option.longs()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : all_commands()) names.emplace_back(command.name);
  return names;
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const Field& field : fields()) names.push_back(std::string(field.name) + ":");
  return names;
}

std::vector<const Option*> distinct_options(std::span<const DeclaredCommand> commands) {
  std::vector<const Option*> distinct;
  std::set<std::string> seen;
  for (const DeclaredCommand& command : commands)
    for (const Option& option : command.options)
      if (seen.insert(option.longs().front()).second) distinct.push_back(&option);
  return distinct;
}

std::vector<std::string> value_options(std::span<const DeclaredCommand> commands) {
  std::vector<std::string> names;
  for (const Option* option : distinct_options(commands))
    if (!option->is_flag())
      for (std::string& name : dashed_names(*option)) names.push_back(std::move(name));
  return names;
}

std::string filled(std::string_view script,
                   std::initializer_list<std::pair<std::string_view, std::string>> parts) {
  std::string text(script);
  for (const auto& [mark, part] : parts)
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + part.size()))
      text.replace(at, mark.size(), part);
  return text;
}

}  // namespace cgrep
