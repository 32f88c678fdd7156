#include "cli/generate.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "cli/completions.h"
#include "cli/options.h"
#include "document.h"
#include "error.h"
#include "extract/stores.h"
#include "query/fields.h"

namespace cgrep {
namespace {

// Text for mdoc(7): backslashes, and a dot or quote that would begin a request.
std::string mdoc_text(std::string_view text) {
  std::string escaped;
  if (text.starts_with('.') || text.starts_with('\'')) escaped += "\\&";
  for (const char c : text) escaped += c == '\\' ? std::string("\\e") : std::string(1, c);
  return escaped;
}

// A value's name as arguments of a macro: choices are literal, the rest is to be replaced.
std::string mdoc_value(const std::string& value) {
  const bool choices = value.find('|') != std::string::npos;
  return fmt::format(" {} {}", choices ? "Cm" : "Ar", value);
}

std::string mdoc_option(const OptionInfo& option) {
  std::string item = ".It";
  const auto add = [&](std::string_view dash, const std::string& name) {
    item += fmt::format("{} Fl {}{}", item == ".It" ? "" : " ,", dash, name);
  };
  for (const std::string& name : option.shorts) add("", name);
  for (const std::string& name : option.longs) add("-", name);
  if (!option.value.empty()) item += mdoc_value(option.value);
  return fmt::format("{}\n{}.\n", item, mdoc_text(option.description));
}

// Options that mean the same everywhere are listed once.
bool is_common(const OptionInfo& option) {
  return option.group == kPlacesGroup || option.group == kHelpGroup;
}

std::string mdoc_section(std::string_view title, const std::vector<OptionInfo>& options) {
  if (options.empty()) return {};
  std::string section = fmt::format(".Ss {}\n.Bl -tag -width Ds\n", title);
  for (const OptionInfo& option : options) section += mdoc_option(option);
  return section + ".El\n";
}

std::string mdoc_options(std::span<const DeclaredCommand> commands) {
  std::vector<OptionInfo> common;
  std::string sections;
  for (const DeclaredCommand& command : commands) {
    std::vector<OptionInfo> own;
    for (OptionInfo& option : describe_options(*command.app)) {
      const bool known = std::any_of(common.begin(), common.end(), [&](const OptionInfo& other) {
        return other.longs == option.longs;
      });
      if (!is_common(option))
        own.push_back(std::move(option));
      else if (!known)
        common.push_back(std::move(option));
    }
    sections += mdoc_section(fmt::format("Options of {}", command.command->name), own);
  }
  return sections + mdoc_section("Common options", common);
}

std::string mdoc_operands(std::string_view operands) {
  if (operands.empty()) return {};
  if (operands.starts_with('[')) {
    operands.remove_prefix(1);
    operands.remove_suffix(1);
    return fmt::format(" Op{}", mdoc_operands(operands));
  }
  if (operands.ends_with("...")) {
    operands.remove_suffix(3);
    return fmt::format(" Ar {} ...", operands);
  }
  return mdoc_value(std::string(operands));
}

std::string mdoc_commands() {
  std::string list = ".Bl -tag -width Ds\n";
  for (const Command& command : all_commands())
    list += fmt::format(".It Cm {}{}\n{}.\n", command.name, mdoc_operands(command.operands),
                        mdoc_text(command.summary));
  return list + ".El\n";
}

std::string mdoc_stores() {
  std::string list = ".Bl -tag -width Ds\n";
  for (const Store* store : all_stores()) {
    if (store->searched == Searched::never) continue;
    std::string summary = mdoc_text(store->summary);
    if (!summary.empty())
      summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
    list += fmt::format(".It Cm {}\n{}", store->name, summary);
    if (store->searched == Searched::when_named) list += ".\nOnly when named";
    if (!store->readable()) list += ".\nNot read yet by this version";
    list += ".\n";
  }
  return list + ".El\n";
}

std::string mdoc_fields() {
  std::string list = ".Bl -tag -width Ds\n";
  for (const Field& field : fields())
    list += fmt::format(".It Cm {}\\&:\n{}, such as\n.Ql {} .\n", field.name, mdoc_text(field.help),
                        mdoc_text(field.example));
  return list + ".El\n";
}

void replace(std::string& page, std::string_view mark, const std::string& text) {
  const auto line = fmt::format("@{}@\n", mark);
  const auto at = page.find(line);
  if (at == std::string::npos) throw Error(fmt::format("the template has no line @{}@", mark));
  page.replace(at, line.size(), text);
}

}  // namespace

std::string man_page(std::string_view page_template, std::span<const DeclaredCommand> commands) {
  std::string page(page_template);
  replace(page, "COMMANDS", mdoc_commands());
  replace(page, "OPTIONS", mdoc_options(commands));
  replace(page, "STORES", mdoc_stores());
  replace(page, "FIELDS", mdoc_fields());
  return page;
}

std::vector<std::string> value_choices(std::string_view value_name) {
  std::vector<std::string> choices;
  if (value_name == "STORE") {
    for (const Store* store : all_stores())
      if (store->searched != Searched::never) choices.emplace_back(store->name);
    choices.emplace_back("all");
  } else if (value_name == "ROLE") {
    choices.assign(kRoleNames.begin(), kRoleNames.end());
  } else if (value_name == "[COMMAND]") {
    for (const Command& command : all_commands()) choices.emplace_back(command.name);
  } else if (value_name.find('|') != std::string_view::npos) {
    choices = CLI::detail::split(std::string(value_name), '|');
  }
  return choices;
}

std::vector<std::string> completion_shells() {
  return {"bash", "zsh", "fish"};
}

std::string completion_script(std::string_view shell, std::span<const DeclaredCommand> commands) {
  if (shell == "bash") return bash_completion(commands);
  if (shell == "zsh") return zsh_completion(commands);
  return fish_completion(commands);
}

}  // namespace cgrep
