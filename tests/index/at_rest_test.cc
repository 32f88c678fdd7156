// A database that is held at rest stays as it is, whatever SQLite's own writers do meanwhile.
#include "index/at_rest.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "extract/sqlite.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

class AtRestTest : public testing::Test {
 protected:
  AtRestTest() {
    Database made = open();
    made.exec("PRAGMA journal_mode=WAL; CREATE TABLE rows (value); INSERT INTO rows VALUES (1)");
  }

  Database open() const { return {file_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE}; }

  std::string bytes() const { return test::read_file(file_); }

  /// Whether all of the journal came into the database.
  static bool empty_journal(Database& database) {
    auto checkpoint = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
    return checkpoint.step() && checkpoint.int64(0) == 0;
  }

  test::TempDir folder_{};
  std::filesystem::path file_ = folder_.path() / "history.db";
};

TEST_F(AtRestTest, NobodyChangesItWhileItIsHeld) {
  AtRest::make_possible(file_);
  auto held = AtRest::hold(file_);
  ASSERT_TRUE(held);
  const auto before = bytes();
  {
    Database writer = open();
    writer.exec("INSERT INTO rows VALUES (2)");
    EXPECT_FALSE(empty_journal(writer));
    // One that closes last would move the journal, too.
  }
  EXPECT_EQ(bytes(), before);
  EXPECT_THROW(open().exec("PRAGMA journal_mode=DELETE"), SqliteError);
  EXPECT_EQ(bytes(), before);

  held.reset();
  Database writer = open();
  EXPECT_TRUE(empty_journal(writer));
  EXPECT_NE(bytes(), before);
}

TEST_F(AtRestTest, ItIsNotWhileTheJournalHoldsSomething) {
  AtRest::make_possible(file_);
  Database writer = open();
  writer.exec("INSERT INTO rows VALUES (2)");
  EXPECT_FALSE(AtRest::hold(file_));
  EXPECT_TRUE(empty_journal(writer));
  EXPECT_TRUE(AtRest::hold(file_));
}

TEST_F(AtRestTest, SeveralMayHoldItAndOthersReadIt) {
  AtRest::make_possible(file_);
  const auto one = AtRest::hold(file_);
  auto other = AtRest::hold(file_);
  EXPECT_TRUE(one);
  EXPECT_TRUE(other);
  EXPECT_EQ(bytes(), bytes());  // closes the file, which ends locks of the process
  other.reset();
  Database other_process = open();
  EXPECT_TRUE(other_process.prepare("SELECT count(*) FROM rows").step());
  other_process.prepare("INSERT INTO rows VALUES (2)").run();
  EXPECT_FALSE(empty_journal(other_process));
}

TEST_F(AtRestTest, ItCannotBeToldWithoutTheSharedFileOrInAnotherMode) {
  EXPECT_FALSE(AtRest::hold(file_));  // who closed last removed it
  open().exec("PRAGMA journal_mode=DELETE");
  AtRest::make_possible(file_);
  EXPECT_FALSE(AtRest::hold(file_));
  EXPECT_FALSE(AtRest::hold(folder_.path() / "absent.db"));
}

}  // namespace
}  // namespace cgrep
