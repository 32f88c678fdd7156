#include "query/rank.h"

#include <tuple>

#include <gtest/gtest.h>

#include "query/parser.h"

namespace cgrep {
namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kNow = 1000 * kDay;

Ranker ranker(const std::string& pattern) {
  return {parse_query(pattern).query, RankWeights(), kNow};
}

TEST(RankerTest, SeesAPhraseAndHowCloseTheWordsStand) {
  const auto by = ranker("auth bug");
  EXPECT_TRUE(by.closeness("we met the auth bug again").phrase);
  EXPECT_FALSE(by.closeness("the bug of auth").phrase);
  EXPECT_EQ(by.closeness("the bug of auth").window, 3u);
  EXPECT_EQ(by.closeness("auth, and much later a bug and more auth").window, 4u);
  EXPECT_EQ(by.closeness("only auth").window, 0u);
}

TEST(RankerTest, SeesWordsInsideIdentifiers) {
  const auto by = ranker("user id");
  EXPECT_TRUE(by.closeness("call getUserId here").phrase);
  EXPECT_EQ(by.closeness("user_by_id").window, 3u);
  EXPECT_TRUE(ranker("foo_bar baz").closeness("foo_bar::baz").phrase);
}

TEST(RankerTest, AFormThatWasTypedIsEnoughOnce) {
  auto query = parse_query("fix").query;
  query.forms = {"fix", "fixed"};
  const Ranker by(query, RankWeights(), kNow);
  EXPECT_TRUE(by.closeness("fixed by a fix").typed);
  EXPECT_FALSE(by.closeness("fixed").typed);
}

TEST(RankerTest, AMatchOfOneWordWithoutOtherFormsNeedsNoReading) {
  auto query = parse_query("xyzzy").query;
  query.forms = {"xyzzy"};
  const Ranker by(query, RankWeights(), kNow);
  const auto known = by.known_closeness();
  ASSERT_TRUE(known);
  for (const char* text : {"xyzzy", "say XYZZY twice: xyzzy", "call_xyzzy()"}) {
    const auto read = by.closeness(text);
    EXPECT_EQ(std::tie(known->phrase, known->typed, known->window),
              std::tie(read.phrase, read.typed, read.window))
        << text;
  }
  query.forms = {"xyzzy", "xyzzies"};
  EXPECT_FALSE(Ranker(query, RankWeights(), kNow).known_closeness());
  query.forms = {"xyzzies"};
  EXPECT_FALSE(Ranker(query, RankWeights(), kNow).known_closeness());
  query.forms = {"xyzzy"};
  query.longer = {"xyzzy_plugh"};
  EXPECT_FALSE(Ranker(query, RankWeights(), kNow).known_closeness());
  EXPECT_FALSE(ranker("auth bug").known_closeness());
  EXPECT_FALSE(ranker("auth -bug").known_closeness());
  EXPECT_FALSE(ranker("auth OR auth").known_closeness());
}

TEST(RankerTest, AWordThatIsAskedForTwiceIsOneWord) {
  EXPECT_EQ(ranker("bug bug").words(), 1u);
  EXPECT_EQ(ranker("auth bug auth").closeness("auth bug").window, 2u);
}

TEST(RankerTest, PhrasesAndCloseWordsCountMore) {
  const auto by = ranker("auth bug");
  const auto score = [&](std::string_view text) {
    return by.document_score({.weight = 1, .closeness = by.closeness(text)});
  };
  const std::string far = "auth and then a long way to go before there is any mention of the bug";
  EXPECT_GT(score("the auth bug"), score("the bug of auth"));
  EXPECT_GT(score("the bug of auth"), score(far));
}

TEST(RankerTest, WhatPeopleSaidCountsMoreThanWhatToolsPrint) {
  const auto by = ranker("auth");
  const auto score = [&](Role role) { return by.document_score({.weight = 1, .role = role}); };
  for (const Role said : {Role::user, Role::assistant, Role::summary, Role::title})
    for (const Role tool : {Role::tool_call, Role::tool_result})
      EXPECT_GT(score(said), score(tool));
}

TEST(RankerTest, WhatIsNoLongerPartOfAConversationComesLast) {
  const auto by = ranker("auth");
  EXPECT_LT(by.document_score({.weight = 5, .orphan = true}),
            by.document_score({.weight = 1, .role = Role::tool_result}));
}

TEST(RankerTest, AConversationThatComesBackToTheWordsBeatsASingleRemark) {
  const auto by = ranker("auth bug");
  EXPECT_GT(by.conversation_score({.documents = {4, 3, 3}}),
            by.conversation_score({.documents = {5}}));
  EXPECT_GT(by.conversation_score({.documents = {4}, .partial = {4, 4, 4}}),
            by.conversation_score({.documents = {5}}));
  EXPECT_GT(by.conversation_score({.documents = {5}}), by.conversation_score({.documents = {4}}));
}

TEST(RankerTest, TitlesProjectsAndAgeCountALittle) {
  const auto by = ranker("auth bug");
  const auto score = [&](ConversationEvidence evidence) {
    evidence.documents = {1};
    return by.conversation_score(std::move(evidence));
  };
  EXPECT_GT(score({.title = "The auth bug"}), score({.title = "Bugs and auth"}) - 1e-9);
  EXPECT_GT(score({.title = "The auth bug"}), score({.title = "A bug"}));
  EXPECT_GT(score({.title = "A bug"}), score({}));
  EXPECT_GT(score({.here = true}), score({}));
  EXPECT_LT(score({.subagent = true}), score({}));
  EXPECT_GT(score({.time = kNow - kDay}), score({.time = kNow - 500 * kDay}));
  EXPECT_LT(score({.time = kNow}), 1.5 * score({}));  // mildly
}

TEST(RankerTest, PlainWeightsLeaveXapiansOrder) {
  const Ranker by(parse_query("auth bug").query, RankWeights::plain(), kNow);
  EXPECT_EQ(by.document_score({.weight = 2,
                               .role = Role::tool_result,

                               .orphan = true,
                               .closeness = by.closeness("the auth bug")}),
            2);
  EXPECT_EQ(by.conversation_score({.documents = {1, 3, 2},
                                   .partial = {7},
                                   .opening = 3,
                                   .title = "auth bug",
                                   .time = kNow,
                                   .subagent = true,
                                   .here = true}),
            3);
}

}  // namespace
}  // namespace cgrep
