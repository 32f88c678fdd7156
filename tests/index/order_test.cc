#include "index/order.h"

#include <set>

#include "telling.h"

namespace cgrep::test {
namespace {

class OrderTest : public Telling {
 protected:
  /// Bubbles are known by keys; here their texts.
  static Documents bubbles(const Lines& lines) {
    Documents documents;
    for (const auto& text : lines) documents.push_back(keyed(text, said(text)));
    return documents;
  }

  static Documents lines(const Lines& lines) {
    Documents documents;
    for (const auto& text : lines) documents.push_back(said(text));
    return documents;
  }

  /// As transcripts number them: far apart, and from anywhere.
  static Documents apart(Documents documents) {
    std::uint64_t position = 1000;
    for (auto& document : documents) document.position = position += 1000;
    return documents;
  }
};

TEST_F(OrderTest, WhatOnlyOneStoreHasStaysBehindWhatPrecedesItThere) {
  tell("bubbles", "c1", bubbles({"a", "c", "d"}));
  tell("transcripts", "c1", lines({"a", "b", "c", "e"}));
  EXPECT_EQ(texts(), (Lines{"a", "b", "c", "e", "d"}));
}

TEST_F(OrderTest, TheOrderOfReadingDoesNotMatter) {
  tell("transcripts", "c1", lines({"a", "b", "c", "e"}));
  tell("bubbles", "c1", bubbles({"a", "c", "d"}));
  EXPECT_EQ(texts(), (Lines{"a", "b", "c", "e", "d"}));
}

TEST_F(OrderTest, WhatComesBeforeAllOthersStaysThere) {
  tell("bubbles", "c1", bubbles({"b", "c"}));
  tell("transcripts", "c1", lines({"a", "b"}));
  EXPECT_EQ(texts(), (Lines{"a", "b", "c"}));
}

TEST_F(OrderTest, ThreeStoresMeetAtWhatTheyShare) {
  tell("transcripts", "c1", apart(lines({"1", "2", "t", "3", "4"})));
  tell("chats", "c1", apart(bubbles({"1", "c", "2", "3", "4"})));
  tell("bubbles", "c1", bubbles({"1", "2", "3", "b", "4"}));
  EXPECT_EQ(texts(), (Lines{"1", "c", "2", "t", "3", "b", "4"}));
}

TEST_F(OrderTest, TheRichestStoreDecidesWhereTheyDisagree) {
  tell("transcripts", "c1", lines({"b", "a"}));
  tell("bubbles", "c1", bubbles({"a", "b"}));
  EXPECT_EQ(texts(), (Lines{"a", "b"}));
}

TEST_F(OrderTest, WhatIsAppendedFollows) {
  tell("bubbles", "c1", bubbles({"a", "b"}));
  tell("transcripts", "c1", apart(lines({"a", "x", "b"})));
  tell("bubbles", "c1", bubbles({"a", "b", "c"}));
  EXPECT_EQ(texts(), (Lines{"a", "x", "b", "c"}));
  tell("transcripts", "c1", apart(lines({"a", "x", "b", "y", "c", "z"})));
  EXPECT_EQ(texts(), (Lines{"a", "x", "b", "y", "c", "z"}));
}

TEST_F(OrderTest, NumbersStayWhereverADocumentMoves) {
  tell("transcripts", "c1", lines({"a", "c"}));
  tell("bubbles", "c1", bubbles({"a", "b", "c"}));
  EXPECT_EQ(documents(), (Lines{"1 user a transcripts bubbles", "3 user b bubbles",
                                "2 user c transcripts bubbles"}));
}

TEST_F(OrderTest, WhatIsGoneKeepsItsPlace) {
  tell("bubbles", "c1", bubbles({"a", "b", "c"}));
  tell("transcripts", "c1", apart(lines({"a", "x", "y", "b", "z", "c"})));
  tell("transcripts", "c1", apart(lines({"a", "x", "b", "z", "c"})));
  EXPECT_EQ(texts(), (Lines{"a", "x", "y", "b", "z", "c"}));
  tell("bubbles", "c1", bubbles({"a", "c"}));
  tell("transcripts", "c1", apart(lines({"a", "x", "z", "c"})));
  EXPECT_EQ(texts(), (Lines{"a", "x", "y", "b", "z", "c"}));
}

TEST_F(OrderTest, WhatIsGoneFromAStretchThatOnlyOneStoreHasKeepsItsPlace) {
  tell("bubbles", "c1", bubbles({"last"}));
  tell("transcripts", "c1", apart(lines({"a", "b", "c", "last"})));
  tell("transcripts", "c1", apart(lines({"a", "c", "last"})));
  EXPECT_EQ(texts(), (Lines{"a", "b", "c", "last"}));
}

TEST_F(OrderTest, TitlesAndSummariesComeFirst) {
  tell("transcripts", "c1", lines({"a", "b"}));
  tell("bubbles", "c1", bubbles({"a", "b"}));
  tell("composers", "c1", {said("the title", Role::title), said("a todo", Role::prompt)});
  tell("summaries", "c1", {said("the summary", Role::summary)});
  const auto found = texts();
  ASSERT_EQ(found.size(), 5u);
  const std::set<std::string> about(found.begin(), found.begin() + 3);
  EXPECT_EQ(about, (std::set<std::string>{"the title", "a todo", "the summary"}));
  EXPECT_EQ(Lines(found.begin() + 3, found.end()), (Lines{"a", "b"}));
}

TEST_F(OrderTest, TheTitleComesFirstWhereOneStoreHasTheMessages) {
  tell("transcripts", "c1", lines({"a", "b"}));
  tell("composers", "c1", {said("the title", Role::title)});
  EXPECT_EQ(texts(), (Lines{"the title", "a", "b"}));
}

TEST_F(OrderTest, AMessageThatAlsoIsAPromptStandsAmongTheMessages) {
  tell("prompts", "c1", {said("b", Role::prompt)});
  tell("transcripts", "c1", lines({"a", "b"}));
  EXPECT_EQ(texts(), (Lines{"a", "b"}));
}

/// One conversation in several files of one store.
class SourcesOrderTest : public OrderTest {
 protected:
  void tell_file(const std::string& path, const Lines& texts) {
    auto& sink = begin("transcripts", path);
    sink.whole("c1");
    deliver(sink, "c1", apart(lines(texts)));
    end();
    writer().commit();
  }
};

TEST_F(SourcesOrderTest, WhichOfThemWasFoundFirstDoesNotMatter) {
  tell_file("/b/c1.jsonl", {"a", "b", "c", "e"});
  tell_file("/a/c1.jsonl", {"c", "a", "d"});
  EXPECT_EQ(texts(), (Lines{"c", "e", "a", "b", "d"}));
}

TEST_F(SourcesOrderTest, NorIfItIsTheOther) {
  tell_file("/a/c1.jsonl", {"c", "a", "d"});
  tell_file("/b/c1.jsonl", {"a", "b", "c", "e"});
  EXPECT_EQ(texts(), (Lines{"c", "e", "a", "b", "d"}));
}

TEST_F(SourcesOrderTest, TheNewerFormDecides) {
  tell_file("/a/c1.txt", {"b", "a", "d"});
  tell_file("/a/c1.json", {"b", "a", "c"});
  tell_file("/a/c1.jsonl", {"a", "b"});
  EXPECT_EQ(texts(), (Lines{"a", "d", "c", "b"}));
}

// Its places are no longer those that the file itself gives.
TEST_F(SourcesOrderTest, WhereOneIsLeftWhatItAddsStillFollows) {
  tell_file("/a/c1.jsonl", {"b", "c"});
  tell_file("/b/c1.jsonl", {"a", "b", "c"});
  writer().vanished(source("transcripts", "/b/c1.jsonl"));
  writer().commit();
  tell_file("/a/c1.jsonl", {"b", "x", "c", "d"});
  EXPECT_EQ(texts(), (Lines{"a", "b", "x", "c", "d"}));
}

}  // namespace
}  // namespace cgrep::test
