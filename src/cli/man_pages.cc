// Man pages: prose from man/, and what the command table, the registry and the fields know.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/config.h"
#include "cli/generate.h"
#include "cli/options.h"
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

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// Text as arguments of a macro, whose quotes count.
std::string mdoc_arguments(std::string_view text) {
  std::string escaped;
  for (const char c : mdoc_text(text))
    escaped += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return escaped;
}

// A value's name as arguments of a macro: choices are literal, the rest is to be replaced.
std::string mdoc_value(std::string_view value) {
  const bool choices = value.find('|') != std::string_view::npos;
  return fmt::format(" {} {}", choices ? "Cm" : "Ar", value);
}

std::string mdoc_option(const Option& option) {
  std::string item = ".It";
  const auto add = [&](std::string_view dash, const std::string& name) {
    item += fmt::format("{} Fl {}{}", item == ".It" ? "" : " ,", dash, name);
  };
  for (const std::string& name : option.shorts()) add("", name);
  for (const std::string& name : option.longs()) add("-", name);
  if (!option.is_flag()) item += mdoc_value(option.value);
  return fmt::format("{}\n{}.\n", item, mdoc_text(option.description));
}

// Groups become subsections, in the order of their declaration.
std::string mdoc_options(const DeclaredCommand& command) {
  std::string sections;
  for (const std::string_view group : command.options.groups()) {
    sections += fmt::format(".Ss {}\n.Bl -tag -width Ds\n", group);
    for (const Option& option : command.options)
      if (option.group == group) sections += mdoc_option(option);
    sections += ".El\n";
  }
  return sections;
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
  return mdoc_value(operands);
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
    list += fmt::format(".It Cm {}\n{}", store->name, capitalised(mdoc_text(store->summary)));
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

std::string mdoc_catalogue() {
  std::string list = ".Bl -tag -width Ds\n";
  for (const Store* store : all_stores()) {
    list += fmt::format(".It Cm {}\n{}.\n", store->name, capitalised(mdoc_text(store->summary)));
    if (store->searched == Searched::when_named) list += "Opt-in.\n";
    if (store->searched == Searched::never) list += "Only listed, never searched.\n";
    if (!store->aliases.empty())
      list += fmt::format("Also\n.Cm {} .\n", fmt::join(store->aliases, " , "));
  }
  return list + ".El\n";
}

std::string mdoc_keys(std::span<const DeclaredCommand> commands) {
  std::string list = ".Bl -tag -width Ds\n";
  for (const ConfigKey& key : config_keys(commands)) {
    const std::string value = key.is_flag() ? "true|false" : key.values.front();
    list += fmt::format(".It Cm {} No ={}\n{}.\n", key.name, mdoc_value(value),
                        mdoc_text(key.description));
    if (key.repeatable) list += "A list.\n";
  }
  return list + ".El\n";
}

std::string mdoc_pages() {
  std::vector<std::string> pages;  // in the order of names, as man pages list others
  for (const Command& command : all_commands())
    if (has_page(command)) pages.push_back(fmt::format(".Xr cgrep-{} 1 ,\n", command.name));
  std::sort(pages.begin(), pages.end());
  return fmt::format("{}", fmt::join(pages, ""));
}

void replace(std::string& page, std::string_view mark, const std::string& text) {
  const auto line = fmt::format("@{}@\n", mark);
  if (const auto at = page.find(line); at != std::string::npos) page.replace(at, line.size(), text);
}

void require_all_filled(const std::string& page) {
  const auto at = page.find("\n@");
  if (at != std::string::npos)
    throw Error(fmt::format("no part for {}", page.substr(at + 1, page.find('\n', at + 1) - at)));
}

std::string mdoc_examples(const Command& command) {
  if (command.examples.empty()) return {};
  std::string section = ".Sh EXAMPLES\n";
  bool first = true;
  for (const Example& example : command.examples) {
    if (!first) section += ".Pp\n";
    first = false;
    if (!example.meaning.empty())
      section += fmt::format("{}:\n.Pp\n", capitalised(mdoc_text(example.meaning)));
    section += fmt::format(".Dl $ {}\n", mdoc_arguments(example.line));
  }
  return section;
}

}  // namespace

bool has_page(const Command& command) {
  return command.name != "search" && command.name != "help";
}

std::string man_page(std::string_view page_template, std::span<const DeclaredCommand> commands) {
  std::string page(page_template);
  replace(page, "COMMANDS", mdoc_commands());
  replace(page, "OPTIONS", mdoc_options(commands.front()));
  replace(page, "STORES", mdoc_stores());
  replace(page, "CATALOGUE", mdoc_catalogue());
  replace(page, "FIELDS", mdoc_fields());
  replace(page, "KEYS", mdoc_keys(commands));
  replace(page, "PAGES", mdoc_pages());
  require_all_filled(page);
  return page;
}

std::string command_page(const DeclaredCommand& declared, std::string_view prose) {
  const Command& command = *declared.command;
  std::string upper;
  for (const char c : command.name)
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string summary = mdoc_text(command.summary);
  summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
  std::string page = fmt::format(
      ".Dd November 16, 2026\n.Dt CGREP-{} 1\n.Os\n.Sh NAME\n.Nm cgrep-{}\n.Nd {}\n"
      ".Sh SYNOPSIS\n.Nm cgrep {}\n.Op Ar options\n",
      upper, command.name, summary, command.name);
  if (const auto operands = mdoc_operands(command.operands); !operands.empty())
    page += "." + operands.substr(1) + "\n";
  page += fmt::format(".Sh DESCRIPTION\n{}.\n", mdoc_text(command.summary));
  if (!prose.empty()) page += fmt::format(".Pp\n{}", prose);
  page += ".Sh OPTIONS\n" + mdoc_options(declared);
  page += ".Sh EXIT STATUS\nAs that of\n.Xr cgrep 1 .\n";
  page += mdoc_examples(command);
  return page + ".Sh SEE ALSO\n.Xr cgrep 1 ,\n.Xr cgrep-config 5 ,\n.Xr cgrep-stores 7\n";
}

}  // namespace cgrep
