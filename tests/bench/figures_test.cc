#include "bench/measure/figures.h"

#include <gtest/gtest.h>

namespace cgrep::bench {
namespace {

Cost cost(double seconds, std::uint64_t memory = 0, std::uint64_t written = 0) {
  return {.seconds = seconds, .memory = memory, .written = written};
}

TEST(FiguresTest, AMedianIsTheMiddleOrBetweenTheTwoThatAre) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
}

TEST(FiguresTest, ARoundIsTheMedianOfItsSamplesAndTheFigureThatOfTheRounds) {
  const Figure figure =
      figure_of({{cost(1), cost(9), cost(2)}, {cost(5)}, {cost(3), cost(3), cost(100)}});
  EXPECT_EQ(figure.rounds, (std::vector<double>{2, 5, 3}));
  EXPECT_EQ(figure.seconds, 3);
}

TEST(FiguresTest, OfMemoryTheMostIsKept) {
  EXPECT_EQ(figure_of({{cost(1, 10), cost(1, 70)}, {cost(1, 20)}}).memory, 70u);
}

TEST(FiguresTest, TasksAreRunInTurns) {
  std::string order;
  Rounds rounds;
  const auto task = [&](char name) {
    return [&order, name] {
      order += name;
      return Cost{};
    };
  };
  rounds.add("a", task('a'));
  rounds.add("b", task('b'));
  rounds.run(2);
  rounds.run(1);
  EXPECT_EQ(order, "ababab");
  EXPECT_EQ(rounds.samples().at("a").size(), 2u);
}

TEST(FiguresTest, ASlowTaskIsNotRepeated) {
  Rounds rounds;
  rounds.add("slow", [] { return cost(5); });
  rounds.add("quick", [] { return cost(0.1); });
  rounds.run(4, 3);
  EXPECT_EQ(rounds.samples().at("slow").front().size(), 1u);
  EXPECT_EQ(rounds.samples().at("quick").front().size(), 4u);
}

TEST(ProcessTest, TellsWhatACommandCost) {
  const Runner runner("/nonexistent");
  const Cost cost = runner.must({"sh", "-c", "printf 12345; printf '%s' \"$HOME\" >&2"});
  EXPECT_EQ(cost.output, "12345");
  EXPECT_EQ(cost.errors, "/nonexistent");
  EXPECT_GE(cost.written, 5u + 12u);
  EXPECT_GT(cost.memory, 100'000u);
  EXPECT_GT(cost.seconds, 0);
}

TEST(ProcessTest, TellsTheExitStatusOrThrows) {
  const Runner runner("/nonexistent");
  EXPECT_EQ(runner.run({"sh", "-c", "exit 3"}).status, 3);
  EXPECT_THROW(runner.must({"sh", "-c", "exit 3"}), std::runtime_error);
}

}  // namespace
}  // namespace cgrep::bench
