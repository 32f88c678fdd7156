// The demo: one conversation in three stores is one answer.
#include <map>
#include <set>
#include <vector>

#include "cli/corpus_home.h"
#include "cli/display.h"

namespace cgrep::test {
namespace {

constexpr const char* kAuthBug = "3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3";

class DemoSearchTest : public CorpusHome {
 protected:
  DemoSearchTest() {
    make("home");
    EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
    EXPECT_EQ(cgrep({"index", "-q", "--store", "chats"}).code, 0);
  }
};

std::set<std::string> stores_of(const Json& document) {
  const auto names = strings(document.find("stores"));
  return {names.begin(), names.end()};
}

TEST_F(DemoSearchTest, TheAuthBugComesFirstFromAllItsStores) {
  std::set<std::string> stores;
  const auto hits = events({"--json", "auth bug"}, "begin");
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].text("conversation"), kAuthBug);
  for (const auto& hit : hits)
    if (hit.text("conversation") == kAuthBug) stores.merge(stores_of(hit));
  for (const char* store : {"transcripts", "bubbles", "chats"})
    EXPECT_TRUE(stores.contains(store)) << store;
}

TEST_F(DemoSearchTest, AListFitsTheTerminal) {
  const auto printed = lines_of(cgrep_on_terminal({"log", "--limit", "0"}).out);
  ASSERT_GT(printed.size(), 30u);
  for (std::string line : printed) {
    if (line.ends_with('\r')) line.pop_back();
    EXPECT_LE(display_width(line), 80u) << line;
  }
}

TEST_F(DemoSearchTest, WhatTheThreeShareIsOneDocument) {
  std::map<std::string, int> texts;
  int shared = 0;
  for (const auto& document : events({"show", "--all", "--json", "3f2a9c1e"}, "document")) {
    const auto role = document.text("role");
    if (role != "user" && role != "assistant") continue;
    ++texts[std::string(role) + ' ' + std::string(document.text("text"))];
    const auto stores = stores_of(document);
    if (stores.contains("transcripts") && stores.contains("bubbles") && stores.contains("chats"))
      ++shared;
  }
  EXPECT_EQ(shared, 3);
  for (const auto& [text, count] : texts) EXPECT_EQ(count, 1) << text;
}

TEST_F(DemoSearchTest, ACallThatTheStoresNameDifferentlyIsOneDocument) {
  std::vector<std::set<std::string>> calls;
  for (const auto& hit : events({"--json", "--store", "all", "--role", "tool-call", "--tool",
                                 "Grep", "--conversation", "3f2a9c1e"},
                                "begin"))
    calls.push_back(stores_of(hit));
  const std::set<std::string> everywhere = {"transcripts", "bubbles", "chats"};
  EXPECT_EQ(calls, std::vector{everywhere});
}

// The prompts of the demo stand in conversations as well.
TEST_F(DemoSearchTest, PromptsThatOnlyRepeatAreShownWhenNamed) {
  const auto prompts = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--json", "--role", "prompt"});
    return events(words, "begin").size();
  };
  EXPECT_LT(prompts({}), prompts({"--store", "prompts"}));
}

}  // namespace
}  // namespace cgrep::test
