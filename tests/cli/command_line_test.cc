// The traps of CLI11 2.1, each with the words that fell into it.
#include "cli/command_line.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/completions.h"
#include "error.h"

namespace cgrep {
namespace {

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() : commands_(declare_commands()) {
    for (const auto& command : commands_) tables_.push_back(&command.options);
  }

  // The first operand, or `none`.
  std::string first(const Words& words) const {
    const auto at = first_operand(words, tables_);
    return at ? words[*at] : "none";
  }

  CommandLine part(const Words& words) const { return part_words(words, *tables_.front(), words); }

  std::string hint_of(const Words& words) const {
    try {
      part(words);
    } catch (const Error& error) {
      return error.hint();
    }
    return "no error";
  }

  std::vector<DeclaredCommand> commands_;
  std::vector<const OptionTable*> tables_{};
};

TEST_F(CommandLineTest, TheFirstOperandIsFoundBehindOptionsAndTheirValues) {
  EXPECT_EQ(first({"index", "out"}), "index");
  EXPECT_EQ(first({"--store", "index", "show"}), "show");
  EXPECT_EQ(first({"-p", "index", "show"}), "show");
  EXPECT_EQ(first({"-lm", "3", "show"}), "show");
  EXPECT_EQ(first({"-m3", "show"}), "show");
  EXPECT_EQ(first({"--store=index", "show"}), "show");
  EXPECT_EQ(first({"-", "show"}), "-");
}

TEST_F(CommandLineTest, NothingBehindTwoDashesNamesACommand) {
  EXPECT_EQ(first({"--", "index"}), "none");
  EXPECT_EQ(first({"-l", "--", "index"}), "none");
  EXPECT_EQ(first({"-l"}), "none");
}

TEST_F(CommandLineTest, OperandsKeepTheirBracketsAndOrder) {
  const auto line = part({"[abc]", "-l", "a,b", "--", "-x", "--"});
  EXPECT_EQ(line.operands, (Words{"[abc]", "a,b", "-x", "--"}));
  EXPECT_EQ(line.options, (Words{"-l"}));
}

TEST_F(CommandLineTest, AListOptionTakesOneWord) {
  const auto line = part({"--store", "transcripts", "pattern", "--store=plans", "-pwidget"});
  EXPECT_EQ(line.operands, (Words{"pattern"}));
  EXPECT_EQ(line.options, (Words{"--store=transcripts", "--store=plans", "--project=widget"}));
}

TEST_F(CommandLineTest, AValueMayLookLikeAnOption) {
  EXPECT_EQ(part({"-p", "--", "x"}).options, (Words{"--project=--"}));
  EXPECT_EQ(part({"--project", "-l"}).options, (Words{"--project=-l"}));
}

TEST_F(CommandLineTest, AnUnknownOptionIsAnErrorThatShowsTheWayOut) {
  EXPECT_EQ(hint_of({"-bug"}), "to search for it: cgrep -- -bug");
  EXPECT_EQ(hint_of({"--stroe=x"}), "did you mean '--store'? to search for it: cgrep -- --stroe=x");
  EXPECT_EQ(hint_of({"--no verify"}), "to search for it: cgrep -- '--no verify'");
}

TEST_F(CommandLineTest, AValueIsNeededOrRefused) {
  EXPECT_THROW(part({"--store"}), Error);
  EXPECT_THROW(part({"--store="}), Error);
  EXPECT_THROW(part({"-p", ""}), Error);
  EXPECT_THROW(part({"--json=yes"}), Error);
}

// first_operand() asks all commands at once, so a name must not mean different things.
TEST_F(CommandLineTest, AnOptionTakesAValueInAllCommandsOrInNone) {
  std::map<std::string, bool> takes_value;
  for (const OptionTable* table : tables_)
    for (const Option& option : *table)
      for (const std::string& name : dashed_names(option)) {
        if (name == "-o") continue;  // a flag of search, and a file for export: see below
        const auto known = takes_value.emplace(name, !option.is_flag()).first;
        EXPECT_EQ(known->second, !option.is_flag()) << name << " of " << table->command();
      }
}

// -o is that of grep for a search, and that of compilers for an export.
TEST_F(CommandLineTest, AFlagOfTheSearchTakesNoValueBeforeACommand) {
  EXPECT_EQ(first_operand({"-o", "error", "index"}, tables_), 1u);
  EXPECT_EQ(first_operand({"export", "-o", "a.md", "3f2a9c1e"}, tables_), 0u);
}

TEST_F(CommandLineTest, EveryOptionHasALongNameAndADescription) {
  for (const OptionTable* table : tables_)
    for (const Option& option : *table) {
      EXPECT_FALSE(option.longs().empty()) << table->command();
      EXPECT_FALSE(option.description.empty()) << option.longs().front();
    }
}

TEST_F(CommandLineTest, WordsAreQuotedForTheShell) {
  const Words words{"plain", "two words", "it's", "$x", ""};
  EXPECT_EQ(shell_quoted(words), "plain 'two words' 'it'\\''s' '$x' ''");
}

TEST_F(CommandLineTest, TheHintSearchesForWhatWasTyped) {
  EXPECT_EQ(search_hint({"index", "out", "of"}),
            "to search for these words: cgrep -- index out of");
  EXPECT_EQ(search_hint({"-l", "index"}), "to search for these words: cgrep search -l index");
}

}  // namespace
}  // namespace cgrep
