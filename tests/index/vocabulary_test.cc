#include "index/vocabulary.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "index/damaged.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;

std::vector<std::string> with_prefix(const Vocabulary& vocabulary, std::string_view prefix) {
  std::vector<std::string> words;
  vocabulary.for_each_with_prefix(prefix, [&](std::string_view word) {
    words.emplace_back(word);
    return true;
  });
  return words;
}

std::vector<std::string> containing(const Vocabulary& vocabulary, std::string_view piece) {
  std::vector<std::string> words;
  vocabulary.for_each_containing(piece, [&](std::string_view word) {
    words.emplace_back(word);
    return true;
  });
  return words;
}

TEST(VocabularyTest, FindsWordsByPrefixAndByPiece) {
  const TempDir dir;
  Vocabulary::write(dir.path() / "v", {"auth", "author", "bug", "debug"});
  const Vocabulary vocabulary(dir.path() / "v");
  EXPECT_EQ(with_prefix(vocabulary, "auth"), (std::vector<std::string>{"auth", "author"}));
  EXPECT_EQ(containing(vocabulary, "bug"), (std::vector<std::string>{"bug", "debug"}));
  EXPECT_TRUE(vocabulary.contains("author"));
  EXPECT_FALSE(vocabulary.contains("autho"));
  EXPECT_TRUE(with_prefix(vocabulary, "z").empty());
}

TEST(VocabularyTest, IsEmptyWithoutWords) {
  const TempDir dir;
  Vocabulary::write(dir.path() / "v", {});
  const Vocabulary vocabulary(dir.path() / "v");
  EXPECT_TRUE(with_prefix(vocabulary, "").empty());
  EXPECT_FALSE(vocabulary.contains(""));
}

TEST(VocabularyTest, AgreesWithASetOnRandomWords) {
  const TempDir dir;
  std::mt19937 random(7);
  std::set<std::string> set;
  for (int i = 0; i < 500; ++i) {
    std::string word;
    for (auto n = 1 + random() % 6; n > 0; --n) word += static_cast<char>('a' + random() % 4);
    set.insert(word);
  }
  Vocabulary::write(dir.path() / "v", {set.begin(), set.end()});
  const Vocabulary vocabulary(dir.path() / "v");
  for (const auto& word : set) {
    for (const auto& piece : {word.substr(0, 2), word.substr(word.size() / 2)}) {
      std::vector<std::string> prefixed;
      std::vector<std::string> inside;
      for (const auto& other : set) {
        if (other.starts_with(piece)) prefixed.push_back(other);
        if (other.find(piece) != std::string::npos) inside.push_back(other);
      }
      EXPECT_EQ(with_prefix(vocabulary, piece), prefixed) << piece;
      EXPECT_EQ(containing(vocabulary, piece), inside) << piece;
      EXPECT_EQ(vocabulary.contains(piece), set.contains(piece)) << piece;
    }
  }
}

TEST(VocabularyTest, MergesWithoutRepeats) {
  const TempDir dir;
  Vocabulary::write(dir.path() / "a", {"auth", "bug"});
  Vocabulary::write(dir.path() / "b", {});
  Vocabulary::write(dir.path() / "c", {"bug", "cat"});
  const Vocabulary a(dir.path() / "a");
  const Vocabulary b(dir.path() / "b");
  const Vocabulary c(dir.path() / "c");
  Vocabulary::merge(dir.path() / "m", {&a, &b, &c});
  EXPECT_EQ(with_prefix(Vocabulary(dir.path() / "m"), ""),
            (std::vector<std::string>{"auth", "bug", "cat"}));
}

TEST(VocabularyTest, SaysWhenItIsDamaged) {
  const TempDir dir;
  dir.write("cut", "cgrep-vocab");
  dir.write("other", "something else entirely, and long enough\n");
  dir.write("tail", "cgrep-vocabulary 1\nauth\nbu");
  EXPECT_THROW(Vocabulary(dir.path() / "cut"), Damaged);
  EXPECT_THROW(Vocabulary(dir.path() / "other"), Damaged);
  EXPECT_THROW(Vocabulary(dir.path() / "tail"), Damaged);
  EXPECT_THROW(Vocabulary(dir.path() / "absent"), Damaged);
}

}  // namespace
}  // namespace cgrep
