// Which projects a pattern names.
// SPDX-License-Identifier: MIT
#include "index/project_pattern.h"

#include <gtest/gtest.h>

namespace cgrep {
namespace {

constexpr std::string_view kPath = "/home/ada/src/widget";
constexpr std::string_view kSlug = "home-ada-src-widget";

bool names(std::string_view pattern) {
  return project_matches(pattern, kPath, kSlug);
}

TEST(ProjectPatternTest, AnAbsolutePathNamesTheFolderAndAllBelow) {
  EXPECT_TRUE(names("/home/ada/src/widget"));
  EXPECT_TRUE(names("/home/ada/src/widget/"));
  EXPECT_TRUE(names("/home/ada"));
  EXPECT_TRUE(names("/"));
  EXPECT_FALSE(names("/home/ad"));
  EXPECT_FALSE(names("/home/ada/src/widget/lib"));
  EXPECT_FALSE(names("/ada/src/widget"));
}

TEST(ProjectPatternTest, TheEndOfAPathIsTakenInWholeComponents) {
  EXPECT_TRUE(names("widget"));
  EXPECT_TRUE(names("src/widget"));
  EXPECT_TRUE(names("ada/src/widget/"));
  EXPECT_FALSE(names("dget"));
  EXPECT_FALSE(names("src"));
  EXPECT_FALSE(names("c/widget"));
  EXPECT_FALSE(names("Widget"));
}

TEST(ProjectPatternTest, TheSlugNamesIt) {
  EXPECT_TRUE(names("home-ada-src-widget"));
  EXPECT_FALSE(names("ada-src-widget"));
  EXPECT_TRUE(project_matches("home-ada", "", "home-ada"));
  EXPECT_TRUE(project_matches("home-ada-src-widget", kPath, ""));
  EXPECT_TRUE(project_matches("home-*-widget", kPath, ""));
  EXPECT_FALSE(project_matches("ada-src-widget", kPath, ""));
  EXPECT_FALSE(path_matches("home-ada-src-widget", kPath));
}

TEST(ProjectPatternTest, GlobsStandForWholeComponents) {
  EXPECT_TRUE(names("wid*"));
  EXPECT_TRUE(names("*/widget"));
  EXPECT_TRUE(names("s?c/[uvw]idget"));
  EXPECT_TRUE(names("home-*-widget"));
  EXPECT_TRUE(names("/home/*/src/widget"));
  EXPECT_TRUE(names("/home/*"));
  EXPECT_TRUE(names("*/*/*/*"));
  EXPECT_FALSE(names("*/*/*/*/*"));
  EXPECT_FALSE(names("ada*widget"));
  EXPECT_FALSE(names("src*"));
  EXPECT_FALSE(names("/home/*/widget"));
  EXPECT_FALSE(names("/*/*/*/*/*"));
  EXPECT_FALSE(names("[a-"));
}

TEST(ProjectPatternTest, AFolderWithAGlobInItsNameCanBeTypedAsItIs) {
  EXPECT_TRUE(project_matches("[id]", "/srv/app/[id]", ""));
  EXPECT_TRUE(project_matches("/srv/app/[id]", "/srv/app/[id]/x", ""));
}

TEST(ProjectPatternTest, NoneNamesWhatHasNoProject) {
  EXPECT_TRUE(project_matches("none", "", ""));
  EXPECT_FALSE(names("none"));
  EXPECT_FALSE(project_matches("none", "", "some-slug"));
  EXPECT_TRUE(project_matches("none", "", "empty-window"));
  EXPECT_TRUE(project_matches("none", "", "1783664993216"));
  EXPECT_FALSE(project_matches("none", "/home/ada/7", "7"));
  EXPECT_FALSE(project_matches("widget", "", ""));
  EXPECT_FALSE(project_matches("*", "", ""));
  EXPECT_FALSE(project_matches("/", "", ""));
  EXPECT_FALSE(project_matches("", "/a", "a"));
}

}  // namespace
}  // namespace cgrep
