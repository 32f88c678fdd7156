// The man pages and the help know the same options, keys and stores.
#include "cli/generate.h"

#include <filesystem>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/completions.h"
#include "cli/config.h"
#include "cli/help.h"
#include "cli/option_table.h"
#include "cli/run_cgrep.h"
#include "extract/stores.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

using Names = std::set<std::string>;

// Options such as --store and -p, wherever they begin a word.
Names options_in(const std::string& text) {
  static const std::regex pattern(R"((^|[\s,])(-[A-Za-z]|--[a-z][a-z-]+)(?=[\s,.;]|$))");
  Names names;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it)
    names.insert((*it)[2].str());
  return names;
}

// The section of help that lists options, without examples and prose.
std::string option_entries(const std::string& help) {
  std::string entries;
  for (const std::string& line : lines_of(help))
    if (line.starts_with("  -")) entries += line.substr(0, line.find("  ", 2)) + "\n";
  return entries;
}

std::string page_of(const std::string& name) {
  return std::string(CGREP_MAN_PAGES) + "/man" + name.back() + "/" + name;
}

// The page that explains the command.
std::string page_of(const Command& command) {
  if (command.name == "search") return page_of("cgrep.1");
  return has_page(command) ? page_of(fmt::format("cgrep-{}.1", command.name)) : std::string();
}

Names options_in_man_page(const std::string& path) {
  Names names;
  for (const std::string& line : lines_of(read_file(path))) {
    static const std::regex flag(R"(Fl (-?[A-Za-z0-9][a-z-]*))");
    if (!line.starts_with(".It Fl")) continue;
    for (std::sregex_iterator it(line.begin(), line.end(), flag), end; it != end; ++it)
      names.insert("-" + (*it)[1].str());
  }
  return names;
}

TEST(GenerateTest, HelpAndManPageKnowTheSameOptions) {
  for (const DeclaredCommand& command : declare_commands()) {
    const auto page = page_of(*command.command);
    if (page.empty()) continue;
    Names declared;
    for (const Option& option : command.options)
      for (const std::string& name : dashed_names(option)) declared.insert(name);
    EXPECT_EQ(declared, options_in_man_page(page)) << page;
    const auto help = options_in(option_entries(command_help(command)));
    for (const std::string& name : help) EXPECT_TRUE(declared.contains(name)) << name;
  }
}

// Prose must not speak of options that do not exist.
TEST(GenerateTest, EveryOptionInThePagesExists) {
  Names declared{"--", "-"};
  for (const DeclaredCommand& command : declare_commands())
    for (const Option& option : command.options)
      for (const std::string& name : dashed_names(option)) declared.insert(name);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(CGREP_MAN_PAGES)) {
    if (!entry.is_regular_file()) continue;
    static const std::regex flag(R"(\bFl (-?[A-Za-z0-9][a-z-]*))");
    const std::string page = read_file(entry.path());
    for (std::sregex_iterator it(page.begin(), page.end(), flag), end; it != end; ++it)
      EXPECT_TRUE(declared.contains("-" + (*it)[1].str())) << (*it)[1] << " in " << entry.path();
  }
}

TEST(GenerateTest, TheConfigPageHasEveryKey) {
  const std::string page = read_file(page_of("cgrep-config.5"));
  for (const ConfigKey& key : config_keys(declare_commands()))
    EXPECT_NE(page.find(".It Cm " + key.name + " No ="), std::string::npos) << key.name;
}

TEST(GenerateTest, HelpFitsInto80Columns) {
  const auto commands = declare_commands();
  std::string help = general_help(commands.front());
  for (const DeclaredCommand& command : commands) help += command_help(command);
  for (const std::string& line : lines_of(help)) EXPECT_LE(line.size(), 80u) << line;
}

TEST(GenerateTest, GeneralHelpHasEveryOptionOfTheSearch) {
  const auto general = options_in(option_entries(run_cgrep({"--help"}).out));
  EXPECT_EQ(general, options_in(option_entries(run_cgrep({"search", "--help"}).out)));
}

TEST(GenerateTest, ThePagesNameCommandsAndStores) {
  const std::string page = read_file(page_of("cgrep.1"));
  const std::string catalogue = read_file(page_of("cgrep-stores.7"));
  for (const Command& command : all_commands())
    EXPECT_NE(page.find(".It Cm " + std::string(command.name)), std::string::npos);
  for (const Store* store : all_stores()) {
    const std::string item = ".It Cm " + std::string(store->name) + "\n";
    EXPECT_EQ(page.find(item) != std::string::npos, store->searched != Searched::never)
        << store->name;
    EXPECT_NE(catalogue.find(item), std::string::npos) << store->name;
  }
}

TEST(GenerateTest, ValuesHaveChoices) {
  EXPECT_EQ(value_choices("a|b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(value_choices("NUM"), std::vector<std::string>{});
  EXPECT_EQ(value_choices("STORE").back(), "all");
}

}  // namespace
}  // namespace cgrep::test
