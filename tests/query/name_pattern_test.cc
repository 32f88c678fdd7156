#include "query/name_pattern.h"

#include <gtest/gtest.h>

namespace cgrep {
namespace {

TEST(NamePatternTest, AllOfANameOrWholePartsOfIt) {
  EXPECT_TRUE(name_matches("claude-4-sonnet", "claude-4-sonnet"));
  EXPECT_TRUE(name_matches("Sonnet", "claude-4-sonnet"));
  EXPECT_TRUE(name_matches("4-sonnet", "claude-4-sonnet"));
  EXPECT_FALSE(name_matches("son", "claude-4-sonnet"));
  EXPECT_TRUE(name_matches("login", "fix/login"));
}

TEST(NamePatternTest, GlobsAreOfTheWholeName) {
  EXPECT_TRUE(name_matches("claude*", "claude-4-sonnet"));
  EXPECT_TRUE(name_matches("fix/*", "fix/login/now"));
  EXPECT_FALSE(name_matches("sonn*", "claude-4-sonnet"));
}

TEST(NamePatternTest, NoneIsNoName) {
  EXPECT_TRUE(name_matches("none", ""));
  EXPECT_FALSE(name_matches("none", "gpt-5"));
  EXPECT_FALSE(name_matches("gpt-5", ""));
}

TEST(NamePatternTest, FilesByTheirEndTheirFolderOrAGlob) {
  const auto* file = "/home/ada/widget/src/auth/login.ts";
  for (const auto* pattern : {"login.ts", "auth/login.ts", "/home/ada/widget", "*.ts", "auth/*.ts",
                              "src/**", "**/login.*", "/home/**/login.ts"})
    EXPECT_TRUE(file_matches(pattern, file)) << pattern;
  for (const auto* pattern : {"ogin.ts", "src/*.ts", "/home/ada/wid", "lib/**", "none", ""})
    EXPECT_FALSE(file_matches(pattern, file)) << pattern;
}

}  // namespace
}  // namespace cgrep
