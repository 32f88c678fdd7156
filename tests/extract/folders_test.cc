#include "extract/folders.h"

#include <ctime>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/temp_dir.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;
using Kind = Entry::Kind;

class FoldersTest : public testing::Test {
 protected:
  const std::vector<Entry>& list(Folders& folders, const fs::path& relative = "root") {
    return folders.list(temp.path() / relative, root);
  }

  // Makes the folder look as if it had rested for some seconds.
  void age(const fs::path& folder, int seconds = 10) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec -= seconds;
    const timespec times[2] = {now, now};
    utimensat(AT_FDCWD, folder.c_str(), times, 0);
  }

  test::TempDir temp{};
  fs::path root = temp.path() / "root";
};

TEST_F(FoldersTest, ListsSortedWithKinds) {
  temp.write("root/b.txt", "");
  temp.write("root/a/inner", "");
  temp.write("root/C", "");
  mkfifo((root / "pipe").c_str(), 0600);
  Folders folders;
  EXPECT_EQ(
      list(folders),
      (std::vector<Entry>{
          {"C", Kind::file}, {"a", Kind::folder}, {"b.txt", Kind::file}, {"pipe", Kind::other}}));
}

TEST_F(FoldersTest, FollowsLinksThatStayInside) {
  temp.write("root/real/file", "");
  temp.write("outside/file", "");
  temp.write("root-twin/file", "");
  fs::create_symlink("real", root / "in");
  fs::create_symlink("real/file", root / "in-file");
  fs::create_symlink("..", root / "real" / "up");
  fs::create_symlink("../outside", root / "out");
  fs::create_symlink("../root-twin", root / "twin");
  fs::create_symlink("/etc/passwd", root / "passwd");
  fs::create_symlink("nowhere", root / "dangling");
  fs::create_symlink("circle", root / "circle");
  Folders folders;
  EXPECT_EQ(
      list(folders),
      (std::vector<Entry>{{"in", Kind::folder}, {"in-file", Kind::file}, {"real", Kind::folder}}));
  EXPECT_EQ(list(folders, "root/real"),
            (std::vector<Entry>{{"file", Kind::file}, {"up", Kind::folder}}));
  auto left_out = folders.left_out();
  std::sort(left_out.begin(), left_out.end());
  EXPECT_EQ(left_out, (std::vector<fs::path>{root / "out", root / "passwd", root / "twin"}));
}

TEST_F(FoldersTest, DoesNotListAgainWhatDidNotChange) {
  temp.write("root/a", "");
  age(root);
  Folders first;
  list(first);
  EXPECT_TRUE(first.changed());
  auto known = first.seen();
  known.at(root).entries = {{"remembered", Kind::file}};
  Folders second(known);
  EXPECT_EQ(list(second), (std::vector<Entry>{{"remembered", Kind::file}}));
  EXPECT_FALSE(second.changed());
  EXPECT_EQ(second.seen().size(), 1u);
}

TEST_F(FoldersTest, ListsAgainWhatChanged) {
  temp.write("root/a", "");
  age(root, 20);
  Folders first;
  list(first);
  temp.write("root/b", "");
  age(root, 10);
  Folders second(first.seen());
  EXPECT_EQ(list(second).size(), 2u);
  EXPECT_TRUE(second.changed());
}

TEST_F(FoldersTest, DoesNotTrustAFolderThatChangedJustNow) {
  temp.write("root/a", "");
  Folders first;
  list(first);
  EXPECT_EQ(first.seen().at(root).mtime_ns, 0);
  Folders second(first.seen());
  list(second);
  EXPECT_FALSE(second.changed());  // still too young, still the same
  age(root);
  Folders third(second.seen());
  list(third);
  EXPECT_TRUE(third.changed());
  EXPECT_NE(third.seen().at(root).mtime_ns, 0);
}

TEST_F(FoldersTest, AnAbsentFolderIsEmpty) {
  Folders folders;
  EXPECT_TRUE(list(folders, "root/none").empty());
  EXPECT_TRUE(folders.unreadable().empty());
  EXPECT_TRUE(folders.changed());  // that it is not there is remembered, too
  Folders again(folders.seen());
  EXPECT_TRUE(list(again, "root/none").empty());
  EXPECT_FALSE(again.changed());
  temp.write("root/file", "");
  EXPECT_TRUE(list(folders, "root/file").empty());
  EXPECT_TRUE(folders.unreadable().empty());
}

TEST_F(FoldersTest, NoticesThatAFolderIsNoLongerThere) {
  temp.write("root/a/file", "");
  Folders first;
  list(first, "root/a");
  fs::remove_all(root / "a");
  Folders second(first.seen());
  EXPECT_TRUE(list(second, "root/a").empty());
  EXPECT_TRUE(second.changed());
  EXPECT_EQ(second.seen().at(root / "a").inode, 0u);
}

TEST_F(FoldersTest, SaysWhichFoldersCannotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root can read everything";
  temp.write("root/a/file", "");
  fs::permissions(root / "a", fs::perms::none);
  Folders folders;
  EXPECT_TRUE(list(folders, "root/a").empty());
  EXPECT_EQ(folders.unreadable(), std::vector<fs::path>{root / "a"});
  fs::permissions(root / "a", fs::perms::owner_all);
}

TEST_F(FoldersTest, ListsEachFolderOncePerWalk) {
  temp.write("root/a", "");
  Folders folders;
  const auto* first = &list(folders);
  temp.write("root/b", "");
  EXPECT_EQ(&list(folders), first);
  EXPECT_EQ(first->size(), 1u);
}

}  // namespace
}  // namespace cgrep
