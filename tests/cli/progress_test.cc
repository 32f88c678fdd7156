#include "cli/progress.h"

#include <gtest/gtest.h>

namespace cgrep {
namespace {

TEST(ProgressTest, TheBarTellsStoreShareRateAndRest) {
  const Progress progress{.store = "transcripts",
                          .bytes_done = 25'000'000,
                          .bytes_to_do = 100'000'000,
                          .phase = "reading"};
  EXPECT_EQ(progress_bar(progress, 5, 100),
            "transcripts: reading [#####               ]  25%  5.0 MB/s  ETA 0:15");
}

TEST(ProgressTest, WithoutBytesSourcesAreCounted) {
  const Progress progress{
      .store = "plans", .sources_done = 1, .sources_to_do = 2, .phase = "reading"};
  EXPECT_EQ(progress_bar(progress, 0, 100), "plans: reading [##########          ]  50%");
}

TEST(ProgressTest, TheBarFitsTheTerminal) {
  const Progress progress{.store = "transcripts", .bytes_done = 1, .bytes_to_do = 2};
  EXPECT_EQ(progress_bar(progress, 1, 10), "transcrip…");
}

}  // namespace
}  // namespace cgrep
