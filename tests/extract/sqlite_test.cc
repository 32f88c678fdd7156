#include "extract/sqlite.h"

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace cgrep {
namespace {

class SqliteTest : public testing::Test {
 protected:
  test::TempDir temp{};
  Database db{temp.path() / "x.db", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE};
};

TEST_F(SqliteTest, GivesBackWhatWasBound) {
  db.exec("CREATE TABLE t (a, b, c, d)");
  auto insert = db.prepare("INSERT INTO t VALUES (?, ?, ?, ?)");
  const std::string bytes("\0\xFF", 2);
  insert.bind(1, std::int64_t{1} << 60);
  insert.bind(2, "text");
  insert.bind_blob(3, bytes);
  insert.bind_null(4);
  insert.run();
  EXPECT_EQ(db.last_insert_rowid(), 1);
  auto select = db.prepare("SELECT * FROM t");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.int64(0), std::int64_t{1} << 60);
  EXPECT_EQ(select.text(1), "text");
  EXPECT_EQ(select.blob(2), bytes);
  EXPECT_TRUE(select.is_null(3));
  EXPECT_EQ(select.text(3), "");
  EXPECT_FALSE(select.step());
}

TEST_F(SqliteTest, EmptyTextAndBytesAreNotNull) {
  auto select = db.prepare("SELECT ?1 IS NULL, ?2 IS NULL, ?3 IS NULL");
  select.bind(1, std::string_view());
  select.bind_blob(2, {});
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.int64(0), 0);
  EXPECT_EQ(select.int64(1), 0);
  EXPECT_EQ(select.int64(2), 1);
}

TEST_F(SqliteTest, ResetForgetsBindings) {
  auto select = db.prepare("SELECT ?1");
  select.bind(1, 7);
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.int64(0), 7);
  select.reset();
  ASSERT_TRUE(select.step());
  EXPECT_TRUE(select.is_null(0));
}

TEST_F(SqliteTest, ErrorsThrowWithTheirCode) {
  try {
    db.exec("nonsense");
    FAIL();
  } catch (const SqliteError& error) {
    EXPECT_EQ(error.primary(), SQLITE_ERROR);
    EXPECT_NE(std::string(error.what()).find("nonsense"), std::string::npos);
  }
  EXPECT_THROW(db.prepare("SELECT * FROM none"), SqliteError);
  EXPECT_THROW(Database(temp.path() / "none" / "x.db", SQLITE_OPEN_READONLY), SqliteError);
  auto select = db.prepare("SELECT 1");
  EXPECT_THROW(select.bind(2, 1), SqliteError);
}

TEST_F(SqliteTest, AFailedRunCanBeRunAgain) {
  db.exec("CREATE TABLE t (a PRIMARY KEY)");
  auto insert = db.prepare("INSERT INTO t VALUES (?)");
  for (const bool fails : {false, true, true}) {
    insert.bind(1, 5);
    try {
      insert.run();
      EXPECT_FALSE(fails);
    } catch (const SqliteError& error) {
      EXPECT_TRUE(fails);
      EXPECT_EQ(error.code(), SQLITE_CONSTRAINT_PRIMARYKEY);
    }
  }
  insert.bind(1, 6);
  insert.run();
  EXPECT_EQ(db.last_insert_rowid(), 2);
}

TEST_F(SqliteTest, AStatementCanBeMoved) {
  std::vector<Statement> statements;
  statements.push_back(db.prepare("SELECT 1"));
  statements.push_back(db.prepare("SELECT 2"));
  ASSERT_TRUE(statements[0].step() && statements[1].step());
  EXPECT_EQ(statements[0].int64(0) + statements[1].int64(0), 3);
}

TEST_F(SqliteTest, AStatementThatIsPreparedAgainBeginsAnew) {
  db.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)");
  constexpr const char* kSql = "SELECT a, ?1 FROM t ORDER BY a";
  const auto* const first = [&] {
    auto select = db.prepare(kSql);
    select.bind(1, "bound");
    EXPECT_TRUE(select.step());
    return select.handle();
  }();
  auto again = db.prepare(kSql);
  EXPECT_EQ(again.handle(), first);
  ASSERT_TRUE(again.step());
  EXPECT_EQ(again.int64(0), 1);
  EXPECT_TRUE(again.is_null(1));
  auto beside = db.prepare(kSql);  // one that is in use is not given away
  EXPECT_NE(beside.handle(), first);
  EXPECT_TRUE(beside.step());
  EXPECT_TRUE(again.step());
  EXPECT_EQ(again.int64(0), 2);
}

TEST_F(SqliteTest, AStatementThatIsKeptKeepsNothingBusy) {
  db.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)");
  db.exec("BEGIN");
  { EXPECT_TRUE(db.prepare("SELECT a FROM t").step()); }
  db.exec("DROP TABLE t; CREATE TABLE t (a, b); INSERT INTO t VALUES (3, 4); COMMIT; VACUUM");
  auto select = db.prepare("SELECT a FROM t");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.int64(0), 3);
}

TEST_F(SqliteTest, KeepsOnlySomeStatements) {
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(db.prepare("SELECT " + std::to_string(i)).step());
  int count = 0;
  for (auto* each = sqlite3_next_stmt(db.handle(), nullptr); each != nullptr;
       each = sqlite3_next_stmt(db.handle(), each))
    ++count;
  EXPECT_LT(count, 100);
}

}  // namespace
}  // namespace cgrep
