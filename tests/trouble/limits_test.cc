// Limits of the system: files that may not grow, little memory, a folder that cannot be written.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/run_cgrep.h"
#include "support/faults.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

class LimitsTest : public testing::Test {
 protected:
  LimitsTest() { transcript("aaaaaaaa-0001", "zeppelin one"); }

  void transcript(const std::string& id, const std::string& text) {
    const auto path = home_.write(
        fmt::format(".cursor/projects/home-ada-widget/agent-transcripts/{}/{}.jsonl", id, id),
        R"({"role":"user","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  RunResult cgrep(const std::vector<std::string>& words, Variables more = {}) {
    return run_cgrep(words, options(std::move(more)));
  }
  RunResult shell(const std::string& line) { return run_shell(line, options({})); }

  RunOptions options(Variables more) const {
    more.insert({{"HOME", home_.path().string()}, {"TZ", "UTC"}, {"LC_ALL", "C.UTF-8"}});
    return {.environment = more, .directory = home_.path().string()};
  }

  static void expect_error_with_hint(const RunResult& result, const std::string& what) {
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_TRUE(result.err.starts_with("cgrep: ")) << result.err;
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result.err;
  }

  fs::path index() const { return home_.path() / ".local/share/cgrep"; }

  TempDir home_{};
};

TEST_F(LimitsTest, AFileThatMayNotGrow) {
  expect_error_with_hint(shell("ulimit -f 8; \"$CGREP\" index -q"), "File too large");
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  transcript("aaaaaaaa-0002", "zeppelin " + std::string(40'000, 'x'));
  for (const int blocks : {1, 2, 4, 8, 16, 32}) {
    const auto asked = shell(fmt::format("ulimit -f {}; \"$CGREP\" -l zeppelin", blocks));
    EXPECT_EQ(asked.code, 0) << blocks << ": " << asked.err;
    EXPECT_TRUE(asked.out.starts_with("aaaaaaaa")) << blocks << ": " << asked.out;
  }
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(lines_of(cgrep({"-l", "zeppelin"}).out).size(), 2u);
}

// Each has files of its own that may not grow; what was there stays.
TEST_F(LimitsTest, AFileThatMayNotGrowWhateverIsDone) {
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  transcript("aaaaaaaa-0002", "zeppelin two");
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);  // leaves a journal
  for (const char* how : {"", "--full", "--compact", "--rebuild"})
    for (const int blocks : {1, 8, 16, 32, 64, 128, 256}) {
      SCOPED_TRACE(fmt::format("index {} with files of {} blocks", how, blocks));
      transcript("aaaaaaaa-0003", fmt::format("zeppelin {} {}", how, blocks));
      const auto result = shell(fmt::format("ulimit -f {}; \"$CGREP\" index -q {}", blocks, how));
      if (result.code != 0) expect_error_with_hint(result, "");
      const auto asked = cgrep({"-l", "--refresh", "never", "zeppelin"});
      EXPECT_EQ(asked.err, "");
      EXPECT_GE(lines_of(asked.out).size(), 2u);
    }
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(lines_of(cgrep({"-l", "zeppelin"}).out).size(), 3u);
  EXPECT_EQ(cgrep({"doctor"}).code, 0);
}

// Whatever is too much for it, it says so; the sanitizers' own memory is beyond any limit.
TEST_F(LimitsTest, LittleMemory) {
  if (shell("ulimit -v 4000000; \"$CGREP\" --version").code != 0)
    GTEST_SKIP() << "this build needs more memory than can be limited";
  for (int i = 0; i < 60; ++i)
    transcript(fmt::format("bbbbbbbb-{:04}", i), "zeppelin " + std::string(400'000, 'y'));
  int failed = 0;
  for (int megabytes = 20; megabytes <= 100; megabytes += 5) {
    fs::remove_all(index());
    const auto result = shell(fmt::format("ulimit -v {}; \"$CGREP\" index -q", megabytes * 1000));
    if (result.code == 0) continue;  // with little it may do without threads, and need less
    // Below some limit the system cannot even load the libraries, which is told by the loader.
    if (result.code == 127 || result.err.find("shared libraries") != std::string::npos) continue;
    ++failed;
    expect_error_with_hint(result, "");
  }
  EXPECT_GT(failed, 0);
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
}

// A real one, which is gone with the process that mounts it. kill_test.cc tries every moment.
TEST_F(LimitsTest, ADiskThatIsFull) {
  const auto result = shell(R"(mkdir disk; unshare -m bash -c '
    mount -t tmpfs -o size=3m tmpfs disk || exit 77
    export CGREP_INDEX=$PWD/disk/index
    "$CGREP" index -q; echo "first $?"
    cp -r .cursor/projects/home-ada-widget .cursor/projects/home-ada-gadget
    cd .cursor/projects/home-ada-gadget/agent-transcripts && mv aaaaaaaa-0001 bbbbbbbb-0002 &&
      mv bbbbbbbb-0002/aaaaaaaa-0001.jsonl bbbbbbbb-0002/bbbbbbbb-0002.jsonl && cd "$HOME"
    cat /dev/zero > disk/filling 2>/dev/null
    "$CGREP" index -q; echo "full $?"
    "$CGREP" -l zeppelin; echo "asked $?"
    rm disk/filling
    "$CGREP" index -q; echo "freed $?"
    "$CGREP" -l --refresh never zeppelin | sort')");
  if (result.out.find("first") == std::string::npos)
    GTEST_SKIP() << "may not mount: " << result.err;
  EXPECT_EQ(result.out, "first 0\nfull 2\naaaaaaaa\nasked 0\nfreed 0\naaaaaaaa\nbbbbbbbb\n")
      << result.err;
  EXPECT_NE(result.err.find("hint: free some disk space"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("could not be brought up to date"), std::string::npos) << result.err;
}

/// Not to be written by whoever runs the test; root writes everywhere, so another user asks.
class ReadOnly {
 public:
  explicit ReadOnly(fs::path folder) : folder_(std::move(folder)) {
    if (geteuid() == 0) {
      run_program({"chown", "-R", "65534:65534", folder_.string()});
      run_program({"chmod", "a+rx", folder_.parent_path().string()});
    }
    run_program({"chmod", "-R", "a-w", folder_.string()});
  }
  ~ReadOnly() { run_program({"chmod", "-R", "u+w", folder_.string()}); }
  ReadOnly(const ReadOnly&) = delete;
  ReadOnly& operator=(const ReadOnly&) = delete;

 private:
  fs::path folder_;
};

class ReadOnlyTest : public LimitsTest {
 protected:
  /// As the user that cannot write there.
  RunResult as_reader(const std::string& words) {
    const std::string who =
        geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
    return shell(who + "\"$CGREP\" " + words);
  }
};

TEST_F(ReadOnlyTest, AnIndexThatCannotBeWrittenAnswersAndSaysSo) {
  ASSERT_EQ(cgrep({"index", "-q"}).code, 0);
  transcript("aaaaaaaa-0002", "zeppelin two");
  const ReadOnly read_only(home_.path());
  if (as_reader("--version").code != 0) GTEST_SKIP() << "the binary cannot be run by another user";
  const auto asked = as_reader("-l zeppelin");
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(asked.out, "aaaaaaaa\n");
  EXPECT_NE(asked.err.find("could not be brought up to date"), std::string::npos) << asked.err;
  expect_error_with_hint(as_reader("index -q"), "cannot");
  EXPECT_EQ(as_reader("log --refresh never").code, 0);
  EXPECT_EQ(as_reader("show aaaaaaaa-0001 --refresh never").code, 0);
  EXPECT_EQ(as_reader("status").code, 0);
}

TEST_F(ReadOnlyTest, AHomeThatCannotBeWrittenHasNoIndexAndSaysWhereToPutOne) {
  const ReadOnly read_only(home_.path());
  if (as_reader("--version").code != 0) GTEST_SKIP() << "the binary cannot be run by another user";
  expect_error_with_hint(as_reader("zeppelin"), "cannot make");
}

}  // namespace
}  // namespace cgrep::test
