// Databases made from readable text: what they hold, and in which state they are left.

#include "corpus/database.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "error.h"
#include "open_database.h"
#include "support/temp_dir.h"

namespace cgrep::corpus {
namespace {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  fs::path make(std::string_view source) {
    fs::path made = dir_.path() / "made.db";
    make_database(dir_.write("made.db.sql", source), made);
    return made;
  }

  std::string message_of(std::string_view source) {
    try {
      make(source);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  test::TempDir dir_;
};

TEST_F(DatabaseTest, HoldsTextBlobsNullAndJson) {
  const auto made = make(R"(
CREATE TABLE t (key TEXT, value BLOB);
INSERT INTO t VALUES ('json', $json$ {"it's": "a # b"} $$);
INSERT INTO t VALUES ('blob', CAST($json$ [1, 2] $$ AS BLOB));
INSERT INTO t VALUES ('hex', $hex$ 00 ff $$), ('null', NULL);
INSERT INTO t VALUES ('text', $text$
not 'json'
$$);
)");
  EXPECT_EQ(query(made, "mode=ro", "SELECT key, typeof(value), quote(value) FROM t"),
            (Rows{"json|text|'{\"it''s\":\"a # b\"}'", "blob|blob|X'5B312C325D'",
                  "hex|blob|X'00FF'", "null|null|NULL", "text|text|'not ''json'''"}));
}

TEST_F(DatabaseTest, NamedValuesBecomeRowsOfATemporaryTable) {
  const auto made = make(R"(
CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
$text leaf$abc$$
$proto root$ 1: id leaf $$
INSERT INTO blobs SELECT id, data FROM named;
CREATE TABLE meta AS SELECT $json$ {"root": "${id root}"} $$ AS value;
)");
  EXPECT_EQ(query(made, "mode=ro", "SELECT id, typeof(data), length(data) FROM blobs"),
            (Rows{"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad|blob|3",
                  "d5a8aee7726fc3c3d1e5f0053d7fa096aaef00bf5a1041039a66b38e23ab082f|blob|34"}));
  EXPECT_EQ(query(made, "mode=ro", "SELECT count(*) FROM blobs, meta WHERE instr(value, id) > 0"),
            Rows{"1"});
  EXPECT_EQ(query(made, "mode=ro", "SELECT count(*) FROM sqlite_master WHERE name = 'named'"),
            Rows{"0"});
}

TEST_F(DatabaseTest, IsInWalModeAndAtRestByDefault) {
  const auto made = make("CREATE TABLE t (a);");
  EXPECT_FALSE(fs::exists(made.string() + "-wal"));
  EXPECT_FALSE(fs::exists(made.string() + "-shm"));
  EXPECT_EQ(test::read_file(made).substr(18, 2), "\x02\x02");
}

TEST_F(DatabaseTest, RollbackModeLeavesNoTraceOfWal) {
  const auto made = make("@rollback\nCREATE TABLE t (a);");
  EXPECT_FALSE(fs::exists(made.string() + "-wal"));
  EXPECT_EQ(test::read_file(made).substr(18, 2), "\x01\x01");
}

TEST_F(DatabaseTest, RowsAfterWalStayOutOfTheMainFile) {
  const auto made = make(R"(
CREATE TABLE t (a);
INSERT INTO t VALUES ('main');
@wal
INSERT INTO t VALUES ('wal');
)");
  EXPECT_TRUE(fs::exists(made.string() + "-wal"));
  EXPECT_TRUE(fs::exists(made.string() + "-shm"));
  EXPECT_EQ(query(made, "immutable=1", "SELECT a FROM t"), Rows{"main"});
  EXPECT_EQ(query(made, "mode=ro", "SELECT a FROM t"), (Rows{"main", "wal"}));
}

TEST_F(DatabaseTest, ErrorsNameFileAndPlace) {
  EXPECT_NE(message_of("CREATE TABLE t (a);\nINSERT INTO u VALUES (1);")
                .find("made.db.sql: no such table: u, in: INSERT INTO u"),
            std::string::npos);
  EXPECT_NE(message_of("SELECT\n$json$ {,} $$;").find("line 2: expected '\"'"), std::string::npos);
  EXPECT_NE(message_of("@later\n").find("unknown directive @later"), std::string::npos);
  EXPECT_NE(message_of("SELECT $json$ {}").find("without $$"), std::string::npos);
}

}  // namespace
}  // namespace cgrep::corpus
