// How fresh an answer is: --refresh, --refresh-budget, index --lazy.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/history_home.h"
#include "extract/json.h"
#include "index/checks.h"
#include "index/folder.h"
#include "support/eventually.h"
#include "support/processes.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNew = "44444444-dddd-4000-8000-000000000004";

class RefreshTest : public StandardHome {
 protected:
  RefreshTest() {
    // What was young when it was read is looked at again.
    const auto an_hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::recursive_directory_iterator(home_.path()))
      fs::last_write_time(entry, an_hour_ago);
    cgrep({"index", "-q"});
  }

  fs::path index() const { return home_.path() / ".local/share/cgrep"; }

  /// As if the last check had been long ago.
  void age_check() const { note_check(index(), *last_check(index()) - 3'600'000'000'000); }

  /// Each with a prompt of its own, appended before it starts.
  static std::string ten_lazy() {
    return append_and(R"("$CGREP" index --lazy --quiet || echo "failed: $?" &)") + "wait";
  }

  static std::string append_and(const std::string& command) {
    return fmt::format(
        "for i in 0 1 2 3 4 5 6 7 8 9; do\n"
        R"(echo '{{"role":"user","message":{{"content":"lazy'$i'"}}}}' >> )"
        ".cursor/projects/home-ada-widget/agent-transcripts/{0}/{0}.jsonl\n{1}\ndone\n",
        kLogin, command);
  }

  std::size_t found_of_ten() {
    std::size_t found = 0;
    for (int i = 0; i < 10; ++i)
      if (cgrep({"-q", "--refresh", "never", fmt::format("lazy{}", i)}).code == 0) ++found;
    return found;
  }

  /// How many runs were ever made: one for each commit of new words.
  std::size_t newest_run() const {
    std::size_t newest = 0;
    for (const auto& entry : fs::directory_iterator(index() / "words"))
      newest = std::max(newest, std::stoul(entry.path().filename().string().substr(4)));
    return newest;
  }

  /// That are still there, to look later.
  std::size_t lazy_ones() const {
    return processes_in(home_.path(), std::string("index\0--lazy", 12));
  }

  /// But those that SQLite keeps beside its own.
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(index()))
      if (const auto name = entry.path().filename().string(); !name.starts_with("history.db-"))
        names.insert(name);
    return names;
  }
};

TEST_F(RefreshTest, WhatTheBudgetLeavesIsSaid) {
  conversation(kNew, {{"user", "the docker needle"}});
  const auto result = cgrep({"--json", "--refresh-budget", "0", "docker"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "cgrep: 1 source is newer than this answer; cgrep index reads it\n");
  EXPECT_EQ(result.out.find("needle"), std::string::npos);
  const auto last = Json::parse(lines_of(result.out).back());
  ASSERT_TRUE(last);
  const auto* coverage = last->find("data")->find("coverage");
  EXPECT_EQ(coverage->find("complete")->boolean(), false);
  EXPECT_EQ(coverage->find("refreshed")->boolean(), false);
  EXPECT_EQ(coverage->find("stale_sources")->integer(), 1);
  EXPECT_EQ(cgrep({"-q", "--strict", "--refresh-budget", "0", "docker"}).code, 2);
  const auto never = cgrep({"-q", "--refresh", "never", "needle"});
  EXPECT_EQ(never.code, 1);
  EXPECT_EQ(never.err, "");
  EXPECT_EQ(cgrep({"-q", "--refresh", "always", "--refresh-budget", "0", "needle"}).code, 0);
}

TEST_F(RefreshTest, WhatWasJustSaidIsFoundByTheSameSearch) {
  EXPECT_EQ(cgrep({"-q", "needle"}).code, 1);
  shell(append_and(""));
  const auto appended = cgrep({"--json", "lazy7"});
  EXPECT_EQ(appended.code, 0) << appended.err;
  EXPECT_NE(appended.out.find(R"("refreshed":true,"stale_sources":0)"), std::string::npos)
      << appended.out;
  conversation(kNew, {{"user", "the docker needle"}}, "home-ada-gizmo");
  EXPECT_EQ(cgrep({"-l", "needle", "-p", "home-ada-gizmo"}).out, "44444444\n");
  EXPECT_EQ(cgrep({"-l", "--sort", "newest", "docker"}).out, "44444444\n22222222\n");
  EXPECT_EQ(cgrep({"-q", "-F", "docker need"}).code, 0);
}

TEST_F(RefreshTest, WithNothingChangedNothingIsWritten) {
  const auto state = [&] {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator(index())) {
      struct stat status = {};
      EXPECT_EQ(stat(entry.path().c_str(), &status), 0);
      all += fmt::format("{} {} {} {}.{}\n", entry.path().string(), status.st_ino, status.st_size,
                         status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    }
    return all;
  };
  cgrep({"index", "-q", "--compact"});  // else the journal is left to SQLite, which shares memory
  const auto before = state();
  EXPECT_EQ(cgrep({"-l", "docker"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"status"}).code, 0);
  EXPECT_EQ(state(), before);
}

TEST_F(RefreshTest, NothingChangedIsToldWhileAnotherProcessWrites) {
  const auto writing = WriterLock::try_take(index());
  ASSERT_TRUE(writing);
  const auto result = cgrep({"--json", "--strict", "docker"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);  // does not wait
}

TEST_F(RefreshTest, AFirstIndexHasNoBudget) {
  fs::remove_all(index());
  EXPECT_EQ(cgrep({"-l", "--refresh-budget", "0", "login"}).out, "11111111\n22222222\n");
}

TEST_F(RefreshTest, DoctorSaysWhatIsNewer) {
  conversation(kNew, {{"user", "the docker needle"}});
  const auto result = cgrep({"doctor", "--refresh-budget", "0"});
  EXPECT_NE(result.out.find("1 source is newer than the index"), std::string::npos) << result.out;
}

TEST_F(RefreshTest, StatusTellsOfTheLastCheck) {
  note_check(index(), 1'785'579'720'000'000'000);
  const auto status = cgrep({"status", "--json"}).out;
  EXPECT_NE(status.find(R"("checked":"2026-08-01T10:22:00)"), std::string::npos) << status;
}

TEST_F(RefreshTest, TheLazyLeaveAtOnceWhenTheLastCheckIsYoung) {
  conversation(kNew, {{"user", "the docker needle"}});
  ask_for_check(index());  // so that nobody stays to look later
  EXPECT_EQ(cgrep({"index", "--lazy"}).out, "looked less than 2 s ago\n");
  EXPECT_EQ(cgrep({"-q", "--refresh", "never", "needle"}).code, 1);
  age_check();
  const auto result = cgrep({"index", "--lazy", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_EQ(cgrep({"-q", "--refresh", "never", "needle"}).code, 0);
}

// It would be made again if it were opened.
TEST_F(RefreshTest, AYoungCheckCostsNoMoreThanALook) {
  ask_for_check(index());  // so that nobody stays to look later
  fs::rename(index() / "history.db", index() / "aside");
  EXPECT_EQ(cgrep({"index", "--lazy", "--quiet"}).code, 0);
  EXPECT_FALSE(fs::exists(index() / "history.db"));
  EXPECT_EQ(lazy_ones(), 0u);
}

TEST_F(RefreshTest, TheFirstWhoAsksTooEarlyLooksLater) {
  conversation(kNew, {{"user", "the docker needle"}});
  const auto before = files();
  const auto result = shell("for i in 1 2 3; do \"$CGREP\" index --lazy --quiet; done");
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_LE(lazy_ones(), 1u);
  EXPECT_TRUE(eventually([&] { return lazy_ones() == 0; }));
  EXPECT_EQ(files(), before);
  EXPECT_EQ(cgrep({"-q", "--refresh", "never", "needle"}).code, 0);
}

TEST_F(RefreshTest, TheLazyReadWhatChangedAndNothingElse) {
  for (const char* option : {"--full", "--store=transcripts", "."})
    EXPECT_EQ(cgrep({"index", "--lazy", option}).code, 2) << option;
  fs::remove_all(home_.path() / ".cursor");
  const auto result = cgrep({"index", "--lazy", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(RefreshTest, WhoeverWritesReadsForTheLazy) {
  age_check();
  const auto before = files();
  const auto runs = newest_run();
  auto writing = WriterLock::try_take(index());
  ASSERT_TRUE(writing);
  const auto result = shell(ten_lazy());
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_TRUE(is_check_asked_for(index()));
  EXPECT_EQ(found_of_ten(), 0u);
  writing.reset();
  // It looks only elsewhere, and then for those who asked.
  EXPECT_EQ(cgrep({"index", "-q", ".cursor/projects/home-ada-gadget"}).code, 0);
  EXPECT_EQ(found_of_ten(), 10u);
  EXPECT_EQ(newest_run(), runs + 1);
  EXPECT_EQ(files(), before);
}

TEST_F(RefreshTest, ForgettingReadsForTheLazy) {
  conversation(kNew, {{"user", "the docker needle"}});
  ask_for_check(index());
  // It cannot refresh before, as another process writes, and waits for that to forget.
  const auto result = shell(
      "exec 9<>.local/share/cgrep/lock; flock 9\n"
      R"("$CGREP" forget --yes 33333333 9>&- & sleep 0.3; exec 9>&-; wait $!)");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_FALSE(is_check_asked_for(index()));
  EXPECT_EQ(cgrep({"-q", "--refresh", "never", "needle"}).code, 0);
}

TEST_F(RefreshTest, WhileAnotherProcessWritesItSaysHowMuchIsNewer) {
  conversation(kNew, {{"user", "the docker needle"}});
  const auto writing = WriterLock::try_take(index());
  ASSERT_TRUE(writing);
  const auto result = cgrep({"--json", "docker"});
  EXPECT_NE(result.err.find("another process is writing"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find(R"("refreshed":false,"stale_sources":1)"), std::string::npos)
      << result.out;
}

TEST_F(RefreshTest, TenLazyAtOnceDoTheWorkOnceOrTwice) {
  age_check();
  const auto before = files();
  const auto runs = newest_run();
  shell(append_and(""));
  const auto result = shell(
      R"(for i in {0..9}; do "$CGREP" index --lazy --quiet || echo "failed: $?" & done; wait)");
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_EQ(found_of_ten(), 10u);
  EXPECT_GT(newest_run(), runs);
  EXPECT_LE(newest_run(), runs + 2);
  EXPECT_TRUE(eventually([&] { return lazy_ones() == 0; }));
  EXPECT_EQ(files(), before);
}

// Shells that come and go: whenever a change was made, a prompt after it has it read.
TEST_F(RefreshTest, ChangesBetweenPromptsAreNotLeftWaiting) {
  const auto before = files();
  const auto result = shell(
      "for shell in 0 1 2 3 4 5 6 7 8 9; do (\n"
      "for i in 0 1 2 3 4 5; do\n"
      R"(echo '{"role":"user","message":{"content":"word'$shell'x'$i'"}}')"
      " > .cursor/projects/home-ada-widget/agent-transcripts/66666666-$shell-$i.jsonl\n"
      R"("$CGREP" index --lazy --quiet || echo "failed: $?")"
      "\ndone) & done; wait");
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_TRUE(eventually([&] { return lazy_ones() == 0; }));
  EXPECT_EQ(files(), before);
  const auto found = cgrep({"-o", "--refresh", "never", "-e", "word[0-9]x[0-9]"}).out;
  EXPECT_EQ(lines_of(found).size(), 60u) << found;
}

}  // namespace
}  // namespace cgrep::test
