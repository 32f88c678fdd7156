// Homes and machines that are not as usual: a network, no locks, no HOME, clocks that jump, files
// from the future, folders that cannot be read.
#include <cerrno>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/history_home.h"
#include "extract/sqlite.h"
#include "index/folder.h"
#include "support/faults.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kNfs = 0x6969;
constexpr std::int64_t kYear = 365 * 24 * 3600;

class OddHomesTest : public StandardHome {
 protected:
  RunResult cgrep_with(const Variables& faults, const std::vector<std::string>& words) {
    auto with = options();
    with.environment.insert(faults.begin(), faults.end());
    return run_cgrep(words, with);
  }

  fs::path index() const { return home_.path() / ".local/share/cgrep"; }

  std::string journal_mode() {
    Database database(index() / "history.db", SQLITE_OPEN_READONLY);
    auto mode = database.prepare("PRAGMA journal_mode");
    return mode.step() ? std::string(mode.text(0)) : std::string();
  }

  fs::path transcript(const std::string& id) const {
    return home_.path() / ".cursor/projects/home-ada-widget/agent-transcripts" / id /
           (id + ".jsonl");
  }

  /// As `cgrep index` says of transcripts: `3 sources, 1 read, …`.
  std::string read_of_transcripts(const RunResult& result) {
    for (const auto& line : lines_of(result.out))
      if (line.starts_with("transcripts")) return line;
    return result.err;
  }
};

TEST_F(OddHomesTest, OnANetworkTheJournalIsTheOneThatNeedsNoSharedMemory) {
  EXPECT_EQ(cgrep_with(on_file_system(kNfs), {"index", "-q"}).code, 0);
  EXPECT_EQ(journal_mode(), "delete");
  EXPECT_FALSE(fs::exists(index() / "history.db-wal"));
  const auto asked = cgrep_with(on_file_system(kNfs), {"-l", "docker"});
  EXPECT_EQ(asked.out, "22222222\n") << asked.err;
  conversation("44444444-dddd-4000-8000-000000000004", {{"user", "docker again"}});
  EXPECT_EQ(cgrep_with(on_file_system(kNfs), {"-l", "again"}).out, "44444444\n");
}

TEST_F(OddHomesTest, AnIndexThatMovesToANetworkOrBackChangesItsJournal) {
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(journal_mode(), "wal");
  EXPECT_EQ(cgrep_with(on_file_system(kNfs), {"index", "-q"}).code, 0);
  EXPECT_EQ(journal_mode(), "delete");
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(journal_mode(), "wal");
  EXPECT_EQ(cgrep({"-l", "docker"}).out, "22222222\n");
}

TEST_F(OddHomesTest, WithoutLocksNothingIsWritten) {
  for (const int error : {ENOLCK, EOPNOTSUPP, EINVAL}) {
    const auto result = cgrep_with(without_locks(error), {"index"});
    EXPECT_EQ(result.code, 2);
    EXPECT_NE(result.err.find("cannot lock"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("hint: use --index DIR on a local disk"), std::string::npos)
        << result.err;
  }
  EXPECT_FALSE(index_exists(index()));
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  const auto asked = cgrep_with(without_locks(ENOLCK), {"-l", "docker"});
  EXPECT_EQ(asked.out, "22222222\n");
  EXPECT_NE(asked.err.find("could not be brought up to date"), std::string::npos) << asked.err;
}

TEST_F(OddHomesTest, WithoutHomeTheIndexHasNoPlace) {
  auto nowhere = options();
  nowhere.environment.erase("HOME");
  const auto result = run_cgrep({"docker"}, nowhere);
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("HOME is not set"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("hint: use --index DIR"), std::string::npos) << result.err;
  const auto placed = run_cgrep({"-l", "docker", "--root", home_.path().string(), "--index",
                                 (home_.path() / "index").string()},
                                nowhere);
  EXPECT_EQ(placed.out, "22222222\n") << placed.err;
}

TEST_F(OddHomesTest, AFileFromTheFutureIsReadOnceAndWhenItChanges) {
  const auto path = transcript(kLogin);
  const auto future = fs::file_time_type::clock::now() + std::chrono::hours(24 * 365 * 14);
  fs::last_write_time(path, future);
  fs::last_write_time(path.parent_path(), future);
  for (auto folder = path.parent_path(); folder != home_.path(); folder = folder.parent_path())
    fs::last_write_time(folder, future);
  EXPECT_NE(read_of_transcripts(cgrep({"index"})).find("3 read"), std::string::npos);
  EXPECT_NE(read_of_transcripts(cgrep({"index"})).find("0 read"), std::string::npos);
  home_.append(path.lexically_relative(home_.path()),
               R"({"role":"user","message":{"content":[{"type":"text","text":"appended"}]}})"
               "\n");
  EXPECT_EQ(cgrep({"-l", "appended"}).out, "11111111\n");
}

TEST_F(OddHomesTest, AFileThatIsNewInAFolderFromTheFutureIsFound) {
  const auto projects = home_.path() / ".cursor/projects";
  const auto future = fs::file_time_type::clock::now() + std::chrono::hours(24 * 365);
  for (const auto& entry : fs::recursive_directory_iterator(projects))
    fs::last_write_time(entry, future);
  fs::last_write_time(projects, future);
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  conversation("44444444-dddd-4000-8000-000000000004", {{"user", "docker again"}},
               "home-ada-another");
  EXPECT_EQ(cgrep({"-l", "again"}).out, "44444444\n");
}

TEST_F(OddHomesTest, AClockThatJumpsLosesNothing) {
  EXPECT_EQ(cgrep_with(with_clock(kYear), {"index", "-q"}).code, 0);  // a year ahead, then right
  conversation("44444444-dddd-4000-8000-000000000004", {{"user", "docker again"}});
  EXPECT_EQ(cgrep({"index", "-q", "--lazy"}).code, 0);
  EXPECT_EQ(cgrep({"-l", "--refresh", "never", "again"}).out, "44444444\n");
  EXPECT_NE(read_of_transcripts(cgrep({"index"})).find("0 read"), std::string::npos);
  conversation("55555555-eeee-4000-8000-000000000005", {{"user", "long ago"}});
  const auto back = cgrep_with(with_clock(-20 * kYear), {"-l", "long ago"});
  EXPECT_EQ(back.out, "55555555\n") << back.err;
  for (int i = 0; i < 9;
       ++i) {  // runs are merged, and removed, by a clock that goes back and forth
    conversation(fmt::format("66666666-ffff-4000-8000-00000000000{}", i), {{"user", "to and fro"}});
    const auto clock = with_clock(i % 2 == 0 ? kYear : -kYear);
    EXPECT_EQ(cgrep_with(clock, {"index", "-q"}).code, 0);
    EXPECT_EQ(lines_of(cgrep({"-l", "--refresh", "never", "to and fro"}).out).size(),
              static_cast<std::size_t>(i + 1));
  }
}

/// What cannot be read is not gone: whatever way it cannot.
class UnreadableTest : public OddHomesTest {
 protected:
  UnreadableTest() { EXPECT_EQ(cgrep({"index", "-q"}).code, 0); }

  void expect_nothing_gone(const char* why) {
    const auto result = cgrep({"index"});
    EXPECT_EQ(result.out.find(" gone"), std::string::npos) << why << ": " << result.out;
    EXPECT_EQ(cgrep({"-l", "--no-gone", "--refresh", "never", "login"}).out, "11111111\n22222222\n")
        << why;
    EXPECT_EQ(cgrep({"-l", "--gone", "--refresh", "never", "login"}).out, "") << why;
  }

  fs::path cursor() const { return home_.path() / ".cursor"; }
};

TEST_F(UnreadableTest, ARootThatIsNotThere) {
  fs::rename(cursor(), home_.path() / "unmounted");
  fs::create_directories(home_.path() / ".config/Cursor/User");  // another root is
  expect_nothing_gone("no root");
  fs::create_directories(cursor());  // an empty mount point
  expect_nothing_gone("an empty root");
}

TEST_F(UnreadableTest, ALinkInCircles) {
  const auto projects = cursor() / "projects";
  fs::rename(projects, home_.path() / "aside");
  fs::create_directory_symlink(projects, projects);
  expect_nothing_gone("a link in circles");
}

TEST_F(UnreadableTest, AFifoInPlaceOfAFile) {
  const auto path = transcript(kLogin);
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const auto result = run_program({"timeout", "60", CGREP_BINARY, "index"}, options());
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(UnreadableTest, AFolderThatMayNotBeListed) {
  const auto projects = cursor() / "projects";
  const bool root = geteuid() == 0;
  if (root) run_program({"chown", "-R", "65534:65534", home_.path().string()});
  fs::permissions(projects, fs::perms::none);
  const std::string who = root ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  if (shell(who + "\"$CGREP\" --version").code == 0) {
    const auto result = shell(who + "\"$CGREP\" index");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out.find(" gone"), std::string::npos) << result.out;
    EXPECT_NE(result.err.find("cannot be read"), std::string::npos) << result.err;
    EXPECT_EQ(shell(who + "\"$CGREP\" -l --no-gone login").out, "11111111\n22222222\n");
  }
  fs::permissions(projects, fs::perms::owner_all);
}

class GoneTest : public OddHomesTest {
 protected:
  void prompts(const std::string& json) {
    const auto path = home_.write(".cursor/prompt_history.json", json);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(++hours_));
    EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  }
  bool is_found(const char* which, const char* word) {
    return cgrep({"-q", which, "--refresh", "never", word}).code == 0;
  }
  int hours_ = 0;
};

TEST_F(GoneTest, APromptThatRolledOffIsGoneAndTheOthersAreNot) {
  prompts(R"(["alpha prompt", "beta prompt"])");
  prompts(R"(["beta prompt", "gamma prompt"])");
  for (const bool full : {false, true}) {
    EXPECT_EQ(cgrep({"index", "-q", full ? "--full" : "--compact"}).code, 0);
    EXPECT_TRUE(is_found("--gone", "alpha"));
    EXPECT_FALSE(is_found("--no-gone", "alpha"));
    EXPECT_FALSE(is_found("--gone", "beta"));
    EXPECT_TRUE(is_found("--no-gone", "gamma"));
  }
}

TEST_F(GoneTest, ADeletedConversationIsGoneAndStaysThroughARebuild) {
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  fs::remove_all(transcript(kLogin).parent_path());
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  for (const char* how : {"--full", "--rebuild", "--compact"}) {
    EXPECT_TRUE(is_found("--gone", "timeout")) << how;
    EXPECT_FALSE(is_found("--no-gone", "timeout")) << how;
    EXPECT_EQ(cgrep({"index", "-q", how}).code, 0);
  }
  EXPECT_TRUE(is_found("--gone", "timeout"));
}

}  // namespace
}  // namespace cgrep::test
