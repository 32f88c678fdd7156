#include <algorithm>

#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "extract/json.h"

namespace cgrep::test {
namespace {

class SearchCommandTest : public StandardHome {
 protected:
  // The lines that it prints, with exit code 0 and nothing on standard error.
  std::vector<std::string> lines(const std::vector<std::string>& words) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    return lines_of(result.out);
  }

  std::vector<std::string> sorted_lines(const std::vector<std::string>& words) {
    auto found = lines(words);
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string first_line(const std::vector<std::string>& words) {
    const auto found = lines(words);
    return found.empty() ? "" : found.front();
  }
};

using Lines = std::vector<std::string>;

TEST_F(SearchCommandTest, TheFirstSearchBuildsTheIndexAndAnswers) {
  EXPECT_EQ(lines({"docker", "slow"}), (Lines{"22222222:1:1:docker build is slow"}));
  EXPECT_TRUE(std::filesystem::exists(home_.path() / ".local/share/cgrep"));
}

TEST_F(SearchCommandTest, WhatIsNewIsFoundAtOnce) {
  EXPECT_EQ(cgrep({"xylophone"}).code, 1);
  conversation("44444444-dddd-4000-8000-000000000004", {{"user", "a xylophone"}});
  EXPECT_EQ(cgrep({"--refresh", "never", "xylophone"}).code, 1);
  EXPECT_EQ(lines({"xylophone"}), (Lines{"44444444:1:1:a xylophone"}));
}

TEST_F(SearchCommandTest, ExitCodesAreGreps) {
  EXPECT_EQ(cgrep({"login"}).code, 0);
  EXPECT_EQ(cgrep({"xylophone"}).code, 1);
  EXPECT_EQ(cgrep({"--store", "nosuch", "login"}).code, 2);
}

TEST_F(SearchCommandTest, QuietOnlyTells) {
  const auto found = cgrep({"-q", "login"});
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.out + found.err, "");
  EXPECT_EQ(cgrep({"-q", "xylophone"}).code, 1);
}

TEST_F(SearchCommandTest, EveryMatchingLineInAPipe) {
  EXPECT_EQ(sorted_lines({"--conversation", "11111111", "login"}),
            (Lines{"11111111:1:1:there is a login bug",
                   "11111111:2:1:The login bug comes from the session timeout.",
                   "11111111:3:1:fix the login"}));
  EXPECT_EQ(lines({"-N", "docker", "slow"}), (Lines{"22222222:1:docker build is slow"}));
  EXPECT_EQ(lines({"-Nn", "docker", "slow"}), (Lines{"22222222:1:1:docker build is slow"}));
}

TEST_F(SearchCommandTest, CommandsNamesAndOptionsCanBeSearchedFor) {
  const Lines expected{"33333333:1:1:index out of range in [abc] --no-verify"};
  EXPECT_EQ(lines({"--", "index", "out", "of", "range"}), expected);
  EXPECT_EQ(lines({"search", "index"}), expected);
  EXPECT_EQ(lines({"search", "--", "index"}), expected);
  EXPECT_EQ(lines({"out", "index"}), expected);
  EXPECT_EQ(lines({"[abc]"}), expected);
  EXPECT_EQ(lines({"--", "--no-verify"}), expected);
  EXPECT_EQ(lines({"--store", "transcripts", "range", "index"}), expected);
  EXPECT_EQ(lines({"-p", "home-ada-widget", "search", "index"}), expected);
}

TEST_F(SearchCommandTest, ListsAndCounts) {
  EXPECT_EQ(sorted_lines({"-l", "login"}), (Lines{"11111111", "22222222"}));
  EXPECT_EQ(sorted_lines({"-c", "login"}), (Lines{"11111111:3", "22222222:1"}));
}

TEST_F(SearchCommandTest, AtMostSoManyLinesOrConversations) {
  EXPECT_EQ(lines({"-m", "1", "--conversation", "11111111", "login"}).size(), 1u);
  EXPECT_EQ(lines({"-m2", "--conversation", "11111111", "login"}).size(), 2u);
  EXPECT_EQ(lines({"-m", "0", "--conversation", "11111111", "login"}).size(), 3u);
  EXPECT_EQ(lines({"-l", "--limit", "1", "login"}).size(), 1u);
  EXPECT_EQ(lines({"-l", "--limit", "0", "login"}).size(), 2u);
  EXPECT_EQ(lines({"-l", "--limit", "1", "--limit", "2", "login"}).size(), 2u);
}

TEST_F(SearchCommandTest, OrderByTime) {
  EXPECT_EQ(lines({"-l", "--sort", "newest", "login"}), (Lines{"22222222", "11111111"}));
  EXPECT_EQ(lines({"-l", "--sort", "oldest", "login"}), (Lines{"11111111", "22222222"}));
}

TEST_F(SearchCommandTest, WithoutAPatternAllThatPassesNewestFirst) {
  EXPECT_EQ(lines({"-l", "--role", "user"}), (Lines{"33333333", "22222222", "11111111"}));
}

TEST_F(SearchCommandTest, Filters) {
  EXPECT_EQ(lines({"-l", "-p", "home-ada-gadget", "login"}), (Lines{"22222222"}));
  EXPECT_EQ(lines({"-l", "-p", "!home-ada-gadget", "login"}), (Lines{"11111111"}));
  EXPECT_EQ(lines({"-l", "--role", "user", "login"}), (Lines{"11111111"}));
  EXPECT_EQ(sorted_lines({"-l", "--role", "user,assistant", "login"}),
            (Lines{"11111111", "22222222"}));
  EXPECT_EQ(sorted_lines({"-l", "--role", "user", "--role", "assistant", "login"}),
            (Lines{"11111111", "22222222"}));
  EXPECT_EQ(lines({"-l", "--since", "2026-08-02", "login"}), (Lines{"22222222"}));
  EXPECT_EQ(lines({"-l", "--until", "2026-08-01", "login"}), (Lines{"11111111"}));
  EXPECT_EQ(lines({"-l", "--conversation", "22222222", "login"}), (Lines{"22222222"}));
  EXPECT_EQ(cgrep({"--store", "!transcripts", "login"}).code, 1);
}

TEST_F(SearchCommandTest, WholeWordsFindNoOtherForms) {
  conversation("55555555-eeee-4000-8000-000000000005", {{"user", "it was fixed yesterday"}});
  EXPECT_EQ(sorted_lines({"-l", "fix"}), (Lines{"11111111", "55555555"}));
  EXPECT_EQ(lines({"-l", "-w", "fix"}), (Lines{"11111111"}));
}

TEST_F(SearchCommandTest, ExplainPrintsTheStages) {
  const auto printed = lines({"--explain", "login", "OR", "docker"});
  ASSERT_GE(printed.size(), 3u);
  EXPECT_EQ(printed[0], "text:   login OR docker");
  EXPECT_TRUE(printed[1].starts_with("tree:   (any ")) << printed[1];
  EXPECT_TRUE(printed[2].starts_with("xapian: ")) << printed[2];
}

TEST_F(SearchCommandTest, JsonLinesParse) {
  std::vector<std::string> types;
  Json last;
  for (const std::string& line : lines({"--json", "docker", "slow"})) {
    const auto event = Json::parse(line);
    ASSERT_TRUE(event) << line;
    types.emplace_back(event->text("type"));
    last = *event->find("data");
  }
  EXPECT_EQ(types, (Lines{"begin", "match", "end", "summary"}));
  EXPECT_EQ(last.find("matched_conversations")->integer(), 1);
  EXPECT_EQ(last.find("coverage")->find("refreshed")->boolean(), true);
}

TEST_F(SearchCommandTest, HeadingsInAPipeWhenWanted) {
  const auto printed = lines({"--heading", "docker", "slow"});
  ASSERT_EQ(printed.size(), 2u);
  EXPECT_TRUE(printed[0].starts_with("22222222  ")) << printed[0];
  EXPECT_EQ(printed[1], "  1:1     user        docker build is slow");
}

TEST_F(SearchCommandTest, AClosedPipeEndsQuietly) {
  std::vector<Message> many;
  many.reserve(20000);
  for (int i = 0; i < 20000; ++i) many.push_back({"user", "needle number " + std::to_string(i)});
  conversation("66666666-ffff-4000-8000-000000000006", many);
  const auto result =
      shell("set -o pipefail; \"$CGREP\" needle | head -1 | wc -l; echo ${PIPESTATUS[0]}");
  EXPECT_EQ(lines_of(result.out), (Lines{"1", "0"}));
  EXPECT_EQ(result.err, "");
}

TEST_F(SearchCommandTest, AnUnknownFieldIsExplainedWhenNothingIsFound) {
  const auto result = cgrep({"rol:xylophone"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("'rol:' is no field"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("did you mean 'role:'"), std::string::npos) << result.err;
}

TEST_F(SearchCommandTest, TheIndexCanBeElsewhere) {
  const auto elsewhere = (home_.path() / "other-index").string();
  EXPECT_EQ(cgrep({"--index", elsewhere, "login"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(elsewhere));
  EXPECT_FALSE(std::filesystem::exists(home_.path() / ".local/share/cgrep"));
}

TEST_F(SearchCommandTest, TheHomeCanBeElsewhere) {
  auto elsewhere = options();
  const TempDir empty;
  elsewhere.environment["HOME"] = empty.path().string();
  EXPECT_EQ(run_cgrep({"login"}, elsewhere).code, 2);
  EXPECT_EQ(run_cgrep({"--root", home_.path().string(), "login"}, elsewhere).code, 0);
  elsewhere.environment["CGREP_ROOT"] = home_.path().string();
  EXPECT_EQ(run_cgrep({"login"}, elsewhere).code, 0);
}

TEST_F(SearchCommandTest, AnIndexOutlivesItsHistory) {
  EXPECT_EQ(cgrep({"login"}).code, 0);
  std::filesystem::remove_all(home_.path() / ".cursor");
  EXPECT_EQ(cgrep({"login"}).code, 0);
}

TEST_F(SearchCommandTest, HelpAndVersion) {
  EXPECT_TRUE(lines({"--version"}).front().starts_with("cgrep "));
  const auto general = cgrep({"--help"});
  EXPECT_EQ(general.code, 0);
  EXPECT_EQ(cgrep({"-h"}).out, general.out);
  EXPECT_EQ(cgrep({"help"}).out, general.out);
  EXPECT_EQ(cgrep({"help", "show"}).out, cgrep({"show", "--help"}).out);
  for (const std::string& line : lines_of(general.out)) EXPECT_LE(line.size(), 90u) << line;
}

}  // namespace
}  // namespace cgrep::test
