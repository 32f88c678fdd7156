// What reaches a terminal: history is shown there, never executed.
#include "cli/terminal.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/display.h"
#include "cli/history_home.h"
#include "extract/json.h"
#include "extract/sqlite.h"

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

// Everything that must not reach a terminal from history: OSC, CSI, DCS, APC, C1 as a byte and as a
// character, DEL, what moves the cursor, what turns the direction of text.
constexpr const char* kEvil =
    "needle \x1b]0;owned\a \x1b[2J\x1b[31m \x1bP+q\x1b\\ \x1b_G\x1b\\ \x9b"
    "5n \xc2\x9b"
    "5n \xc2\x90q\xc2\x9c \x7f \b\v\f\r over\xe2\x80\xaeturned \xe2\x81\xa7isolated\xe2\x81\xa9";

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

// Not only texts: whatever has a name can have this one.
class EvilNamesTest : public TerminalTest {
 protected:
  static constexpr const char* kId = "88888888-aaaa-4000-8000-000000000008";

  EvilNamesTest() {
    const auto evil = json_quote(kEvil);
    const auto folder = home_.path() / ".config/Cursor/User/globalStorage";
    std::filesystem::create_directories(folder);
    Database state(folder / "state.vscdb", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    state.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    state.exec("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    add(state, fmt::format("composerData:{}", kId),
        fmt::format(
            R"({{"_v":3,"name":{0},"modelConfig":{{"modelName":{0}}},"unifiedMode":{0},)"
            R"("activeBranch":{{"branchName":{0}}},"createdOnBranch":{0},)"
            R"("workspaceIdentifier":{{"id":"w","uri":{{"fsPath":{1},"path":{1}}}}},)"
            R"("fullConversationHeadersOnly":[{{"bubbleId":"b1","type":1}},{{"bubbleId":"b2","type":2}}]}})",
            evil, json_quote("/home/ada/" + std::string(kEvil))));
    add(state, fmt::format("bubbleId:{}:b1", kId),
        fmt::format(R"({{"_v":3,"type":1,"text":{},"relevantFiles":[{}]}})", evil, evil));
    add(state, fmt::format("bubbleId:{}:b2", kId),
        fmt::format(R"({{"_v":3,"type":2,"text":"","modelInfo":{{"modelName":{0}}},)"
                    R"("toolFormerData":{{"name":{0},"rawArgs":{1},"result":{0},"status":{0}}}}})",
                    evil, json_quote(fmt::format(R"({{"path":{0},"command":{0}}})", evil))));
    home_.write(std::filesystem::path(".cursor/plans") / "\x1b]0;owned\a.plan.md",
                fmt::format("---\nname: {}\n---\n{}\n", evil, kEvil));
    home_.write(std::filesystem::path(".cursor/projects/\x1b[2J\xc2\x9b"
                                      "5n/agent-transcripts") /
                    "\x1b]0;owned\a-99999999.jsonl",
                "{ broken\n");
  }

  static void add(Database& state, const std::string& key, const std::string& value) {
    auto row = state.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)");
    row.bind(1, key);
    row.bind(2, value);
    row.step();
  }

  /// What a terminal gets, errors and progress too; a bar is our own.
  void expect_harmless(const std::vector<std::string>& words) {
    auto on_terminal = options();
    on_terminal.terminal = true;
    on_terminal.environment["NO_COLOR"] = "1";
    auto shown = run_cgrep(words, on_terminal).out;
    for (const std::string_view own : {"\r\x1b[K"})
      for (auto at = shown.find(own); at != std::string::npos; at = shown.find(own))
        shown.erase(at, own.size());
    SCOPED_TRACE(words.front() + " " + words.back());
    expect_plain(shown);
  }
};

TEST_F(EvilNamesTest, NoCommandSendsThemToATerminal) {
  expect_harmless({"index"});
  expect_harmless({"index", "--full"});
  for (const char* field : {"project", "tool", "model", "branch", "mode"})  // they are really there
    EXPECT_NE(cgrep({"--by", field, "needle"}).out.find("owned"), std::string::npos) << field;
  EXPECT_NE(cgrep({"log"}).out.find("owned"), std::string::npos);
  const std::vector<std::vector<std::string>> all = {
      {"needle"},
      {"--no-heading", "needle"},
      {"--json", "needle"},
      {"--around", "2", "needle"},
      {"-l", "needle"},
      {"-c", "needle"},
      {"-o", "-F", "owned"},
      {"--explain", "needle"},
      {"--by", "project,tool,model", "needle"},
      {"--by", "branch,mode", "needle"},
      {"log"},
      {"log", "-l"},
      {"log", "--json"},
      {"show", "88888888"},
      {"show", "--tools", "full", "88888888"},
      {"show", "--json", "88888888"},
      {"stats"},
      {"stats", "--by", "project"},
      {"stores"},
      {"status"},
      {"doctor"},
      {"doctor", "--json"},
      {"resume", "88888888"},
      {"forget", "--dry-run", "88888888"},
      {"export", "88888888"},
      {"export", "--format", "html", "88888888"},
      {"export", "--format", "json", "88888888"},
  };
  for (const auto& words : all) expect_harmless(words);
}

TEST_F(EvilNamesTest, NoErrorSendsThemToATerminal) {
  const std::string evil = kEvil;
  const std::vector<std::vector<std::string>> all = {{"show", evil},
                                                     {"--store", evil, "x"},
                                                     {"--since", evil, "x"},
                                                     {"-e", "(" + evil},
                                                     {"--role", evil, "x"},
                                                     {"--root", "/" + evil, "x"},
                                                     {"--by", evil},
                                                     {evil + "nothing"},
                                                     {"export", "-o", "/no/" + evil, "88888888"},
                                                     {"--" + evil},
                                                     {"index", "--index", "/proc/" + evil},
                                                     {"help", evil},
                                                     {"--color", evil, "x"},
                                                     {"hook", "print", evil},
                                                     {"completion", evil},
                                                     {"-p", evil, "x"},
                                                     {"--conversation", evil, "x"}};
  for (const auto& words : all) expect_harmless(words);
  home_.write(".config/cgrep/config", evil + "\n");
  expect_harmless({"needle"});
  home_.write(".config/cgrep/config", evil + " = " + evil + "\n");
  expect_harmless({"needle"});
}

// A pipe gets the text as it is; only what would break its lines is gone.
TEST_F(TerminalTest, InAPipeTextIsWhatItWas) {
  conversation("99999999-aaaa-4000-8000-000000000009",
               {{"user", "raw \x1b[31mred\r\nsecond raw\r"}});
  EXPECT_EQ(cgrep({"--no-heading", "-N", "raw"}).out,
            "99999999:1:raw \x1b[31mred\n99999999:1:second raw\n");
}

}  // namespace
}  // namespace cgrep::test
