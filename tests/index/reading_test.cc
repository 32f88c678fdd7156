#include "index/reading.h"

#include <algorithm>

#include "extract/stores.h"
#include "telling.h"

namespace cgrep::test {
namespace {

class ReadingTest : public Telling {
 protected:
  static Documents repeated(const std::string& text, int times, const std::string& key = "") {
    Documents documents;
    for (int i = 1; i <= times; ++i)
      documents.push_back(key.empty() ? said(text) : keyed(key + std::to_string(i), said(text)));
    return documents;
  }

  static Document at(std::int64_t ms, Document document) {
    document.time = Time{ms, TimeOrigin::native};
    return document;
  }

  /// `store what count example` of each kind of problem.
  Lines problems() {
    Lines lines;
    for (const auto& problem : history().problems())
      lines.push_back(std::string(problem.store->name) + ' ' + problem.what + ' ' +
                      std::to_string(problem.count) + ' ' + problem.example);
    return lines;
  }

  /// Where documents of a store that is not read yet are said to be.
  static Claim project_is(const std::string& path, const std::string& conversation) {
    return {conversation, Fact::project, rung::project::composer, path};
  }
};

TEST_F(ReadingTest, OneTextInThreeStoresIsOneDocumentThatNamesAll) {
  tell("transcripts", "c1", {said("why"), said("because", Role::assistant)});
  tell("bubbles", "c1", {keyed("b1", said("why ")), keyed("b2", said("because", Role::assistant))});
  tell("chats", "c1", {keyed("f0", said("\nwhy")), keyed("f1", said("because", Role::assistant))});
  EXPECT_EQ(documents(), (Lines{"1 user why transcripts bubbles chats",
                                "2 assistant because transcripts bubbles chats"}));
  EXPECT_EQ(conversation().stores,
            (std::vector<std::string_view>{"transcripts", "bubbles", "chats"}));
}

TEST_F(ReadingTest, TheStoresInOneCommitAreJoinedAsWell) {
  for (const char* store : {"chats", "transcripts", "bubbles"}) {
    Sink& sink = begin(store);
    sink.whole("c1");
    deliver(sink, "c1", {said("why"), said("because", Role::assistant)});
    end();
  }
  writer().commit();
  EXPECT_EQ(documents(), (Lines{"1 user why transcripts bubbles chats",
                                "2 assistant because transcripts bubbles chats"}));
}

TEST_F(ReadingTest, TheKthOfEqualTextsIsTheKthElsewhere) {
  tell("transcripts", "c1", repeated("continue", 5));
  tell("bubbles", "c1", repeated("continue", 5, "b"));
  ASSERT_EQ(documents().size(), 5u);
  for (const auto& line : documents())
    EXPECT_TRUE(line.ends_with("continue transcripts bubbles")) << line;
}

TEST_F(ReadingTest, WhereAStoreHasFewerTheFirstOnesPair) {
  tell("bubbles", "c1", repeated("continue", 5, "b"));
  tell("transcripts", "c1", repeated("continue", 3));
  const Lines expected = {
      "1 user continue transcripts bubbles", "2 user continue transcripts bubbles",
      "3 user continue transcripts bubbles", "4 user continue bubbles", "5 user continue bubbles"};
  EXPECT_EQ(documents(), expected);
  const auto before = rows();
  tell("transcripts", "c1", repeated("continue", 3));
  tell("bubbles", "c1", repeated("continue", 5, "b"));
  EXPECT_EQ(documents(), expected);
  EXPECT_EQ(rows(), before);
}

TEST_F(ReadingTest, WhereAStoreHasMoreTheRestIsNew) {
  tell("transcripts", "c1", repeated("continue", 3));
  tell("bubbles", "c1", repeated("continue", 5, "b"));
  EXPECT_EQ(documents(),
            (Lines{"1 user continue transcripts bubbles", "2 user continue transcripts bubbles",
                   "3 user continue transcripts bubbles", "4 user continue bubbles",
                   "5 user continue bubbles"}));
}

// The one that a store lost was the other half of what another has; the one that it still has is
// that now.
TEST_F(ReadingTest, WhereAStoreLosesOneOfTwoTheOtherPairs) {
  tell("bubbles", "c1", repeated("continue", 2, "b"));
  tell("transcripts", "c1", repeated("continue", 1));
  ASSERT_EQ(documents(), (Lines{"1 user continue transcripts bubbles", "2 user continue bubbles"}));
  tell("bubbles", "c1", {keyed("b2", said("continue"))});
  EXPECT_EQ(documents(),
            (Lines{"1 user continue transcripts bubbles", "2 user continue gone bubbles"}));
  tell("transcripts", "c1", {});
  EXPECT_EQ(documents(), (Lines{"1 user continue bubbles", "2 user continue gone bubbles"}));
  tell("bubbles", "c1", repeated("continue", 2, "b"));
  tell("transcripts", "c1", repeated("continue", 2));
  std::size_t there = 0;
  for (const auto& line : documents())
    there += line.ends_with("continue transcripts bubbles") ? 1u : 0u;
  EXPECT_EQ(there, 2u);
}

// As in an index made anew, which does not know what is gone, and has other numbers.
TEST_F(ReadingTest, WhatIsStillSaidPairsBeforeWhatIsGone) {
  const Document why = keyed("b2", said("why"));
  tell("bubbles", "c1", {keyed("b1", said("continue")), why, keyed("b3", said("continue"))});
  tell("bubbles", "c1", {why, keyed("b3", said("continue"))});
  tell("transcripts", "c1", repeated("continue", 2));
  EXPECT_EQ(documents(), (Lines{"2 user why bubbles", "3 user continue transcripts bubbles",
                                "1 user continue transcripts"}));
  tell("chats", "c1", repeated("continue", 1, "f"));
  EXPECT_EQ(documents(), (Lines{"2 user why bubbles", "3 user continue transcripts bubbles chats",
                                "1 user continue transcripts"}));
}

// The second of one was the other half of the second elsewhere; it is the first now.
TEST_F(ReadingTest, WhatFollowsALossPairsWithTheFirst) {
  tell("bubbles", "c1", repeated("continue", 2, "b"));
  tell("transcripts", "c1", repeated("continue", 2));
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", at(7, said("continue")))});
  EXPECT_EQ(documents(), (Lines{"3 user why bubbles", "1 user continue transcripts bubbles",
                                "2 user continue transcripts"}));
  tell("bubbles", "c1", repeated("continue", 2, "b"));
  EXPECT_EQ(documents(),
            (Lines{"1 user continue transcripts bubbles", "2 user continue transcripts bubbles"}));
}

TEST_F(ReadingTest, WhatComesBeforeOthersPairsWithTheFirst) {
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", at(2, said("continue")))});
  tell("transcripts", "c1", repeated("continue", 2));
  tell("bubbles", "c1",
       {keyed("b0", at(1, said("continue"))), keyed("b1", said("why")),
        keyed("b2", at(2, said("continue")))});
  EXPECT_EQ(documents(), (Lines{"2 user continue transcripts bubbles", "1 user why bubbles",
                                "3 user continue transcripts bubbles"}));
}

TEST_F(ReadingTest, WhatIsPutInAnotherOrderPairsAnew) {
  const auto first = keyed("b1", at(1, said("continue")));
  const auto second = keyed("b2", at(2, said("continue")));
  tell("bubbles", "c1", {first, second});
  tell("transcripts", "c1", repeated("continue", 1));
  tell("bubbles", "c1", {second, first});
  std::vector<std::string> lines = documents();
  EXPECT_EQ(lines, (Lines{"2 user continue transcripts bubbles", "1 user continue bubbles"}));
}

TEST_F(ReadingTest, AForkKeepsItsOwnTexts) {
  tell("bubbles", "c1", {keyed("1", said("why")), keyed("2", said("because", Role::assistant))});
  tell("bubbles", "c2", {keyed("3", said("why")), keyed("4", said("because", Role::assistant))});
  tell("transcripts", "c2", {said("why"), said("because", Role::assistant)});
  EXPECT_EQ(documents("c1"), (Lines{"1 user why bubbles", "2 assistant because bubbles"}));
  EXPECT_EQ(documents("c2"),
            (Lines{"1 user why transcripts bubbles", "2 assistant because transcripts bubbles"}));
}

const std::string kShort = "Read path: /home/ada/a.c";
const std::string kLong =
    "read_file_v2 targetFile: /home/ada/a.c\noffset: 10\nlimit: 200\nmode: raw";

TEST_F(ReadingTest, AToolCallIsOneDocumentWithTheRicherText) {
  for (const bool rich_first : {false, true}) {
    const std::string key = rich_first ? "rich-first" : "rich-last";
    const auto rich = [&] { tell("bubbles", key, {keyed(key, call(kLong, "read_file_v2"))}); };
    const auto poor = [&] { tell("transcripts", key, {call(kShort)}); };
    rich_first ? (rich(), poor()) : (poor(), rich());
    EXPECT_EQ(documents(key), (Lines{"1 tool-call " + kLong + " transcripts bubbles"}));
    const auto before = rows(key);
    poor();
    rich();
    poor();
    EXPECT_EQ(documents(key), (Lines{"1 tool-call " + kLong + " transcripts bubbles"}));
    EXPECT_EQ(rows(key), before);
  }
}

TEST_F(ReadingTest, ARicherTextKeepsTheTimeThatTheOtherStoreKnows) {
  tell("bubbles", "c1", {keyed("b1", at(5000, call(kShort)))});
  tell("transcripts", "c1", {call(kLong)});
  const auto document = history().document(rows().front());
  EXPECT_EQ(document->time, (Time{5000, TimeOrigin::native}));
}

TEST_F(ReadingTest, AToolCallThatGrowsUnderItsKeyIsUpdated) {
  tell("bubbles", "c1", {keyed("b1", call("Read offset: 1"))});
  tell("bubbles", "c1", {keyed("b1", call("Read offset: 1, limit: 9"))});
  EXPECT_EQ(documents(), (Lines{"1 tool-call Read offset: 1, limit: 9 bubbles"}));
}

TEST_F(ReadingTest, AToolCallThatGrowsBeyondThatOfAnotherStoreIsUpdated) {
  tell("bubbles", "c1", {keyed("b1", call("Read offset: 1"))});
  tell("transcripts", "c1", {call(kShort)});
  tell("bubbles", "c1", {keyed("b1", call(kLong))});
  EXPECT_EQ(documents(), (Lines{"1 tool-call " + kLong + " transcripts bubbles"}));
  const auto before = rows();
  tell("transcripts", "c1", {call(kShort)});
  EXPECT_EQ(rows(), before);
}

TEST_F(ReadingTest, AMessageThatGrowsIntoThatOfAnotherStoreIsOneDocument) {
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", said("bec", Role::assistant))});
  tell("transcripts", "c1", {said("why"), said("because", Role::assistant)});
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", said("because", Role::assistant))});
  EXPECT_EQ(documents(),
            (Lines{"1 user why transcripts bubbles", "3 assistant because transcripts bubbles"}));
  const auto before = rows();
  tell("transcripts", "c1", {said("why"), said("because", Role::assistant)});
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", said("because", Role::assistant))});
  EXPECT_EQ(rows(), before);
}

TEST_F(ReadingTest, ATextThatAnotherStoreKeepsStaysWhenOneChangesIt) {
  tell("transcripts", "c1", {said("why")});
  tell("bubbles", "c1", {keyed("b1", said("why"))});
  tell("bubbles", "c1", {keyed("b1", said("why not"))});
  auto lines = documents();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (Lines{"1 user why transcripts", "2 user why not bubbles"}));
}

TEST_F(ReadingTest, WhatIsGoneAndTurnsUpElsewhereIsOnlyThere) {
  tell("transcripts", "c1", {said("why")});
  tell("transcripts", "c1", {});
  EXPECT_EQ(documents(), (Lines{"1 user why gone transcripts"}));
  tell("bubbles", "c1", {keyed("b1", said("why"))});
  EXPECT_EQ(documents(), (Lines{"1 user why bubbles"}));
}

TEST_F(ReadingTest, AnOrphanThatIsPartOfTheConversationElsewhereIsNone) {
  auto orphan = keyed("b1", said("why"));
  orphan.orphan = true;
  tell("bubbles", "c1", {orphan});
  EXPECT_EQ(documents(), (Lines{"1 user why orphan bubbles"}));
  tell("transcripts", "c1", {said("why")});
  EXPECT_EQ(documents(), (Lines{"1 user why transcripts bubbles"}));
  tell("bubbles", "c1", {orphan});
  EXPECT_EQ(documents(), (Lines{"1 user why transcripts bubbles"}));
}

TEST_F(ReadingTest, APromptBecomesTheMessageUnderItsNumber) {
  tell("prompts", "c1", {said("other", Role::prompt), said("why", Role::prompt)});
  tell("transcripts", "c1", {said("why"), said("because", Role::assistant)});
  const Lines expected = {"1 prompt other prompts", "2 user why transcripts prompts",
                          "3 assistant because transcripts"};
  EXPECT_EQ(documents(), expected);
  const auto before = rows();
  tell("prompts", "c1", {said("other", Role::prompt), said("why", Role::prompt)});
  EXPECT_EQ(documents(), expected);
  EXPECT_EQ(rows(), before);
}

TEST_F(ReadingTest, AMessageThatWasAPromptIsKeptByItsList) {
  tell("prompts", "c1", {said("why", Role::prompt)});
  tell("transcripts", "c1", {said("why")});
  EXPECT_EQ(tell("transcripts", "c1", {}).gone, 0u);
  EXPECT_EQ(documents(), (Lines{"1 user why prompts"}));
}

TEST_F(ReadingTest, AMessageStaysOneWhenItsPromptIsReadLater) {
  tell("transcripts", "c1", {said("why")});
  tell("prompts", "c1", {said("why", Role::prompt)});
  EXPECT_EQ(documents(), (Lines{"1 user why transcripts prompts"}));
}

TEST_F(ReadingTest, APromptIsRepeatedWhereItsProjectHasTheMessage) {
  tell("prompts", "list", {said("why", Role::prompt)}, {project_is("/widget", "list")});
  tell("transcripts", "elsewhere", {said("why")}, {project_is("/gadget", "elsewhere")});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why prompts"}));
  tell("transcripts", "here", {said("why")}, {project_is("/widget", "here")});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why repeated prompts"}));
}

TEST_F(ReadingTest, APromptOfNoProjectIsRepeatedByAnyMessage) {
  tell("transcripts", "elsewhere", {said("why"), said("because", Role::assistant)},
       {project_is("/gadget", "elsewhere")});
  tell("prompts", "list", {said("why", Role::prompt), said("because", Role::prompt)});
  EXPECT_EQ(documents("list"),
            (Lines{"1 prompt why repeated prompts", "2 prompt because prompts"}));
}

TEST_F(ReadingTest, APromptIsNoLongerRepeatedWhenTheMessageMovesAway) {
  tell("prompts", "list", {said("why", Role::prompt)}, {project_is("/widget", "list")});
  tell("transcripts", "c1", {said("why")});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why prompts"}));
  tell("composers", "c1", {}, {project_is("/widget", "c1")});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why repeated prompts"}));
  tell("composers", "c1", {}, {project_is("/gadget", "c1")});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why prompts"}));
}

TEST_F(ReadingTest, APromptThatMovesIsComparedAnew) {
  tell("prompts", "list", {said("why", Role::prompt)});
  tell("transcripts", "c1", {said("why")}, {project_is("/widget", "c1")});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why repeated prompts"}));
  tell("composers", "list", {}, {project_is("/gadget", "list")});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why prompts"}));
}

TEST_F(ReadingTest, APromptIsNoLongerRepeatedWhenTheMessageChanges) {
  tell("prompts", "list", {said("why", Role::prompt)});
  tell("bubbles", "c1", {keyed("b1", said("why"))});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why repeated prompts"}));
  tell("bubbles", "c1", {keyed("b1", said("why not"))});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why prompts"}));
}

TEST_F(ReadingTest, APromptStaysRepeatedWhenItIsReadAgain) {
  tell("prompts", "list", {said("why", Role::prompt)});
  tell("transcripts", "c1", {said("why")});
  tell("prompts", "list", {said("why", Role::prompt), said("more", Role::prompt)});
  EXPECT_EQ(documents("list"), (Lines{"1 prompt why repeated prompts", "2 prompt more prompts"}));
}

TEST_F(ReadingTest, AWholePartReplacesItsClaimsAndProblems) {
  const auto read = [&](const std::string& title, int problems) {
    Sink& sink = begin("composers");
    sink.whole("c1");
    deliver(sink, "c1", {said("hello")}, {{"c1", Fact::title, rung::title::composer, title}});
    for (int i = 0; i < problems; ++i)
      sink.problem({.what = "not JSON", .example = "key" + std::to_string(i)});
    sink.whole("c2");
    sink.problem({.what = "no role", .example = "other"});
    end();
    writer().commit();
  };
  read("one", 2);
  EXPECT_EQ(problems(), (Lines{"composers not JSON 2 key0", "composers no role 1 other"}));
  read("two", 1);
  EXPECT_EQ(conversation().title, "two");
  EXPECT_EQ(problems(), (Lines{"composers no role 1 other", "composers not JSON 1 key0"}));
}

TEST_F(ReadingTest, TheOtherPartsOfTheSourceStayAsTheyWere) {
  Sink& sink = begin("composers");
  sink.whole("c1");
  deliver(sink, "c1", {said("one")}, {{"c1", Fact::title, rung::title::composer, "One"}});
  sink.problem({.what = "not JSON", .example = "key1"});
  sink.whole("c2");
  deliver(sink, "c2", {said("two")}, {{"c2", Fact::title, rung::title::composer, "Two"}});
  end();
  writer().commit();
  EXPECT_EQ(tell("composers", "c2", {}).gone, 1u);
  EXPECT_EQ(documents("c1"), (Lines{"1 user one composers"}));
  EXPECT_EQ(conversation("c1").title, "One");
  EXPECT_EQ(problems(), (Lines{"composers not JSON 1 key1"}));
  EXPECT_EQ(documents("c2"), (Lines{"1 user two gone composers"}));
}

TEST_F(ReadingTest, AConversationWhosePartVanishedIsGone) {
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", said("because", Role::assistant))});
  Sink& sink = begin("bubbles");
  sink.whole("c1");
  EXPECT_EQ(end().gone, 2u);
  writer().commit();
  EXPECT_EQ(documents(), (Lines{"1 user why gone bubbles", "2 assistant because gone bubbles"}));
}

TEST_F(ReadingTest, NothingBecomesAConversationByVanishing) {
  begin("bubbles").whole("c1");
  EXPECT_EQ(end().gone, 0u);
  writer().commit();
  EXPECT_FALSE(history().row_of_conversation("c1"));
}

TEST_F(ReadingTest, MoreAddsAndChangesAndLeavesTheRest) {
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", said("bec", Role::assistant))},
       {{"c1", Fact::title, rung::title::composer, "Why"}});
  Sink& sink = begin("bubbles");
  sink.more("c1");
  deliver(sink, "c1", {keyed("b2", said("because", Role::assistant)), keyed("b3", said("oh"))});
  EXPECT_EQ(end().gone, 0u);
  writer().commit();
  auto lines = documents();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines,
            (Lines{"1 user why bubbles", "2 assistant because bubbles", "3 user oh bubbles"}));
  EXPECT_EQ(conversation().title, "Why");
}

TEST_F(ReadingTest, AKeyThatVanishedIsGoneAndTheRestStays) {
  tell("bubbles", "c1", {keyed("b1", said("why")), keyed("b2", said("because", Role::assistant))});
  Sink& sink = begin("bubbles");
  sink.vanished("b2");
  sink.vanished("never there");
  EXPECT_EQ(end().gone, 1u);
  writer().commit();
  EXPECT_EQ(documents(), (Lines{"1 user why bubbles", "2 assistant because gone bubbles"}));
}

TEST_F(ReadingTest, AKeyThatVanishedHereMayStandElsewhere) {
  tell("bubbles", "c1", {keyed("b1", said("why"))});
  tell("transcripts", "c1", {said("why")});
  begin("bubbles").vanished("b1");
  EXPECT_EQ(end().gone, 0u);
  writer().commit();
  EXPECT_EQ(documents(), (Lines{"1 user why transcripts"}));
}

TEST_F(ReadingTest, NotesLastUntilTheirSourceVanishes) {
  begin("bubbles").note("c1", std::string("\0note", 5));
  begin("bubbles").note("c2", "other");
  end();
  reopen();
  Sink& sink = begin("bubbles");
  EXPECT_EQ(sink.noted("c1"), std::string("\0note", 5));
  EXPECT_EQ(sink.noted("c3"), std::nullopt);
  EXPECT_EQ(sink.noted_parts(), (Lines{"c1", "c2"}));
  sink.forget_note("c2");
  EXPECT_EQ(sink.noted_parts(), (Lines{"c1"}));
  end();
  EXPECT_EQ(begin("bubbles", "/another").noted_parts(), Lines{});
  end();
  writer().vanished(source("bubbles"));
  reopen();
  EXPECT_EQ(begin("bubbles").noted_parts(), Lines{});
  end();
}

TEST_F(ReadingTest, NotesThatWereNotCommittedWereNeverMade) {
  begin("bubbles").note("c1", "note");
  end();
  die();
  EXPECT_EQ(begin("bubbles").noted("c1"), std::nullopt);
  end();
}

TEST_F(ReadingTest, AVanishedSourceTakesItsProblemsAlong) {
  begin("composers").problem({.what = "not JSON", .example = "key"});
  end();
  writer().commit();
  EXPECT_EQ(problems().size(), 1u);
  writer().vanished(source("composers"));
  writer().commit();
  EXPECT_EQ(problems(), Lines{});
}

TEST_F(ReadingTest, AProblemIsShownWithTheSourceThatHasIt) {
  begin("composers", "/a").problem({.what = "not JSON", .example = "key2"});
  end();
  begin("composers", "/b").problem({.what = "not JSON", .example = "key1"});
  end();
  writer().commit();
  const auto found = history().problems();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].count, 2u);
  EXPECT_EQ(found[0].sources, 2u);
  EXPECT_EQ(found[0].example + found[0].source, found[0].source == "/a" ? "key2/a" : "key1/b");
}

// A commit in the middle comes when much has gathered; blanks gather without making words.
TEST_F(ReadingTest, AnInterruptedReadingGoesOnFromItsNotes) {
  const std::string blanks(3u << 20, ' ');
  Sink& sink = begin("bubbles");
  int told = 0;
  const auto committed = [&] {
    return History(history().folder(), History::Mode::read).document_count();
  };
  while (committed() == 0 && told < 1000) {
    const auto key = "c" + std::to_string(++told);
    sink.whole(key);
    deliver(sink, key, {keyed(key, said("word" + blanks))});
    sink.note(key, "read");
    sink.so_far("up to " + key);
  }
  ASSERT_EQ(committed(), static_cast<std::size_t>(told));
  sink.whole("lost");
  deliver(sink, "lost", {said("lost")});
  sink.note("lost", "read");
  die();

  EXPECT_FALSE(history().row_of_conversation("lost"));
  const auto ledger = load_ledger(history().database(), *find_store("bubbles"));
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger.begin()->second.mark, "up to c" + std::to_string(told));
  EXPECT_EQ(ledger.begin()->second.file, Fingerprint{});
  Sink& again = begin("bubbles");
  EXPECT_EQ(again.noted("c1"), "read");
  EXPECT_EQ(again.noted("lost"), std::nullopt);
  again.whole("lost");
  deliver(again, "lost", {said("lost")});
  end();
  writer().commit();
  EXPECT_EQ(documents("lost"), (Lines{"1 user lost bubbles"}));
  EXPECT_EQ(history().document_count(), static_cast<std::size_t>(told) + 1);
}

TEST_F(ReadingTest, WhatIsReadInStepsLosesOnlyWhatNoneOfThemTold) {
  Sink& sink = begin("bubbles");
  for (const char* conversation : {"c1", "c2", "c3"}) {
    sink.whole(conversation);
    deliver(sink, conversation, {keyed(conversation, said("why"))});
  }
  end();
  writer().commit();
  writer().leave_off_when([] { return true; });
  const auto& bubbles = *find_store("bubbles");
  Sink& first = writer().begin_reading(source("bubbles"), bubbles, true);
  first.whole("c1");
  deliver(first, "c1", {keyed("c1", said("why"))});
  first.so_far("nothing was noted: the next one would not have less to do");
  first.note("c1", "read");
  EXPECT_THROW(first.so_far("mark"), LeftOff);
  writer().leave_off();
  reopen();
  EXPECT_EQ(texts("c3"), (Lines{"why"}));
  Sink& second = begin("bubbles");
  second.whole("c2");
  deliver(second, "c2", {keyed("c2", said("why"))});
  EXPECT_EQ(end().gone, 1u);
  writer().commit();
  EXPECT_EQ(documents("c1"), (Lines{"1 user why bubbles"}));
  EXPECT_EQ(documents("c2"), (Lines{"1 user why bubbles"}));
  EXPECT_EQ(documents("c3"), (Lines{"1 user why gone bubbles"}));
}

// They are kept one a line.
TEST_F(ReadingTest, APathEndsWhereItsLineDoes) {
  auto read = call("read it");
  read.files = {"src/a.c\nint main() {}", "src/b.c"};
  tell("transcripts", "c1", {read});
  const auto document = history().document(rows().front());
  EXPECT_EQ(document.value().files, (Lines{"src/a.c", "src/b.c"}));
}

}  // namespace
}  // namespace cgrep::test
