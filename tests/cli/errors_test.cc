// What the user reads when something is wrong: one line that says what, one that says what to do.
#include <gtest/gtest.h>

#include "cli/history_home.h"

namespace cgrep::test {
namespace {

class ErrorsTest : public StandardHome {
 protected:
  // Exit code 2, nothing on standard output, and these words in the message.
  void expect_trouble(const std::vector<std::string>& words,
                      const std::vector<std::string>& messages) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("cgrep: ")) << result.err;
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

TEST_F(ErrorsTest, UnknownValues) {
  expect_trouble({"--store", "nosuch", "login"},
                 {"unknown store 'nosuch'", "did you mean '", "transcripts, "});
  expect_trouble({"--store", "transcript,canvases", "x"}, {"'canvases' is only listed"});
  expect_trouble({"--role", "usr", "login"}, {"unknown role 'usr'", "did you mean 'user'?"});
  expect_trouble({"--sort", "newst", "login"}, {"unknown value 'newst' of --sort", "'newest'"});
  expect_trouble({"--color", "sometimes", "x"}, {"unknown value 'sometimes' of --color", "always"});
  expect_trouble({"--refresh", "often", "x"}, {"--refresh", "auto, always, never"});
  expect_trouble({"--since", "last tuesday-ish", "login"}, {"last tuesday-ish", "hint: "});
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
  expect_trouble({"show"}, {"show needs an address"});
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
