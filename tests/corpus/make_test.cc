// Whole homes: copying, make.txt, times.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "corpus/make_home.h"
#include "error.h"
#include "open_database.h"
#include "support/temp_dir.h"

namespace cgrep::corpus {
namespace {

namespace fs = std::filesystem;

class MakeHomeTest : public testing::Test {
 protected:
  void make() { make_home(dir_.path() / "source", home()); }

  void source(const fs::path& path, std::string_view bytes) { dir_.write("source" / path, bytes); }

  fs::path home() const { return dir_.path() / "made"; }

  time_t time_of(const fs::path& path) const {
    struct stat status {};
    EXPECT_EQ(lstat((home() / path).c_str(), &status), 0) << path;
    return status.st_mtime;
  }

  std::string message() {
    try {
      make();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  test::TempDir dir_;
};

TEST_F(MakeHomeTest, CopiesFilesAndMakesDatabases) {
  source("a/b.txt", "text\n");
  source("a/state.vscdb.sql", "CREATE TABLE t (a); INSERT INTO t VALUES (7);");
  source("make.txt", "# nothing to do\n");
  make();
  EXPECT_EQ(test::read_file(home() / "a/b.txt"), "text\n");
  EXPECT_EQ(query(home() / "a/state.vscdb", "immutable=1", "SELECT a FROM t"), Rows{"7"});
  EXPECT_FALSE(fs::exists(home() / "a/state.vscdb.sql"));
  EXPECT_FALSE(fs::exists(home() / "make.txt"));
}

TEST_F(MakeHomeTest, MakesWhatGitCannotHold) {
  source("here.txt", "abcdef");
  source("make.txt",
         "bytes broken%0Aname.jsonl 7b ff fe\n"
         "repeat big.txt 3 ab%0A\n"
         "link loop/self ../loop\n"
         "fifo pipe\n"
         "folder empty/inner\n"
         "patch here.txt 1 5858\n"
         "truncate here.txt 4\n"
         "mode here.txt 400\n");
  make();
  EXPECT_EQ(test::read_file(home() / "broken\nname.jsonl"), "{\xff\xfe");
  EXPECT_EQ(test::read_file(home() / "big.txt"), "ab\nab\nab\n");
  EXPECT_EQ(fs::read_symlink(home() / "loop/self"), "../loop");
  EXPECT_TRUE(fs::is_fifo(home() / "pipe"));
  EXPECT_TRUE(fs::is_empty(home() / "empty/inner"));
  EXPECT_EQ(test::read_file(home() / "here.txt"), "aXXd");
  EXPECT_EQ(fs::status(home() / "here.txt").permissions(), fs::perms::owner_read);
}

TEST_F(MakeHomeTest, TimesComeFromTheManifestThenTheLastTagThenAConstant) {
  const fs::path folder = "p/agent-transcripts";
  source(folder / "tag.jsonl",
         "<timestamp>Monday, Jun 8, 2026, 1:00 AM (UTC+0)</timestamp>"
         "<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+5:30)</timestamp>");
  source(folder / "none.jsonl", "{}");
  source("told", "");
  source("make.txt", "mtime told 2026-06-09T14:44:00Z\nlink away nowhere\n");
  make();
  EXPECT_EQ(time_of("told"), 1781016240);
  EXPECT_EQ(time_of(folder / "tag.jsonl"), 1781016240 - 19800);
  for (const fs::path& other : {folder / "none.jsonl", folder, fs::path("away")})
    EXPECT_EQ(time_of(other), 1780272000) << other;
}

TEST_F(MakeHomeTest, RefusesAFolderThatIsNotEmpty) {
  source("a", "");
  dir_.write("made/already", "");
  EXPECT_NE(message().find("not an empty folder"), std::string::npos);
}

TEST_F(MakeHomeTest, RefusesAManifestItDoesNotUnderstand) {
  source("make.txt", "\nremove a\n");
  EXPECT_EQ(message(), "make.txt:2: unknown word 'remove'");
}

TEST_F(MakeHomeTest, RefusesPathsThatLeaveTheHome) {
  source("make.txt", "folder a/../../b\n");
  EXPECT_EQ(message(), "make.txt:1: a path inside the home is needed");
}

TEST_F(MakeHomeTest, SaysWhichLineOfTheManifestFailed) {
  source("make.txt", "mtime absent 2026-06-09T14:44:00Z\n");
  EXPECT_EQ(message().substr(0, 11), "make.txt:1:");
}

}  // namespace
}  // namespace cgrep::corpus
