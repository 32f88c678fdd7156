// What cgrep opens, as the system sees it.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;
namespace fs = std::filesystem;

constexpr const char* kId = "3f2a9c1e-0000-4000-8000-000000000001";

std::string line(const std::string& text) {
  return R"({"role":"user","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n";
}

class OpensTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("strace -o /dev/null true 2>/dev/null") != 0)
      GTEST_SKIP() << "strace is not there, or not allowed";
    const auto folder = fs::path(".cursor/projects/home-ada-widget/agent-transcripts") / kId;
    home_.write(folder / (std::string(kId) + ".jsonl"), line("the auth bug"));
    home_.write(folder / "subagents" / "sub.jsonl", line("look into it"));
    home_.write(".cursor/projects/home-ada-widget/.workspace-trusted",
                R"({"workspacePath":"/home/ada/widget"})");
    for (const auto& entry : fs::recursive_directory_iterator(home_.path()))
      fs::last_write_time(entry, fs::file_time_type::clock::now() - std::chrono::hours(24));
    fs::last_write_time(home_.path() / ".cursor",
                        fs::file_time_type::clock::now() - std::chrono::hours(24));
  }

  /// Runs cgrep and returns what it opened below the home, a path a line.
  std::string opened_by(const std::string& arguments) {
    return opened_by(arguments, home_.path().string());
  }

  std::string opened_by(const std::string& arguments, const std::string& below) {
    std::string opened;
    const std::string all = traced(arguments, "open,openat,openat2");
    for (std::size_t begin = 0; begin < all.size();) {
      const auto end = all.find('\n', begin);
      const auto each = all.substr(begin, end - begin);
      // O_PATH is no more than a name: nothing can be read or listed by it.
      const bool is_name = each.find("O_PATH|O_DIRECTORY") != std::string::npos;
      if (each.find(below + "/") != std::string::npos && !is_name) opened += each + "\n";
      begin = end + 1;
    }
    return opened;
  }

  /// What strace saw of these calls, one a line, each after its thread.
  std::string traced(const std::string& arguments, const std::string& calls) {
    const auto log = (index_.path() / "strace").string();
    const std::string command = "strace -f -e trace=" + calls + " -o " + log + " " CGREP_BINARY +
                                " " + arguments + " --root " + home_.path().string() + " --index " +
                                (index_.path() / "index").string() + " >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return test::read_file(log);
  }

  /// The threads whose calls name this.
  static std::set<std::string> threads_that_name(const std::string& what,
                                                 const std::string& traced) {
    std::set<std::string> threads;
    std::istringstream lines(traced);
    for (std::string each; std::getline(lines, each);)
      if (each.find(what) != std::string::npos) threads.insert(each.substr(0, each.find(' ')));
    return threads;
  }

  TempDir home_{};
  TempDir index_{};
};

TEST_F(OpensTest, TheFirstIndexReadsTheSources) {
  const auto opened = opened_by("index");
  EXPECT_NE(opened.find(std::string(kId) + ".jsonl"), std::string::npos) << opened;
}

TEST_F(OpensTest, ASecondIndexOpensNothingOfTheHistory) {
  opened_by("index");
  EXPECT_EQ(opened_by("index"), "");
}

TEST_F(OpensTest, ASearchWithNothingChangedOpensNothingOfTheHistory) {
  opened_by("index");
  EXPECT_EQ(opened_by("auth bug"), "");
}

// Both together take little longer than the slower of the two; who is done searching helps to look.
TEST_F(OpensTest, ASearchLooksAtTheHistoryInAThreadBesideIt) {
  opened_by("index");
  const auto calls = traced("auth bug", "%file");
  const auto look = threads_that_name("/index/seen\"", calls);
  const auto search = threads_that_name("/words/", calls);
  EXPECT_EQ(look.size(), 1u) << calls;
  EXPECT_EQ(search.size(), 1u) << calls;
  EXPECT_NE(look, search) << calls;
}

TEST_F(OpensTest, WithoutWordsNoRunIsOpened) {
  opened_by("index");
  const auto words = (index_.path() / "index/words").string();
  for (const char* arguments : {"log", "log --role user", "stats", "show 3f2a9c1e"})
    EXPECT_EQ(opened_by(std::string(arguments) + " --refresh never", words), "") << arguments;
  EXPECT_NE(opened_by("log auth --refresh never", words), "");
}

}  // namespace
}  // namespace cgrep
