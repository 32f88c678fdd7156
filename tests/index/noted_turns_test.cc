// Notes of turns: left by hooks, taken by whoever writes.
#include "index/noted_turns.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temp_dir.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

class NotedTurnsTest : public testing::Test {
 protected:
  fs::path folder() const { return index_ / "turns"; }

  test::TempDir dir_{};
  fs::path index_ = dir_.path() / "index";
};

TEST_F(NotedTurnsTest, AreReadInTheOrderInWhichTheyEnded) {
  const Turn first{.conversation = "c1", .generation = "g", .time = 99, .size = 12, .ended = true};
  const Turn second{.conversation = "c2", .time = 1'781'000'000'000};
  const auto later = note_turn(index_, second);
  const auto earlier = note_turn(index_, first);
  EXPECT_TRUE(is_any_turn_noted(index_));
  const auto found = noted_turns(index_);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].note, earlier);
  EXPECT_EQ(found[0].turn, first);
  EXPECT_EQ(found[1].note, later);
  EXPECT_EQ(found[1].turn, second);
  for (const auto& noted : found) fs::remove(noted.note);
  EXPECT_FALSE(is_any_turn_noted(index_));
}

TEST_F(NotedTurnsTest, AreForTheirUserOnly) {
  const auto note = note_turn(index_, {.conversation = "c1", .time = 1});
  struct stat status = {};
  ASSERT_EQ(stat(note.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
  ASSERT_EQ(stat(folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
}

TEST_F(NotedTurnsTest, WhatIsNoneIsRemoved) {
  fs::create_directories(folder());
  for (const char* bytes : {"", "1\n", "x\nc1\n\n\n0\n", "1\n\n\n\n0\n", "1\nc1\ng\nmany\n0\n"}) {
    dir_.write("index/turns/note", bytes);
    EXPECT_TRUE(noted_turns(index_).empty()) << bytes;
    EXPECT_FALSE(fs::exists(folder() / "note")) << bytes;
  }
}

// Somebody is about to write it, or was killed meanwhile.
TEST_F(NotedTurnsTest, WhatIsHalfDoneIsLeftForAWhile) {
  fs::create_directories(folder());
  dir_.write("index/turns/.1", "1\nc1\n");
  EXPECT_TRUE(noted_turns(index_).empty());
  EXPECT_TRUE(fs::exists(folder() / ".1"));
  fs::last_write_time(folder() / ".1", fs::file_time_type::clock::now() - std::chrono::minutes(2));
  EXPECT_TRUE(noted_turns(index_).empty());
  EXPECT_FALSE(fs::exists(folder() / ".1"));
}

TEST_F(NotedTurnsTest, NoneIsLeftWhereOthersMayWrite) {
  fs::create_directories(index_);
  fs::permissions(index_, fs::perms::all);
  EXPECT_EQ(note_turn(index_, {.conversation = "c1", .time = 1}), fs::path());
  EXPECT_FALSE(is_any_turn_noted(index_));
}

}  // namespace
}  // namespace cgrep
