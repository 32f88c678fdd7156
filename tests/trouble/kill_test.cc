// Killed at any moment, full disks: the index holds the old state or a newer one, and the next run
// makes it what it would have been. CGREP_SOAK=N makes N times as many rounds; 0 is every moment.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "corpus/make_home.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/folder.h"
#include "support/faults.h"
#include "support/temp_dir.h"
#include "trouble/index_contents.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

/// How long the long form is.
std::int64_t soak() {
  const char* times = std::getenv("CGREP_SOAK");
  return times != nullptr ? std::atoll(times) : 1;
}

/// Numbers from 1 to `last`: all of them in the long form, else about `few`, spread evenly.
std::vector<std::int64_t> moments(std::int64_t last, std::int64_t few) {
  const auto step = soak() == 0 ? 1 : std::max<std::int64_t>(1, last / (few * soak()));
  std::random_device seed;
  std::vector<std::int64_t> chosen;
  for (auto at = 1 + static_cast<std::int64_t>(seed()) % step; at <= last; at += step)
    chosen.push_back(at);
  return chosen;
}

class KillTest : public testing::Test {
 protected:
  KillTest() {
    corpus::make_home(fs::path(CGREP_CORPUS) / "home", home());
    settle();
  }

  fs::path home() const { return dir_.path() / "home"; }
  fs::path folder(const std::string& name) const { return dir_.path() / name; }

  /// As if all was written an hour ago: what is young is looked at again.
  void settle() {
    const auto then = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::recursive_directory_iterator(home()))
      fs::last_write_time(entry, then + std::chrono::seconds(++changes_));
  }

  RunResult cgrep(const std::string& index, std::vector<std::string> words,
                  Variables environment = {}) {
    words.insert(words.end(), {"--root", home().string(), "--index", folder(index).string()});
    environment.insert({{"TZ", "UTC"}, {"LC_ALL", "C.UTF-8"}});
    return run_cgrep(words, {.environment = environment});
  }

  void index(const std::string& index, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"index", "-q"});
    const auto result = cgrep(index, words);
    ASSERT_EQ(result.code, 0) << result.err;
  }

  void copy(const std::string& from, const std::string& to) {
    fs::remove_all(folder(to));
    if (fs::exists(folder(from))) fs::copy(folder(from), folder(to), fs::copy_options::recursive);
    if (fs::exists(folder(to))) fs::permissions(folder(to), fs::perms::owner_all);
  }

  void transcript(const std::string& id, const std::vector<std::string>& texts) {
    std::string lines;
    for (const auto& text : texts)
      lines +=
          R"({"role":"user","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n";
    dir_.write(transcript_path(id), lines);
  }
  static fs::path transcript_path(const std::string& id) {
    return fs::path("home/.cursor/projects/home-ada-kill/agent-transcripts") / id / (id + ".jsonl");
  }

  /// What Cursor does in a while: appends, rewrites, adds, deletes, in files and in a database.
  void change_history() {
    transcript("aaaaaaaa-0001", {"zeppelin one", "zeppelin two changed"});
    transcript("aaaaaaaa-0003", {"zeppelin new"});
    fs::remove_all((dir_.path() / transcript_path("aaaaaaaa-0002")).parent_path());
    Database(home() / ".config/Cursor/User/globalStorage/state.vscdb", SQLITE_OPEN_READWRITE)
        .exec(
            "INSERT INTO cursorDiskKV VALUES ('bubbleId:zeppelin:b1', "
            "'{\"_v\":3,\"type\":1,\"text\":\"zeppelin bubble\"}'); PRAGMA "
            "wal_checkpoint(TRUNCATE)");
    settle();
  }

  static bool is_anywhere(const std::string& word, const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && read_file(entry.path()).find(word) != std::string::npos)
        return true;
    return false;
  }

  /// How many calls of a command change files, in a copy of an index.
  std::int64_t calls_of(const std::string& before, const std::vector<std::string>& words) {
    copy(before, "counted");
    const CallCounter counter(dir_.path() / "counter");
    const auto result = cgrep("counted", words, counter.variables());
    EXPECT_EQ(result.code, 0) << result.err;
    return counter.count();
  }

  /// One call more or less may be made another time.
  void expect_stopped(const RunResult& result, std::int64_t at, int signal) const {
    if (result.code == 0 && at > last_ - 5) return;
    EXPECT_EQ(result.code, 128 + signal) << result.err;
  }

  /// The index can be asked, and has only whole documents of either state.
  void expect_old_or_new(const IndexContents& before, const IndexContents& after) {
    if (!index_exists(folder("index"))) return;
    const auto asked = cgrep("index", {"--refresh", "never", "-l", "zeppelin"});
    ASSERT_LE(asked.code, 1) << asked.err;
    EXPECT_EQ(asked.err.find("damaged"), std::string::npos) << asked.err;
    for (const auto& line : contents_of(folder("index")).documents)
      ASSERT_TRUE(before.documents.contains(line) || after.documents.contains(line)) << line;
  }

  void expect_next_run_completes(const std::vector<std::string>& words,
                                 const IndexContents& after) {
    const auto result = cgrep("index", words);
    ASSERT_EQ(result.code, 0) << result.err;
    ASSERT_EQ(difference(contents_of(folder("index")), after), "");
    ASSERT_EQ(litter_in(folder("index")), std::vector<std::string>{});
  }

  /// Runs the command on copies of the index `before`, with each fault; then checks.
  template <typename FaultAt>
  void try_all(const std::string& before, const std::vector<std::string>& words, std::int64_t few,
               FaultAt&& fault_at) {
    const auto last = last_ = calls_of(before, words);
    const auto old_state =
        index_exists(folder(before)) ? contents_of(folder(before)) : IndexContents{};
    const auto new_state = contents_of(folder("counted"));
    for (const auto at : moments(last, few)) {
      SCOPED_TRACE(fmt::format("at call {} of {}", at, last));
      copy(before, "index");
      fault_at(at, words);
      expect_old_or_new(old_state, new_state);
      expect_next_run_completes(words, new_state);
      if (HasFatalFailure()) return;
    }
  }

  void kill_at_all(const std::string& before, const std::vector<std::string>& words,
                   std::int64_t few) {
    try_all(before, words, few, [&](std::int64_t at, const auto& command) {
      expect_stopped(cgrep("index", command, killed_at(at)), at, SIGKILL);
    });
  }

  TempDir dir_{};
  int changes_ = 0;
  std::int64_t last_ = 0;  // how many calls the command makes that change files
};

TEST_F(KillTest, InAFirstIndex) {
  kill_at_all("none", {"index", "-q"}, 6);
}

TEST_F(KillTest, InAnUpdate) {
  transcript("aaaaaaaa-0001", {"zeppelin one", "zeppelin two"});
  transcript("aaaaaaaa-0002", {"zeppelin deleted"});
  settle();
  index("before");
  change_history();
  kill_at_all("before", {"index", "-q"}, 6);
}

TEST_F(KillTest, InAMerge) {
  for (int i = 0; i < 8; ++i) {
    transcript(fmt::format("aaaaaaaa-000{}", i), {fmt::format("zeppelin {}", i)});
    settle();
    if (i < 7) index("before");
  }
  kill_at_all("before", {"index", "-q"}, 6);
}

TEST_F(KillTest, InARebuild) {
  transcript("aaaaaaaa-0001", {"zeppelin one", "zeppelin two"});
  settle();
  index("before");
  change_history();
  kill_at_all("before", {"index", "-q", "--rebuild"}, 4);
}

TEST_F(KillTest, InACompaction) {
  transcript("aaaaaaaa-0001", {"zeppelin one", "zeppelin two"});
  settle();
  index("before");
  change_history();
  kill_at_all("before", {"index", "-q", "--compact"}, 4);
}

TEST_F(KillTest, InASalvage) {
  for (int i = 0; i < 30; ++i)
    transcript(fmt::format("aaaaaaaa-{:04}", i), {fmt::format("zeppelin {}", i)});
  settle();
  index("before");
  fs::remove_all((dir_.path() / transcript_path("aaaaaaaa-0002")).parent_path());
  index("before");
  const auto size = fs::file_size(folder("before") / "history.db");
  std::fstream(folder("before") / "history.db", std::ios::in | std::ios::out | std::ios::binary)
      .seekp(static_cast<std::streamoff>(size / 2))
      .write("damage", 6);
  const std::vector<std::string> rebuild = {"index", "-q", "--rebuild"};
  const auto last = last_ = calls_of("before", rebuild);
  const auto salvaged = contents_of(folder("counted"));
  for (const auto at : moments(last, 6)) {
    SCOPED_TRACE(fmt::format("at call {} of {}", at, last));
    copy("before", "index");
    expect_stopped(cgrep("index", rebuild, killed_at(at)), at, SIGKILL);
    ASSERT_EQ(cgrep("index", rebuild).code, 0);
    ASSERT_EQ(difference(contents_of(folder("index")), salvaged), "");
  }
}

// Forgotten or not; what is forgotten is in no file once the next writer was there.
TEST_F(KillTest, InForgetting) {
  transcript("aaaaaaaa-0001", {"zeppelin one", "a canarysong"});
  transcript("bbbbbbbb-0002", {"zeppelin two"});
  settle();
  index("before");
  const std::vector<std::string> forget = {"forget", "--yes", "aaaaaaaa"};
  const auto last = last_ = calls_of("before", forget);
  int forgotten = 0;
  for (const auto at : moments(last, 6)) {
    SCOPED_TRACE(fmt::format("at call {} of {}", at, last));
    copy("before", "index");
    expect_stopped(cgrep("index", forget, killed_at(at)), at, SIGKILL);
    ASSERT_EQ(cgrep("index", {"-q", "--refresh", "never", "two"}).code, 0);
    const bool found = cgrep("index", {"-q", "--refresh", "never", "canarysong"}).code == 0;
    index("index");
    EXPECT_EQ(cgrep("index", {"-q", "--refresh", "never", "canarysong"}).code, found ? 0 : 1);
    EXPECT_EQ(is_anywhere("canarysong", folder("index")), found);
    EXPECT_EQ(litter_in(folder("index")), std::vector<std::string>{});
    forgotten += found ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(forgotten, 0);
}

// Not only where it calls the system: whenever, and in any thread of a first index.
TEST_F(KillTest, AtAnyMoment) {
  const auto many = soak() == 0 ? 200 : 4 * soak();
  std::mt19937 random(std::random_device{}());
  std::vector<std::string> long_texts;
  for (int i = 0; i < 300; ++i) {
    std::string text = fmt::format("airship {}", i);
    for (int word = 0; word < 700; ++word) text += fmt::format(" w{}", random() % 5000);
    long_texts.push_back(std::move(text));
  }
  transcript("bbbbbbbb-0001", long_texts);  // over a MB: new sources are read in a thread
  int killed = 0;
  int first = 0;
  for (int round = 0; round < many; ++round) {
    const bool from_nothing = round % 4 == 0;
    if (from_nothing) fs::remove_all(folder("index"));
    transcript(fmt::format("aaaaaaaa-{:04}", round % 9),
               {fmt::format("zeppelin {}", round), "end"});
    settle();
    fs::remove_all(folder("at once"));
    const auto began = std::chrono::steady_clock::now();
    index("at once");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const auto expected = contents_of(folder("at once"));
    const double longest = from_nothing ? took.count() : 0.12;
    const auto seconds =
        fmt::format("{:.4f}", longest * static_cast<double>(random() % 1000) / 1000);
    const auto result = run_program({"timeout", "-s", "KILL", seconds, CGREP_BINARY, "index", "-q",
                                     "--root", home().string(), "--index", folder("index")});
    if (result.code != 0) ++killed;
    if (result.code != 0 && from_nothing) ++first;
    if (index_exists(folder("index"))) {
      ASSERT_LE(cgrep("index", {"--refresh", "never", "-q", "zeppelin"}).code, 1);
      contents_of(folder("index"));
    }
    index("index");
    const auto found = contents_of(folder("index"));
    for (const auto& line : expected.documents) ASSERT_TRUE(found.documents.contains(line)) << line;
    ASSERT_EQ(litter_in(folder("index")), std::vector<std::string>{});
    if (HasFatalFailure()) return;
  }
  fmt::print("{} of {} were killed, {} of them in a first index\n", killed, many, first);
}

TEST_F(KillTest, CtrlCAndTermStopAtOnceWithTheirCodes) {
  transcript("aaaaaaaa-0001", {"zeppelin one", "zeppelin two"});
  settle();
  index("before");
  change_history();
  int signal = SIGINT;
  try_all("before", {"index", "-q"}, 4, [&](std::int64_t at, const auto& command) {
    signal = signal == SIGINT ? SIGTERM : SIGINT;
    const auto result = cgrep("index", command, killed_at(at, signal));
    expect_stopped(result, at, signal);
    EXPECT_EQ(result.err, "");
  });
}

// Whatever it does then; who does not stop within a second of being told is killed.
TEST_F(KillTest, AStopTakesLessThanASecond) {
  std::string line(300, ' ');
  for (std::size_t i = 0; i < line.size(); i += 2) line[i] = 'z';
  transcript("aaaaaaaa-0001", std::vector<std::string>(100'000, line));
  for (const auto& [signal, code] : {std::pair("INT", 130), std::pair("TERM", 143)}) {
    fs::remove_all(folder("index"));
    const auto result =
        run_program({"timeout", "--preserve-status", "-k", "1", "-s", signal, "0.2", CGREP_BINARY,
                     "index", "-q", "--root", home().string(), "--index", folder("index")});
    EXPECT_EQ(result.code, code) << signal << result.err;
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(KillTest, TheBarIsErasedWhenItStops) {
  auto environment = killed_at(calls_of("none", {"index", "-q"}) / 2, SIGTERM);
  environment["TERM"] = "xterm";
  const auto result =
      run_cgrep({"index", "--root", home().string(), "--index", folder("index").string()},
                {.environment = environment, .terminal = true});
  EXPECT_EQ(result.code, 128 + SIGTERM);
  EXPECT_NE(result.out.find('%'), std::string::npos) << result.out;
  EXPECT_TRUE(result.out.ends_with("\r\x1b[K")) << result.out;
}

TEST_F(KillTest, AFullDiskLeavesTheOldStateAndIsSaid) {
  transcript("aaaaaaaa-0001", {"zeppelin one", "zeppelin two"});
  settle();
  index("before");
  change_history();
  try_all("before", {"index", "-q"}, 6, [&](std::int64_t at, const auto& command) {
    const auto result = cgrep("index", command, failing_at(at, ENOSPC));
    if (result.code == 0) return;  // all that was left to do was to tidy up
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_TRUE(result.err.starts_with("cgrep: ")) << result.err;
    EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result.err;
    const auto asked = cgrep("index", {"-l", "zeppelin"}, failing_at(1, ENOSPC));
    EXPECT_EQ(asked.code, 0) << asked.err;
    EXPECT_NE(asked.err.find("could not be brought up to date"), std::string::npos) << asked.err;
  });
}

TEST_F(KillTest, AFirstIndexOnAFullDisk) {
  try_all("none", {"index", "-q"}, 6, [&](std::int64_t at, const auto& command) {
    const auto result = cgrep("index", command, failing_at(at, ENOSPC));
    if (result.code == 0) return;
    EXPECT_EQ(result.code, 2) << result.err;
    EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result.err;
  });
}

}  // namespace
}  // namespace cgrep::test
