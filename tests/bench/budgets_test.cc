#include "bench/measure/budgets.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace cgrep::bench {
namespace {

constexpr std::size_t kUsual = 100'000;

Figure rounds(std::vector<double> seconds) {
  Figure figure;
  figure.seconds = median(seconds);
  figure.rounds = std::move(seconds);
  return figure;
}

Row row_of(const Measured& measured, std::string_view id, std::size_t messages = kUsual) {
  for (const Row& row : judge(measured, messages))
    if (row.id == id) return row;
  ADD_FAILURE() << "no row " << id;
  return {};
}

TEST(BudgetsTest, ARatioIsTheMedianOfThoseOfTheRounds) {
  Measured measured;
  measured.figures["index"] = rounds({4, 1, 5});
  measured.figures["xapian-build"] = rounds({10, 10, 5});
  const Row row = row_of(measured, "index-xapian");
  EXPECT_EQ(row.rounds, (std::vector<double>{0.4, 0.1, 1}));
  EXPECT_EQ(row.value, 0.4);
  EXPECT_EQ(verdict(row), "aim missed");
}

TEST(BudgetsTest, WhatMustBeFasterIsTheOtherWayRoundAndAddsUpItsBaselines) {
  Measured measured;
  measured.figures["rare"] = rounds({1});
  measured.figures["rg-files-rare"] = rounds({10});
  measured.figures["rg-database-rare"] = rounds({9});
  EXPECT_EQ(row_of(measured, "rare-rg").value, 19);
  EXPECT_TRUE(row_of(measured, "rare-rg").missed());
  measured.figures["rg-files-rare"] = rounds({90});
  EXPECT_EQ(verdict(row_of(measured, "rare-rg")), "kept");
  EXPECT_EQ(verdict(row_of(measured, "rare-rg", 1'000'000)), "MISSED");
}

TEST(BudgetsTest, TheRefreshIsComparedWithTheSlowerOfLookAndSearch) {
  Measured measured;
  measured.figures["rare-refresh"] = rounds({6, 6});
  measured.figures["rare"] = rounds({3, 2});
  measured.figures["stat"] = rounds({2, 6});
  EXPECT_EQ(row_of(measured, "rare-refresh").rounds, (std::vector<double>{2, 1}));
}

TEST(BudgetsTest, AnAppendCountsOverTheNoOp) {
  Measured measured;
  measured.figures["append"] = rounds({9});
  measured.figures["noop"] = rounds({5});
  measured.figures["xapian-append"] = rounds({2});
  EXPECT_EQ(row_of(measured, "append").value, 2);
}

TEST(BudgetsTest, SmallHistoriesBindNothingThatIsMeantForBigOnes) {
  Measured measured;
  measured.figures["three"] = rounds({9});
  measured.figures["xapian-three"] = rounds({1});
  EXPECT_EQ(verdict(row_of(measured, "three-xapian", kUsual)), "");
  EXPECT_EQ(verdict(row_of(measured, "three-xapian", 1'000'000)), "MISSED");
}

TEST(BudgetsTest, WhatWasNotMeasuredHasNoRow) {
  EXPECT_TRUE(judge({}, kUsual).empty());
}

TEST(BudgetsTest, TheTableSaysWhatIsMissed) {
  Measured measured;
  measured.values["append-bytes"] = 300e3;
  measured.values["size-words"] = 0.5;
  const std::string text = table(judge(measured, kUsual));
  EXPECT_EQ(text,
            "what                  against        is      must      aim\n"
            "size of words/        bytes of text  0.50    ≤ 0.55    ≤ 0.45   aim missed\n"
            "bytes written for it                 300 KB  ≤ 200 KB  ≤ 50 KB  MISSED\n")
      << text;
}

}  // namespace
}  // namespace cgrep::bench
