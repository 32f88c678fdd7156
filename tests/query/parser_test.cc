// The pattern's grammar, by its printed tree.
// SPDX-License-Identifier: MIT
#include "query/parser.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace cgrep {
namespace {

std::string parsed(std::string_view pattern) {
  return parse_query(pattern).query.printed();
}

std::vector<std::string> unknown(std::string_view pattern) {
  return parse_query(pattern).unknown_fields;
}

TEST(ParserTest, WordsMustAllBeThere) {
  EXPECT_EQ(parsed("auth"), "auth");
  EXPECT_EQ(parsed("auth bug"), "(all auth bug)");
  EXPECT_EQ(parsed("  auth\t\nbug "), "(all auth bug)");
  EXPECT_EQ(parsed("auth AND bug"), "(all auth bug)");
  EXPECT_EQ(parsed("Größe 認証"), "(all Größe 認証)");
}

TEST(ParserTest, NothingMeansEverything) {
  EXPECT_EQ(parsed(""), "everything");
  EXPECT_EQ(parsed(" \n"), "everything");
  EXPECT_EQ(parsed("\"\""), R"(="\"\"")");  // that text
}

TEST(ParserTest, QuotesMakeAPhrase) {
  EXPECT_EQ(parsed("\"auth bug\""), "(phrase auth bug)");
  EXPECT_EQ(parsed("\"auth bug\" fix"), "(all (phrase auth bug) fix)");
  EXPECT_EQ(parsed("x \"auth, (bug)"), "(all x (phrase auth bug))");
  EXPECT_EQ(parsed("\"auth\""), "=auth");
  EXPECT_EQ(parsed("=\"auth bug\""), "(phrase auth bug)");
  EXPECT_EQ(parsed("\"a b\"c"), "(all (phrase a b) c)");
  EXPECT_EQ(parsed("{\"key\": \"some value\"}"), "(all =key (phrase some value))");
  EXPECT_EQ(parsed("\"a OR b*\""), "(phrase a OR b)");
  for (const Query& word : parse_query("\"auth bug\"").query.children) EXPECT_TRUE(word.exact);
}

TEST(ParserTest, ATokenOfSeveralWordsIsAPhrase) {
  EXPECT_EQ(parsed("foo_bar::baz"), "(phrase foo_bar baz)");
  EXPECT_EQ(parsed("src/auth/login.ts"), "(phrase src auth login ts)");
  EXPECT_EQ(parsed("--no-verify"), "(phrase no verify)");
  EXPECT_EQ(parsed("TypeError:"), "TypeError");
  EXPECT_EQ(parsed("std::"), "std");
  EXPECT_EQ(parsed("C:\\x"), "(phrase C x)");
  EXPECT_EQ(parsed("認証エラー"), "(phrase 認証 エラー)");
  for (const Query& word : parse_query("a::b").query.children) EXPECT_TRUE(word.exact);
}

TEST(ParserTest, AMinusIsLiteral) {
  EXPECT_EQ(parsed("rm -rf"), "(all rm rf)");
  EXPECT_EQ(parsed("git push --force"), "(all git push force)");
}

TEST(ParserTest, OrIsWeakerThanAndIsWeakerThanNot) {
  EXPECT_EQ(parsed("a OR b"), "(any a b)");
  EXPECT_EQ(parsed("a b OR c d"), "(any (all a b) (all c d))");
  EXPECT_EQ(parsed("a OR b OR c"), "(any a b c)");
  EXPECT_EQ(parsed("a NOT b c"), "(all a (not b) c)");
  EXPECT_EQ(parsed("a AND NOT b"), "(all a (not b))");
  EXPECT_EQ(parsed("NOT a"), "(not a)");
  EXPECT_EQ(parsed("NOT NOT a"), "a");
  EXPECT_EQ(parsed("NOT a OR b"), "(any (not a) b)");
  EXPECT_EQ(parsed("a or b not c"), "(all a or b not c)");
}

TEST(ParserTest, ParenthesesGroup) {
  EXPECT_EQ(parsed("( a OR b ) c"), "(all (any a b) c)");
  EXPECT_EQ(parsed("(a OR b) c"), "(all (any a b) c)");
  EXPECT_EQ(parsed("c NOT ( a OR b )"), "(all c (not (any a b)))");
  EXPECT_EQ(parsed("((a b) OR \"c d\")"), "(any (all a b) (phrase c d))");
  EXPECT_EQ(parsed("( a ) ( b )"), "(all a b)");
}

TEST(ParserTest, ParenthesesOfCodeAreLiteral) {
  EXPECT_EQ(parsed("main()"), "main");
  EXPECT_EQ(parsed("foo(bar, baz)"), "(all (phrase foo bar) baz)");
  EXPECT_EQ(parsed("(void)foo"), "(phrase void foo)");
  EXPECT_EQ(parsed("( a OR f(x) ) b"), "(all (any a (phrase f x)) b)");
  EXPECT_EQ(parsed("(a OR f(x)) b"), "(all (any a (phrase f x)) b)");
  EXPECT_EQ(parsed("a ) OR ( b"), "(any a b)");
  EXPECT_EQ(parsed("(a OR b"), "(any a b)");
}

TEST(ParserTest, DeepParenthesesAreLiteral) {
  const std::string deep(100000, '(');
  EXPECT_EQ(parsed(deep + " a OR b"), "(any a b)");
  EXPECT_EQ(parsed(deep + " a b " + std::string(100000, ')')), "(all a b)");
  std::string spaced;
  for (int i = 0; i < 10000; ++i) spaced += "NOT ( x OR ";
  parsed(spaced);
}

TEST(ParserTest, AStarAfterAWordMakesAPrefix) {
  EXPECT_EQ(parsed("auth*"), "auth*");
  EXPECT_EQ(parsed("auth* bug"), "(all auth* bug)");
  EXPECT_EQ(parsed("auth**"), "auth*");
  EXPECT_EQ(parsed("*auth*"), "auth");
  EXPECT_EQ(parsed("a::b*"), "(phrase a b)");
  EXPECT_EQ(parsed("a*b"), "(phrase a b)");
}

TEST(ParserTest, AnEqualsSignAsksForJustThatWord) {
  EXPECT_EQ(parsed("=fix"), "=fix");
  EXPECT_EQ(parsed("=fix it"), "(all =fix it)");
  EXPECT_EQ(parsed("=fix*"), "fix*");
  EXPECT_EQ(parsed("a==b"), "(phrase a b)");
  EXPECT_EQ(parsed("==b"), "b");
}

TEST(ParserTest, WholeWordsMakesEveryWordExact) {
  EXPECT_EQ(parse_query("fix it OR x*", {.whole = true}).query.printed(),
            "(any (all =fix =it) x*)");
}

TEST(ParserTest, NearTakesWordsOnBothSides) {
  EXPECT_EQ(parsed("a NEAR b"), "(near/10 a b)");
  EXPECT_EQ(parsed("a NEAR/3 b* c"), "(all (near/3 a b*) c)");
  EXPECT_EQ(parsed("a NEAR/3 b NEAR/5 c"), "(near/5 a b c)");
  EXPECT_EQ(parsed("NOT a NEAR b"), "(not (near/10 a b))");
  EXPECT_EQ(parsed("a::b NEAR c"), "(all (phrase a b) (near/10 =a =b c))");
  EXPECT_EQ(parsed("a NEAR ( b OR c )"), "(all a (any b c))");
  EXPECT_EQ(parsed("( a OR b ) NEAR c"), "(all (any a b) c)");
  EXPECT_EQ(parsed("a NEAR NOT b"), "(all a (not b))");
  EXPECT_EQ(parsed("a NEAR/0 b"), "(all a (phrase NEAR 0) b)");
  EXPECT_EQ(parsed("a NEAR/x b"), "(all a (phrase NEAR x) b)");
  EXPECT_EQ(parsed("a NEAR/5000 b"), "(near/1000 a b)");
}

TEST(ParserTest, OperatorsWithoutOperandsAreWords) {
  EXPECT_EQ(parsed("OR"), "OR");
  EXPECT_EQ(parsed("NOT"), "NOT");
  EXPECT_EQ(parsed("NEAR"), "NEAR");
  EXPECT_EQ(parsed("AND OR"), "(all AND OR)");
  EXPECT_EQ(parsed("OR a"), "(all OR a)");
  EXPECT_EQ(parsed("a OR"), "(all a OR)");
  EXPECT_EQ(parsed("is NOT"), "(all is NOT)");
  EXPECT_EQ(parsed("a NEAR"), "(all a NEAR)");
  EXPECT_EQ(parsed("a OR OR b"), "(any a b)");
  EXPECT_EQ(parsed("a AND OR b"), "(all a b)");
  EXPECT_EQ(parsed("( OR )"), "OR");
  EXPECT_EQ(parsed("( a OR ) b"), "(all a OR b)");
}

TEST(ParserTest, TokensWithoutWordsAreLeftOutUnlessThereIsNothingElse) {
  EXPECT_EQ(parsed("make && test"), "(all make test)");
  EXPECT_EQ(parsed("a OR &&"), "a");
  EXPECT_EQ(parsed("NOT && a"), "a");
  EXPECT_EQ(parsed("&&"), "=&&");
  EXPECT_EQ(parsed("-> !="), "(all =-> =!=)");
  EXPECT_EQ(parsed("\"- -\""), "=\"- -\"");
}

TEST(ParserTest, FieldsHaveValues) {
  EXPECT_EQ(parsed("role:user"), "(field role user)");
  EXPECT_EQ(parsed("auth NOT role:user"), "(all auth (not (field role user)))");
  EXPECT_EQ(parsed("title:\"login page\" x"), "(all (field title \"login page\") x)");
  EXPECT_EQ(parsed("date:2026-08..2026-09"), "(field date 2026-08..2026-09)");
  EXPECT_EQ(parsed("after:2w conv:3f2a9c1e:10-20"),
            "(all (field since 2w) (field conversation 3f2a9c1e:10-20))");
  EXPECT_EQ(parsed("(project:/home/ada OR title:x)"),
            "(any (field project /home/ada) (field title x))");
}

TEST(ParserTest, SeveralValuesMeanAnyAndAnExclamationMarkNone) {
  EXPECT_EQ(parsed("role:user,plan"), "(any (field role user) (field role plan))");
  EXPECT_EQ(parsed("role:user x role:plan"), "(all (any (field role user) (field role plan)) x)");
  EXPECT_EQ(parsed("role:!user"), "(not (field role user))");
  EXPECT_EQ(parsed("role:!user,!plan"), "(all (not (field role user)) (not (field role plan)))");
  EXPECT_EQ(parsed("role:user,!plan role:title"),
            "(all (any (field role user) (field role title)) (not (field role plan)))");
  EXPECT_EQ(parsed("title:a title:b"), "(all (field title a) (field title b))");
  EXPECT_EQ(parsed("project:\"a,b\""), "(field project a,b)");
}

TEST(ParserTest, AFieldWithoutAValueIsLiteral) {
  EXPECT_EQ(parsed("role: admin"), "(all role admin)");
  EXPECT_EQ(parsed("role:"), "role");
  EXPECT_EQ(parsed("role:!,"), "role");
  EXPECT_EQ(parsed("role:\"\""), "role");
  EXPECT_EQ(parsed("title:\" x\""), "(field title \" x\")");
  EXPECT_EQ(parsed("title:\"\"x"), "(phrase title x)");
  EXPECT_EQ(parsed("date::parse"), "(phrase date parse)");
  EXPECT_EQ(parsed("Role:user"), "(phrase Role user)");
}

TEST(ParserTest, UnknownFieldsAreLiteralAndListed) {
  EXPECT_EQ(parsed("rolle:user"), "(phrase rolle user)");
  EXPECT_EQ(parsed("rolle:\"some user\" x"), "(all (phrase rolle some user) x)");
  EXPECT_EQ(unknown("rolle:user x rolle:y tilte:z"), (std::vector<std::string>{"rolle", "tilte"}));
  for (const char* pattern : {"TypeError: x", "std::move", "C:\\x", "https://x.org", "localhost:80",
                              "role:user", "a.b:c", "\"rolle:user\"", "x:y"})
    EXPECT_TRUE(unknown(pattern).empty()) << pattern;
}

/// Holds for every tree that the parser makes.
void check(const Query& query, int depth) {
  ASSERT_LT(depth, 200);
  switch (query.kind) {
    case Query::Kind::all_of:
    case Query::Kind::any_of:
    case Query::Kind::phrase:
    case Query::Kind::near:
      ASSERT_GE(query.children.size(), 2u);
      break;
    case Query::Kind::not_of:
      ASSERT_EQ(query.children.size(), 1u);
      break;
    case Query::Kind::everything:
      ASSERT_EQ(depth, 0);
      break;
    default:
      ASSERT_TRUE(query.children.empty());
      ASSERT_FALSE(query.text.empty());
  }
  for (const Query& child : query.children) {
    ASSERT_NE(child.kind, query.kind);
    check(child, depth + 1);
  }
}

TEST(ParserTest, AnyBytesGiveASoundTree) {
  std::mt19937 random(5);
  const std::vector<std::string> pieces = {
      "a",  "b",   " ",   "OR",   " OR ",  "AND ", " NOT ",  " NEAR ", "NEAR/2 ", "(",
      ")",  " ( ", " ) ", "\"",   "role:", "x:y",  "title:", "*",      "=",       "&&",
      "!a", ",",   ":",   "認証", "é",     "\xFF", "\\",     "user",   "::",      "\n"};
  for (int i = 0; i < 30000; ++i) {
    std::string pattern;
    for (std::size_t n = random() % 14; n > 0; --n) {
      if (random() % 12 == 0) {
        pattern += static_cast<char>(random());
      } else {
        pattern += pieces[random() % pieces.size()];
      }
    }
    const Query query = parse_query(pattern).query;
    check(query, 0);
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << pattern << "\n" << query.printed();
  }
}

}  // namespace
}  // namespace cgrep
