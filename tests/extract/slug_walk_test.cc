#include "extract/slug_walk.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

class SlugWalkTest : public testing::Test {
 protected:
  void folder(const fs::path& relative) { fs::create_directories(temp.path() / relative); }
  std::string found(std::string_view slug) {
    const auto path = folder_of_slug(slug, temp.path());
    return path ? path->lexically_relative(temp.path()).string() : "(unknown)";
  }

  TempDir temp{};
};

TEST_F(SlugWalkTest, FindsTheOnlyFolderWithTheSlug) {
  folder("home/ada/my_app.v2");
  folder("home/ada/my");
  folder("home/ada/other");
  EXPECT_EQ(found("home-ada-my-app-v2"), "home/ada/my_app.v2");
  EXPECT_EQ(found("home-ada-my_app.v2"), "home/ada/my_app.v2");
  EXPECT_EQ(found("home-ada"), "home/ada");
}

TEST_F(SlugWalkTest, DoesNotGuessBetweenTwo) {
  folder("home/ada/my-app");
  folder("home/ada/my/app");
  EXPECT_EQ(found("home-ada-my-app"), "(unknown)");
}

TEST_F(SlugWalkTest, DoesNotTakePartsOfAPath) {
  folder("home/ada");
  temp.write("home/ada/file", "");
  EXPECT_EQ(found("home-ada-gone"), "(unknown)");
  EXPECT_EQ(found("home-ada-file"), "(unknown)");
  EXPECT_EQ(found("home-ad"), "(unknown)");
}

TEST_F(SlugWalkTest, ReadsHiddenFoldersAndLinks) {
  folder("home/ada/.config/x");
  folder("data/project");
  fs::create_symlink(temp.path() / "data", temp.path() / "home/ada/link");
  fs::create_symlink(".", temp.path() / "home/ada/loop");
  EXPECT_EQ(found("home-ada-config-x"), "home/ada/.config/x");
  EXPECT_EQ(found("home-ada-link-project"), "home/ada/link/project");
  EXPECT_EQ(found("home-ada-loop-loop-loop-none"), "(unknown)");
}

TEST_F(SlugWalkTest, KnowsSlugsThatAreNoPaths) {
  folder("empty-window");
  folder("1783664993216");
  EXPECT_EQ(found("empty-window"), "(unknown)");
  EXPECT_EQ(found("1783664993216"), "(unknown)");
  EXPECT_EQ(found(""), "(unknown)");
  EXPECT_EQ(found("--"), "(unknown)");
}

TEST_F(SlugWalkTest, AnUnreadableFolderMakesItUnknown) {
  if (geteuid() == 0) GTEST_SKIP() << "root can read everything";
  folder("home/ada/my-app");
  folder("home/ada/my");
  fs::permissions(temp.path() / "home/ada/my", fs::perms::none);
  EXPECT_EQ(found("home-ada-my-app"), "(unknown)");
  fs::permissions(temp.path() / "home/ada/my", fs::perms::owner_all);
}

TEST_F(SlugWalkTest, GivesUpOnTooManyWays) {
  fs::path path;
  for (int i = 0; i < 12; ++i) {
    for (const char* name : {"a", "a-a", "a_a"}) folder(path / name);
    path /= "a";
  }
  EXPECT_EQ(found("a-a-a-a-a-a-a-a-a-a-a-a"), "(unknown)");
}

TEST_F(SlugWalkTest, RepoMetaAsksTheFileSystemOnlyWhereNothingElseTells) {
  folder("home/ada/orrery");
  folder("home/ada/told");
  folder("home/ada/.cursor/projects/home-ada-orrery");
  folder("home/ada/.cursor/projects/empty-window");
  temp.write("home/ada/.cursor/projects/home-ada-told/.workspace-trusted",
             R"({"workspacePath":"/told"})");
  const Roots roots{.data = {temp.path() / "home/ada/.cursor"}, .filesystem = temp.path()};
  const Store& store = *find_store("repo-meta");
  Folders folders;
  std::vector<Source> sources;
  store.discover(roots, folders, sources);
  PrintingSink sink;
  for (const Source& source : sources) store.extract(source, sink);
  EXPECT_EQ(sink.text(), "whole \nslug:home-ada-orrery claim project=" +
                             (temp.path() / "home/ada/orrery").string() +
                             " @60\nwhole \nslug:home-ada-told claim project=/told @10\n");
}

}  // namespace
}  // namespace cgrep::test
