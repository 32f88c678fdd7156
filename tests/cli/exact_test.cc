// -F, -E and -e as they are typed.
#include <gtest/gtest.h>

#include "cli/history_home.h"

namespace cgrep::test {
namespace {

class ExactOptionsTest : public HistoryHome {
 protected:
  ExactOptionsTest() {
    conversation("11111111-aaaa-4000-8000-000000000001",
                 {{"user", "call getUser_by_id() at E0308: now\nand foo_bar::baz",
                   "Monday, Aug 3, 2026, 10:00 AM (UTC+0)"}});
    conversation("22222222-bbbb-4000-8000-000000000002",
                 {{"user", "E9999: nothing here", "Tuesday, Aug 4, 2026, 10:00 AM (UTC+0)"}});
  }
};

TEST_F(ExactOptionsTest, ALiteralInsideAWord) {
  const auto result = cgrep({"-F", "er_by_i"});
  EXPECT_EQ(result.out, "11111111:1:1:call getUser_by_id() at E0308: now\n");
  EXPECT_EQ(cgrep({"-F", "er.by.i"}).code, 1);
  EXPECT_EQ(cgrep({"-F", "foo_bar::baz", "-l"}).out, "11111111\n");
}

TEST_F(ExactOptionsTest, ExpressionsNewestFirst) {
  EXPECT_EQ(cgrep({"-e", "E[0-9]{4}:", "-l"}).out, "22222222\n11111111\n");
  EXPECT_EQ(cgrep({"-E", "^e9+", "-c"}).out, "22222222:1\n");
  EXPECT_EQ(cgrep({"-e", "[0-9]{4}:", "-e", "::b", "-c", "--sort", "oldest"}).out,
            "11111111:2\n22222222:1\n");
  EXPECT_EQ(cgrep({"-s", "-E", "^e9+"}).code, 1);
  EXPECT_EQ(cgrep({"-x", "-E", "e9+: .*", "-l"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"-w", "-F", "E999"}).code, 1);
  EXPECT_EQ(cgrep({"-w", "-F", "E9999", "-l"}).out, "22222222\n");
}

TEST_F(ExactOptionsTest, FiltersApply) {
  EXPECT_EQ(cgrep({"-E", "E[0-9]+", "--since", "2026-08-04", "-l"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"-E", "E[0-9]+", "--role", "assistant"}).code, 1);
}

TEST_F(ExactOptionsTest, ExplainsItsPlan) {
  const auto plan = cgrep({"--explain", "-F", "er_by_i"}).out;
  EXPECT_NE(plan.find("needs:  er_by_i (in 1 words)"), std::string::npos) << plan;
  EXPECT_NE(plan.find("plan:   1 of 2 texts are read"), std::string::npos) << plan;
}

TEST_F(ExactOptionsTest, WhatCannotBeMeantIsAnError) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"-F"}, {"-e", "a", "b"}, {"-E", "a(b"}, {"-P", "a"}, {"-x", "a"}}) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 2) << words[0];
    EXPECT_NE(result.err.find("hint: "), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace cgrep::test
