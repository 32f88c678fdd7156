// A first index that is killed: what was committed is not read again.
#include <csignal>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "extract/read_counter.h"
#include "extract/sqlite.h"
#include "index/at_rest.h"
#include "index/history.h"
#include "index/index_dump.h"
#include "index/passing_time.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr int kConversations = 200;

class InterruptedTest : public testing::Test {
 protected:
  InterruptedTest() {
    const auto path = home() / ".config/Cursor/User/globalStorage/state.vscdb";
    fs::create_directories(path.parent_path());
    Database state(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    state.exec(
        "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); BEGIN");
    auto insert = state.prepare("INSERT INTO cursorDiskKV VALUES (?1, ?2)");
    for (int i = 0; i < kConversations; ++i) {
      insert.bind(1, fmt::format("bubbleId:c{:04}:b", i));
      insert.bind(2, fmt::format(R"({{"type":1,"text":"said{}"}})", i));
      insert.run();
    }
    state.exec("COMMIT");
    for (int i = 0; i < kConversations / 4; ++i)
      dir_.write(fmt::format("home/.cursor/projects/p/agent-transcripts/t{0}/t{0}.jsonl", i),
                 fmt::format(R"({{"role":"user","content":"typed{}"}})"
                             "\n",
                             i));
    Aging().age(home());
  }

  fs::path home() const { return dir_.path() / "home"; }
  fs::path index() const { return dir_.path() / "index"; }

  /// How many documents are committed.
  int committed() const {
    if (!fs::exists(index() / "history.db")) return 0;
    try {
      Database database(index() / "history.db", SQLITE_OPEN_READONLY);
      auto count = database.prepare("SELECT count(*) FROM documents");
      return count.step() ? static_cast<int>(count.int64(0)) : 0;
    } catch (const SqliteError&) {
      return 0;  // it is being made
    }
  }

  /// A process of its own that commits whenever it can, and is killed when there are so many.
  void kill_after(int documents) {
    const auto child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      UpdateOptions options;
      options.commit_after = std::chrono::milliseconds(0);
      index_all(home(), index(), options);
      ::_exit(0);
    }
    int status = 0;
    while (committed() < documents && ::waitpid(child, &status, WNOHANG) == 0) ::usleep(1000);
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it had already ended";
  }

  TempDir dir_{};
};

// One database is one source: also within it, reading goes on where it was.
TEST_F(InterruptedTest, GoesOnFromTheLastCommit) {
  int before = 0;
  for (const int documents : {10, kConversations / 4 + 20, kConversations / 4 + 60}) {
    kill_after(documents);
    EXPECT_GE(committed(), documents);
    EXPECT_GE(committed(), before);
    before = committed();
  }
  const auto summary = index_all(home(), index());
  std::size_t read = 0;
  for (const auto& store : summary.stores) read += store.documents;
  EXPECT_EQ(committed(), kConversations + kConversations / 4);
  EXPECT_EQ(read, static_cast<std::size_t>(committed() - before));
  index_all(home(), dir_.path() / "fresh");
  EXPECT_EQ(difference(index(), dir_.path() / "fresh"), "");
}

TEST_F(InterruptedTest, ReadsFilesThatWereCommittedNoMore) {
  kill_after(kConversations / 4 + 1);  // transcripts come first
  ReadCounter counter;
  for (const auto& store : index_all(home(), index()).stores) {
    if (store.store->name != "transcripts") continue;
    EXPECT_EQ(store.read, 0u);
  }
  EXPECT_GT(counter.rows, 0u);
}

// It is written beside the empty one.
TEST_F(InterruptedTest, AFirstIndexLeavesNothingBesideIt) {
  index_all(home(), index());
  EXPECT_EQ(History(index(), History::Mode::read).document_count(),
            kConversations + kConversations / 4);
  EXPECT_TRUE(AtRest::hold(index() / "history.db")) << "its journal is not empty";
  for (const auto& entry : fs::directory_iterator(index()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("history.new.db")) << entry;
}

TEST_F(InterruptedTest, WhoReadsTheEmptyOneKeepsIt) {
  fs::create_directories(index());
  { const History made(index(), History::Mode::write); }
  History before(index(), History::Mode::read);
  index_all(home(), index());
  EXPECT_EQ(before.document_count(), 0u);
  EXPECT_EQ(History(index(), History::Mode::read).document_count(),
            kConversations + kConversations / 4);
}

}  // namespace
}  // namespace cgrep::test
