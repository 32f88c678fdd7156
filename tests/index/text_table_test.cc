// The texts that go into history.db by way of a thread are all there, in whatever order they are
// packed, and at once when they are looked at.
#include "index/text_table.h"

#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "extract/sqlite.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

class TextTableTest : public testing::Test {
 protected:
  TextTableTest() { database_.exec("CREATE TABLE texts (id INTEGER PRIMARY KEY, frame BLOB)"); }

  std::map<std::int64_t, std::string> kept() {
    std::map<std::int64_t, std::string> texts;
    Frames frames;
    auto rows = database_.prepare("SELECT id, frame FROM texts");
    while (rows.step()) texts[rows.int64(0)] = frames.unpack(rows.blob(1));
    return texts;
  }

  TempDir dir_{};
  Database database_{dir_.path() / "a.db", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE};
};

TEST_F(TextTableTest, KeepsAFewTexts) {
  TextTable table(database_);
  table.flush();
  EXPECT_TRUE(kept().empty());
  table.add(3, "three");
  table.add(5, "");
  table.flush();
  table.flush();
  EXPECT_EQ(kept(), (std::map<std::int64_t, std::string>{{3, "three"}, {5, ""}}));
  table.add(6, "six");
  table.flush();
  EXPECT_EQ(kept().at(6), "six");
}

// 40 MB, so that the thread is overtaken now and then.
TEST_F(TextTableTest, KeepsManyTexts) {
  database_.exec("BEGIN");
  TextTable table(database_);
  std::mt19937 random(1);
  std::map<std::int64_t, std::string> told;
  std::size_t bytes = 0;
  for (std::int64_t row = 1; bytes < 40'000'000; ++row) {
    std::string text = std::to_string(row);
    const std::size_t words = row % 500 == 0 ? 100'000 : random() % 400;
    for (std::size_t i = 0; i < words; ++i) text += " word" + std::to_string(random() % 1000);
    bytes += text.size();
    table.add(row, text);
    told[row] = std::move(text);
    if (row % 3001 == 0) {
      table.flush();
      ASSERT_EQ(kept().size(), told.size());
    }
  }
  table.flush();
  EXPECT_TRUE(kept() == told);
}

TEST_F(TextTableTest, EndsWithTextsOnTheWay) {
  TextTable table(database_);
  for (std::int64_t row = 1; row < 50; ++row) table.add(row, std::string(100'000, 'x'));
}

}  // namespace
}  // namespace cgrep::test
