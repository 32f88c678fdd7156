// A table of options and CLI11 mean the same: what is given once, often, on and off, and together.
#include "cli/option_parser.h"

#include <set>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/completions.h"
#include "error.h"

namespace cgrep {
namespace {

enum class Size : std::uint8_t { small, big };
constexpr auto kSizes = std::to_array<Named<Size>>({{"small", Size::small}, {"big", Size::big}});

class OptionParserTest : public testing::Test {
 protected:
  OptionParserTest() {
    table_.add_flag("-f,--flag", flag_, "A flag");
    table_.add_switch("-s,--switch,-S{false},--no-switch{false}", switch_, "On or off").excludes =
        "--flag";
    table_.add_value("-v,--value", value_, "VALUE", "A value");
    table_.add_list("-l,--list", list_, "ITEM", "A list").excludes = "--value,--switch";
    table_.add_number("-n,--number", number_, "A number");
    table_.add_choice("--size", size_, kSizes, "A choice");
  }

  void parse(const Words& words) { parse_options(table_, {.options = words}); }

  // `what | hint`
  std::string error(const Words& words) {
    try {
      parse(words);
    } catch (const Error& error) {
      return std::string(error.what()) + " | " + error.hint();
    }
    return "no error";
  }

  OptionTable table_{"test"};
  bool flag_ = false;
  std::optional<bool> switch_{};
  std::optional<std::string> value_{};
  std::vector<std::string> list_{};
  std::optional<std::size_t> number_{};
  std::optional<Size> size_{};
};

TEST_F(OptionParserTest, WhatIsNotGivenStaysAsItIs) {
  value_ = "before";
  parse({});
  parse({"--number=1"});
  EXPECT_FALSE(flag_);
  EXPECT_EQ(switch_, std::nullopt);
  EXPECT_EQ(value_, "before");
  EXPECT_TRUE(list_.empty());
  EXPECT_EQ(number_, 1u);
  EXPECT_EQ(size_, std::nullopt);
}

TEST_F(OptionParserTest, OfOneValueTheLastCounts) {
  parse({"--value=a", "-f", "--number=1", "--size=big", "--value=b", "--flag", "--number=2",
         "--size=small"});
  EXPECT_TRUE(flag_);
  EXPECT_EQ(value_, "b");
  EXPECT_EQ(number_, 2u);
  EXPECT_EQ(size_, Size::small);
}

TEST_F(OptionParserTest, AListHasAllInTheirOrder) {
  parse({"--list=b,a", "--number=3", "--list=c", "--list=b,a"});
  EXPECT_EQ(list_, (Words{"b,a", "c", "b,a"}));
}

TEST_F(OptionParserTest, OfCounterpartsTheLastCounts) {
  for (const auto& [words, on] : std::vector<std::pair<Words, bool>>{
           {{"-s"}, true},
           {{"--switch"}, true},
           {{"-S"}, false},
           {{"--no-switch"}, false},
           {{"-s", "-S"}, false},
           {{"--no-switch", "-s"}, true},
           {{"-s", "--no-switch", "-s", "-S"}, false},
           {{"--switch=false"}, false},  // as the config says it
       }) {
    switch_.reset();
    parse(words);
    EXPECT_EQ(switch_, on) << testing::PrintToString(words);
  }
}

// CLI11 takes some of these apart where a vector is its target.
TEST_F(OptionParserTest, ValuesAreTakenAsTheyAre) {
  const Words odd{"[a,b]", "{}", "[]", "--", "-f", "--flag", "a=b", "\"x\"", " x ", "%%", "\xff"};
  for (const std::string& each : odd) {
    parse({"--value=" + each});
    EXPECT_EQ(value_, each);
    list_.clear();
    value_.reset();
    parse({"--list=" + each, "--list=x"});
    EXPECT_EQ(list_, (Words{each, "x"}));
  }
  EXPECT_FALSE(flag_);
}

TEST_F(OptionParserTest, OnlyTheValueThatCountsIsLookedAt) {
  EXPECT_EQ(error({"--number=x", "--number=3"}), "no error");
  EXPECT_EQ(number_, 3u);
  EXPECT_EQ(error({"--number=3", "--number=-1"}),
            "option -n,--number needs a number, not '-1' | --number 5");
  EXPECT_EQ(error({"--size=bag"}),
            "unknown value 'bag' of --size | did you mean 'big'? known: small, big");
}

TEST_F(OptionParserTest, WhatExcludesEachOtherIsNotTakenTogether) {
  const std::string hint = " | cgrep test --help lists the options";
  EXPECT_EQ(error({"-f", "-s"}), "--flag excludes --switch" + hint);
  EXPECT_EQ(error({"--no-switch", "--flag"}), "--flag excludes --switch" + hint);
  EXPECT_EQ(error({"--list=x", "--value=x"}), "--value excludes --list" + hint);
  EXPECT_EQ(error({"--list=x", "-f"}), "no error");
}

// The first in the table is told, wherever they stand on the line.
TEST_F(OptionParserTest, ErrorsAreToldInTheOrderOfTheTable) {
  EXPECT_EQ(error({"--size=bag", "--number=x"}).substr(0, 18), "option -n,--number");
}

class OptionTablesTest : public testing::Test {
 protected:
  std::vector<DeclaredCommand> commands_ = declare_commands();
};

// Nothing compares options while they are declared.
TEST_F(OptionTablesTest, ANameIsDeclaredOnce) {
  for (const DeclaredCommand& command : commands_) {
    std::set<std::string> names;
    for (const Option& option : command.options)
      for (const std::string& name : dashed_names(option))
        EXPECT_TRUE(names.insert(name).second) << command.command->name << " " << name;
  }
}

TEST_F(OptionTablesTest, WhatIsExcludedExists) {
  for (const DeclaredCommand& command : commands_)
    for (const Option& option : command.options)
      for (const std::string& name : parts_of(option.excludes, ','))
        EXPECT_NE(command.options.find(name), nullptr) << option.names << " excludes " << name;
}

// Each option by each of its names, alone, with a value that it takes.
TEST_F(OptionTablesTest, CLI11KnowsEveryName) {
  for (const DeclaredCommand& command : commands_)
    for (const Option& option : command.options)
      for (const std::string& name : dashed_names(option)) {
        if (!option.is_flag() && !name.starts_with("--")) continue;  // they are given by long names
        const std::string value = option.value.find('|') != std::string_view::npos
                                      ? parts_of(option.value, '|').back()
                                      : "5";
        const std::string word = option.is_flag() ? name : name + "=" + value;
        EXPECT_EQ(command.options.find(name), &option) << word;
        EXPECT_NO_THROW(parse_options(command.options, {.options = {word}})) << word;
      }
}

}  // namespace
}  // namespace cgrep
