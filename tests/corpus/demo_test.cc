// The demo home: complete, alike whenever it is made, and the same conversation in three stores.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "open_database.h"
#include "support/temp_dir.h"

namespace cgrep::corpus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAuthBug = "3f2a9c1e-7b44-4d0a-9e61-52c8d1f0a7b3";
const fs::path kState = ".config/Cursor/User/globalStorage/state.vscdb";
const fs::path kProjects = ".cursor/projects";
const fs::path kChats = ".cursor/chats";

class DemoTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = new test::TempDir;
    make_home(fs::path(CGREP_CORPUS_DIR) / "home", home());
  }

  static void TearDownTestSuite() {
    delete dir_;
    dir_ = nullptr;
  }

  static fs::path home() { return dir_->path() / "home"; }

  static test::TempDir* dir_;
};

test::TempDir* DemoTest::dir_ = nullptr;

bool is_database(const fs::path& path) {
  return path.extension() == ".db" || path.extension() == ".vscdb";
}

/// The salts of a -wal file are random, and -shm depends on them.
bool is_beside_database(const fs::path& path) {
  return path.string().ends_with("-wal") || path.string().ends_with("-shm");
}

/// Path → contents, databases by their rows.
std::map<fs::path, Rows> everything_in(const fs::path& home) {
  std::map<fs::path, Rows> all;
  for (const auto& entry : fs::recursive_directory_iterator(home)) {
    if (!entry.is_regular_file()) continue;
    const bool bytes = !is_database(entry.path()) && !is_beside_database(entry.path());
    auto& rows = all[entry.path().lexically_relative(home)];
    if (bytes) rows = {test::read_file(entry.path())};
    if (is_database(entry.path())) rows = contents(entry.path());
  }
  return all;
}

std::ptrdiff_t transcripts_in(const fs::path& home) {
  const fs::recursive_directory_iterator all(home / kProjects);
  return std::count_if(begin(all), end(all), [](const fs::directory_entry& entry) {
    const std::string path = entry.path().string();
    return entry.is_regular_file() && path.find("/agent-transcripts/") != path.npos &&
           path.find("/subagents/") == path.npos;
  });
}

TEST_F(DemoTest, HasTranscriptsOfSeveralProjects) {
  EXPECT_EQ(transcripts_in(home()), 19);
  for (const char* slug : {"lanternpost", "libquoin", "tidelab"})
    EXPECT_TRUE(
        fs::exists(home() / kProjects / (std::string("home-mira-") + slug) / ".workspace-trusted"));
}

TEST_F(DemoTest, KeepsTheAuthBugInThreeStores) {
  const std::string id = kAuthBug;
  const fs::path transcript = home() / kProjects / "home-mira-lanternpost/agent-transcripts" / id;
  EXPECT_NE(test::read_file(transcript / (id + ".jsonl")).find("We have an auth bug"),
            std::string::npos);
  EXPECT_EQ(query(home() / kState, "mode=ro",
                  "SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'bubbleId:" + id + "%'"),
            Rows{"16"});
  EXPECT_EQ(
      query(home() / kChats / "d6e24693c1fe9fc5c3d93b3fb07e633c" / id / "store.db", "immutable=1",
            "SELECT count(*) FROM blobs WHERE CAST(data AS TEXT) LIKE '%an auth bug%'"),
      Rows{"2"});
}

TEST_F(DemoTest, KeepsTheLastTurnInTheWal) {
  const std::string headers =
      "SELECT json_array_length(value, '$.fullConversationHeadersOnly') FROM cursorDiskKV "
      "WHERE key = 'composerData:" +
      std::string(kAuthBug) + "'";
  EXPECT_EQ(query(home() / kState, "immutable=1", headers), Rows{"13"});
  EXPECT_EQ(query(home() / kState, "mode=ro", headers), Rows{"15"});
}

TEST_F(DemoTest, PlantsCanariesWhereNobodyMayRead) {
  EXPECT_EQ(query(home() / kState, "mode=ro",
                  "SELECT count(*) FROM ItemTable WHERE value LIKE 'CANARY%'"),
            Rows{"4"});
  for (const char* file :
       {".cursor/mcp.json", ".cursor/cli-config.json", ".config/cursor/auth.json"})
    EXPECT_NE(test::read_file(home() / file).find("CANARY"), std::string::npos) << file;
}

TEST_F(DemoTest, IsTheSameWhenMadeAgain) {
  const test::TempDir other;
  make_home(fs::path(CGREP_CORPUS_DIR) / "home", other.path() / "home");
  EXPECT_EQ(everything_in(home()), everything_in(other.path() / "home"));
}

TEST_F(DemoTest, HasTheSameTimesWhenMadeAgain) {
  const test::TempDir other;
  make_home(fs::path(CGREP_CORPUS_DIR) / "home", other.path() / "home");
  for (const auto& entry : fs::recursive_directory_iterator(other.path() / "home")) {
    const fs::path twin = home() / entry.path().lexically_relative(other.path() / "home");
    if (is_beside_database(twin) || entry.is_directory()) continue;
    EXPECT_EQ(entry.last_write_time(), fs::last_write_time(twin)) << twin;
  }
}

}  // namespace
}  // namespace cgrep::corpus
