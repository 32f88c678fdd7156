#include "index/join.h"

#include <algorithm>
#include <array>

#include "extract/sqlite.h"
#include "telling.h"

namespace cgrep::test {
namespace {

// The ladder of projects as the formats give it, best first; a parent's is no claim.
constexpr std::array kProjectLadder = {
    rung::project::trusted,        rung::project::repo,           rung::project::chat_meta,
    rung::project::chat_workspace, rung::project::chat_state,     rung::project::worktree,
    rung::project::composer,       rung::project::composer_uri,   rung::project::header_workspace,
    rung::project::header,         rung::project::workspace_list, rung::project::workspace_pane,
    rung::project::bubble,         rung::project::bubble_uri,     rung::project::workspace_line,
    rung::project::walk,           rung::project::tools,          rung::project::hashes,
    rung::project::attached,       rung::project::tracked};

constexpr std::array kTitleLadder = {rung::title::composer,  rung::title::header,
                                     rung::title::chat_meta, rung::title::chat,
                                     rung::title::subtitle,  rung::title::summary};

std::string at(int rung) {
  return "/rung/" + std::to_string(rung);
}

class JoinTest : public Telling {
 protected:
  /// One source's word on a project, and nothing else.
  static Claim project_claim(int rung, const std::string& value,
                             const std::string& conversation = "c1") {
    return {conversation, Fact::project, rung, value};
  }

  static Claim child_of(const std::string& parent, const std::string& child) {
    return {child, Fact::parent, rung::any::only, parent};
  }

  static Claim in_workspace(const std::string& workspace, int rung = rung::project::workspace_list,
                            const std::string& conversation = "c1") {
    return {conversation, Fact::workspace, rung, workspace};
  }

  /// Both claims in one reading, in the order given; what the join makes of them.
  template <std::size_t N>
  void expect_each_beats_the_next(Fact fact, const std::array<int, N>& ladder,
                                  std::string Conversation::*member) {
    Sink& sink = begin("composers");
    for (std::size_t i = 0; i + 1 < N; ++i)
      for (const bool best_first : {true, false}) {
        const auto key = std::to_string(i) + (best_first ? "-best-first" : "-best-last");
        Claims claims = {{key, fact, ladder[i], at(ladder[i])},
                         {key, fact, ladder[i + 1], at(ladder[i + 1])}};
        if (!best_first) std::swap(claims[0], claims[1]);
        sink.whole(key);
        deliver(sink, key, {said("hello")}, claims);
      }
    end();
    writer().commit();
    for (std::size_t i = 0; i + 1 < N; ++i)
      for (const char* order : {"-best-first", "-best-last"})
        EXPECT_EQ(conversation(std::to_string(i) + order).*member, at(ladder[i])) << order;
  }
};

TEST_F(JoinTest, EachRungOfTheProjectLadderBeatsTheNext) {
  expect_each_beats_the_next(Fact::project, kProjectLadder, &Conversation::project);
}

TEST_F(JoinTest, EachRungOfTheTitleLadderBeatsTheNext) {
  expect_each_beats_the_next(Fact::title, kTitleLadder, &Conversation::title);
}

TEST_F(JoinTest, EachRungOfTheModelLadderBeatsTheNext) {
  expect_each_beats_the_next(
      Fact::model,
      std::array{rung::model::composer, rung::model::message, rung::model::chat,
                 rung::model::hashes, rung::model::summary},
      &Conversation::model);
}

TEST_F(JoinTest, OtherFactsFollowTheirRungsToo) {
  Claims claims;
  for (const Fact fact : {Fact::mode, Fact::branch, Fact::surface, Fact::parent}) {
    claims.push_back({"c1", fact, rung::any::hint, "in passing"});
    claims.push_back({"c1", fact, rung::any::sure, "sure"});
  }
  tell("composers", "c1", {said("hello")}, claims);
  const auto joined = conversation();
  for (const auto& value : {joined.mode, joined.branch, joined.surface, joined.parent})
    EXPECT_EQ(value, "sure");
}

TEST_F(JoinTest, ABetterClaimOfALaterCommitWins) {
  tell("transcripts", "c1", {said("hello")});
  EXPECT_EQ(project(), "");
  for (auto rung = kProjectLadder.rbegin(); rung != kProjectLadder.rend(); ++rung) {
    begin("repo-meta", "/" + std::to_string(*rung)).claim(project_claim(*rung, at(*rung)));
    end();
    writer().commit();
    EXPECT_EQ(project(), at(*rung));
  }
}

TEST_F(JoinTest, AWithdrawnClaimLeavesTheNextBest) {
  Claims claims;
  for (const int rung : kProjectLadder) claims.push_back(project_claim(rung, at(rung)));
  while (!claims.empty()) {
    tell("composers", "c1", {said("hello")}, claims);
    EXPECT_EQ(project(), claims.front().value);
    claims.erase(claims.begin());
  }
  tell("composers", "c1", {said("hello")});
  EXPECT_EQ(project(), "");
}

TEST_F(JoinTest, TheTitleOfWhatIsGoneGivesWayToNewWords) {
  tell("composers", "c1", {said("the summary", Role::summary)},
       {{"c1", Fact::title, rung::title::composer, "of the composer"}});
  tell("composers", "c1", {});
  EXPECT_EQ(conversation().title, "of the composer");
  tell("transcripts", "c1", {said("hello")});
  EXPECT_EQ(conversation().title, "hello");
  tell("transcripts", "c1", {});
  EXPECT_EQ(conversation().title, "of the composer");
}

TEST_F(JoinTest, WhatIsThereAgainIsNoLongerArchived) {
  tell("composers", "c1", {said("the summary", Role::summary)},
       {{"c1", Fact::archived, rung::any::only, "1"}});
  tell("composers", "c1", {});
  EXPECT_TRUE(conversation().archived);
  tell("transcripts", "c1", {said("hello")});
  EXPECT_FALSE(conversation().archived);
  tell("transcripts", "c1", {});
  EXPECT_TRUE(conversation().archived);
}

TEST_F(JoinTest, ATimeThatIsToldCountsMoreThanOneThatNobodyTellsAnyMore) {
  tell("composers", "c1", {said("the summary", Role::summary)},
       {{"c1", Fact::updated, rung::any::only, "2000"}});
  tell("composers", "c1", {});
  EXPECT_EQ(conversation().fallback->ms, 2000);
  tell("transcripts", "c1", {said("hello")}, {{"c1", Fact::created, rung::any::only, "1000"}});
  EXPECT_EQ(conversation().fallback->ms, 1000);
}

TEST_F(JoinTest, OnlyTheTellerWithdraws) {
  Sink& sink = begin("composers");
  sink.whole("");
  sink.claim(project_claim(rung::project::header, "/by/the/header"));
  sink.whole("c1");
  deliver(sink, "c1", {said("hello")}, {project_claim(rung::project::composer, "/by/composer")});
  end();
  writer().commit();
  tell("composers", "c1", {said("hello")});
  EXPECT_EQ(project(), "/by/the/header");
  tell("composers", "c2", {said("other")});
  EXPECT_EQ(project(), "/by/the/header");
}

TEST_F(JoinTest, AClaimThatChangesItsMindIsBelieved) {
  tell("composers", "c1", {said("hello")}, {project_claim(rung::project::composer, "/old")});
  tell("composers", "c1", {said("hello")}, {project_claim(rung::project::composer, "/new")});
  EXPECT_EQ(project(), "/new");
}

TEST_F(JoinTest, EqualRungsDoNotDependOnTheOrderOfReading) {
  for (const bool swapped : {false, true}) {
    const std::string key = swapped ? "swapped" : "straight";
    for (const bool first : {!swapped, swapped}) {
      Sink& sink = begin("repo-meta", first ? "/first" : "/second");
      deliver(sink, key, {said("hello")},
              {project_claim(rung::project::repo, first ? "/one" : "/two", key)});
      end();
      writer().commit();
    }
  }
  EXPECT_EQ(project("swapped"), project("straight"));
}

TEST_F(JoinTest, AClaimThatComesBeforeItsConversationCounts) {
  begin("repo-meta").claim(project_claim(rung::project::repo, "/home/ada/widget"));
  end();
  writer().commit();
  EXPECT_FALSE(history().row_of_conversation("c1"));
  tell("transcripts", "c1", {said("hello")});
  EXPECT_EQ(project(), "/home/ada/widget");
}

TEST_F(JoinTest, AWorkspaceTellsTheProjectInEitherOrder) {
  const Claim folder{workspace_subject("w1"), Fact::project, rung::any::only, "/home/ada/widget"};
  tell("composers", "c1", {said("hello")}, {in_workspace("w1")});
  EXPECT_EQ(project(), "");
  begin("repo-meta").claim(folder);
  end();
  writer().commit();
  EXPECT_EQ(project(), "/home/ada/widget");
  tell("composers", "c2", {said("hello")},
       {in_workspace("w1", rung::project::workspace_list, "c2")});
  EXPECT_EQ(project("c2"), "/home/ada/widget");
}

TEST_F(JoinTest, AWorkspaceIsBelievedAsMuchAsTheClaimToBelongToIt) {
  begin("repo-meta").claim({workspace_subject("w1"), Fact::project, rung::any::only, "/workspace"});
  end();
  tell("composers", "better", {said("hello")},
       {in_workspace("w1", rung::project::header_workspace, "better"),
        project_claim(rung::project::header, "/header", "better")});
  tell("composers", "worse", {said("hello")},
       {in_workspace("w1", rung::project::workspace_pane, "worse"),
        project_claim(rung::project::header, "/header", "worse")});
  EXPECT_EQ(project("better"), "/workspace");
  EXPECT_EQ(project("worse"), "/header");
}

TEST_F(JoinTest, AWorkspaceThatMovesTakesItsConversationsAlong) {
  const auto folder = [&](const std::string& path) {
    Sink& sink = begin("repo-meta");
    sink.whole("");
    sink.claim({workspace_subject("w1"), Fact::project, rung::any::only, path});
    end();
    writer().commit();
  };
  tell("composers", "c1", {said("hello")}, {in_workspace("w1")});
  folder("/here");
  folder("/there");
  EXPECT_EQ(project(), "/there");
}

TEST_F(JoinTest, ASlugTellsTheProjectOfAllItsConversations) {
  const Claim slug{"c1", Fact::slug, rung::any::only, "home-ada-widget"};
  const Claim other{"c2", Fact::slug, rung::any::only, "home-ada-gadget"};
  const auto trust = [&](const std::string& path) {
    Sink& sink = begin("repo-meta");
    sink.whole("");
    sink.claim({slug_subject("home-ada-widget"), Fact::project, rung::project::trusted, path});
    end();
    writer().commit();
  };
  tell("transcripts", "c1", {said("hello")}, {slug});
  tell("transcripts", "c2", {said("hello")}, {other});
  trust("/home/ada/widget");
  tell("transcripts", "c3", {said("hello")},
       {{"c3", Fact::slug, rung::any::only, "home-ada-widget"}});
  EXPECT_EQ(project("c1"), "/home/ada/widget");
  EXPECT_EQ(project("c2"), "");
  EXPECT_EQ(project("c3"), "/home/ada/widget");
  trust("/home/ada-widget");
  EXPECT_EQ(project("c1"), "/home/ada-widget");
}

// The folder of the transcripts is gone: where it lay counts only where nobody says anything else.
TEST_F(JoinTest, ASlugThatNobodyTellsAnyMoreIsNoReasonForAProject) {
  const Claim slug{"c1", Fact::slug, rung::any::only, "home-ada-widget"};
  auto& sink = begin("repo-meta");
  sink.claim({slug_subject("home-ada-widget"), Fact::project, rung::project::trusted, "/trusted"});
  end();
  tell("transcripts", "c1", {said("hello")}, {slug});
  tell("bubbles", "c1", {keyed("b1", said("hello"))},
       {project_claim(rung::project::bubble, "/told")});
  EXPECT_EQ(project(), "/trusted");
  writer().vanished(source("transcripts"));
  writer().commit();
  EXPECT_EQ(project(), "/told");
}

// The slug of /home/ada/my-app.v2 beta is lossy; any store that knows the path puts it right.
TEST_F(JoinTest, ANameThatItsSlugGarblesIsRightWhenAnyStoreKnowsIt) {
  const std::string path = "/home/ada/my-app.v2 beta";
  const Claims of_slug = {{"c1", Fact::slug, rung::any::only, "home-ada-my-app-v2-beta"},
                          project_claim(rung::project::walk, "/home/ada/my/app/v2/beta")};
  tell("transcripts", "c1", {said("hello")}, of_slug);
  EXPECT_EQ(project(), "/home/ada/my/app/v2/beta");
  tell("composers", "c1", {said("a title", Role::title)},
       {project_claim(rung::project::composer, path)});
  EXPECT_EQ(project(), path);
  tell("transcripts", "c1", {said("hello")}, of_slug);
  EXPECT_EQ(project(), path);
}

TEST_F(JoinTest, AChildBelongsWhereItsParentDoes) {
  tell("subagents", "child", {said("look")}, {child_of("parent", "child")});
  EXPECT_EQ(project("child"), "");
  tell("transcripts", "parent", {said("hello")},
       {project_claim(rung::project::tools, "/guessed", "parent")});
  EXPECT_EQ(project("child"), "/guessed");
  tell("composers", "parent", {said("a title", Role::title)},
       {project_claim(rung::project::composer, "/known", "parent")});
  EXPECT_EQ(project("child"), "/known");
  tell("composers", "parent", {said("a title", Role::title)});
  EXPECT_EQ(project("child"), "/guessed");
}

TEST_F(JoinTest, AChildThatComesAfterItsParentBelongsThereToo) {
  tell("transcripts", "parent", {said("hello")},
       {project_claim(rung::project::tools, "/known", "parent")});
  tell("subagents", "child", {said("look")}, {child_of("parent", "child")});
  EXPECT_EQ(project("child"), "/known");
}

TEST_F(JoinTest, AParentsProjectHasItsPlaceOnTheLadder) {
  tell("transcripts", "parent", {said("hello")},
       {project_claim(rung::project::composer, "/parent", "parent")});
  tell("subagents", "sure", {said("look")},
       {child_of("parent", "sure"), project_claim(rung::project::bubble_uri, "/own", "sure")});
  tell("subagents", "unsure", {said("look")},
       {child_of("parent", "unsure"),
        project_claim(rung::project::workspace_line, "/own", "unsure")});
  EXPECT_EQ(project("sure"), "/own");
  EXPECT_EQ(project("unsure"), "/parent");
}

TEST_F(JoinTest, GrandchildrenFollow) {
  tell("subagents", "grandchild", {said("look")}, {child_of("child", "grandchild")});
  tell("subagents", "child", {said("look")}, {child_of("parent", "child")});
  tell("transcripts", "parent", {said("hello")},
       {project_claim(rung::project::composer, "/one", "parent")});
  EXPECT_EQ(project("grandchild"), "/one");
  tell("transcripts", "parent", {said("hello")},
       {project_claim(rung::project::composer, "/two", "parent")});
  EXPECT_EQ(project("child"), "/two");
  EXPECT_EQ(project("grandchild"), "/two");
}

// Every conversation whose project changes looks for them.
TEST_F(JoinTest, ChildrenAreFoundWithoutReadingAllConversations) {
  auto plan = history().database().prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM conversations WHERE parent = ?1");
  ASSERT_TRUE(plan.step());
  EXPECT_NE(plan.text(3).find("conversations_parent"), std::string_view::npos) << plan.text(3);
}

TEST_F(JoinTest, ConversationsThatStartedEachOtherEndWell) {
  tell("subagents", "a", {said("look")}, {child_of("b", "a")});
  tell("subagents", "b", {said("look")}, {child_of("a", "b")});
  tell("subagents", "self", {said("look")}, {child_of("self", "self")});
  tell("composers", "a", {said("a title", Role::title)},
       {project_claim(rung::project::composer, "/known", "a")});
  EXPECT_EQ(project("a"), "/known");
  EXPECT_EQ(project("b"), "/known");
  EXPECT_EQ(project("self"), "");
}

TEST_F(JoinTest, WithoutAClaimTheFirstWordsAreTheTitle) {
  tell("transcripts", "c1", {said("an answer", Role::assistant), said("\n why \nnot"), said("so")});
  EXPECT_EQ(conversation().title, "why");
  tell("summaries", "c1", {}, {{"c1", Fact::title, rung::title::summary, "Why not"}});
  EXPECT_EQ(conversation().title, "Why not");
}

TEST_F(JoinTest, AWithdrawnTitleLeavesTheFirstWords) {
  tell("transcripts", "c1", {said("why")});
  tell("composers", "c1", {}, {{"c1", Fact::title, rung::title::composer, "Why not"}});
  tell("composers", "c1", {});
  EXPECT_EQ(conversation().title, "why");
}

TEST_F(JoinTest, FilesTokensAndArchived) {
  tell("composers", "c1", {said("hello")},
       {{"c1", Fact::files, rung::any::only, "/a b.c\n/d.c"},
        {"c1", Fact::tokens, rung::any::only, "1200"},
        {"c1", Fact::archived, rung::any::only, "1"}});
  EXPECT_EQ(conversation().files, (Lines{"/a b.c", "/d.c"}));
  EXPECT_EQ(conversation().tokens, 1200);
  EXPECT_TRUE(conversation().archived);
  tell("composers", "c1", {said("hello")}, {{"c1", Fact::tokens, rung::any::only, "many"}});
  EXPECT_EQ(conversation().files, Lines{});
  EXPECT_FALSE(conversation().tokens);
  EXPECT_FALSE(conversation().archived);
}

TEST_F(JoinTest, TheMostTokensCount) {
  for (const char* tokens : {"900", "1300", "1200"}) {
    begin("repo-meta", tokens).claim({"c1", Fact::tokens, rung::any::only, tokens});
    end();
  }
  tell("transcripts", "c1", {said("hello")});
  EXPECT_EQ(conversation().tokens, 1300);
}

TEST_F(JoinTest, TheFallbackTimeIsTheBestThatIsKnown) {
  const Claim seen{"c1", Fact::seen, rung::any::only, "5000"};
  const Claim created{"c1", Fact::created, rung::any::sure, "1000"};
  const Claim updated{"c1", Fact::updated, rung::any::sure, "2000"};
  const auto fallback = [&](const Claims& claims) {
    tell("composers", "c1", {said("hello")}, claims);
    return conversation().fallback;
  };
  EXPECT_EQ(fallback({}), std::nullopt);
  EXPECT_EQ(fallback({seen}), (Time{5000, TimeOrigin::mtime}));
  EXPECT_EQ(fallback({seen, created}), (Time{1000, TimeOrigin::session}));
  EXPECT_EQ(fallback({updated, seen, created}), (Time{2000, TimeOrigin::session}));
}

TEST_F(JoinTest, OfSeveralTimesTheWidestSpan) {
  for (const char* ms : {"999", "1000", "2000"}) {
    Sink& sink = begin("repo-meta", std::string("/") + ms);
    sink.claim({"last", Fact::updated, rung::any::sure, ms});
    sink.claim({"first", Fact::created, rung::any::sure, ms});
    sink.claim({"seen", Fact::seen, rung::any::sure, ms});
    end();
  }
  for (const char* key : {"first", "last", "seen"}) tell("transcripts", key, {said("hello")});
  EXPECT_EQ(conversation("first").fallback, (Time{999, TimeOrigin::session}));
  EXPECT_EQ(conversation("last").fallback, (Time{2000, TimeOrigin::session}));
  EXPECT_EQ(conversation("seen").fallback, (Time{2000, TimeOrigin::mtime}));
}

TEST_F(JoinTest, TimesOfDocumentsBeatTheFallback) {
  auto first = said("one");
  first.time = Time{3000, TimeOrigin::tag};
  auto last = said("two");
  last.time = Time{4000, TimeOrigin::native};
  tell("transcripts", "c1", {last, first, said("three")},
       {{"c1", Fact::updated, rung::any::sure, "9000"}});
  EXPECT_EQ(conversation().first->ms, 3000);
  EXPECT_EQ(conversation().last->ms, 4000);
  EXPECT_EQ(conversation().fallback->ms, 9000);
}

}  // namespace
}  // namespace cgrep::test
