#include "extract/paths.h"

#include <gtest/gtest.h>

namespace cgrep {
namespace {

TEST(PathsTest, DecodesFileUris) {
  EXPECT_EQ(path_of_uri("file:///home/ada/my%20app"), "/home/ada/my app");
  EXPECT_EQ(path_of_uri("file:///c%3A/work"), "c:/work");
  EXPECT_EQ(path_of_uri("/home/ada/100%25"), "/home/ada/100%25");
  EXPECT_EQ(path_of_uri("file:///odd%zz%2"), "/odd%zz%2");
}

TEST(PathsTest, DecodesUrisOfOtherMachines) {
  EXPECT_EQ(path_of_uri("vscode-remote://wsl%2Bubuntu/home/ada/app"), "/home/ada/app");
  EXPECT_EQ(path_of_uri("vscode-remote://wsl+Ubuntu/home/ada/my%20app"), "/home/ada/my app");
  EXPECT_EQ(path_of_uri("vscode-remote://ssh-remote+host/home/ada/app"), "/home/ada/app");
  EXPECT_EQ(path_of_uri("vscode-remote://ssh-remote%2B7b22686f7374227d/srv"), "/srv");
  EXPECT_EQ(path_of_uri("vscode-remote://dev-container+2f686f6d65/workspaces/x"), "/workspaces/x");
  EXPECT_EQ(path_of_uri("vscode-remote://wsl+ubuntu"), "");
  EXPECT_EQ(path_of_uri("file:///c%3A/Users/ada/app"), "c:/Users/ada/app");
  EXPECT_EQ(path_of_uri("file:///home/ada/%C3%BCber"), "/home/ada/über");
  EXPECT_EQ(path_of_uri("vscode-remote://wsl+ubuntu/odd%zz%2"), "/odd%zz%2");
  EXPECT_EQ(path_of_uri("untitled:Untitled-1"), "untitled:Untitled-1");
}

TEST(PathsTest, SharesWholeLevelsOnly) {
  EXPECT_EQ(common_folder("/home/ada/orrery/src", "/home/ada/orrery/tests"), "/home/ada/orrery");
  EXPECT_EQ(common_folder("/home/ada/orrery", "/home/ada/orrery2"), "/home/ada");
  EXPECT_EQ(common_folder("/home/ada", "/home/ada/x"), "/home/ada");
  EXPECT_EQ(common_folder("/home/ada", "/home/bob"), "");
  EXPECT_EQ(common_folder("/home/ada", "/srv"), "");
  EXPECT_EQ(common_folder("D:\\work\\a", "D:\\work\\b"), "D:\\work");
}

TEST(PathsTest, GoesUpOneLevel) {
  EXPECT_EQ(parent_folder("/a/b"), "/a");
  EXPECT_EQ(parent_folder("/a/"), "/");
  EXPECT_EQ(parent_folder("/"), "/");
  EXPECT_EQ(parent_folder("a"), "");
}

TEST(PathsTest, FindsTheFolderThatGaveTheSlug) {
  EXPECT_EQ(folder_with_slug("/home/ada/my_app.v2/src/x.c", "home-ada-my-app-v2"),
            "/home/ada/my_app.v2");
  EXPECT_EQ(folder_with_slug("/home/ada/my_app", "home-ada-my_app"), "/home/ada/my_app");
  EXPECT_EQ(folder_with_slug("D:\\work\\my_app\\x.ts", "d-work-my-app"), "D:\\work\\my_app");
  EXPECT_EQ(folder_with_slug("/home/Ada/x", "home-ada-x"), "");
  EXPECT_EQ(folder_with_slug("/home/ada/other/x.c", "home-ada-my-app"), "");
  EXPECT_EQ(folder_with_slug("src/x.c", "src"), "");
  EXPECT_EQ(folder_with_slug("/", "home"), "");
  EXPECT_EQ(folder_with_slug("/empty/window", "empty-window"), "");
}

TEST(PathsTest, KnowsSlugsThatAreNoPaths) {
  EXPECT_TRUE(is_path_slug("home-ada-widget"));
  for (const std::string slug : {"", "empty-window", "1783664993216"})
    EXPECT_FALSE(is_path_slug(slug)) << slug;
  EXPECT_FALSE(is_path_slug(std::string(92, 'a')));
}

}  // namespace
}  // namespace cgrep
