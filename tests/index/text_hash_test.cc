#include "index/text_hash.h"

#include <random>

#include <gtest/gtest.h>

namespace cgrep {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Word by word.
std::string folded_slowly(std::string_view text) {
  std::string folded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_space(text[i])) continue;
    if (!folded.empty() && is_space(text[i - 1])) folded += ' ';
    folded += text[i];
  }
  return folded;
}

TEST(FoldedSpaceTest, IsWhatFoldingByteByByteGives) {
  std::mt19937 random(20261118);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
  std::string buffer;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    const auto size = random() % 80;
    const auto gap = 1 + random() % 12;
    constexpr std::string_view kOthers = "\t\n\r\v\f\x08\x0e\x80\xff";
    while (text.size() < size) {
      if (random() % gap != 0)
        text += static_cast<char>('a' + random() % 26);
      else
        text += random() % 3 != 0 ? ' ' : kOthers[random() % kOthers.size()];
    }
    ASSERT_EQ(folded_space(text, buffer), folded_slowly(text)) << "round " << round;
  }
}

TEST(TextHashTest, KnowsATextByMoreThanItsWhiteSpace) {
  EXPECT_EQ(text_hash("a  b\n", Role::user), text_hash(" a b", Role::user));
  EXPECT_NE(text_hash("ab", Role::user), text_hash("a b", Role::user));
  EXPECT_EQ(text_hash("a", Role::prompt), text_hash("a", Role::user));
  EXPECT_NE(text_hash("a", Role::assistant), text_hash("a", Role::user));
}

}  // namespace
}  // namespace cgrep
