// Ranking does not get worse: the judged queries of bench/judged, on a small history.
#include <gtest/gtest.h>

#include "bench/judged/evaluate.h"
#include "extract/roots.h"
#include "index/update.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

TEST(JudgedTest, FindsTheConversationThatIsAboutTheWords) {
  const test::TempDir dir;
  const auto home = dir.path() / "home";
  std::filesystem::create_directories(home);
  const auto judged = bench::make_judged_history({.conversations = 400, .topics = 20}, home);
  ASSERT_GE(judged.queries.size(), 60u);
  update(dir.path() / "index", find_roots(process_environment, home), {});
  History history(dir.path() / "index", History::Mode::read);

  const auto ours = bench::judge(history, judged, {});
  for (const auto& judgement : ours)
    EXPECT_NE(judgement.place, 0u) << "not found at all: " << judgement.query->text;
  const auto figures = bench::figures(ours);
  const auto plain = bench::figures(bench::judge(history, judged, RankWeights::plain()));
  EXPECT_GT(figures.mrr, 0.80) << "see bench/README.md, Ranking";
  EXPECT_GT(figures.success_5, 0.95);
  EXPECT_GT(figures.mrr, plain.mrr + 0.2);
}

}  // namespace
}  // namespace cgrep
