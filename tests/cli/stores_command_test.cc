#include <gtest/gtest.h>

#include "cli/corpus_home.h"
#include "cli/history_home.h"
#include "extract/json.h"
#include "extract/stores.h"

namespace cgrep::test {
namespace {

class StoresCommandTest : public StandardHome {};

TEST_F(StoresCommandTest, WithoutAnIndexWhatWasFound) {
  const auto result = cgrep({"stores"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(
      result.out.find("transcripts  default         3     -         -        - no index yet   "
                      "  ~/.cursor/projects\n"),
      std::string::npos)
      << result.out;
  EXPECT_NE(result.err.find("no index yet"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(home_.path() / ".local/share/cgrep"));
}

TEST_F(StoresCommandTest, WithAnIndexWhatIsInIt) {
  cgrep({"index", "-q"});
  const auto result = cgrep({"stores"});
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("transcripts  default         3     0         7        0 2026-08-03"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("chats        opt-in          0     -         -        - opt-in\n"),
            std::string::npos)
      << result.out;
}

TEST_F(StoresCommandTest, JsonListsTheWholeCatalogue) {
  const auto lines = lines_of(cgrep({"stores", "--json"}).out);
  ASSERT_EQ(lines.size(), all_stores().size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto event = Json::parse(lines[i]);
    ASSERT_TRUE(event) << lines[i];
    EXPECT_EQ(event->find("data")->text("name"), all_stores()[i]->name);
  }
}

class StoresOfTheDemo : public CorpusHome {
 protected:
  StoresOfTheDemo() { make("home"); }

  Json store(const std::string& name) {
    return with(events({"stores", "--json"}, "store"), "name", name);
  }

  Lines below_home(const Lines& paths) {
    Lines found;
    for (const auto& path : paths)
      found.push_back(std::filesystem::path(path).lexically_relative(home()).string());
    return found;
  }
};

TEST_F(StoresOfTheDemo, SayWhereTheyAreAndWhatIsIndexed) {
  cgrep({"index", "-q"});
  const auto transcripts = store("transcripts");
  EXPECT_EQ(transcripts.text("class"), "default");
  EXPECT_EQ(below_home(strings(transcripts.find("locations"))), Lines{".cursor/projects"});
  EXPECT_EQ(transcripts.find("sources")->integer(), 19);
  EXPECT_EQ(transcripts.find("indexed_sources")->integer(), 19);
  EXPECT_EQ(transcripts.find("indexed")->boolean(), true);
  EXPECT_TRUE(transcripts.find("not_indexed_because")->is_null());
  EXPECT_GT(transcripts.find("documents")->integer(), 100);
  EXPECT_EQ(transcripts.find("problems")->integer(), 0);
  EXPECT_TRUE(transcripts.text("newest").starts_with("2026-06-1"));
}

TEST_F(StoresOfTheDemo, SayWhyTheyAreNotIndexed) {
  EXPECT_EQ(store("transcripts").text("not_indexed_because"), "no index yet");
  EXPECT_TRUE(store("transcripts").find("documents")->is_null());
  cgrep({"index", "-q"});
  EXPECT_EQ(store("chats").text("class"), "opt-in");
  EXPECT_EQ(store("chats").text("not_indexed_because"), "opt-in");
  EXPECT_EQ(store("chats").find("sources")->integer(), 2);
  EXPECT_EQ(store("chats").find("documents")->integer(), 0);
  EXPECT_EQ(store("mcps").text("class"), "catalogue");
  EXPECT_EQ(store("mcps").text("not_indexed_because"), "only listed");
  cgrep({"index", "-q", "--store", "chats"});
  EXPECT_TRUE(store("chats").find("not_indexed_because")->is_null());
  EXPECT_GT(store("chats").find("documents")->integer(), 10);
}

TEST_F(StoresOfTheDemo, InATable) {
  cgrep({"index", "-q"});
  const auto out = cgrep({"stores"}).out;
  for (const char* row : {"\nbubbles      default         2 ", " ~/.config/Cursor/User\n",
                          "\nchats        opt-in          2     -         -        - opt-in ",
                          "\nskills       opt-in          0     -         -        - opt-in\n",
                          "\nrepo-meta    catalogue       6     -         -        - only listed "})
    EXPECT_NE(out.find(row), std::string::npos) << row << " in\n" << out;
}

TEST_F(StoresOfTheDemo, SayWhatIsNewerThanTheIndex) {
  cgrep({"index", "-q"});
  EXPECT_EQ(store("transcripts").find("stale_sources")->integer(), 0);
  EXPECT_TRUE(store("chats").find("stale_sources")->is_null());
  const auto folder = home() / ".cursor/projects/home-mira-lanternpost/agent-transcripts";
  std::filesystem::remove_all(folder / "8c41d7aa-90be-4f57-b2c3-1d6f0e9a3b58");
  EXPECT_EQ(store("transcripts").find("stale_sources")->integer(), 1);
  EXPECT_EQ(store("bubbles").find("stale_sources")->integer(), 0);
  EXPECT_NE(cgrep({"stores"}).out.find("transcripts  default        18     1 "), std::string::npos);
}

TEST_F(StoresOfTheDemo, FitATerminal) {
  cgrep({"index", "-q"});
  const auto out = cgrep_on_terminal({"stores"}).out;
  EXPECT_EQ(out.find("PROBLEMS"), std::string::npos) << out;
  for (const std::string& line : lines_of(out)) EXPECT_LE(line.size(), 80u + 1) << line;
}

class StoresOfTheCorpus : public CorpusHome {};

TEST_F(StoresOfTheCorpus, ProblemsAreCounted) {
  make("bubbles/damaged/home");
  cgrep({"index", "-q"});
  const auto bubbles = with(events({"stores", "--json"}, "store"), "name", "bubbles");
  EXPECT_EQ(bubbles.find("problems")->integer(), 6);
}

TEST_F(StoresOfTheCorpus, OfTheCatalogueWhatSourcesHoldIsCounted) {
  make("daily-stats/basic/home");
  const auto stats = with(events({"stores", "--json"}, "store"), "name", "daily-stats");
  EXPECT_EQ(stats.find("sources")->integer(), 2);
  EXPECT_EQ(stats.text("not_indexed_because"), "only listed");
}

}  // namespace
}  // namespace cgrep::test
