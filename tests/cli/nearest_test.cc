#include "cli/nearest.h"

#include <gtest/gtest.h>

#include "edit_distance.h"

namespace cgrep {
namespace {

const std::vector<std::string> kSorts = {"relevance", "newest", "oldest"};

TEST(NearestTest, DistanceCountsLettersAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("store", "store"), 0u);
  EXPECT_EQ(edit_distance("stroe", "store"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 3), 3u);
  EXPECT_GT(edit_distance("kitten", "sitting", 2), 2u);
  EXPECT_GT(edit_distance("a", "abcd", 2), 2u);
}

TEST(NearestTest, OnlyNearNamesAreProposed) {
  EXPECT_EQ(nearest_name("newst", kSorts), "newest");
  EXPECT_EQ(nearest_name("rel", kSorts), "relevance");
  EXPECT_EQ(nearest_name("xyzzy", kSorts), "");
}

TEST(NearestTest, TheHintListsAllNames) {
  EXPECT_EQ(names_hint("newst", kSorts), "did you mean 'newest'? known: relevance, newest, oldest");
  EXPECT_EQ(names_hint("xyzzy", kSorts), "known: relevance, newest, oldest");
}

}  // namespace
}  // namespace cgrep
