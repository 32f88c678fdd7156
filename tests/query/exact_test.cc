// Exact search: what matches, what narrows, and that the index and a plain scan agree.
#include "query/exact.h"

#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "error.h"
#include "extract/utf8.h"
#include "find_bytes.h"
#include "query/narrowing.h"

namespace cgrep {
namespace {

std::vector<std::string> matched(const ExactQuery& query, std::string_view text) {
  std::vector<std::string> found;
  for (const auto& line : ExactMatcher(query).lines(text))
    for (const auto& span : line.spans)
      found.push_back(std::to_string(line.number) + ":" +
                      std::string(line.text.substr(span.begin, span.end - span.begin)));
  return found;
}

using Found = std::vector<std::string>;

TEST(FindBytesTest, FindsWhatAPlainSearchFinds) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 80, ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 3);
    std::string bytes(1 + random() % (round % 2 == 0 ? 4 : 40), ' ');
    for (char& c : bytes) c = static_cast<char>('a' + random() % 3);
    if (round % 3 == 0 && text.size() > 40) bytes = text.substr(random() % 8, 1 + random() % 36);
    const std::size_t from = random() % 8;
    ASSERT_EQ(find_bytes(text, bytes, from), std::string_view(text).find(bytes, from))
        << text << ' ' << bytes << ' ' << from;
  }
}

TEST(ExactTest, CountsTheLinesThatMatch) {
  for (const std::string text : {"", "x", "x\n", "\n\n", "ax\nb\nxx\r\n\nx", "a\nb"})
    for (const char* pattern : {"x", "^$", "$", "a|b", "x*"})
      for (const bool literal : {true, false}) {
        const ExactMatcher matcher(
            {.patterns = {pattern}, .literal = literal, .match_case = Case::sensitive});
        EXPECT_EQ(matcher.count(text), matcher.lines(text).size()) << pattern << " in " << text;
        EXPECT_EQ(matcher.matches(text), matcher.count(text) > 0) << pattern << " in " << text;
      }
  EXPECT_EQ(ExactMatcher({.patterns = {"x"}, .literal = true}).count("ax\nb\nxx\r\n\nx"), 3u);
  EXPECT_EQ(ExactMatcher({.patterns = {"^$"}}).count("a\n\nb\n\r\n"), 2u);
}

TEST(ExactTest, LiteralsAreTakenAsTheyAre) {
  EXPECT_EQ(matched({.patterns = {"a.b*"}, .literal = true}, "aXb\na.b*c\nA.B*"),
            (Found{"2:a.b*", "3:A.B*"}));
  EXPECT_EQ(matched({.patterns = {"er_by_i"}, .literal = true}, "getUser_by_id()"),
            Found{"1:er_by_i"});
}

TEST(ExactTest, RegularExpressionsMatchOnLines) {
  EXPECT_EQ(matched({.patterns = {"E[0-9]{4}:"}}, "E0308: x\ne12\r\nE9999:\r\n"),
            (Found{"1:E0308:", "3:E9999:"}));
  EXPECT_EQ(matched({.patterns = {"^b$"}}, "a\nb\r\nab\nb"), (Found{"2:b", "4:b"}));
  EXPECT_EQ(matched({.patterns = {"a\\sb"}}, "a\nb"), Found{});
  EXPECT_EQ(matched({.patterns = {"\\Ab"}}, "a\nb"), Found{"2:b"});
}

TEST(ExactTest, CaseIsSmart) {
  EXPECT_EQ(matched({.patterns = {"auth"}}, "Auth AUTH auth").size(), 3U);
  EXPECT_EQ(matched({.patterns = {"Auth"}}, "Auth AUTH auth").size(), 1U);
  EXPECT_EQ(matched({.patterns = {"\\Sx"}}, "aX"), Found{"1:aX"});
  EXPECT_EQ(matched({.patterns = {"Ärger"}}, "ärger Ärger").size(), 1U);
  EXPECT_EQ(matched({.patterns = {"ärger"}}, "ÄRGER"), Found{"1:ÄRGER"});
  EXPECT_EQ(matched({.patterns = {"Auth"}, .match_case = Case::insensitive}, "AUTH").size(), 1U);
  EXPECT_EQ(matched({.patterns = {"auth"}, .match_case = Case::sensitive}, "AUTH").size(), 0U);
}

TEST(ExactTest, WholeWordsAndLines) {
  EXPECT_EQ(
      matched({.patterns = {"cat"}, .literal = true, .whole_words = true}, "concat cat, cat_x cat"),
      (Found{"1:cat", "1:cat"}));
  EXPECT_EQ(matched({.patterns = {"cat|dog"}, .whole_lines = true}, "cat\ncatdog\ndog "),
            Found{"1:cat"});
}

TEST(ExactTest, EmptyMatchesDoNotHang) {
  EXPECT_EQ(matched({.patterns = {"x*"}}, "axb").size(), 3U);
  EXPECT_EQ(ExactMatcher({.patterns = {""}}).lines("a\n\nb").size(), 3U);
}

TEST(ExactTest, ABadExpressionIsAnErrorWithAHint) {
  try {
    ExactMatcher({.patterns = {"a(b"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a(b"), std::string::npos);
    EXPECT_FALSE(error.hint().empty());
  }
}

TEST(ExactTest, AnErrorDoesNotRepeatAllOfALongPattern) {
  for (const char* piece : {"(", "*", "[é"}) {
    std::string pattern;
    for (int i = 0; i < 50'000; ++i) pattern += piece;
    try {
      ExactMatcher({.patterns = {pattern}});
      FAIL();
    } catch (const Error& error) {
      EXPECT_LT(std::string(error.what()).size(), 1000u);
      EXPECT_TRUE(valid_utf8(error.what()));
    }
  }
}

using At = WordPiece::At;

TEST(NarrowingTest, CutsLiteralsAtWordEnds) {
  EXPECT_EQ(pieces_of("er_by_i"), (std::vector<WordPiece>{{"er_by_i", At::inside}}));
  EXPECT_EQ(pieces_of("foo bar baz"),
            (std::vector<WordPiece>{{"foo", At::end}, {"bar", At::whole}, {"baz", At::begin}}));
  EXPECT_EQ(pieces_of("std::"), (std::vector<WordPiece>{{"std", At::end}}));
  EXPECT_EQ(pieces_of("::std"), (std::vector<WordPiece>{{"std", At::begin}}));
  EXPECT_EQ(pieces_of("->"), std::vector<WordPiece>{});
  EXPECT_EQ(pieces_of("日本語"),
            (std::vector<WordPiece>{{"日本", At::whole}, {"本語", At::whole}}));
  EXPECT_EQ(pieces_of("日"), std::vector<WordPiece>{});
  // The last letter may be followed by an accent of its own.
  EXPECT_EQ(pieces_of("при"), (std::vector<WordPiece>{{"пр", At::inside}}));
}

}  // namespace
}  // namespace cgrep
