// Stores that are not read until somebody names them, and what a search says that it left out.
#include <algorithm>
#include <filesystem>

#include "cli/corpus_home.h"
#include "cli/coverage.h"
#include "extract/stores.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

// Stands in the last answer of the demo's chat that no other store has.
constexpr const char* kOnlyInChats = "favour";
constexpr const char* kChat = "bd52f19e-07c6-4a8d-95e3-4f1b60d8c72a";
constexpr const char* kNewChat = "99999999-07c6-4a8d-95e3-4f1b60d8c72a";

class OptInTest : public CorpusHome {
 protected:
  OptInTest() { make("home"); }

  /// A chat is known by the name of its folder.
  void add_a_chat() {
    const auto chats = home() / ".cursor/chats/56b73b602dc08914d522b78edeb0c93b";
    fs::copy(chats / kChat, chats / kNewChat, fs::copy_options::recursive);
  }

  bool indexed(const std::string& store) {
    return with(events({"stores", "--json"}, "store"), "name", store)
        .find("indexed")
        ->boolean()
        .value();
  }

  /// What a search says of a store that it left out; null when it says nothing.
  Json not_searched(std::vector<std::string> words, const std::string& store) {
    words.emplace_back("--json");
    const auto summaries = events(words, "summary");
    EXPECT_EQ(summaries.size(), 1u);
    const auto* all = summaries.at(0).find("coverage")->find("not_searched")->array();
    return with(*all, "store", store);
  }
};

TEST_F(OptInTest, NothingIsReadUntilItIsNamed) {
  EXPECT_EQ(cgrep({"-l", kOnlyInChats}).code, 1);
  EXPECT_FALSE(indexed("chats"));
  EXPECT_EQ(lines({"-l", "--store", "chats", kOnlyInChats}), (Lines{"bd52f19e"}));
  EXPECT_TRUE(indexed("chats"));
  EXPECT_FALSE(indexed("agentkv"));
}

TEST_F(OptInTest, ByIndexToo) {
  cgrep({"index", "-q"});
  const auto result = cgrep({"index", "--store", "chats"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(indexed("chats"));
  EXPECT_EQ(lines({"-l", "--refresh", "never", "--store", "chats", kOnlyInChats}),
            (Lines{"bd52f19e"}));
}

TEST_F(OptInTest, WhatIsReadIsNoLongerLeftOut) {
  cgrep({"index", "-q"});
  cgrep({"index", "-q", "--store", "chats"});
  EXPECT_TRUE(
      not_searched({"--refresh", "never", "--store", "chats", "lanternpost"}, "chats").is_null());
}

TEST_F(OptInTest, FromThenOnItIsKeptUpToDate) {
  cgrep({"index", "-q", "--store", "chats"});
  add_a_chat();
  cgrep({"index", "-q"});
  auto found = lines({"-l", "--refresh", "never", "--store", "chats", kOnlyInChats});
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (Lines{"99999999", "bd52f19e"}));
}

TEST_F(OptInTest, APlainSearchStillLeavesItOut) {
  cgrep({"index", "-q"});
  cgrep({"index", "-q", "--store", "chats"});
  EXPECT_EQ(cgrep({"-l", kOnlyInChats}).code, 1);
  const auto said = cgrep_on_terminal({kOnlyInChats});
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.out.find("not searched (opt-in): chats"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("1 conversation only in chats"), std::string::npos) << said.out;
  const auto left_out = not_searched({kOnlyInChats}, "chats");
  EXPECT_EQ(left_out.find("sources")->integer(), 2);
  EXPECT_EQ(left_out.find("only_there")->integer(), 1);
}

TEST(LeftOutNotesTest, FitOnALineHoweverManyStores) {
  std::vector<LeftOut> stores;
  for (const Store* store : all_stores())
    stores.push_back({.store = store, .sources = 9999, .only = 9999});
  const auto notes = left_out_notes(stores);
  EXPECT_EQ(notes.size(), 4u);
  for (const auto& note : notes) EXPECT_LE(("cgrep: " + note).size(), 80u) << note;
}

TEST_F(OptInTest, ItIsSaidBeforeItIsReadAsWell) {
  const auto said = cgrep_on_terminal({"lanternpost"});
  EXPECT_NE(said.out.find("not searched (opt-in): chats"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("1 conversation only in chats"), std::string::npos) << said.out;
  for (const auto& line : lines_of(said.out))
    if (line.starts_with("cgrep: ")) {
      EXPECT_LE(line.size(), 80u) << line;
    }
  EXPECT_EQ(cgrep({"lanternpost"}).err, "");
}

TEST_F(OptInTest, JsonSaysWhatWasNotSearchedAndWhy) {
  const auto left_out = not_searched({"lanternpost"}, "chats");
  EXPECT_EQ(left_out.text("why"), "opt-in");
  EXPECT_EQ(left_out.find("sources")->integer(), 2);
  EXPECT_EQ(left_out.find("only_there")->integer(), 1);
  EXPECT_EQ(not_searched({"lanternpost"}, "terminals").find("sources")->integer(), 1);
  EXPECT_TRUE(not_searched({"lanternpost"}, "transcripts").is_null());
  EXPECT_TRUE(not_searched({"lanternpost"}, "skills").is_null());
}

TEST_F(OptInTest, WhatIsNamedIsNotSaidToBeLeftOut) {
  EXPECT_TRUE(not_searched({"--store", "chats", "lanternpost"}, "chats").is_null());
  EXPECT_TRUE(not_searched({"--store", "all", "lanternpost"}, "chats").is_null());
  EXPECT_TRUE(not_searched({"store:chats lanternpost"}, "chats").is_null());
  cgrep({"index", "-q", "--store", "terminals"});
  EXPECT_FALSE(not_searched({"--refresh", "never", "lanternpost"}, "terminals").is_null());
}

TEST_F(OptInTest, AllOptsNothingInAndSearchesWhatIs) {
  EXPECT_EQ(cgrep({"-l", "--store", "all", kOnlyInChats}).code, 1);
  EXPECT_FALSE(indexed("chats"));
  cgrep({"index", "-q", "--store", "all"});
  EXPECT_FALSE(indexed("chats"));
  cgrep({"index", "-q", "--store", "chats"});
  EXPECT_EQ(lines({"-l", "--store", "all", kOnlyInChats}), (Lines{"bd52f19e"}));
}

TEST_F(OptInTest, ExcludingAStoreDoesNotOptIn) {
  EXPECT_EQ(cgrep({"-l", "--store", "!chats", "lanternpost"}).code, 0);
  EXPECT_FALSE(indexed("chats"));
}

TEST_F(OptInTest, WhatIsExcludedIsNotRead) {
  for (const char* stores : {"!transcripts", "all,!transcripts"}) {
    const auto summary = cgrep({"index", "--store", stores}).out;
    EXPECT_EQ(summary.find("transcripts "), std::string::npos) << summary;
    EXPECT_NE(summary.find("bubbles "), std::string::npos) << summary;
  }
}

}  // namespace
}  // namespace cgrep::test
