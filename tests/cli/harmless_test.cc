// Cursor's files while cgrep reads them, as the system sees it.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "support/live_writer.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

/// Whether a line of strace may change something below the folder.
bool changes(const std::string& line, const std::string& folder) {
  if (line.find(folder) == std::string::npos) return false;
  const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
  const bool opens = has("open(") || has("openat(") || has("openat2(");
  if (!opens) return !has(" ENOENT ");  // unlink, rename, truncate, …: none has to be there
  return has("O_WRONLY") || has("O_RDWR") || has("O_CREAT") || has("O_TRUNC");
}

TEST(HarmlessTest, NothingIsWrittenBesideALiveWriter) {
  if (run_program({"strace", "-o", "/dev/null", "true"}).code != 0)
    GTEST_SKIP() << "strace is not there, or not allowed";
  const TempDir home;
  const TempDir other;
  const auto folder = home.path() / ".config/Cursor/User/globalStorage";
  fs::create_directories(folder);
  LiveWriter live(folder / "state.vscdb", 300);
  const auto log = (other.path() / "strace").string();
  std::size_t lines = 0;
  for (int round = 0; round < 3; ++round) {
    const auto committed = live.committed();
    RunOptions options;
    options.environment = {{"ASAN_OPTIONS", "detect_leaks=0"}};
    const auto result = run_program(
        {"strace", "-f", "-e",
         "trace=open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,"
         "link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,utimensat",
         "-o", log, CGREP_BINARY, "index", "--store", "all,agentkv,diffs,contexts", "--root",
         home.path().string(), "--index", (other.path() / "index").string()},
        options);
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err.find("could not"), std::string::npos) << result.err;
    for (const auto& line : lines_of(read_file(log))) {
      EXPECT_FALSE(changes(line, folder.string())) << line;
      lines += line.find(folder.string()) != std::string::npos ? 1 : 0;
    }
    const auto found = run_cgrep({"-c", "bubble", "--root", home.path().string(), "--index",
                                  (other.path() / "index").string(), "--refresh", "never"});
    EXPECT_GE(std::stoull(found.out.substr(found.out.find(':') + 1)), committed) << found.out;
  }
  EXPECT_GT(lines, 0U);
  const auto report = live.stop();
  EXPECT_EQ(report.busy, 0U);
  EXPECT_EQ(report.failures, 0U);
}

}  // namespace
}  // namespace cgrep::test
