#include "cli/context.h"

#include <string>

#include <gtest/gtest.h>

#include "cli/history_home.h"

namespace cgrep::test {
namespace {

// `2:` a match, `1-` beside one, `|` where lines were left out.
std::string shown(std::string_view text, const std::vector<std::uint32_t>& matching,
                  ContextSize size) {
  std::vector<MatchLine> matches;
  for (const auto number : matching) matches.push_back({.number = number, .text = "match"});
  std::string out;
  for (const auto& line : with_context(text, matches, size)) {
    if (line.apart) out += "|";
    out += std::to_string(line.number) + (line.match != nullptr ? ":" : "-");
  }
  return out;
}

TEST(ContextTest, EachLineOnceAndGapsShown) {
  const std::string text = "1\n2\n3\n4\n5\n6\n7\n8\n9";
  EXPECT_EQ(shown(text, {2, 8}, {0, 0}), "2:8:");
  EXPECT_EQ(shown(text, {2, 8}, {1, 1}), "1-2:3-|7-8:9-");
  EXPECT_EQ(shown(text, {2, 4}, {1, 1}), "1-2:3-4:5-");
  EXPECT_EQ(shown(text, {2, 3}, {5, 5}), "1-2:3:4-5-6-7-8-");
  EXPECT_EQ(shown(text, {1, 9}, {0, 2}), "1:2-3-|9:");
  EXPECT_EQ(shown(text, {5, 7}, {2, 0}), "3-4-5:6-7:");
  EXPECT_EQ(shown("one line", {1}, {3, 3}), "1:");
}

class ContextOptionsTest : public HistoryHome {
 protected:
  ContextOptionsTest() {
    conversation("11111111-aaaa-4000-8000-000000000001",
                 {{"user", "one\ntwo needle and needle\nthree\nfour\nfive\nsix needle", ""}});
  }
};

TEST_F(ContextOptionsTest, InAPipe) {
  EXPECT_EQ(cgrep({"-C1", "-F", "needle"}).out,
            "11111111:1-1-one\n11111111:1:2:two needle and needle\n11111111:1-3-three\n--\n"
            "11111111:1-5-five\n11111111:1:6:six needle\n");
  EXPECT_EQ(cgrep({"-A", "1", "-B0", "-N", "needle"}).out,
            "11111111:1:two needle and needle\n11111111:1-three\n--\n11111111:1:six needle\n");
  EXPECT_EQ(cgrep({"-o", "-F", "needle"}).out,
            "11111111:1:2:needle\n11111111:1:2:needle\n11111111:1:6:needle\n");
  EXPECT_EQ(cgrep({"-l", "-0", "needle"}).out, std::string("11111111\0", 9));
}

TEST_F(ContextOptionsTest, InJsonAndUnderHeadings) {
  const auto json = cgrep({"--json", "-B1", "needle"}).out;
  EXPECT_NE(json.find(R"({"type":"context","data":)"), std::string::npos) << json;
  const auto headed = cgrep({"--heading", "-A1", "needle"}).out;
  EXPECT_NE(headed.find("1-3     user        three"), std::string::npos) << headed;
  EXPECT_EQ(cgrep({"--json", "-o", "needle"}).code, 2);
}

}  // namespace
}  // namespace cgrep::test
