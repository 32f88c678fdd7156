#include "bench/measure/report.h"

#include <fstream>

#include <gtest/gtest.h>

#include "bench/measure/chart.h"
#include "support/temp_dir.h"

namespace cgrep::bench {
namespace {

Results results_of(std::string size, std::size_t messages, double seconds) {
  Results results{.date = "2026-11-17",
                  .size = std::move(size),
                  .messages = messages,
                  .seed = 1,
                  .rounds = 2,
                  .commit = "abc1234",
                  .command = "bench/run --size 100k"};
  results.machine = {.cpu = "Some \"CPU\"", .system = "Debian", .cores = 2, .memory = 8e9};
  results.corpus = {{"documents", 101'234}, {"text", 96.5e6}};
  for (const char* task : {"index", "xapian-build", "fts5-build"}) {
    Figure& figure = results.measured.figures[task];
    figure.seconds = seconds;
    figure.rounds = {seconds, seconds};
    figure.memory = 123'456'789;
  }
  results.measured.values["size-words"] = 0.44;
  return results;
}

TEST(ReportTest, ResultsAreReadAsTheyWereWritten) {
  const test::TempDir folder;
  const Results written = results_of("100k", 100'000, 4.25);
  std::ofstream(folder.path() / "2026-11-17-100k.json") << to_json(written);
  const Results read = read_results(folder.path() / "2026-11-17-100k.json");
  EXPECT_EQ(to_json(read), to_json(written));
  EXPECT_EQ(read.machine.cpu, "Some \"CPU\"");
  EXPECT_EQ(read.measured.figures.at("index").rounds, (std::vector<double>{4.25, 4.25}));
  EXPECT_EQ(read.rows().size(), written.rows().size());
}

TEST(ReportTest, OfEachSizeTheNewestCounts) {
  Results old = results_of("10k", 10'000, 1);
  Results extras = results_of("10k", 10'000, 3);
  extras.measured.figures.clear();
  const auto newest = newest_of_each_size(
      {old, results_of("100k", 100'000, 9), results_of("10k", 10'000, 2), extras});
  ASSERT_EQ(newest.size(), 2u);
  EXPECT_EQ(newest[0].measured.figures.at("index").seconds, 2);
  EXPECT_EQ(newest[1].size, "100k");
}

TEST(ReportTest, TheSectionNamesMachineHistoryAndCommand) {
  const std::string section =
      speed_section({results_of("10k", 10'000, 1), results_of("100k", 100'000, 4.25)});
  for (const char* part : {"`bench/run --size 100k`", "Some \"CPU\"", "100 000 generated messages",
                           "101 234 documents", "| first index | 4.2 s |"})
    EXPECT_NE(section.find(part), section.npos) << part << " is not in\n" << section;
}

TEST(ReportTest, OnlyWhatStandsBetweenTheMarkersIsReplaced) {
  const std::string begin = "<!-- speed: made by bench/report, do not edit -->\n";
  const std::string end = "<!-- end of speed -->\n";
  EXPECT_EQ(with_section("a\n" + begin + "old\n" + end + "b\n", "new\n"),
            "a\n" + begin + "new\n" + end + "b\n");
  EXPECT_THROW(with_section("no markers", "new\n"), std::runtime_error);
}

TEST(ReportTest, TheChartHasALineForEachSeriesWithFigures) {
  const std::string chart =
      growth_chart({results_of("10k", 10'000, 1), results_of("100k", 100'000, 10)});
  EXPECT_NE(chart.find("First index, s"), chart.npos);
  EXPECT_NE(chart.find(">100k</text>"), chart.npos);
  EXPECT_EQ(chart.find("nan"), chart.npos);
  EXPECT_EQ(chart.find("inf"), chart.npos);
}

}  // namespace
}  // namespace cgrep::bench
