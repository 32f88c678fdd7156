#include "cli/display.h"

#include <gtest/gtest.h>

namespace cgrep {
namespace {

std::string joined(const std::vector<Segment>& segments) {
  std::string text;
  for (const Segment& segment : segments)
    text += segment.matched ? '<' + segment.shown + '>' : segment.shown;
  return text;
}

TEST(DisplayTest, ControlCharactersBecomeVisible) {
  EXPECT_EQ(visible("a\x1b[31mb"), "a^[[31mb");
  EXPECT_EQ(visible("bell\a del\x7f cr\r"), "bell^G del^? cr^M");
  EXPECT_EQ(visible("c1 \xc2\x9b"), "c1 \\u{9b}");
  EXPECT_EQ(visible("\xe2\x80\xae right to left"), "\\u{202e} right to left");
  EXPECT_EQ(visible("\u200fa \u200eb \u061cc"), "\\u{200f}a \\u{200e}b \\u{61c}c");
  EXPECT_EQ(visible("\xe2\x81\xa6"), "\\u{2066}");
  EXPECT_EQ(visible("two\nlines"), "two^Jlines");
}

TEST(DisplayTest, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(visible("Grüße, 世界 🙂"), "Grüße, 世界 🙂");
}

TEST(DisplayTest, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(visible("a\xff"
                    "b"),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(visible("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(visible("\xe4\xb8"), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(DisplayTest, LinesKeepTheirEnds) {
  EXPECT_EQ(visible_lines("a\r\nb\x1b\n\nc"), "a\nb^[\n\nc");
  EXPECT_EQ(visible_lines("a\n"), "a\n");
}

TEST(DisplayTest, JsonCannotDriveATerminalEither) {
  EXPECT_EQ(json_without_controls("\"\u061c\""), R"("\u061c")");
  EXPECT_EQ(json_without_controls("\"\xc2\x9b \x7f \xe2\x80\xae\xe2\x81\xa9\""),
            R"("\u009b \u007f \u202e\u2069")");
  EXPECT_EQ(json_without_controls("\"\xc2\xb5 – é\""), "\"\xc2\xb5 – é\"");
}

TEST(DisplayTest, WidthCountsColumns) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("世界"), 4u);
  EXPECT_EQ(display_width("e\xcc\x81"), 1u);  // e with a combining accent
  EXPECT_EQ(display_width("\x1b"), 2u);
}

TEST(DisplayTest, CutTextEndsInAnEllipsis) {
  EXPECT_EQ(cut_to_width("short", 5), "short");
  EXPECT_EQ(cut_to_width("longer", 5), "long…");
  EXPECT_EQ(cut_to_width("世界人", 5), "世界…");
  EXPECT_EQ(cut_to_width("世界", 3), "世…");
  EXPECT_EQ(cut_to_width("x", 0), "");
}

TEST(DisplayTest, ALineThatFitsIsShownWhole) {
  EXPECT_EQ(joined(fit_line({1, "   find it here", {{8, 10}}}, 20)), "find <it> here");
}

TEST(DisplayTest, ALongLineIsCutAroundItsFirstMatch) {
  const std::string text = std::string(500, 'a') + " needle " + std::string(500, 'b');
  const auto segments = fit_line({1, text, {{501, 507}}}, 40);
  const std::string shown = joined(segments);
  EXPECT_NE(shown.find("<needle>"), std::string::npos) << shown;
  EXPECT_TRUE(shown.starts_with("…a")) << shown;
  EXPECT_TRUE(shown.ends_with("b…")) << shown;
  std::size_t width = 0;
  for (const Segment& segment : segments) width += display_width(segment.shown);
  EXPECT_LE(width, 40u);
}

TEST(DisplayTest, AMatchAtTheEndKeepsWhatStandsBefore) {
  const std::string text = std::string(100, 'a') + "needle";
  const std::string shown = joined(fit_line({1, text, {{100, 106}}}, 30));
  EXPECT_TRUE(shown.ends_with("<needle>")) << shown;
  EXPECT_GT(shown.size(), 28u) << shown;
}

TEST(DisplayTest, AnIndentIsKeptWhenItIsPartOfAMatch) {
  EXPECT_EQ(joined(fit_line({1, "  x", {{1, 3}}}, 20)), "< x>");
}

TEST(DisplayTest, AWholeLineLosesOnlyItsCarriageReturn) {
  EXPECT_EQ(joined(whole_line({1, "\ta\x1b needle\r", {{4, 10}}}, false)), "\ta\x1b <needle>");
  EXPECT_EQ(joined(whole_line({1, "\x1b needle", {{2, 8}}}, true)), "^[ <needle>");
}

}  // namespace
}  // namespace cgrep
