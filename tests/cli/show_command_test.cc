#include <gtest/gtest.h>

#include "cli/corpus_home.h"
#include "cli/display.h"
#include "cli/history_home.h"
#include "extract/json.h"

namespace cgrep::test {
namespace {

using Lines = std::vector<std::string>;

class ShowCommandTest : public StandardHome {};

TEST_F(ShowCommandTest, AConversationInReadingOrder) {
  const auto result = cgrep({"show", "11111111"});
  EXPECT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 11u) << result.out;
  EXPECT_TRUE(lines[0].starts_with("11111111  ")) << lines[0];
  EXPECT_EQ(lines[2], "11111111:1  user  2026-08-01 10:22");
  EXPECT_EQ(lines[3], "there is a login bug");
  EXPECT_EQ(lines[4], "in the session code");
  EXPECT_EQ(lines[7], "The login bug comes from the session timeout.");
  EXPECT_EQ(lines[10], "fix the login");
}

TEST_F(ShowCommandTest, OneDocumentOrARange) {
  EXPECT_EQ(cgrep({"show", "--no-heading", "11111111:3"}).out, "fix the login\n");
  EXPECT_EQ(cgrep({"show", "--no-heading", "11111111:2-3"}).out,
            "The login bug comes from the session timeout.\n\nfix the login\n");
}

TEST_F(ShowCommandTest, SeveralAddresses) {
  EXPECT_EQ(cgrep({"show", "--no-heading", "11111111:3", "22222222:1"}).out,
            "fix the login\n\ndocker build is slow\n");
}

TEST_F(ShowCommandTest, JsonHasOneObjectPerDocument) {
  const auto result = cgrep({"show", "--json", "22222222"});
  Lines texts;
  for (const std::string& line : lines_of(result.out)) {
    const auto event = Json::parse(line);
    ASSERT_TRUE(event) << line;
    EXPECT_EQ(event->text("type"), "document");
    texts.emplace_back(event->find("data")->text("text"));
  }
  EXPECT_EQ(texts,
            (Lines{"docker build is slow", "Use a layer cache; docker keeps login state apart."}));
}

TEST_F(ShowCommandTest, AnAmbiguousPrefixListsTheCandidates) {
  conversation("11111111-aaaa-4000-8000-00000000000f", {{"user", "a twin"}});
  const auto result = cgrep({"show", "11111111"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("000000000001"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("00000000000f"), std::string::npos) << result.err;
}

class ShowOrphansTest : public CorpusHome {
 protected:
  ShowOrphansTest() { make("bubbles/order/home"); }
};

TEST_F(ShowOrphansTest, OrphansAreLeftOutUnlessAllIsWanted) {
  const std::string orphan = "a prompt that was edited";
  EXPECT_EQ(cgrep({"show", "c1"}).out.find(orphan), std::string::npos);
  const auto all = cgrep({"show", "--all", "c1"}).out;
  EXPECT_NE(all.find("  orphan\n" + orphan), std::string::npos) << all;
  const auto said = cgrep_on_terminal({"show", "c1"}).out;
  EXPECT_NE(said.find("2 documents of abandoned turns left out"), std::string::npos) << said;
}

TEST_F(ShowOrphansTest, AnOrphanIsShownByItsAddress) {
  const auto found = lines({"-N", "prompt that was edited"});
  ASSERT_EQ(found.size(), 1u);
  const auto address = found[0].substr(0, found[0].rfind(':'));
  EXPECT_EQ(cgrep({"show", "--no-heading", address}).out, "a prompt that was edited\n");
}

// The demo's conversation about a race: questions 1, 14 and 17, thoughts, calls and results.
class ShowReadingTest : public CorpusHome {
 protected:
  ShowReadingTest() { make("home"); }

  std::string shown(std::vector<std::string> words) {
    words.insert(words.begin(), "show");
    words.emplace_back("--color");
    words.emplace_back("never");
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return result.out;
  }

  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(ShowReadingTest, ATurnIsTheQuestionAndItsWholeAnswer) {
  const auto by_question = shown({"--turn", "3f2a9c1e:17"});
  EXPECT_EQ(shown({"--turn", "3f2a9c1e:19"}), by_question);
  EXPECT_TRUE(has(by_question, "ok, ship it"));
  EXPECT_TRUE(has(by_question, "3f2a9c1e:19  tool-call"));
  EXPECT_FALSE(has(by_question, "3f2a9c1e:9 "));
  // A conversation stands for its last turn.
  EXPECT_EQ(shown({"--turn", "3f2a9c1e"}), by_question);
  // Of a range, the turns of both ends and all between.
  const auto more = shown({"--turn", "3f2a9c1e:9-19"});
  EXPECT_TRUE(has(more, "We have an auth bug in production"));
  EXPECT_TRUE(has(more, "ok, ship it"));
  EXPECT_EQ(cgrep({"show", "--turn", "3f2a9c1e:999"}).code, 2);
}

TEST_F(ShowReadingTest, ToolsInFullInALineOrNotAtAll) {
  const std::string call = "3f2a9c1e:3  tool-call  2026-06-09 12:44  Grep";
  const std::string path = "path: /home/mira/lanternpost/src\n";
  const auto full = shown({"3f2a9c1e"});
  EXPECT_TRUE(has(full, call + "\npattern: refreshAccessToken|/auth/refresh\n" + path));
  const auto brief = shown({"--tools", "short", "3f2a9c1e"});
  EXPECT_TRUE(has(brief, call + "  refreshAccessToken|/auth/refresh  +1 line\n3f2a9c1e:21  "));
  EXPECT_FALSE(has(brief, path));
  const auto none = shown({"--tools", "none", "3f2a9c1e"});
  EXPECT_FALSE(has(none, "tool-call"));
  EXPECT_TRUE(has(none, "  assistant  "));
  // One document by its address is shown whole.
  EXPECT_TRUE(has(shown({"--tools", "short", "3f2a9c1e:3"}), path));
  EXPECT_TRUE(has(shown({"--tools", "none", "3f2a9c1e:3"}), path));
  const auto wrong = cgrep({"show", "--json", "--tools", "short", "3f2a9c1e"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "hint: with --json")) << wrong.err;
}

TEST_F(ShowReadingTest, ThoughtsOnlyWhenAskedFor) {
  const std::string thought = "a race rather than an expiry";
  EXPECT_FALSE(has(shown({"3f2a9c1e"}), thought));
  EXPECT_TRUE(has(shown({"--thinking", "3f2a9c1e"}), thought));
  EXPECT_TRUE(has(shown({"3f2a9c1e:20"}), thought));
  EXPECT_TRUE(has(shown({"--json", "3f2a9c1e"}), thought));
  EXPECT_FALSE(has(shown({"--json", "--no-thinking", "3f2a9c1e"}), thought));
  const auto by_role = shown({"--role", "thinking", "3f2a9c1e"});
  EXPECT_TRUE(has(by_role, thought));
  EXPECT_FALSE(has(by_role, "  user  "));
}

TEST_F(ShowReadingTest, FoldedToolsTakeALineEach) {
  const auto said = cgrep_on_terminal({"show", "--color", "never", "3f2a9c1e"}).out;
  std::size_t folded = 0;
  for (std::string line : lines_of(said)) {
    if (line.find("  tool-") == std::string::npos) continue;
    if (line.ends_with('\r')) line.pop_back();
    EXPECT_LE(display_width(line), 80u) << line;
    ++folded;
  }
  EXPECT_GT(folded, 10u);
}

TEST_F(ShowReadingTest, ATerminalFoldsToolsPaintsMarkdownAndSaysWhatIsLeftOut) {
  const auto said = cgrep_on_terminal({"show", "--color", "always", "3f2a9c1e"}).out;
  EXPECT_TRUE(has(said, "\x1b[35m`apiClient`\x1b[0m")) << said;
  EXPECT_FALSE(has(said, "path: /home/mira/lanternpost/src\r"));
  EXPECT_TRUE(has(said, "--thinking shows them")) << said;
}

}  // namespace
}  // namespace cgrep::test
