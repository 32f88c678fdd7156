#include "extract/whole_mark.h"

#include <gtest/gtest.h>

#include "printed.h"

namespace cgrep::test {
namespace {

TEST(WholeMarkTest, BeginsAConversationOnce) {
  PrintingSink sink;
  WholeMark mark("");
  EXPECT_TRUE(mark.begin("a", sink));
  EXPECT_TRUE(mark.begin("b", sink));
  EXPECT_FALSE(mark.begin("a", sink));
  EXPECT_EQ(mark.end(0xbeef, sink), "whole beef a b");
  EXPECT_EQ(sink.text(), "whole a\nwhole b\n");
}

TEST(WholeMarkTest, TellsWhatVanished) {
  PrintingSink sink;
  WholeMark mark("whole beef a b");
  mark.begin("b", sink);
  EXPECT_EQ(mark.end(1, sink), "whole 1 b");
  EXPECT_EQ(sink.text(), "whole b\nwhole a\n");
}

TEST(WholeMarkTest, LosesNothingOfWhatCouldNotBeRead) {
  PrintingSink sink;
  WholeMark mark("whole beef a b");
  mark.begin("b", sink);
  mark.incomplete();
  const auto next = mark.end(1, sink);
  EXPECT_EQ(next, "whole 0 a b");
  EXPECT_EQ(sink.text(), "whole b\n");
  EXPECT_FALSE(WholeMark(next).was_read(1));
}

TEST(WholeMarkTest, KnowsWhatWasRead) {
  EXPECT_TRUE(WholeMark("whole beef a").was_read(0xbeef));
  EXPECT_TRUE(WholeMark("whole beef").was_read(0xbeef));
  for (const char* mark : {"", "whole", "whole 0", "whole bee", "read beef", "whole xyz"})
    EXPECT_FALSE(WholeMark(mark).was_read(0xbeef)) << mark;
  EXPECT_FALSE(WholeMark("whole 0").was_read(0));
}

}  // namespace
}  // namespace cgrep::test
