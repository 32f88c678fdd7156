// When turns ended, as a hook saw it: what they date, and that it lasts.
#include "index/turns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "telling.h"

namespace cgrep::test {
namespace {

class TurnsTest : public Telling {
 protected:
  /// The turn ended at this time.
  void ended(std::int64_t time, const std::string& conversation = "c1") {
    ended({.conversation = conversation, .generation = "g", .time = time});
  }
  void ended(Turn turn) {
    if (turn.conversation.empty()) turn.conversation = "c1";
    writer().turn_ended(turn);
    writer().commit();
  }

  static Document at(std::int64_t ms, TimeOrigin origin, Document document) {
    document.time = Time{ms, origin};
    return document;
  }

  /// `text time origin` of each document, in reading order.
  Lines times(const std::string& conversation = "c1") {
    Lines lines;
    history().for_each_document(
        history().row_of_conversation(conversation).value(), [&](const StoredDocument& document) {
          auto line = history().text(document.row);
          if (document.time)
            line += fmt::format(" {} {}", document.time->ms, name_of(document.time->origin));
          lines.push_back(line);
          return true;
        });
    return lines;
  }

  Documents first_turn_ = {said("one"), said("two", Role::assistant)};
  Documents both_turns_ = {said("one"), said("two", Role::assistant), said("three"),
                           said("four", Role::assistant)};
};

TEST_F(TurnsTest, DateWhatWasReadSinceTheOneBefore) {
  tell("transcripts", "c1", first_turn_);
  ended(100);
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag"}));
  tell("transcripts", "c1", both_turns_);
  ended(200);
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three 200 tag", "four 200 tag"}));
  EXPECT_EQ(conversation().first->ms, 100);
  EXPECT_EQ(conversation().last->ms, 200);
}

TEST_F(TurnsTest, TheFirstThatIsSeenDatesOnlyWhatFollowsTheLastPrompt) {
  tell("transcripts", "c1", both_turns_);
  ended(200);
  EXPECT_EQ(times(), (Lines{"one", "two", "three 200 tag", "four 200 tag"}));
}

TEST_F(TurnsTest, TheSameOneGoesOnAsLongAsNoOtherEnded) {
  tell("transcripts", "c1", first_turn_);
  ended(100);
  tell("transcripts", "c1", both_turns_);
  ended(100);
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three 100 tag", "four 100 tag"}));
  auto more = both_turns_;
  more.push_back(said("five", Role::assistant));
  tell("transcripts", "c1", more);
  ended(300);
  more.push_back(said("six", Role::assistant));
  tell("transcripts", "c1", more);
  ended(100);  // a late worker of the turn before
  EXPECT_EQ(times().at(4), "five 300 tag");
  EXPECT_EQ(times().at(5), "six");
}

// Lines of the next turn were read before anybody heard that this one had ended.
TEST_F(TurnsTest, DateWhatStoodThereWhenTheyEnded) {
  tell("transcripts", "c1", both_turns_);
  ended({.time = 100, .size = 3, .ended = true});
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three", "four"}));
  ended({.time = 200, .size = 5, .ended = true});
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three 200 tag", "four 200 tag"}));
}

TEST_F(TurnsTest, WhatStandsInOtherStoresToo) {
  Documents copies;
  for (const auto& document : both_turns_) copies.push_back(keyed(document.text, document));
  tell("bubbles", "c1", copies);
  tell("transcripts", "c1", both_turns_);
  ended({.time = 100, .size = 3, .ended = true});
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three", "four"}));
}

TEST_F(TurnsTest, WithoutALineThatEndsThemGoOnWhenToldAgain) {
  tell("transcripts", "c1", first_turn_);
  ended({.time = 100, .size = 3});
  tell("transcripts", "c1", both_turns_);
  ended({.time = 100, .size = 3});
  EXPECT_EQ(times().at(3), "four 100 tag");
}

TEST_F(TurnsTest, WithALineThatEndsThemDoNotGoOn) {
  tell("transcripts", "c1", first_turn_);
  ended({.time = 100, .size = 3, .ended = true});
  tell("transcripts", "c1", both_turns_);
  ended({.time = 100, .size = 3, .ended = true});
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three", "four"}));
}

// The line was that of the turn before: this one is written late.
TEST_F(TurnsTest, DateWhatIsWrittenAfterTheyEnded) {
  tell("transcripts", "c1", first_turn_);
  ended({.generation = "g1", .time = 100, .size = 3, .ended = true});
  ended({.generation = "g2", .time = 200, .size = 3, .ended = true});
  tell("transcripts", "c1", both_turns_);
  ended({.generation = "g2", .time = 200, .size = 3, .ended = true});
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three 200 tag", "four 200 tag"}));
}

// An answer and the end of its turn are told one after the other.
TEST_F(TurnsTest, ToldOfTwiceDateNothingOfTheNext) {
  tell("transcripts", "c1", both_turns_);
  ended({.generation = "g1", .time = 100, .size = 3, .ended = true});
  ended({.generation = "g1", .time = 110, .size = 3, .ended = true});
  ended({.generation = "g2", .time = 200, .size = 5, .ended = true});
  EXPECT_EQ(times(), (Lines{"one 100 tag", "two 100 tag", "three 200 tag", "four 200 tag"}));
}

TEST_F(TurnsTest, KnowNothingOfOtherConversations) {
  tell("transcripts", "c1", first_turn_);
  Sink& sink = begin("transcripts", "/other");
  sink.whole("c2");
  deliver(sink, "c2", first_turn_);
  end();
  writer().commit();
  ended(100);
  ended(100, "never seen");
  EXPECT_EQ(times("c2"), (Lines{"one", "two"}));
}

// Own times and tags are better, guesses are not; whatever is read first.
TEST_F(TurnsTest, OwnTimesWinWhateverIsReadFirst) {
  const Documents copies = {keyed("a", at(7, TimeOrigin::native, said("one"))),
                            keyed("b", at(9, TimeOrigin::session, said("two", Role::assistant)))};
  const Lines expected = {"one 7 native", "two 100 tag"};
  tell("transcripts", "c1", first_turn_);
  ended(100);
  tell("bubbles", "c1", copies);
  EXPECT_EQ(times(), expected);

  auto named = [&](Documents documents) {
    for (auto& document : documents)
      if (!document.identity.key.empty()) document.identity.key += "-2";
    return documents;
  };
  tell("bubbles", "c2", named(copies));
  Sink& sink = begin("transcripts", "/second");
  sink.whole("c2");
  deliver(sink, "c2", first_turn_);
  end();
  writer().commit();
  ended(100, "c2");
  EXPECT_EQ(times("c2"), expected);

  tell("transcripts", "c1",
       {at(50, TimeOrigin::tag, said("one")),
        at(50, TimeOrigin::tag, said("two", Role::assistant))});
  EXPECT_EQ(times(), (Lines{"one 7 native", "two 50 tag"}));
}

// What another store adds later may be of any turn before.
TEST_F(TurnsTest, DateOnlyLinesOfTranscripts) {
  tell("transcripts", "c1", first_turn_);
  ended(100);
  tell("chats", "c1", {keyed("x", said("old result", Role::tool_result))});
  ended(200);
  for (const auto& line : times()) EXPECT_EQ(line.find("200"), std::string::npos) << line;
}

TEST_F(TurnsTest, LastWhenTheLinesAreReadAgain) {
  tell("transcripts", "c1", first_turn_);
  ended(100);
  tell("transcripts", "c1", both_turns_);
  ended(200);
  const auto before = times();
  tell("transcripts", "c1", {});  // emptied
  tell("transcripts", "c1", both_turns_);
  EXPECT_EQ(times(), before);
  reopen();
  EXPECT_EQ(times(), before);
}

// A tool's call that says more takes the place of another, under its number.
TEST_F(TurnsTest, LastWhenADocumentIsReplaced) {
  tell("transcripts", "c1", {said("one"), call("short")});
  ended(100);
  tell("bubbles", "c1", {keyed("k", call(std::string(100, 'x')))});
  EXPECT_EQ(times().back(), std::string(100, 'x') + " 100 tag");
}

TEST_F(TurnsTest, AreForgottenWithTheirConversation) {
  tell("transcripts", "c1", first_turn_);
  ended(100);
  writer().forget({history().row_of_conversation("c1").value()}, {});
  ended(300);
  auto left = history().database().prepare("SELECT count(*) FROM turns");
  ASSERT_TRUE(left.step());
  EXPECT_EQ(left.int64(0), 0);
}

}  // namespace
}  // namespace cgrep::test
