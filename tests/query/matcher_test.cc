// Matching on the text, against plain cases and a naive implementation.
// SPDX-License-Identifier: MIT
#include "query/matcher.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "index/words.h"
#include "query/parser.h"

namespace cgrep {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  return Matcher(parse_query(pattern).query).matches(text);
}

/// The text with its spans in brackets.
std::string marked(const Query& query, std::string_view text) {
  std::string out;
  std::size_t at = 0;
  for (const Span& span : Matcher(query).spans(text)) {
    out.append(text.substr(at, span.begin - at)).append("[");
    out.append(text.substr(span.begin, span.end - span.begin)).append("]");
    at = span.end;
  }
  return out.append(text.substr(at));
}

std::string marked(std::string_view pattern, std::string_view text) {
  return marked(parse_query(pattern).query, text);
}

Query word_with_forms(std::string text, std::vector<std::string> forms) {
  return {.kind = Query::Kind::word, .text = std::move(text), .forms = std::move(forms)};
}

TEST(MatcherTest, AWordMatchesWholeWordsInAnyCase) {
  EXPECT_EQ(marked("auth", "Auth, AUTH and author"), "[Auth], [AUTH] and author");
  EXPECT_FALSE(matches("auth", "author oauth"));
  EXPECT_TRUE(matches("auth bug", "bug in the auth"));
  EXPECT_FALSE(matches("auth bug", "auth"));
}

TEST(MatcherTest, AWordIsFoundInsideAnIdentifier) {
  EXPECT_EQ(marked("user", "getUserById(user_name, superuser)"),
            "get[User]ById([user]_name, superuser)");
  EXPECT_EQ(marked("getuserbyid", "getUserById"), "[getUserById]");
  EXPECT_EQ(marked("sha", "sha256"), "[sha]256");
  EXPECT_FALSE(matches("bg", "aGVsbG8gd29ybGQ"));
}

TEST(MatcherTest, FormsOfAWordMatchToo) {
  const Query query = word_with_forms("fix", {"fix", "fixed", "fixes"});
  EXPECT_EQ(marked(query, "fix Fixed fixes fixture quick_fix"),
            "[fix] [Fixed] [fixes] fixture quick_[fix]");
}

TEST(MatcherTest, ManyFormsMatchWhetherTheyBeginAlikeOrNot) {
  std::vector<std::string> alike;
  std::vector<std::string> various;
  for (char c = 'a'; c < 'p'; ++c) {
    alike.push_back(std::string("form") + c);
    various.push_back(std::string(3, c));
  }
  EXPECT_EQ(marked(word_with_forms("x", alike), "forma formz FORMO"), "[forma] formz [FORMO]");
  EXPECT_EQ(marked(word_with_forms("x", various), "aaa zzz ooo bb"), "[aaa] zzz [ooo] bb");
}

TEST(MatcherTest, AccentsMayBeLeftOut) {
  EXPECT_EQ(marked("cafe", "Café cafe Cafe\u0301"), "[Café] [cafe] [Cafe\u0301]");
  EXPECT_EQ(marked("café", "Café cafe"), "[Café] cafe");
  EXPECT_EQ(marked("uber", "getÜberName"), "get[Über]Name");
  EXPECT_EQ(marked("\"cafe noir\"", "un café\nnoir"), "un [café\nnoir]");
}

std::string utf8(char32_t code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80u | (code >> shift & 0x3Fu)); };
  if (code < 0x800) return {static_cast<char>(0xC0u | code >> 6), tail(0)};
  return {static_cast<char>(0xE0u | code >> 12), tail(6), tail(0)};
}

TEST(MatcherTest, EveryLetterThatIsAsciiWithoutItsAccentIsFoundByThat) {
  std::size_t found = 0;
  for (char32_t code = 0x80; code < 0x10000; ++code) {
    const std::string letter = utf8(code);
    if (words_of(letter).empty()) continue;
    const std::string bare = without_accents(fold(letter));
    if (bare.size() != 1) continue;
    EXPECT_TRUE(matches("x" + bare + "y", "x" + letter + "y")) << letter;
    ++found;
  }
  EXPECT_GT(found, 400u);
}

TEST(MatcherTest, APrefixMatchesWordsAndSubWords) {
  EXPECT_EQ(marked("auth*", "author Auth oauth myAuthToken"),
            "[author] [Auth] oauth my[Auth]Token");
  EXPECT_EQ(marked("nai*", "naïve"), "[naïve]");
}

TEST(MatcherTest, APhraseIsItsWholeWordsSideBySide) {
  EXPECT_EQ(marked("\"no verify\"", "use --no-verify, no\n verify"),
            "use --[no-verify], [no\n verify]");
  EXPECT_FALSE(matches("\"no verify\"", "verify no"));
  EXPECT_FALSE(matches("\"no verify\"", "no one can verify"));
  EXPECT_FALSE(matches("\"no verify\"", "no_verify no verifying"));
  EXPECT_EQ(marked("foo::bar", "foo.bar foo::Bar"), "[foo.bar] [foo::Bar]");
  EXPECT_EQ(marked("\"a b a\"", "a b a b a"), "[a b a] b a");
}

TEST(MatcherTest, OverlongWordsAreStillMatched) {
  const std::string word(300, 'x');
  EXPECT_TRUE(matches(word, "a " + word + " b"));
  EXPECT_TRUE(matches("xxx*", "a " + word + " b"));
  EXPECT_TRUE(matches("\"a " + word + "\"", "a " + word + " b"));
  EXPECT_FALSE(matches(word, "a " + word + "x b"));
}

TEST(MatcherTest, TextWithoutSpacesIsSearchedInside) {
  EXPECT_EQ(marked("認証", "再認証する。認証"), "再[認証]する。[認証]");
  EXPECT_EQ(marked("証", "認証"), "認[証]");
  EXPECT_EQ(marked("認証エラー", "再認証エラーが"), "再[認証エラー]が");
  EXPECT_FALSE(matches("認証エラー", "認証のエラー"));
  EXPECT_EQ(marked("API設計", "新API設計書"), "新[API設計]書");
}

TEST(MatcherTest, NearCountsWords) {
  EXPECT_TRUE(matches("a NEAR/2 b", "a x b"));
  EXPECT_TRUE(matches("a NEAR/2 b", "b x a"));
  EXPECT_FALSE(matches("a NEAR/2 b", "a x y b"));
  EXPECT_TRUE(matches("a NEAR/2 b", "a x y z b x a"));
  EXPECT_TRUE(matches("a NEAR/3 b NEAR/3 c", "c a x b"));
  EXPECT_FALSE(matches("a NEAR/3 b NEAR/3 c", "c y a x b"));
  EXPECT_EQ(marked("a NEAR/1 b", "a b x a"), "[a] [b] x [a]");
}

TEST(MatcherTest, OperatorsMeanWhatTheySay) {
  EXPECT_TRUE(matches("a OR b", "b"));
  EXPECT_FALSE(matches("a NOT b", "a b"));
  EXPECT_TRUE(matches("a NOT b", "a c"));
  EXPECT_TRUE(matches("NOT a", "c"));
  EXPECT_TRUE(matches("", "anything"));
}

TEST(MatcherTest, WhatIsExcludedIsNotMarked) {
  EXPECT_EQ(marked("a NOT b", "a b"), "[a] b");
  EXPECT_EQ(marked("a OR \"c d\"", "a c d c"), "[a] [c d] c");
}

TEST(MatcherTest, APhraseCoversItsWords) {
  EXPECT_EQ(marked("no \"no verify\"", "no verify no"), "[no verify] [no]");
}

TEST(MatcherTest, FieldsAreNotAboutTheText) {
  EXPECT_TRUE(matches("role:user", "x"));
  EXPECT_TRUE(matches("NOT role:user", "x"));
  EXPECT_TRUE(matches("\"a b\" OR role:user", "x"));
  EXPECT_FALSE(matches("a NOT role:user", "x"));
  EXPECT_EQ(marked("role:user", "role user"), "role user");
}

TEST(MatcherTest, FieldsCanBeAnsweredByTheCaller) {
  const Matcher matcher(parse_query("\"a b\" OR role:user").query);
  const auto answer = [&](bool holds) {
    return matcher.matches("b a", [&](const Query& field) {
      EXPECT_EQ(field.printed(), "(field role user)");
      return holds;
    });
  };
  EXPECT_TRUE(answer(true));
  EXPECT_FALSE(answer(false));
}

TEST(MatcherTest, APatternWithoutWordsIsLiteral) {
  EXPECT_EQ(marked("&&", "a && b&&c"), "a [&&] b[&&]c");
  EXPECT_FALSE(matches("&&", "a & & b"));
}

TEST(MatcherTest, LinesAreNumberedAndCutWithoutTheirEnds) {
  const std::string text = "no\r\nthe auth and Auth\r\n\nauth";
  const auto lines = Matcher(parse_query("auth").query).lines(text);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].number, 2u);
  EXPECT_EQ(lines[0].text, "the auth and Auth");
  EXPECT_EQ(lines[0].spans, (std::vector<Span>{{4, 8}, {13, 17}}));
  EXPECT_EQ(lines[1].number, 4u);
  EXPECT_EQ(lines[1].text, "auth");
}

TEST(MatcherTest, ASpanOverSeveralLinesBelongsToEach) {
  const auto lines = Matcher(parse_query("\"a b\"").query).lines("x a\r\n\n-- b y");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].number, 1u);
  EXPECT_EQ(lines[0].text, "x a");
  EXPECT_EQ(lines[0].spans, (std::vector<Span>{{2, 3}}));
  EXPECT_EQ(lines[1].number, 3u);
  EXPECT_EQ(lines[1].spans, (std::vector<Span>{{0, 4}}));
}

// ---------------------------------------------------------------- the oracle

/// The same answers, found the slow and obvious way.
class Naive {
 public:
  explicit Naive(std::string_view text) : text_(text), words_(words_of(text)) {
    for (const Word& word : words_) {
      const auto terms = terms_of(text_.substr(word.begin, word.end - word.begin));
      terms_.emplace_back(terms.begin(), terms.end());
      terms_.back().insert(word.folded);
      terms_.back().insert(without_accents(word.folded));
    }
  }

  bool matches(const Query& query) const {
    const auto child_matches = [&](const Query& child) { return matches(child); };
    switch (query.kind) {
      case Query::Kind::phrase:
        return has_phrase(query);
      case Query::Kind::near:
        return is_near(query);
      case Query::Kind::all_of:
        return std::ranges::all_of(query.children, child_matches);
      case Query::Kind::any_of:
        return std::ranges::any_of(query.children, child_matches);
      case Query::Kind::not_of:
        return !matches(query.children[0]);
      case Query::Kind::word:
      case Query::Kind::prefix:
        if (words_of(query.text).empty()) return text_.find(query.text) != std::string_view::npos;
        return !places(query).empty();
      default:
        return true;
    }
  }

 private:
  bool word_is(std::size_t i, const Query& query) const {
    const std::string folded = fold(query.text);
    const bool cjk = words_of(query.text).at(0).cjk;
    if (cjk != words_[i].cjk) return false;
    if (cjk) return words_[i].folded.find(folded) != std::string::npos;
    return std::ranges::any_of(terms_[i], [&](const std::string& term) {
      if (query.kind == Query::Kind::prefix) return term.starts_with(folded);
      return query.forms.empty() ? term == folded : std::ranges::count(query.forms, term) > 0;
    });
  }

  std::vector<std::size_t> places(const Query& query) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (word_is(i, query)) found.push_back(i);
    return found;
  }

  bool phrase_word_is(std::size_t i, const Query& query, bool first, bool last) const {
    const std::string& word = words_[i].folded;
    const std::string typed = fold(query.text);
    if (words_of(query.text).at(0).cjk != words_[i].cjk) return false;
    if (words_[i].cjk && first) return word.ends_with(typed);
    if (words_[i].cjk && last) return word.starts_with(typed);
    return word == typed || without_accents(word) == typed;
  }

  bool has_phrase(const Query& query) const {
    const std::size_t size = query.children.size();
    for (std::size_t i = 0; i + size <= words_.size(); ++i) {
      std::size_t k = 0;
      while (k < size && phrase_word_is(i + k, query.children[k], k == 0, k + 1 == size)) ++k;
      if (k == size) return true;
    }
    return false;
  }

  bool is_near(const Query& query) const {
    for (std::size_t start = 0; start < words_.size(); ++start) {
      const auto has_one = [&](const Query& child) {
        return std::ranges::any_of(places(child), [&](std::size_t place) {
          return place >= start && place <= start + query.distance;
        });
      };
      if (std::ranges::all_of(query.children, has_one)) return true;
    }
    return false;
  }

  std::string_view text_;
  std::vector<Word> words_;
  std::vector<std::set<std::string>> terms_{};
};

template <typename Choices>
std::string joined(std::mt19937& random, const Choices& choices, std::size_t most) {
  std::string text;
  for (std::size_t n = random() % most; n > 0; --n) text += choices[random() % choices.size()];
  return text;
}

void give_forms(Query& query, std::mt19937& random) {
  if (query.kind == Query::Kind::word && !query.exact && random() % 2 == 0) {
    query.forms = {fold(query.text), "b", "bar"};
    std::ranges::sort(query.forms);
  }
  for (Query& child : query.children) give_forms(child, random);
}

TEST(MatcherTest, AgreesWithTheNaiveWay) {
  const std::vector<std::string> vocabulary = {
      "a ",   "b ", "foo ", "Bar ", "fooBar ", "foo_b ", "é ",      "É-",  "e\n",
      "認証", "認", "エラ", "a.",   "foo2",    " ",      "bar\r\n", "Foo", "\u2014"};
  const std::vector<std::string> grammar = {
      "a ",     "b ",      "foo ", "bar ",    "fo* ",    "é ",      "e ",        "認証 ",
      "認 ",    "OR ",     "NOT ", "( ",      ") ",      "NEAR/2 ", "\"a b\" ",  "\"e foo\" ",
      "foo.b ", "認エラ ", "=b ",  "foobar ", "NEAR/1 ", "2 ",      "エラ認証 ", "\"a a\" "};
  std::mt19937 random(11);
  std::size_t matched = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string pattern = joined(random, grammar, 7);
    const std::string text = joined(random, vocabulary, 14);
    Query query = parse_query(pattern).query;
    if (words_of(pattern).empty()) continue;
    give_forms(query, random);
    const bool expected = Naive(text).matches(query);
    ASSERT_EQ(Matcher(query).matches(text), expected) << query.printed() << "\n" << text;
    if (expected) ++matched;
  }
  EXPECT_GT(matched, 2000u);
}

/// What holds for all spans and lines.
void check_places(const Matcher& matcher, std::string_view text) {
  std::size_t last = 0;
  for (const Span& span : matcher.spans(text)) {
    ASSERT_LE(last, span.begin);
    ASSERT_LT(span.begin, span.end);
    ASSERT_LE(span.end, text.size());
    last = span.end;
  }
  std::uint32_t number = 0;
  for (const MatchLine& line : matcher.lines(text)) {
    ASSERT_GT(line.number, number);
    number = line.number;
    ASSERT_EQ(line.text.find('\n'), std::string_view::npos);
    ASSERT_FALSE(line.spans.empty());
    for (const Span& span : line.spans) {
      ASSERT_LT(span.begin, span.end);
      ASSERT_LE(span.end, line.text.size());
    }
  }
}

TEST(MatcherTest, AnyBytesGiveSpansInOrder) {
  const std::vector<std::string> pieces = {"a", "Foo", "_",  " ",      "\n",    "\r\n",
                                           "é", "認",  "か", "\u3099", "\xFF",  "が",
                                           "b", "2",   "-",  "\xE3",   "\u0301"};
  const std::vector<std::string> patterns = {
      "a",      "foo*", "\"a b\"", "認",    "が",   "かが", "a NEAR b", "\"認 か\"",
      "e OR é", "-",    "foo a",   "NOT a", "\xFF", "がa",  "a認",      "a*"};
  std::mt19937 random(13);
  for (int i = 0; i < 15000; ++i) {
    std::string text = joined(random, pieces, 24);
    if (random() % 4 == 0) text += static_cast<char>(random());
    const std::string& pattern = patterns[random() % patterns.size()];
    check_places(Matcher(parse_query(pattern).query), text);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << pattern << "\n" << text;
  }
}

}  // namespace
}  // namespace cgrep
