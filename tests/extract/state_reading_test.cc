// What corpus/ cannot show of state.vscdb: reading it again after Cursor wrote to it.
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "extract/one_conversation.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

/// Keeps what an index would keep of the readings, and says what the last one did, a line each.
class KeepingSink : public Sink {
 public:
  void document(Document&& document) override {
    ++delivered;
    said += fmt::format("{} {}\n", document.identity.key, document.text.substr(0, 40));
    seen_.insert(document.identity.key);
    kept_[document.identity.key] = std::move(document);
  }
  void claim(Claim claim) override { claims.push_back(printed(claim)); }
  void problem(Problem problem) override { said += printed(problem) + "\n"; }
  void whole(std::string_view conversation) override {
    end_part();
    whole_ = conversation;
    if (!whole_.empty()) said += "whole " + whole_ + "\n";
  }
  void more(std::string_view conversation) override {
    end_part();
    said += "more " + std::string(conversation) + "\n";
  }
  void vanished(std::string_view key) override {
    if (kept_.erase(std::string(key)) > 0) said += "vanished " + std::string(key) + "\n";
  }

  std::optional<std::string> noted(std::string_view part) override {
    const auto found = notes_.find(std::string(part));
    return found != notes_.end() ? std::optional(found->second) : std::nullopt;
  }
  void note(std::string_view part, std::string_view text) override {
    notes_[std::string(part)] = text;
  }
  void forget_note(std::string_view part) override { notes_.erase(std::string(part)); }
  std::vector<std::string> noted_parts() override {
    std::vector<std::string> parts;
    for (const auto& [part, text] : notes_) parts.push_back(part);
    return parts;
  }
  void so_far(std::string_view mark) override {
    end_part();
    last_mark = mark;
    if (--parts_until_it_stops == 0) throw Unreadable("stopped");
  }

  void end_part() {
    if (!whole_.empty())
      std::erase_if(kept_, [&](const auto& entry) {
        return entry.second.conversation == whole_ && !seen_.contains(entry.first);
      });
    whole_.clear();
    seen_.clear();
  }

  /// In reading order; orphans by their keys.
  std::string kept() const {
    std::map<std::tuple<std::string, bool, std::uint64_t, std::string>, std::string> lines;
    for (const auto& [key, document] : kept_)
      lines[{document.conversation, document.orphan, document.orphan ? 0 : document.position,
             key}] = printed(document);
    std::string text;
    for (const auto& [place, line] : lines) text += line + "\n";
    return text;
  }
  const Document& kept(const std::string& key) const { return kept_.at(key); }

  std::string said{};
  std::vector<std::string> claims{};
  std::size_t delivered = 0;
  int parts_until_it_stops = -1;
  std::string last_mark{};

 private:
  std::map<std::string, Document> kept_{};
  std::map<std::string, std::string> notes_{};
  std::set<std::string> seen_{};  // in the part that is told of
  std::string whole_{};
};

class StateReadingTest : public testing::Test {
 protected:
  StateReadingTest() {
    source.path = temp.path() / "state.vscdb";
    source.root = temp.path();
    source.store = find_store("bubbles");
    exec(
        "PRAGMA journal_mode=WAL;"
        "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
        "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  }

  Database open() const {
    return Database(source.path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  }
  void exec(const std::string& sql) const { open().exec(sql); }

  static void set(Database& database, const std::string& key, const std::string& value,
                  const char* table = "cursorDiskKV") {
    auto insert = database.prepare(fmt::format("INSERT INTO {} VALUES (?1, ?2)", table));
    insert.bind(1, key);
    insert.bind(2, value);
    insert.run();
  }
  void set(const std::string& key, const std::string& value,
           const char* table = "cursorDiskKV") const {
    auto database = open();
    set(database, key, value, table);
  }

  static std::string bubble_json(const std::string& text) {
    return fmt::format(R"({{"_v":3,"type":2,"text":"{}","createdAt":1781016250000}})", text);
  }
  void bubble(const std::string& conversation, const std::string& id,
              const std::string& text) const {
    set(fmt::format("bubbleId:{}:{}", conversation, id), bubble_json(text));
  }
  static std::string composer_json(const std::vector<std::string>& ids) {
    std::string headers;
    for (const auto& id : ids)
      headers += fmt::format(R"({}{{"bubbleId":"{}"}})", headers.empty() ? "" : ",", id);
    return fmt::format(R"({{"name":"Loom","fullConversationHeadersOnly":[{}]}})", headers);
  }
  void composer(const std::string& id, const std::vector<std::string>& ids) const {
    set("composerData:" + id, composer_json(ids));
  }

  /// What the reading says.
  std::string read() {
    sink.said.clear();
    sink.claims.clear();
    sink.delivered = 0;
    source.mark = source.store->extract(source, sink);
    sink.end_part();
    return sink.said;
  }

  /// What a first reading would keep.
  std::string read_afresh() const {
    KeepingSink fresh;
    Source anew = source;
    anew.mark.clear();
    anew.store->extract(anew, fresh);
    fresh.end_part();
    return fresh.kept();
  }

  TempDir temp{};
  Source source{};
  KeepingSink sink{};
};

TEST_F(StateReadingTest, ReadsOnlyTheEndOfTheLastConversationAgainWhenNothingChanged) {
  composer("c1", {"a", "b"});
  bubble("c1", "a", "one");
  bubble("c1", "b", "two");
  EXPECT_EQ(read(), "whole c1\nbubbleId:c1:a/text one\nbubbleId:c1:b/text two\n");
  EXPECT_EQ(read(), "more c1\nbubbleId:c1:a/text one\nbubbleId:c1:b/text two\n");
  for (const auto* id : {"c2", "c3", "c4"}) composer(id, {});
  read();
  set("checkpointId:c1:x", "{}");
  read();
  EXPECT_EQ(read(), "whole c2\nwhole c3\nwhole c4\n");  // c1 is no longer among the last ones
}

TEST_F(StateReadingTest, ReadsOnlyWhatWasAppended) {
  composer("c1", {"a", "b"});
  bubble("c1", "a", "one");
  bubble("c1", "b", "two");
  bubble("c2", "x", "other");
  read();
  bubble("c1", "c", "three");
  composer("c1", {"a", "b", "c"});
  EXPECT_EQ(read(),
            "more c1\nbubbleId:c1:a/text one\nbubbleId:c1:b/text two\nbubbleId:c1:c/text three\n"
            "whole c2\nbubbleId:c2:x/text other\n");
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(StateReadingTest, ReadsFewOfManyBubbles) {
  constexpr int kBubbles = 2000;
  std::vector<std::string> ids;
  {
    auto database = open();
    database.exec("BEGIN");
    for (int i = 0; i < kBubbles; ++i) {
      ids.push_back(fmt::format("b{:04}", i));
      set(database, "bubbleId:c1:" + ids.back(), bubble_json("a bubble"));
    }
    set(database, "composerData:c1", composer_json(ids));
    database.exec("COMMIT");
  }
  read();
  EXPECT_EQ(sink.delivered, kBubbles);
  ids.emplace_back("new");
  bubble("c1", "new", "one more");
  composer("c1", ids);
  read();
  EXPECT_GE(sink.delivered, 1);
  EXPECT_LT(sink.delivered, 20);
  EXPECT_EQ(sink.kept(), read_afresh());
}

// Many are read by several threads, and each at once if it is not too large.
TEST_F(StateReadingTest, ManyConversationsAreReadAsEachAlone) {
  constexpr int kConversations = 120;
  {
    auto database = open();
    database.exec("BEGIN");
    for (int i = 0; i < kConversations; ++i) {
      const auto id = fmt::format("c{:03}", i);
      std::vector<std::string> ids;
      for (int k = 0; k < (i == 40 ? 700 : i % 7); ++k) {
        ids.push_back(fmt::format("b{}", (k * 37) % 1000));
        const auto text = i == 50 ? std::string(1'500'000, 'x') : fmt::format("said {}", k);
        set(database, fmt::format("bubbleId:{}:{}", id, ids.back()), bubble_json(text));
      }
      if (i % 11 == 3) set(database, fmt::format("bubbleId:{}:bad", id), "{");
      if (i % 11 == 4) set(database, fmt::format("bubbleId:{}:orphan", id), bubble_json("lost"));
      if (i % 11 == 5)
        database.exec(fmt::format("INSERT INTO cursorDiskKV VALUES ('bubbleId:{}:n', NULL)", id));
      if (i == 60)
        set(database, fmt::format("bubbleId:{}:large", id), bubble_json(std::string(5 << 20, 'y')));
      if (i == 70)
        database.exec(fmt::format(
            "INSERT INTO cursorDiskKV VALUES ('bubbleId:{}:huge', zeroblob(70000000))", id));
      if (i % 13 != 0) set(database, "composerData:" + id, composer_json(ids));
      if (i % 13 == 1)
        database.exec(fmt::format("INSERT INTO cursorDiskKV VALUES ('composerData:{}', NULL)", id));
    }
    database.exec("COMMIT");
  }
  for (const auto* store : {"bubbles", "composers"}) {
    source.store = find_store(store);
    KeepingSink alone;
    for (int i = 0; i < kConversations; ++i) {
      extractor_of_one (*source.store)(source, fmt::format("c{:03}", i), alone);
      alone.end_part();
    }
    KeepingSink together;
    source.store->extract(source, together);
    together.end_part();
    EXPECT_EQ(together.said, alone.said) << store;
    EXPECT_EQ(together.claims, alone.claims) << store;
    EXPECT_EQ(together.kept(), alone.kept()) << store;
    EXPECT_GT(alone.delivered, 50u) << store;
  }
}

TEST_F(StateReadingTest, ABubbleThatGrowsStaysTheSameDocument) {
  composer("c1", {"a", "b"});
  bubble("c1", "a", "one");
  bubble("c1", "b", "a lo");
  set("checkpointId:c1:x", "{}");
  read();
  bubble("c1", "b", "a long reply");
  EXPECT_EQ(read(), "more c1\nbubbleId:c1:a/text one\nbubbleId:c1:b/text a long reply\n");
  bubble("c1", "a", "one, edited");
  EXPECT_EQ(read(), "more c1\nbubbleId:c1:a/text one, edited\nbubbleId:c1:b/text a long reply\n");
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(StateReadingTest, ReadsLittleWhileAReplyIsWritten) {
  std::vector<std::string> ids;
  for (int i = 0; i < 50; ++i) {
    ids.push_back(fmt::format("b{}", i));
    bubble("c1", ids.back(), "said before");
  }
  composer("c1", ids);
  read();
  for (int i = 0; i < 20; ++i) {
    bubble("c1", ids.back(), fmt::format("a reply of {} words", i));
    composer("c1", ids);
    read();
    EXPECT_LT(sink.delivered, 5);
    ASSERT_EQ(sink.kept(), read_afresh());
  }
}

TEST_F(StateReadingTest, TellsWhatABubbleLost) {
  composer("c1", {"a", "b"});
  bubble("c1", "a", "one");
  set("bubbleId:c1:b", R"({"type":2,"text":"","thinking":{"text":"hm"}})");
  set("checkpointId:c1:x", "{}");
  read();
  bubble("c1", "b", "two");
  EXPECT_EQ(read(),
            "more c1\nbubbleId:c1:a/text one\nbubbleId:c1:b/text two\n"
            "vanished bubbleId:c1:b/thinking\n");
  exec("INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', NULL)");
  EXPECT_EQ(read(), "more c1\nbubbleId:c1:a/text one\nvanished bubbleId:c1:b/text\n");
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(StateReadingTest, ReadsAConversationAgainWhoseOrderChanged) {
  composer("c1", {"a", "b", "c"});
  for (const auto* id : {"a", "b", "c"}) bubble("c1", id, id);
  read();
  composer("c1", {"a", "c"});
  EXPECT_EQ(read(), "more c1\nbubbleId:c1:a/text a\nbubbleId:c1:c/text c\nbubbleId:c1:b/text b\n");
  EXPECT_EQ(sink.kept(), read_afresh());
  EXPECT_TRUE(sink.kept("bubbleId:c1:b/text").orphan);
  composer("c1", {"a", "d", "c"});
  bubble("c1", "d", "d");
  read();
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(StateReadingTest, OrphansStayLastWhileAConversationGrows) {
  composer("c1", {"a"});
  bubble("c1", "a", "one");
  bubble("c1", "orphan", "made again");
  read();
  bubble("c1", "b", "two");
  composer("c1", {"a", "b"});
  read();
  EXPECT_LT(sink.kept("bubbleId:c1:b/text").position,
            sink.kept("bubbleId:c1:orphan/text").position);
}

TEST_F(StateReadingTest, ADeletedConversationIsWholeWithoutDocuments) {
  for (const auto* id : {"c1", "c2", "c3"}) {
    composer(id, {"a"});
    bubble(id, "a", "one");
  }
  bubble("c4", "a", "the last row");
  read();
  exec(
      "DELETE FROM cursorDiskKV WHERE key IN ('bubbleId:c1:a', 'composerData:c1');"
      "INSERT INTO cursorDiskKV VALUES ('composerData:c2', NULL)");
  EXPECT_EQ(read(), "whole c1\nwhole c2\nwhole c4\nbubbleId:c4:a/text the last row\n");
  EXPECT_EQ(sink.kept(), read_afresh());
  EXPECT_EQ(read(), "whole c2\nwhole c4\nbubbleId:c4:a/text the last row\n");
}

TEST_F(StateReadingTest, ReadsBubblesByTimeWhoseComposerVanished) {
  composer("c1", {"b", "a"});
  bubble("c1", "a", "one");
  bubble("c1", "b", "two");
  set("checkpointId:c1:x", "{}");
  read();
  exec("DELETE FROM cursorDiskKV WHERE key = 'composerData:c1'");
  EXPECT_EQ(read(), "whole c1\nbubbleId:c1:a/text one\nbubbleId:c1:b/text two\n");
  EXPECT_EQ(read(), "");
}

TEST_F(StateReadingTest, ReadsEverythingAgainAfterVacuum) {
  composer("c1", {"a"});
  bubble("c1", "a", "one");
  bubble("c2", "a", "two");
  const auto all = read();
  exec("VACUUM");
  EXPECT_EQ(read(), all);
}

TEST_F(StateReadingTest, ReadsANewConversationWhole) {
  bubble("c1", "a", "one");
  set("checkpointId:c1:x", "{}");
  read();
  composer("c2", {"a", "b"});
  bubble("c2", "a", "two");
  bubble("c2", "b", "three");
  EXPECT_EQ(read(), "whole c2\nbubbleId:c2:a/text two\nbubbleId:c2:b/text three\n");
}

TEST_F(StateReadingTest, SeesRowsThatTookTheNumbersOfDeletedOnes) {
  composer("c1", {"a"});
  bubble("c1", "a", "one");
  for (const auto* id : {"w", "x", "y", "z"}) bubble("c2", id, "soon deleted");
  read();
  exec("DELETE FROM cursorDiskKV WHERE key LIKE 'bubbleId:c2:%'");
  bubble("c1", "a", "one, edited");
  set("checkpointId:c1:x", "{}");
  set("checkpointId:c1:y", "{}");
  set("checkpointId:c1:z", "{}");
  read();
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(StateReadingTest, AnInterruptedReadingForgetsNoChange) {
  for (const auto* id : {"c1", "c2", "c3"}) {
    composer(id, {"a"});
    bubble(id, "a", "one");
  }
  for (const bool everything : {true, false}) {
    for (const auto* id : {"c1", "c2", "c3"}) bubble(id, "a", everything ? "first" : "second");
    if (everything) source.mark.clear();
    sink.parts_until_it_stops = 1;
    EXPECT_THROW(read(), Unreadable);
    source.mark = sink.last_mark;
    read();
    EXPECT_EQ(sink.kept(), read_afresh());
  }
}

TEST_F(StateReadingTest, APromptOfAnAgentStaysOne) {
  set("composerData:c1",
      R"({"subagentInfo":{"parentComposerId":"p"},"fullConversationHeadersOnly":)"
      R"([{"bubbleId":"a"},{"bubbleId":"b"}]})");
  bubble("c1", "b", "reply");
  set("bubbleId:c1:a", R"({"type":1,"text":"do th"})");
  read();
  set("bubbleId:c1:a", R"({"type":1,"text":"do this"})");
  read();
  EXPECT_TRUE(sink.kept("bubbleId:c1:a/text").delegated);
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(StateReadingTest, TakesTheTimeOfTheBubbleBefore) {
  composer("c1", {"a", "b", "c", "d"});
  for (const auto& [id, time] : {std::pair{"a", 1}, {"b", 2}, {"c", 3}})
    set(fmt::format("bubbleId:c1:{}", id),
        fmt::format(R"({{"type":2,"text":"{}","createdAt":178101625{}000}})", id, time));
  set("bubbleId:c1:d", R"({"type":2,"text":"no time"})");
  read();
  set("bubbleId:c1:a", R"({"type":2,"text":"again","createdAt":1781016251000})");
  set("bubbleId:c1:d", R"({"type":2,"text":"still no time"})");
  read();
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(StateReadingTest, ConversationsInsideBubblesGoWithThem) {
  const auto call = [](const std::string& child) {
    return fmt::format(
        R"({{"type":2,"text":"","toolFormerData":{{"name":"task_v2","toolCallId":"t",)"
        R"("params":"","additionalData":{{"composerData":"{}"}}}}}})",
        child);
  };
  composer("c1", {"a", "b"});
  set("bubbleId:c1:a",
      call(R"({\"conversation\":[{\"bubbleId\":\"i\",\"type\":2,\"text\":\"inside\"}]})"));
  bubble("c1", "b", "two");
  EXPECT_EQ(read(),
            "whole c1\nbubbleId:c1:a/call \nbubbleId:c1:b/text two\n"
            "whole task-t\nbubbleId:c1:a#child#i/text inside\n");
  EXPECT_EQ(read(),
            "more c1\nbubbleId:c1:a/call \nbubbleId:c1:b/text two\n"
            "whole task-t\nbubbleId:c1:a#child#i/text inside\n");
  exec("INSERT INTO cursorDiskKV VALUES ('composerData:c1', NULL)");
  EXPECT_EQ(read(), "whole c1\nwhole task-t\n");
  EXPECT_EQ(sink.kept(), "");
}

TEST_F(StateReadingTest, ReadsListsOnlyWhenTheyChanged) {
  constexpr const char* kKey = "composer.composerData";
  const std::string one =
      R"({"composerId":"c1","conversation":[{"bubbleId":"a","type":1,"text":"one"}]})";
  set(kKey, "[" + one + "]", "ItemTable");
  EXPECT_EQ(read(), "whole c1\ncomposerData:c1#a/text one\n");
  set("history.entries", "[]", "ItemTable");
  EXPECT_EQ(read(), "");
  set(kKey, "[" + one, "ItemTable");
  EXPECT_EQ(read(), "") << "damage makes nothing go";
  set("composerData:c1", one);
  EXPECT_EQ(read(), "whole c1\ncomposerData:c1#a/text one\n") << "it moved to a row";
  set(kKey, "[]", "ItemTable");
  read();
  EXPECT_EQ(sink.kept(), read_afresh());
  EXPECT_NE(sink.kept(), "");
}

TEST_F(StateReadingTest, LosesNoInlineMessagesToDamage) {
  set("composerData:c1", R"({"conversation":[{"bubbleId":"a","type":1,"text":"one"}]})");
  set("checkpointId:c1:x", "{}");
  read();
  const auto before = sink.kept();
  set("composerData:c1", R"({"conversation":[{"bubb)");
  EXPECT_EQ(read(), "more c1\n");
  EXPECT_EQ(sink.kept(), before);
  set("composerData:c1", R"({"conversation":[]})");
  EXPECT_EQ(read(), "whole c1\n");
  EXPECT_EQ(sink.kept(), "");
}

TEST_F(StateReadingTest, CutsTextsThatAreTooLong) {
  set("bubbleId:c1:a", bubble_json(std::string(kMaxTextBytes + 10, 'x')));
  read();
  EXPECT_TRUE(sink.kept("bubbleId:c1:a/text").truncated);
  EXPECT_EQ(sink.kept("bubbleId:c1:a/text").text.size(), kMaxTextBytes);
}

TEST_F(StateReadingTest, GoesOnAfterARowThatIsTooLong) {
  bubble("c1", "a", "one");
  exec("INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:b', zeroblob(70000000))");
  const std::string all =
      "whole c1\nbubbleId:c1:a/text one\nproblem \"value over 64 MB\" at bubbleId:c1:b\n";
  EXPECT_EQ(read(), all);
  EXPECT_EQ(read(), all);
}

TEST_F(StateReadingTest, ReadsATableOfOtherColumnsTwice) {
  exec("DROP TABLE cursorDiskKV; CREATE TABLE cursorDiskKV (id TEXT)");
  for (const auto* store : {"bubbles", "composers", "diffs", "contexts"}) {
    source.store = find_store(store);
    source.mark.clear();
    EXPECT_EQ(read(), "") << store;
    EXPECT_EQ(read(), "") << store;
  }
}

// Whatever Cursor does, reading again and again keeps the same as reading once.
TEST_F(StateReadingTest, KeepsTheSameAsAFirstReading) {
  std::mt19937 random(20260609);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::map<std::string, std::vector<std::string>> conversations;
  for (int round = 0; round < 150; ++round) {
    auto database = open();
    for (int step = below(6); step >= 0; --step) {
      const auto conversation = fmt::format("c{}", below(5));
      auto& ids = conversations[conversation];
      const auto id = ids.empty() ? std::string("first") : ids[random() % ids.size()];
      switch (below(8)) {
        case 0:  // a part of a turn is undone
          if (!ids.empty()) ids.erase(ids.begin() + below(static_cast<unsigned>(ids.size())));
          set(database, "composerData:" + conversation, composer_json(ids));
          break;
        case 1:  // it is deleted
          ids.clear();
          database.exec(
              fmt::format("DELETE FROM cursorDiskKV WHERE key = 'composerData:{0}' OR key LIKE "
                          "'bubbleId:{0}:%'",
                          conversation));
          break;
        case 2:  // a bubble is written to
        case 3:
          set(database, fmt::format("bubbleId:{}:{}", conversation, id),
              bubble_json(fmt::format("round {}", round)));
          break;
        case 4:  // things that are never read
          set(database, fmt::format("checkpointId:{}:{}", conversation, below(3)), "{}");
          break;
        default:
          ids.push_back(fmt::format("b{}-{}", round, step));
          set(database, fmt::format("bubbleId:{}:{}", conversation, ids.back()),
              bubble_json(fmt::format("new in round {}", round)));
          set(database, "composerData:" + conversation, composer_json(ids));
      }
    }
    read();
    ASSERT_EQ(sink.kept(), read_afresh()) << "after round " << round;
  }
}

class FamiliesReadingTest
    : public StateReadingTest,
      public testing::WithParamInterface<std::pair<const char*, const char*>> {
 protected:
  FamiliesReadingTest() { source.store = find_store(GetParam().first); }

  void record(const std::string& conversation, const std::string& text) const {
    set(fmt::format("{}:{}:x", GetParam().second, conversation),
        fmt::format(R"({{"gitStatusRaw":"{0}","newModelDiffWrtV0":[{{"modified":["{0}"]}}]}})",
                    text));
  }
};

TEST_P(FamiliesReadingTest, ReadsOnlyConversationsThatChanged) {
  const std::string family = GetParam().second;
  record("c1", "one");
  record("c2", "two");
  record("c3", "three");
  EXPECT_EQ(read(), "whole c1\n" + family + ":c1:x one\nwhole c2\n" + family +
                        ":c2:x two\nwhole c3\n" + family + ":c3:x three\n");
  record("c2", "two, edited");
  exec("DELETE FROM cursorDiskKV WHERE key LIKE '%:c1:x'");
  EXPECT_EQ(read(), "whole c1\nwhole c2\n" + family + ":c2:x two, edited\nwhole c3\n" + family +
                        ":c3:x three\n");
  EXPECT_EQ(sink.kept(), read_afresh());
}

INSTANTIATE_TEST_SUITE_P(Both, FamiliesReadingTest,
                         testing::Values(std::pair("diffs", "codeBlockDiff"),
                                         std::pair("contexts", "messageRequestContext")));

class ComposersReadingTest : public StateReadingTest {
 protected:
  ComposersReadingTest() { source.store = find_store("composers"); }
};

TEST_F(ComposersReadingTest, ReadsOnlyComposersThatChanged) {
  for (const auto* id : {"c1", "c2", "c3"})
    set(fmt::format("composerData:{}", id), fmt::format(R"({{"name":"{}"}})", id));
  bubble("c1", "a", "the last row");
  read();
  EXPECT_EQ(read(), "");
  set("composerData:c2", R"({"name":"better"})");
  exec("DELETE FROM cursorDiskKV WHERE key = 'composerData:c1'");
  EXPECT_EQ(read(), "whole c1\nwhole c2\ncomposerData:c2/title better\n");
  exec("INSERT INTO cursorDiskKV VALUES ('composerData:c2', NULL)");
  EXPECT_EQ(read(), "whole c2\n");
  EXPECT_EQ(sink.kept(), read_afresh());
}

TEST_F(ComposersReadingTest, LosesNoTitleToDamage) {
  set("composerData:c1", R"({"name":"Loom"})");
  read();
  set("composerData:c1", R"({"name":"Lo)");
  EXPECT_EQ(read(), "more c1\nproblem \"composerData is not JSON\" at composerData:c1\n");
  EXPECT_EQ(sink.kept("composerData:c1/title").text, "Loom");
}

TEST_F(ComposersReadingTest, AnInterruptedReadingForgetsNoChange) {
  for (const auto* id : {"c1", "c2"}) set(fmt::format("composerData:{}", id), R"({"name":"one"})");
  read();
  for (const auto* id : {"c1", "c2"}) set(fmt::format("composerData:{}", id), R"({"name":"two"})");
  sink.parts_until_it_stops = 1;
  EXPECT_THROW(read(), Unreadable);
  source.mark = sink.last_mark;
  read();
  EXPECT_EQ(sink.kept(), read_afresh());
}

}  // namespace
}  // namespace cgrep::test
