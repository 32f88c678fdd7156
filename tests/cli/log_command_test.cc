// log, stats, status, fields, --by and -L: lists and numbers instead of hits.
#include <chrono>
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/chart.h"
#include "cli/display.h"
#include "cli/history_home.h"
#include "extract/json.h"
#include "query/fields.h"

namespace cgrep::test {
namespace {

using Lines = std::vector<std::string>;

class OverviewTest : public StandardHome {
 protected:
  Lines lines(const std::vector<std::string>& words) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 0) << result.err;
    return lines_of(result.out);
  }

  std::vector<Json> events(const std::vector<std::string>& words, const std::string& type) {
    std::vector<Json> found;
    for (const auto& line : lines(words)) {
      const auto event = Json::parse(line);
      EXPECT_TRUE(event) << line;
      if (event && event->text("type") == type) found.push_back(*event->find("data"));
    }
    return found;
  }

  void expect_error(const std::vector<std::string>& words, const std::string& part) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("hint: "), std::string::npos) << result.err;
  }
};

TEST_F(OverviewTest, LogListsConversationsInOrder) {
  EXPECT_EQ(lines({"log"}).front(),
            "33333333\t2026-08-03 09:00\thome-ada-widget\tindex out of range in [abc] "
            "--no-verify\ttranscripts\t2\t");
  EXPECT_EQ(lines({"log", "-l"}), (Lines{"33333333", "22222222", "11111111"}));
  EXPECT_EQ(lines({"log", "-l", "--sort", "oldest", "--limit", "1"}), (Lines{"11111111"}));
  EXPECT_EQ(cgrep({"log", "-l", "-0", "--limit", "1"}).out, std::string("33333333\0", 9));
  expect_error({"log", "--sort", "relevance"}, "needs a pattern");
}

TEST_F(OverviewTest, LogTakesPatternsAndFilters) {
  EXPECT_EQ(lines({"log", "-l", "login"}), (Lines{"22222222", "11111111"}));
  EXPECT_EQ(lines({"log", "-l", "-F", "ogin bu"}), (Lines{"11111111"}));
  EXPECT_EQ(lines({"log", "-l", "-E", "lay.r"}), (Lines{"22222222"}));
  EXPECT_EQ(lines({"log", "-l", "-p", "home-ada-gadget"}), (Lines{"22222222"}));
  EXPECT_EQ(lines({"log", "-l", "--role", "user", "login"}), (Lines{"11111111"}));
  EXPECT_EQ(cgrep({"log", "xylophone"}).code, 1);
}

TEST_F(OverviewTest, LogTakesThePatternsOfASearch) {
  const Lines newest_two{"22222222", "11111111"};
  EXPECT_EQ(lines({"log", "-l", "-i", "-F", "LOGIN"}), newest_two);
  EXPECT_EQ(cgrep({"log", "-l", "-s", "LOGIN"}).code, 1);
  EXPECT_EQ(lines({"log", "-l", "-s", "Use"}), (Lines{"22222222"}));
  EXPECT_EQ(lines({"log", "-l", "-S", "The login"}), (Lines{"11111111"}));
  EXPECT_EQ(lines({"log", "-l", "-e", "lay.r", "-e", "login b"}), newest_two);
  EXPECT_EQ(lines({"log", "-l", "-x", "-F", "fix the login"}), (Lines{"11111111"}));
  EXPECT_EQ(cgrep({"log", "-l", "-x", "-F", "the login"}).code, 1);
  EXPECT_EQ(lines({"log", "-l", "logins"}), newest_two);
  EXPECT_EQ(cgrep({"log", "-l", "-w", "logins"}).code, 1);
  expect_error({"log", "-e", "a", "b"}, "'b' stands beside -e");
  expect_error({"log", "-x", "a"}, "-x is for exact patterns");
  expect_error({"log", "-E", "a(b"}, "bad regular expression");
  expect_error({"log", "-P", "a"}, "-P is not supported");
}

TEST_F(OverviewTest, ListsEndWithASummary) {
  for (const auto& words :
       std::vector<Lines>{{"log", "--json", "login"}, {"login", "--by", "role", "--json"}}) {
    const auto found = events(words, "summary");
    ASSERT_EQ(found.size(), 1u) << words[0];
    EXPECT_EQ(found[0].find("matched_conversations")->integer(), 2);
    EXPECT_EQ(found[0].find("matched_documents")->integer(), 4);
    EXPECT_EQ(found[0].find("coverage")->find("complete")->boolean(), true);
  }
  const auto nothing = cgrep({"log", "--json", "docker", "--role", "plan"});
  EXPECT_EQ(nothing.code, 1);
  EXPECT_NE(nothing.out.find(R"("advice":[{"kind":"filter","subject":"--role")"), std::string::npos)
      << nothing.out;
}

TEST_F(OverviewTest, LogAsJson) {
  const auto found = events({"log", "--json", "--role", "user"}, "conversation");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].text("conversation"), kLogin);
  EXPECT_EQ(found[2].text("time_source"), "tag");
  EXPECT_EQ(found[2].find("documents")->integer(), 2);
}

TEST_F(OverviewTest, LogOnATerminalSaysHowManyMore) {
  const auto result = cgrep_on_terminal({"log", "--color", "never", "--limit", "2"});
  EXPECT_NE(result.out.find("33333333  2026-08-03 09:00  home-ada-widget  "), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("1 more conversation; --limit 0"), std::string::npos) << result.out;
}

TEST_F(OverviewTest, LogAndFieldsFitANarrowTerminal) {
  auto narrow = options();
  narrow.terminal = true;
  cgrep({"index", "-q"});
  for (const std::string command : {"log --color never", "fields"}) {
    const auto result = run_shell("stty cols 60 <&1; \"$CGREP\" " + command, narrow);
    EXPECT_EQ(result.code, 0) << result.out;
    for (std::string line : lines_of(result.out)) {
      if (line.ends_with('\r')) line.pop_back();
      EXPECT_LE(display_width(line), 60u) << line;
    }
  }
}

TEST_F(OverviewTest, CountsByFields) {
  EXPECT_EQ(lines({"login", "--by", "role"}), (Lines{"2\tassistant", "2\tuser"}));
  EXPECT_EQ(lines({"login", "--by", "day"}), (Lines{"3\t2026-08-01", "1\t2026-08-02"}));
  EXPECT_EQ(lines({"--role", "user", "--by", "project,month", "--limit", "1"}),
            (Lines{"3\thome-ada-widget\t2026-08"}));
  const auto counts = events({"login", "--by", "conversation", "--json"}, "count");
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].find("documents")->integer(), 3);
  EXPECT_EQ(cgrep({"xylophone", "--by", "role"}).code, 1);
  expect_error({"login", "--by", "rol"}, "did you mean 'role'");
}

TEST_F(OverviewTest, ListsWhatHasNoHit) {
  EXPECT_EQ(lines({"-L", "login"}), (Lines{"33333333"}));
  EXPECT_EQ(lines({"-L", "docker"}), (Lines{"33333333", "11111111"}));
  EXPECT_EQ(lines({"-L", "docker", "--limit", "1"}), (Lines{"33333333"}));
  EXPECT_EQ(cgrep({"-L", "login", "-p", "home-ada-gadget"}).code, 1);
  EXPECT_EQ(cgrep({"-L", "-l", "login"}).code, 2);
}

TEST_F(OverviewTest, StatsCountWhatPasses) {
  const auto totals = events({"stats", "--json", "-p", "home-ada-widget"}, "totals");
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(totals[0].find("conversations")->integer(), 2);
  EXPECT_EQ(totals[0].find("documents")->integer(), 5);
  EXPECT_EQ(totals[0].text("last"), "2026-08-03T09:00:00.000Z");
  const auto printed = cgrep({"stats", "--by", "role", "--limit", "1"});
  EXPECT_NE(printed.out.find("\nuser              3          4  █"), std::string::npos)
      << printed.out;
  EXPECT_NE(printed.out.find("\n+1 more\n"), std::string::npos) << printed.out;
  EXPECT_EQ(printed.out.find("\nproject"), std::string::npos);
  EXPECT_EQ(cgrep({"stats", "-p", "nowhere"}).code, 1);
  expect_error({"stats", "docker"}, "no operands");
}

TEST_F(OverviewTest, StatusLooksAndReadsNothing) {
  EXPECT_EQ(cgrep({"status"}).code, 1);
  // What is younger than two seconds counts as newer, whatever was read of it.
  const auto an_hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home_.path()))
    std::filesystem::last_write_time(entry.path(), an_hour_ago);
  cgrep({"index", "-q"});
  EXPECT_TRUE(
      lines({"status"})
          .front()
          .starts_with("7 documents in 3 conversations of 1 store, newest 2026-08-03 09:00, "));
  EXPECT_TRUE(lines({"status"}).front().ends_with("up to date"));
  conversation("44444444-dddd-4000-8000-000000000004", {{"user", "a xylophone"}});
  const auto stale = events({"status", "--json"}, "status");
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_GE(stale[0].find("stale_sources")->integer(), 1);
  EXPECT_EQ(stale[0].find("documents")->integer(), 7);
}

TEST_F(OverviewTest, FieldsAreThoseOfTheParser) {
  EXPECT_EQ(lines({"fields"}).size(), fields().size());
  EXPECT_EQ(events({"fields", "--json"}, "field").size(), fields().size());
}

TEST(ChartTest, BarsFitTheirWidth) {
  EXPECT_EQ(bar(4, 4, 2, true), "██");
  EXPECT_EQ(bar(1, 4, 2, true), "▌");
  EXPECT_EQ(bar(1, 1000, 2, true), "▏");
  EXPECT_EQ(bar(1, 4, 8, false), "##");
  EXPECT_EQ(bar(0, 4, 8, false), "");
}

}  // namespace
}  // namespace cgrep::test
