// Readers beside a writer that commits and merges all the time: each answer is one state of the
// index, whole, and no reader waits, fails or notices. CGREP_SOAK=SECONDS makes it last.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

class ReadersTest : public testing::Test {
 protected:
  static std::chrono::seconds duration() {
    const char* soak = std::getenv("CGREP_SOAK");
    return std::chrono::seconds(soak != nullptr ? std::max(std::atoi(soak), 5) : 5);
  }

  RunResult cgrep(std::vector<std::string> words) const {
    words.insert(words.end(), {"--root", home_.path().string(), "--index", index_.string()});
    return run_cgrep(words, {.environment = {{"TZ", "UTC"}, {"LC_ALL", "C.UTF-8"}}});
  }

  /// The message number N says so, exactly and in a word of its own, and all older ones exist.
  void say(int number) {
    const auto id = fmt::format("aaaaaaaa-{:04}", number % 7);
    const auto path =
        fmt::format(".cursor/projects/home-ada-w/agent-transcripts/{}/{}.jsonl", id, id);
    const auto line = fmt::format(
        R"({{"role":"user","message":{{"content":[{{"type":"text","text":"sequence seq{:06} of {}"}}]}}}})"
        "\n",
        number, number);
    fs::create_directories((home_.path() / path).parent_path());
    home_.append(path, line);
  }

  /// The numbers in an answer; -1 for what is none.
  static std::set<int> numbers_in(const std::string& out) {
    std::set<int> numbers;
    for (std::size_t at = out.find("seq0"); at != std::string::npos; at = out.find("seq0", at + 1))
      numbers.insert(std::atoi(out.c_str() + at + 3));
    return numbers;
  }

  void expect_one_state(const RunResult& result, int before, const std::string& what) {
    const int after = said_;
    const std::lock_guard lock(mutex_);
    ++answers_;
    EXPECT_LE(result.code, 1) << what << ": " << result.err;
    EXPECT_EQ(result.err, "") << what;
    const auto numbers = numbers_in(result.out);
    const int newest = numbers.empty() ? 0 : *numbers.rbegin();
    EXPECT_EQ(static_cast<int>(numbers.size()), newest) << what << " has gaps";
    EXPECT_GE(newest, before) << what << " is older than what was committed before";
    EXPECT_LE(newest, after) << what << " knows the future";
    states_.insert(newest);
  }

  void read_until_told(int reader) {
    const std::vector<std::vector<std::string>> questions = {
        {"-F", "sequence seq", "--refresh", "never"},
        {"sequence", "--refresh", "never", "--limit", "0"},
        {"-E", "seq[0-9]{6} of", "--refresh", "never"},
        {"seq*", "--refresh", "never", "--limit", "0"}};
    for (std::size_t turn = static_cast<std::size_t>(reader); !stop_; ++turn) {
      const auto& question = questions[turn % questions.size()];
      const int before = committed_;
      expect_one_state(cgrep(question), before, question.front());
    }
  }

  void write_until_told() {
    const auto end = std::chrono::steady_clock::now() + duration();
    for (int round = 1; std::chrono::steady_clock::now() < end; ++round) {
      const int upto = said_ + 1 + round % 3;
      for (int number = said_ + 1; number <= upto; ++number) {
        said_ = number;  // before it can be seen
        say(number);
      }
      std::vector<std::string> words = {"index", "-q"};
      if (round % 16 == 0) words.emplace_back("--compact");
      if (round % 23 == 0) words.emplace_back("--rebuild");
      const auto result = cgrep(words);
      EXPECT_EQ(result.code, 0) << result.err;
      committed_ = upto;
    }
    stop_ = true;
  }

  TempDir home_{};
  fs::path index_ = home_.path() / "index";
  std::atomic<bool> stop_ = false;
  std::atomic<int> said_ = 0;
  std::atomic<int> committed_ = 0;
  std::mutex mutex_{};
  int answers_ = 0;         // guarded by mutex_
  std::set<int> states_{};  // guarded by mutex_: the newest of each answer
};

TEST_F(ReadersTest, EachAnswerIsOneStateOfTheIndex) {
  said_ = 1;
  say(1);
  ASSERT_EQ(cgrep({"index", "-q"}).code, 0);
  committed_ = 1;
  std::vector<std::thread> readers;
  for (int i = 0; i < 8; ++i) readers.emplace_back([this, i] { read_until_told(i); });
  write_until_told();
  for (auto& reader : readers) reader.join();
  EXPECT_GT(states_.size(), 1u);
  RecordProperty("answers", answers_);
  RecordProperty("states", static_cast<int>(states_.size()));
  fmt::print("{} answers from {} states, {} messages\n", answers_, states_.size(),
             committed_.load());
}

}  // namespace
}  // namespace cgrep::test
