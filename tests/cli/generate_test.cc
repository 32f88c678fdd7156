// The man page and the help know the same options.
#include "cli/generate.h"

#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "cli/options.h"
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

Names options_in_help() {
  Names names;
  for (const Command& command : all_commands()) {
    const auto help = run_cgrep({std::string(command.name), "--help"});
    names.merge(options_in(option_entries(help.out)));
  }
  return names;
}

Names options_in_man_page() {
  Names names;
  for (const std::string& line : lines_of(read_file(CGREP_MAN_PAGE))) {
    static const std::regex flag(R"(Fl (-?[A-Za-z][a-z-]*))");
    if (!line.starts_with(".It Fl")) continue;
    for (std::sregex_iterator it(line.begin(), line.end(), flag), end; it != end; ++it)
      names.insert("-" + (*it)[1].str());
  }
  return names;
}

TEST(GenerateTest, HelpAndManPageKnowTheSameOptions) {
  const auto in_help = options_in_help();
  EXPECT_GT(in_help.size(), 30u);
  EXPECT_EQ(in_help, options_in_man_page());
}

TEST(GenerateTest, GeneralHelpHasEveryOptionOfTheSearch) {
  const auto general = options_in(option_entries(run_cgrep({"--help"}).out));
  EXPECT_EQ(general, options_in(option_entries(run_cgrep({"search", "--help"}).out)));
}

TEST(GenerateTest, TheManPageIsCleanMdoc) {
  if (run_program({"sh", "-c", "command -v mandoc"}).code != 0) GTEST_SKIP() << "no mandoc";
  const auto result = run_program({"mandoc", "-Tlint", "-Wwarning", CGREP_MAN_PAGE});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST(GenerateTest, TheManPageNamesCommandsAndStores) {
  const std::string page = read_file(CGREP_MAN_PAGE);
  for (const Command& command : all_commands())
    EXPECT_NE(page.find(".It Cm " + std::string(command.name)), std::string::npos);
  for (const Store* store : all_stores())
    EXPECT_EQ(page.find(".It Cm " + std::string(store->name) + "\n") != std::string::npos,
              store->searched != Searched::never)
        << store->name;
}

TEST(GenerateTest, ValuesHaveChoices) {
  EXPECT_EQ(value_choices("a|b"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(value_choices("NUM"), std::vector<std::string>{});
  EXPECT_EQ(value_choices("STORE").back(), "all");
}

}  // namespace
}  // namespace cgrep::test
