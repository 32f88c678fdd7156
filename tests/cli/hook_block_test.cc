// The lines of a hook in an rc file: in, and out again, and not a byte of others changed.
#include "cli/hook_block.h"

#include <gtest/gtest.h>

#include "error.h"

namespace cgrep::test {
namespace {

constexpr const char* kLines = "eval this\n";

TEST(HookBlockTest, RestoresWhatWasThere) {
  for (const std::string text :
       {"", "\n", "a\n", "a", "a\n\n", "# >>> other >>>\n", "a\r\n", "\0x"}) {
    const auto with = with_hook_block(text, kLines);
    EXPECT_EQ(hook_block(with), kLines);
    EXPECT_EQ(with_hook_block(with, kLines), with) << "twice is once";
    EXPECT_EQ(without_hook_block(with), text) << with;
    EXPECT_EQ(without_hook_block(text), text);
    const auto other = with_hook_block(text, "eval that\n");
    EXPECT_EQ(with_hook_block(other, kLines), with) << "the old ones are replaced";
  }
}

TEST(HookBlockTest, MakesAFileThatIsRemovedWithThem) {
  const auto made = with_hook_block(std::nullopt, kLines);
  EXPECT_EQ(hook_block(made), kLines);
  EXPECT_EQ(without_hook_block(made), std::nullopt);
  EXPECT_EQ(without_hook_block(made + "mine\n"), "mine\n");
  EXPECT_EQ(without_hook_block("mine\n" + made), "mine\n");
}

TEST(HookBlockTest, StandsWhereItStood) {
  auto text = with_hook_block("a", kLines) + "b\n";
  EXPECT_EQ(with_hook_block(text, kLines), text);
  EXPECT_EQ(without_hook_block(text), "a\nb\n");  // the line's end is needed now
  text.pop_back();
  text.resize(text.size() - 2);  // as an editor leaves it that ends no last line
  EXPECT_EQ(without_hook_block(text), "a");
}

TEST(HookBlockTest, RefusesOneWithoutAnEnd) {
  const std::string text = "a\n# >>> cgrep hook >>>\neval this\n";
  EXPECT_THROW(with_hook_block(text, kLines), Error);
  EXPECT_THROW(without_hook_block(text), Error);
  EXPECT_THROW(hook_block(text), Error);
}

}  // namespace
}  // namespace cgrep::test
