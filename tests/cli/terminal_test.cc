// What reaches a terminal: history is shown there, never executed.
#include "cli/terminal.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cli/display.h"
#include "cli/history_home.h"

namespace cgrep::test {
namespace {

// Red, green and magenta are readable on black and on white; a bar is no text.
TEST(PaintTest, TextIsReadableOnDarkAndOnLightTerminals) {
  Terminal terminal;
  terminal.color = true;
  for (const Paint paint : {Paint::plain, Paint::address, Paint::title, Paint::faint, Paint::number,
                            Paint::match, Paint::code}) {
    const std::string text = painted(terminal, paint, "x");
    for (const char* colour : {"30", "33", "34", "36", "37", "[9", ";9", "[4", ";4", "[7", "38;"})
      EXPECT_EQ(text.find(colour), std::string::npos) << text.substr(1);
  }
}

// Everything that must not reach a terminal from history.
constexpr const char* kEvil =
    "needle \x1b]0;owned\a \x1b[2J\x1b[31m \x9b"
    "5n \xc2\x9b"
    "5n \x7f \b\r over\xe2\x80\xaeturned";

class TerminalTest : public HistoryHome {
 protected:
  TerminalTest() {
    conversation("77777777-aaaa-4000-8000-000000000007",
                 {{"user", std::string(kEvil)},
                  {"assistant", std::string(300, 'x') + " needle " + std::string(300, 'y')}});
  }

  // The terminal itself makes \n into \r\n; all else must be plain.
  static std::string without_line_ends(std::string text) {
    for (auto at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at))
      text.replace(at, 2, "|");
    return text;
  }

  void expect_plain(const std::string& text) {
    const std::string plain = without_line_ends(text);
    EXPECT_EQ(visible(plain), plain) << text;
  }

  RunResult plain(std::vector<std::string> words) {
    words.insert(words.begin() + (words.front() == "show" ? 1 : 0), {"--color", "never"});
    return cgrep_on_terminal(words);
  }
};

TEST_F(TerminalTest, NoControlByteOfHistoryReachesIt) {
  cgrep({"index", "-q"});
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"needle"}, {"--no-heading", "needle"}, {"show", "77777777"}}) {
    const auto result = plain(words);
    EXPECT_EQ(result.code, 0) << result.out;
    EXPECT_NE(result.out.find("^[]0;owned^G"), std::string::npos) << result.out;
    expect_plain(result.out);
  }
}

TEST_F(TerminalTest, NoControlByteInColouredOutputButOurOwn) {
  cgrep({"index", "-q"});
  const auto result = cgrep_on_terminal({"needle"});
  EXPECT_NE(result.out.find("\x1b[1;31mneedle\x1b[0m"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\x1b]8;;file://"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("\x1b]0;"), std::string::npos);
  EXPECT_EQ(result.out.find("\x1b[2J"), std::string::npos);
  EXPECT_EQ(result.out.find("\x9b"
                            "5n"),
            std::string::npos);
}

TEST_F(TerminalTest, NoControlByteInJson) {
  cgrep({"index", "-q"});
  expect_plain(plain({"--json", "needle"}).out);
}

TEST_F(TerminalTest, LinesAreCutToItsWidth) {
  cgrep({"index", "-q"});
  const auto result = plain({"needle"});
  std::string rest = result.out;
  rest.erase(std::remove(rest.begin(), rest.end(), '\r'), rest.end());
  for (const std::string& line : lines_of(rest)) EXPECT_LE(display_width(line), 80u) << line;
}

TEST_F(TerminalTest, InAPipeLinesAreWhole) {
  const auto result = cgrep({"needle"});
  EXPECT_NE(result.out.find(std::string(300, 'y')), std::string::npos);
}

TEST_F(TerminalTest, NoColorIsHeard) {
  cgrep({"index", "-q"});
  auto no_color = options();
  no_color.terminal = true;
  no_color.environment["NO_COLOR"] = "1";
  expect_plain(run_cgrep({"needle"}, no_color).out);
}

TEST_F(TerminalTest, ErrorsShowWhatWasTyped) {
  const auto result = cgrep({"--store", "\x1b[2Jx", "needle"});
  EXPECT_EQ(result.err.find('\x1b'), std::string::npos) << result.err;
}

TEST_F(TerminalTest, TwentyConversationsThenHowManyMore) {
  for (int i = 10; i < 35; ++i)
    conversation("888888" + std::to_string(i) + "-aaaa-4000-8000-000000000008",
                 {{"user", "a haystack"}});
  const auto result = plain({"haystack"});
  EXPECT_NE(result.out.find("5 more conversations; --limit 0 shows all"), std::string::npos)
      << result.out;
  const auto all = plain({"--limit", "0", "haystack"});
  EXPECT_EQ(all.out.find("more conversations"), std::string::npos);
}

}  // namespace
}  // namespace cgrep::test
