#include "extract/utf8.h"

#include <gtest/gtest.h>

namespace cgrep {
namespace {

TEST(Utf8Test, LeavesValidTextAsItIs) {
  for (const std::string text : {"", "plain", "größer", "木星", "🪐", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(valid_utf8(text));
    EXPECT_EQ(repaired_utf8(text), text);
  }
}

TEST(Utf8Test, ReplacesEachByteThatIsNoCharacter) {
  EXPECT_EQ(repaired_utf8("a\xFF"
                          "b"),
            "a\uFFFDb");
  EXPECT_EQ(repaired_utf8("cut \xE6\x9C"), "cut \uFFFD\uFFFD");
  EXPECT_EQ(repaired_utf8("\xC0\x80"), "\uFFFD\uFFFD");                        // overlong
  EXPECT_EQ(repaired_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");              // a surrogate
  EXPECT_EQ(repaired_utf8("\xF4\x90\x80\x80z"), "\uFFFD\uFFFD\uFFFD\uFFFDz");  // too high
  EXPECT_TRUE(valid_utf8(repaired_utf8("\x80\xBF\xFE\xF0\x9F\xAA")));
}

TEST(Utf8Test, CutsBetweenCharacters) {
  EXPECT_EQ(cut_position("abc", 5), 3u);
  EXPECT_EQ(cut_position("abc", 2), 2u);
  EXPECT_EQ(cut_position("a木b", 3), 1u);
  EXPECT_EQ(cut_position("a木b", 4), 4u);
  EXPECT_EQ(cut_position("🪐", 3), 0u);
}

TEST(Utf8Test, TrimsBothEnds) {
  EXPECT_EQ(trimmed(" \r\n\ta b\n "), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

}  // namespace
}  // namespace cgrep
