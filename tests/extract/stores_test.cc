#include "extract/stores.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace cgrep {
namespace {

TEST(StoresTest, KeepsItsIdsForEver) {
  const std::map<int, std::string_view> kIds = {
      {1, "transcripts"}, {2, "subagents"},   {3, "bubbles"},      {4, "composers"},
      {5, "summaries"},   {6, "prompts"},     {7, "legacy-chats"}, {8, "plans"},
      {9, "chats"},       {10, "agentkv"},    {11, "diffs"},       {12, "contexts"},
      {13, "commits"},    {14, "ai-files"},   {15, "terminals"},   {16, "agent-tools"},
      {17, "uploads"},    {18, "notes"},      {19, "skills"},      {20, "canvases"},
      {21, "mcps"},       {22, "repo-meta"},  {23, "cli-state"},   {24, "search-db"},
      {25, "worktrees"},  {26, "daily-stats"}};
  std::map<int, std::string_view> ids;
  for (const Store* store : all_stores()) ids.emplace(store->id, store->name);
  EXPECT_EQ(ids, kIds);
  EXPECT_EQ(all_stores().size(), kIds.size());
}

TEST(StoresTest, NoNameMeansTwoStores) {
  std::set<std::string_view> names;
  for (const Store* store : all_stores()) {
    EXPECT_TRUE(names.insert(store->name).second) << store->name;
    for (const auto alias : store->aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
    EXPECT_FALSE(store->summary.empty()) << store->name;
  }
}

TEST(StoresTest, FindsByNameSingularAndAlias) {
  for (const auto& [name, store] :
       std::map<std::string, std::string>{{"transcripts", "transcripts"},
                                          {"transcript", "transcripts"},
                                          {"transcript-txt", "transcripts"},
                                          {"composer-header", "composers"},
                                          {"summary", "summaries"},
                                          {"ai-summary", "summaries"},
                                          {"generation", "prompts"},
                                          {"chat-store", "chats"},
                                          {"request-context", "contexts"},
                                          {"ai-hash", "ai-files"},
                                          {"canvas", "canvases"},
                                          {"agentkv", "agentkv"}}) {
    ASSERT_NE(find_store(name), nullptr) << name;
    EXPECT_EQ(find_store(name)->name, store) << name;
  }
  for (const char* name : {"", "transcripts ", "checkpoint", "all"})
    EXPECT_EQ(find_store(name), nullptr) << name;
}

TEST(StoresTest, SearchesByDefaultWhatPeopleWroteAndRead) {
  std::string by_default;
  for (const Store* store : all_stores())
    if (store->searched == Searched::by_default) by_default += std::string(store->name) + " ";
  EXPECT_EQ(by_default,
            "transcripts subagents bubbles composers summaries prompts legacy-chats plans ");
  EXPECT_EQ(find_store("chats")->searched, Searched::when_named);
  EXPECT_EQ(find_store("repo-meta")->searched, Searched::never);
}

TEST(StoresTest, WhatIsReadHasAVersion) {
  for (const Store* store : all_stores()) {
    EXPECT_EQ(store->readable(), store->version > 0) << store->name;
    if (store->readable()) {
      EXPECT_NE(store->discover, nullptr) << store->name;
    }
  }
}

TEST(StoresTest, GuessesWhatWasMeant) {
  EXPECT_EQ(nearest_store("transcirpts").name, "transcripts");
  EXPECT_EQ(nearest_store("buble").name, "bubbles");
  EXPECT_EQ(nearest_store("sumary").name, "summaries");
  EXPECT_EQ(nearest_store("terminal-s").name, "terminals");
  EXPECT_FALSE(nearest_store("").name.empty());
  EXPECT_FALSE(nearest_store(std::string(100'000, 'x')).name.empty());
}

}  // namespace
}  // namespace cgrep
