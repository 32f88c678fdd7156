#include "index/runs.h"

#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "index/damaged.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;

RunDocument said(std::int64_t row, std::string text, Role role = Role::user) {
  return {.row = row, .conversation = 7, .role = role, .text = std::move(text)};
}

Run make(const TempDir& dir, const std::string& name, const std::vector<RunDocument>& documents) {
  const auto maker = make_run(dir.path() / name);
  for (const auto& document : documents) maker->add(document);
  maker->finish();
  return {.name = name,
          .first = documents.front().row,
          .last = documents.back().row,
          .documents = static_cast<std::int64_t>(documents.size())};
}

/// Every posting of the runs: term → row → count.
std::map<std::string, std::map<std::int64_t, unsigned>> postings(const Runs& runs) {
  std::map<std::string, std::map<std::int64_t, unsigned>> all;
  const auto& database = runs.database();
  for (auto term = database.allterms_begin(); term != database.allterms_end(); ++term)
    for (auto post = database.postlist_begin(*term); post != database.postlist_end(*term); ++post)
      all[*term][runs.row_of(*post)] = post.get_wdf();
  return all;
}

TEST(RunsTest, HoldWordsAndBooleanTermsUnderTheRowsOfTheirDocuments) {
  const TempDir dir;
  RunDocument call = said(12, "ls -la", Role::tool_call);
  call.tool = "run_terminal_cmd";
  const auto run = make(dir, "a", {said(5, "the auth bug, the bug"), call});
  const Runs runs(dir.path(), {run});
  const auto all = postings(runs);
  EXPECT_EQ(all.at("bug"), (std::map<std::int64_t, unsigned>{{5, 2}}));
  EXPECT_EQ(all.at("Ruser"), (std::map<std::int64_t, unsigned>{{5, 0}}));
  EXPECT_EQ(all.at("Rtool-call"), (std::map<std::int64_t, unsigned>{{12, 0}}));
  EXPECT_TRUE(all.contains("Trun_terminal_cmd"));
  EXPECT_TRUE(all.contains("Tshell"));
  EXPECT_EQ(all.at("C7").size(), 2u);
}

TEST(RunsTest, MarkDocumentsWithWordsTooLongForATerm) {
  const TempDir dir;
  const auto run = make(dir, "a", {said(1, "short"), said(2, std::string(500, 'x') + " end")});
  const auto all = postings(Runs(dir.path(), {run}));
  EXPECT_EQ(all.at("L"), (std::map<std::int64_t, unsigned>{{2, 0}}));
  EXPECT_TRUE(all.contains("end"));
}

TEST(RunsTest, HaveAVocabularyOfTheirWordsOnly) {
  const TempDir dir;
  const auto run = make(dir, "a", {said(1, "auth bug")});
  const Runs runs(dir.path(), {run});
  EXPECT_EQ(runs.vocabularies().front().words(), "auth\nbug\n");
}

TEST(RunsTest, MergedEqualOneRunOfAll) {
  const TempDir dir;
  const auto first = make(dir, "a", {said(1, "auth bug"), said(3, "one more bug")});
  const auto second = make(dir, "b", {said(4, "auth"), said(9, "café getUserById")});
  const auto merged = merge_runs(dir.path(), {first, second}, "m");
  const auto whole = make(
      dir, "w",
      {said(1, "auth bug"), said(3, "one more bug"), said(4, "auth"), said(9, "café getUserById")});
  EXPECT_EQ(merged.documents, 4);
  EXPECT_EQ(merged.first, 1);
  EXPECT_EQ(merged.last, 9);
  const Runs of_merged(dir.path(), {merged});
  const Runs of_whole(dir.path(), {whole});
  EXPECT_EQ(postings(of_merged), postings(of_whole));
  EXPECT_EQ(of_merged.vocabularies().front().words(), of_whole.vocabularies().front().words());
  EXPECT_EQ(of_merged.database().get_avlength(), of_whole.database().get_avlength());
}

TEST(RunsTest, OpenedTogetherGiveRows) {
  const TempDir dir;
  const auto a = make(dir, "a", {said(1, "bug"), said(2, "x")});
  const auto b = make(dir, "b", {said(30, "bug")});
  const auto c = make(dir, "c", {said(31, "y"), said(500, "bug")});
  const auto all = postings(Runs(dir.path(), {a, b, c}));
  EXPECT_EQ(all.at("bug"), (std::map<std::int64_t, unsigned>{{1, 1}, {30, 1}, {500, 1}}));
}

TEST(RunsTest, SayWhenTheyAreDamaged) {
  const TempDir dir;
  const auto run = make(dir, "a", {said(1, "bug")});
  std::ofstream(dir.path() / "a" / "iamglass") << "not a version file";
  EXPECT_THROW(Runs(dir.path(), {run}), Damaged);
  EXPECT_THROW(Runs(dir.path(), {{.name = "absent"}}), Damaged);
}

TEST(RunsTest, ArePrivate) {
  const TempDir dir;
  make(dir, "a", {said(1, "bug")});
  using std::filesystem::perms;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path() / "a"))
    EXPECT_EQ(entry.status().permissions() & (perms::group_all | perms::others_all), perms::none)
        << entry.path();
}

std::vector<Run> sized(const std::vector<std::int64_t>& sizes) {
  std::vector<Run> runs;
  std::int64_t row = 1;
  for (const auto size : sizes) {
    runs.push_back({.first = row, .last = row + size - 1, .documents = size});
    row += size;
  }
  return runs;
}

std::size_t to_merge(const std::vector<std::int64_t>& sizes, std::int64_t dropped = 0) {
  return plan_merge(sized(sizes), dropped).runs.size();
}

TEST(MergePlanTest, LeavesFewRunsAlone) {
  EXPECT_EQ(to_merge({}), 0u);
  EXPECT_EQ(to_merge({1, 1, 1}), 0u);
  EXPECT_EQ(to_merge({5000, 1, 1, 1, 1, 1, 1, 1}), 0u);
}

TEST(MergePlanTest, MergesEightOfASize) {
  EXPECT_EQ(to_merge({5000, 1, 1, 1, 1, 1, 1, 1, 1}), 8u);
  EXPECT_EQ(to_merge({5000, 10, 12, 9, 8, 20, 11, 13, 30, 1}), 9u);
}

TEST(MergePlanTest, RewritesTheBigOneWhenTheRestPassesATenth) {
  EXPECT_EQ(to_merge({100'000, 9'000}), 0u);
  EXPECT_EQ(to_merge({100'000, 9'000, 2'000}), 3u);
}

TEST(MergePlanTest, RewritesWhenTooMuchIsNoLongerCurrent) {
  EXPECT_FALSE(plan_merge(sized({5'000}), 400).rewrite);
  EXPECT_TRUE(plan_merge(sized({5'000}), 600).rewrite);
}

}  // namespace
}  // namespace cgrep
