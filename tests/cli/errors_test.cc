// What the user reads when something is wrong: one line that says what, one that says what to do.
#include <gtest/gtest.h>

#include "cli/history_home.h"

namespace cgrep::test {
namespace {

class ErrorsTest : public StandardHome {
 protected:
  // Exit code 2, nothing on standard output, one line that says what and one that says what to do,
  // and these words in them.
  void expect_trouble(const std::vector<std::string>& words,
                      const std::vector<std::string>& messages) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    const auto lines = lines_of(result.err);
    EXPECT_EQ(lines.size(), 2u) << result.err;
    EXPECT_TRUE(lines.size() == 2 && lines[0].starts_with("cgrep: ")) << result.err;
    EXPECT_TRUE(lines.size() == 2 && lines[1].starts_with("hint: ")) << result.err;
    for (const std::string& message : messages)
      EXPECT_NE(result.err.find(message), std::string::npos) << message << "\nin\n" << result.err;
  }
};

TEST_F(ErrorsTest, BareCgrepPrintsShortHelp) {
  const auto result = cgrep({});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("Usage: cgrep ")) << result.err;
}

TEST_F(ErrorsTest, WordsThatBeginLikeACommand) {
  expect_trouble({"index", "out", "of", "range"},
                 {"no such path: 'out'", "hint:", "cgrep -- index out of range"});
  expect_trouble({"stores", "are", "slow"}, {"cgrep -- stores are slow"});
  expect_trouble({"show", "me", "the", "bug"},
                 {"not an address: 'me'", "cgrep -- show me the bug"});
  expect_trouble({"help", "me"}, {"no command 'me'", "cgrep -- help me"});
  expect_trouble({"completion", "rate"}, {"unknown shell 'rate'", "cgrep -- completion rate"});
  expect_trouble({"-l", "index"}, {"unknown option '-l' of index", "cgrep search -l index"});
}

TEST_F(ErrorsTest, AnUnknownOptionGetsTheNearestName) {
  expect_trouble({"--stoer", "x", "login"}, {"unknown option '--stoer'", "'--store'"});
  expect_trouble({"-bug"}, {"hint: to search for it: cgrep -- -bug"});
}

TEST_F(ErrorsTest, OptionsAndTheirValues) {
  expect_trouble({"login", "--store"}, {"option --store needs a value", "hint: --store STORE"});
  expect_trouble({"login", "-m"}, {"option -m needs a value", "hint: -m NUM"});
  expect_trouble({"--store=", "login"}, {"option --store needs a value"});
  expect_trouble({"--list=yes", "login"}, {"option --list takes no value", "write --list alone"});
  expect_trouble({"-C", "two", "login"}, {"needs a number, not 'two'", "hint: --context 5"});
  expect_trouble({"export", "--force", kLogin}, {"--force goes with --output", "--output FILE"});
}

TEST_F(ErrorsTest, BadRegularExpressionsNameThePlace) {
  expect_trouble({"-E", "ab(c"}, {"bad regular expression 'ab(c'", "in '(c' at byte 3"});
  expect_trouble({"-E", "[(]a)"}, {"unexpected )", "in ')' at byte 5"});
  expect_trouble({"-E", "[])](x"}, {"missing )", "in '(x' at byte 5"});
  expect_trouble({"-E", "ab\\"}, {"trailing \\", "at byte 3"});
  expect_trouble({"-E", "a[z-b]"}, {"bad regular expression", "in 'z-b' at byte 3"});
  expect_trouble({"-e", "good", "-e", "b**"}, {"bad regular expression 'b**'", "at byte 2"});
  expect_trouble({"-E", "a(?=b)"}, {"bad regular expression", "in '(?=' at byte 2"});
  expect_trouble({"-P", "a(?=b)"}, {"-P", "-E"});
}

TEST_F(ErrorsTest, UnknownValues) {
  expect_trouble({"--store", "nosuch", "login"},
                 {"unknown store 'nosuch'", "did you mean '", "transcripts, "});
  expect_trouble({"--store", "transcript,canvases", "x"}, {"'canvases' is only listed"});
  expect_trouble({"--role", "usr", "login"}, {"unknown role 'usr'", "did you mean 'user'?"});
  expect_trouble({"--sort", "newst", "login"}, {"unknown value 'newst' of --sort", "'newest'"});
  expect_trouble({"--color", "sometimes", "x"}, {"unknown value 'sometimes' of --color", "always"});
  expect_trouble({"--refresh", "often", "x"}, {"--refresh", "auto, always, never"});
  expect_trouble({"--since", "last tuesday-ish", "login"}, {"last tuesday-ish", "hint: "});
  expect_trouble({"--until", "2026-13", "login"}, {"bad date: 2026-13"});
  expect_trouble({"--by", "colour", "login"}, {"cannot count by 'colour'", "role"});
  expect_trouble({"stats", "--by", "rol"}, {"cannot count by 'rol'", "did you mean 'role'?"});
  expect_trouble({"--limit", "many", "login"}, {"--limit", "many"});
  expect_trouble({"--limit", "-1", "login"}, {"--limit", "-1"});
  expect_trouble({"--role", "!", "login"}, {"'!' excludes nothing"});
  expect_trouble({"--conversation", ":", "login"}, {"not an address"});
}

TEST_F(ErrorsTest, OptionsThatContradict) {
  expect_trouble({"--json", "-l", "login"}, {"--json"});
  expect_trouble({"-l", "-c", "login"}, {"--count"});
}

TEST_F(ErrorsTest, NoPatternAndNoFilter) {
  expect_trouble({"-l"}, {"no pattern"});
}

TEST_F(ErrorsTest, NoSuchAddress) {
  expect_trouble({"show", "99999999"}, {"99999999"});
  expect_trouble({"show", std::string(kLogin) + ":99"}, {"has no document 99", "hint: cgrep show"});
  expect_trouble({"login", "--conversation", "99999999"}, {"no conversation '99999999'"});
  expect_trouble({"export", "99999999"}, {"no conversation '99999999'"});
  expect_trouble({"resume", "99999999"}, {"no conversation '99999999'"});
  expect_trouble({"forget", "--yes", "99999999"}, {"99999999"});
  expect_trouble({"show"}, {"show needs an address"});
}

TEST_F(ErrorsTest, AnAmbiguousAddressListsTheCandidates) {
  conversation("11111111-aaaa-4000-8000-00000000000f", {{"user", "another", ""}});
  expect_trouble({"show", "11111111"}, {"'11111111' is ambiguous", "one of 11111111"});
  expect_trouble({"login", "--conversation", "11111111"}, {"'11111111' is ambiguous"});
}

TEST_F(ErrorsTest, NoIndexAndNoneWanted) {
  expect_trouble({"--refresh", "never", "login"}, {"no index at", "hint: cgrep index"});
}

TEST_F(ErrorsTest, NoHistorySaysWhereItLooked) {
  const TempDir elsewhere;
  const std::string empty = elsewhere.path().string();
  expect_trouble({"--root", empty, "login"}, {"no history", empty + "/.cursor"});
  expect_trouble({"index", "--root", empty}, {"no history", empty + "/.cursor"});
  expect_trouble({"stores", "--root", empty}, {"no history", empty + "/.cursor"});
}

TEST_F(ErrorsTest, AStoreThatHoldsNothingIsNoError) {
  const auto result = cgrep({"--store", "agentkv,transcripts", "login"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
}

TEST_F(ErrorsTest, OutputThatCannotBeWrittenIsTrouble) {
  const auto result = shell("\"$CGREP\" login > /dev/full");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("cannot write the output"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace cgrep::test
