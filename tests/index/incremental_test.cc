// A change costs what changed, and comes to the same as reading all: for every kind of change, what
// is read is counted, and the index is compared with one that is made anew.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "extract/read_counter.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/index_dump.h"
#include "index/passing_time.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr int kConversations = 600;
constexpr int kBubbles = 6;

// Nobody reads it.
std::string padding() {
  return fmt::format(R"(,"pad":"{}")", std::string(1500, 'x'));
}

std::string line(const std::string& text) {
  return R"({"role":"user","message":{"content":[{"type":"text","text":")" + text + "\"}]}" +
         padding() + "}\n";
}

std::string bubble(const std::string& text) {
  return fmt::format(R"({{"_v":3,"type":1,"text":"{}"{}}})", text, padding());
}

std::string composer(int bubbles, const std::string& more = "") {
  std::string headers;
  for (int i = 0; i < bubbles; ++i)
    headers += fmt::format(R"({}{{"bubbleId":"b{}"}})", i == 0 ? "" : ",", i);
  return fmt::format(R"({{"_v":17,"name":"Loom"{},"fullConversationHeadersOnly":[{}]}})", more,
                     headers);
}

std::string key(int conversation, int number) {
  return fmt::format("bubbleId:c{:04}:b{}", conversation, number);
}

std::string composer_key(int conversation) {
  return fmt::format("composerData:c{:04}", conversation);
}

/// Cost of a change, in rows and bytes that were read.
struct Bound {
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
};

/// To look which conversations there are takes a row of each in every store that reads the
/// database: bubbles (two families of keys), composers, diffs, contexts and agentkv.
constexpr std::uint64_t kLooks = 6u * kConversations;

class IncrementalTest : public testing::Test {
 protected:
  IncrementalTest() {
    fs::create_directories(state_path().parent_path());
    state_.emplace(state_path(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    state_->exec(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
        "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
        "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); BEGIN");
    for (int c = 0; c < kConversations; ++c) {
      for (int b = 0; b < kBubbles; ++b) set(key(c, b), bubble(fmt::format("said{}x{}", c, b)));
      set(composer_key(c), composer(kBubbles));
    }
    state_->exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    std::string lines;
    for (int i = 0; i < 500; ++i) lines += line(fmt::format("line{}", i));
    dir_.write(transcript(), lines);
    dir_.write("home/.cursor/chats/0123/c9000/meta.json", R"({"title":"Old","cwd":"/home/ada/a"})");
    dir_.write("home/.cursor/chats/0123/c9000/prompt_history.json", R"(["one"])");
    state_bytes_ = fs::file_size(state_path());
    index();
  }

  static fs::path transcript() {
    return "home/.cursor/projects/home-ada-widget/agent-transcripts/t1/t1.jsonl";
  }
  fs::path home() const { return dir_.path() / "home"; }
  fs::path state_path() const { return home() / ".config/Cursor/User/globalStorage/state.vscdb"; }

  void set(const std::string& name, const std::string& value) {
    auto insert = state_->prepare("INSERT INTO cursorDiskKV VALUES (?1, ?2)");
    insert.bind(1, name);
    insert.bind(2, value);
    insert.run();
  }

  void index() {
    aging_.age(home());
    index_all(home(), dir_.path() / "index");
  }

  /// What an update reads after the change.
  Bound cost_of(const std::function<void()>& change) {
    change();
    aging_.age(home());
    ReadCounter counter;
    index_all(home(), dir_.path() / "index");
    return {counter.rows, counter.bytes};
  }

  void expect_as_new() {
    const auto fresh = dir_.path() / "fresh";
    index_all(home(), fresh);
    const auto differs = difference(dir_.path() / "index", fresh);
    EXPECT_TRUE(differs.empty()) << differs.substr(0, 3000);
    fs::remove_all(fresh);
  }

  void expect(const Bound& most, const std::function<void()>& change) {
    const auto cost = cost_of(change);
    RecordProperty("rows", std::to_string(cost.rows));
    RecordProperty("bytes", std::to_string(cost.bytes));
    EXPECT_GT(cost.bytes, 0u) << "the change was not noticed";
    EXPECT_LE(cost.rows, most.rows);
    EXPECT_LE(cost.bytes, most.bytes);
    expect_as_new();
  }

  /// One conversation among many; the others' bubbles are not read, but keys are, by each store.
  void expect_one_conversation(const std::function<void()>& change) {
    expect({kLooks + 400, state_bytes_ / 6}, change);
  }
  void expect_file(std::uint64_t bytes, const std::function<void()>& change) {
    expect({0, bytes}, change);
  }

  bool finds(const std::string& word) {
    for (const auto& each : dump(dir_.path() / "index"))
      if (each.find(" " + word + "*1") != std::string::npos) return true;
    return false;
  }

  TempDir dir_{};
  Aging aging_{};
  std::optional<Database> state_{};
  std::uint64_t state_bytes_ = 0;
};

TEST_F(IncrementalTest, NothingChangedReadsNothing) {
  const auto cost = cost_of([] {});
  EXPECT_EQ(cost.rows, 0u);
  EXPECT_EQ(cost.bytes, 0u);
}

TEST_F(IncrementalTest, AnAppendedLine) {
  expect_file(8'000, [&] { dir_.append(transcript(), line("one more")); });
}

TEST_F(IncrementalTest, AFileRewrittenWhenItIsResumed) {
  const auto bytes = read_file(dir_.path() / transcript());
  expect_file(bytes.size() + 10'000, [&] {
    dir_.write(transcript(), bytes.substr(0, bytes.size() / 2) + "\n" + line("resumed"));
  });
}

TEST_F(IncrementalTest, AFileEmptiedAndRefilled) {
  expect_file(8'000, [&] {
    dir_.write(transcript(), "");
    dir_.write(transcript(), line("refilled"));
  });
}

TEST_F(IncrementalTest, AFileReplacedByAnother) {
  expect_file(8'000, [&] {
    dir_.write("home/other", line("replaced"));
    fs::rename(home() / "other", dir_.path() / transcript());
  });
}

TEST_F(IncrementalTest, ACommitThatIsOnlyInTheWal) {
  expect_one_conversation([&] {
    set(key(7, kBubbles), bubble("appended"));
    set(composer_key(7), composer(kBubbles + 1));
    EXPECT_EQ(fs::file_size(state_path()), state_bytes_);
  });
  EXPECT_TRUE(finds("appended"));
}

TEST_F(IncrementalTest, ABubbleRewrittenUnderItsKey) {
  expect_one_conversation([&] { set(key(7, kBubbles - 1), bubble("grown")); });
  EXPECT_TRUE(finds("grown"));
  expect_one_conversation([&] { set(key(8, 0), bubble("edited")); });
  EXPECT_TRUE(finds("edited"));
}

TEST_F(IncrementalTest, TheLastRowWhoseNumberIsUsedAgain) {
  set(key(7, kBubbles - 1), bubble("last"));
  index();
  expect_one_conversation([&] {
    state_->exec("DELETE FROM cursorDiskKV WHERE rowid = (SELECT max(rowid) FROM cursorDiskKV)");
    set(key(7, kBubbles - 1), bubble("reused"));
  });
  EXPECT_TRUE(finds("reused"));
}

TEST_F(IncrementalTest, AnUpdateInPlaceAtTheEndOfWhatIsWrittenTo) {
  set(composer_key(7), composer(kBubbles));
  index();
  expect_one_conversation([&] {
    auto update = state_->prepare("UPDATE cursorDiskKV SET value = ?2 WHERE key = ?1");
    update.bind(1, key(7, kBubbles - 1));
    update.bind(2, bubble("inplace"));
    update.run();
  });
  EXPECT_TRUE(finds("inplace"));
}

// Elsewhere nobody can tell, cheaply: a day later all rows are compared, by hashes of what they
// hold. That is read once, and what differs again.
TEST_F(IncrementalTest, AnUpdateInPlaceAndADeletionElsewhereAreSeenAfterADay) {
  cost_of([&] {
    auto update = state_->prepare("UPDATE cursorDiskKV SET value = ?2 WHERE key = ?1");
    update.bind(1, key(8, 0));
    update.bind(2, bubble("elsewhere"));
    update.run();
    state_->exec(fmt::format("DELETE FROM cursorDiskKV WHERE key = '{}'", key(9, 1)));
  });
  EXPECT_FALSE(finds("elsewhere"));
  EXPECT_TRUE(finds("said9x1"));
  let_a_day_pass(dir_.path() / "index");
  expect({9u * kConversations * kBubbles, 3 * state_bytes_},
         [&] { set("composer.content.x", "nothing that is read"); });
  EXPECT_TRUE(finds("elsewhere"));
  EXPECT_FALSE(finds("said9x1"));
  expect_one_conversation([&] { set("composer.content.x", "again"); });  // the day begins anew
}

// Nothing but its bytes tells of such a change.
TEST_F(IncrementalTest, AnUpdateInPlaceThatKeepsTheLengthIsSeenAfterADay) {
  set("codeBlockDiff:c0005:d1", R"({"newModelDiffWrtV0":[{"modified":["difffff"]}]})");
  set("messageRequestContext:c0006:b1", R"({"gitStatusRaw":"context"})");
  set(composer_key(5), composer(kBubbles, R"(,"subtitle":"caption")"));
  index();
  cost_of([&] {
    state_->exec(
        "UPDATE cursorDiskKV SET value = replace(value, 'said8x1', 'kept8x1');"
        "UPDATE cursorDiskKV SET value = replace(value, 'difffff', 'diffed8');"
        "UPDATE cursorDiskKV SET value = replace(value, 'context', 'changed');"
        "UPDATE cursorDiskKV SET value = replace(value, 'caption', 'renamed')");
  });
  EXPECT_FALSE(finds("kept8x1"));
  let_a_day_pass(dir_.path() / "index");
  expect({9u * kConversations * kBubbles, 3 * state_bytes_},
         [&] { set("composer.content.x", "nothing that is read"); });
  for (const char* word : {"kept8x1", "diffed8", "changed", "renamed"})
    EXPECT_TRUE(finds(word)) << word;
  EXPECT_FALSE(finds("said8x1"));
}

// Whoever has little time reads what is new first, then a part of the rest; the next one goes on.
TEST_F(IncrementalTest, TheLookOfTheDayIsSharedByThoseWhoHaveLittleTime) {
  state_->exec("UPDATE cursorDiskKV SET value = replace(value, 'said599x0', 'kept599x0')");
  let_a_day_pass(dir_.path() / "index");
  set(key(7, kBubbles), bubble("appended"));
  set(composer_key(7), composer(kBubbles + 1));
  aging_.age(home());
  int parts = 0;
  std::uint64_t most = 0;
  for (bool found = false; !found && parts < 100; ++parts) {
    ReadCounter counter;
    index_all(home(), dir_.path() / "index", {.budget = std::chrono::milliseconds(1)});
    most = std::max<std::uint64_t>(most, counter.bytes);
    EXPECT_TRUE(finds("appended"));
    found = finds("kept599x0");
  }
  EXPECT_GT(parts, 3);
  EXPECT_LT(most, state_bytes_);
  index();
  EXPECT_TRUE(finds("kept599x0"));
  expect_as_new();
}

TEST_F(IncrementalTest, ANewConversation) {
  expect_one_conversation([&] {
    set("bubbleId:new:b0", bubble("fresh"));
    set("composerData:new", composer(1));
  });
  EXPECT_TRUE(finds("fresh"));
}

TEST_F(IncrementalTest, ARenamedConversation) {
  expect_one_conversation(
      [&] { set(composer_key(7), composer(kBubbles, R"(,"subtitle":"renamed")")); });
  EXPECT_TRUE(finds("renamed"));
}

TEST_F(IncrementalTest, AnArchivedConversation) {
  expect_one_conversation(
      [&] { set(composer_key(7), composer(kBubbles, R"(,"isArchived":true)")); });
}

TEST_F(IncrementalTest, ADeletedConversation) {
  expect_one_conversation([&] {
    state_->exec("DELETE FROM cursorDiskKV WHERE key LIKE '%:c0007%'");
    state_->exec(fmt::format("INSERT INTO cursorDiskKV VALUES ('{}', NULL)", composer_key(8)));
  });
  EXPECT_FALSE(finds("said7x1"));
  EXPECT_FALSE(finds("said8x1"));
}

// Rows may have other numbers now: all of it is read, once, by each store.
TEST_F(IncrementalTest, AVacuum) {
  expect({50u * kConversations * kBubbles, 12 * state_bytes_}, [&] { state_->exec("VACUUM"); });
}

TEST_F(IncrementalTest, ADatabaseSwappedForAnother) {
  expect({50u * kConversations * kBubbles, 12 * state_bytes_}, [&] {
    state_.reset();
    const auto other = home() / "other.vscdb";
    fs::copy_file(state_path(), other);
    Database(other, SQLITE_OPEN_READWRITE)
        .exec("DELETE FROM cursorDiskKV WHERE key LIKE '%:c0007%'");
    for (const char* end : {"-wal", "-shm"}) {
      fs::remove(state_path().string() + end);
      fs::remove(other.string() + end);
    }
    fs::rename(other, state_path());
  });
  EXPECT_FALSE(finds("said7x1"));
}

TEST_F(IncrementalTest, ANewRoot) {
  expect({200, 300'000}, [&] {
    const auto path = home() / ".config/Cursor Nightly/User/globalStorage/state.vscdb";
    fs::create_directories(path.parent_path());
    Database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        .exec(
            "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
            "INSERT INTO cursorDiskKV VALUES ('bubbleId:n1:b0', "
            "'{\"type\":1,\"text\":\"night\"}')");
  });
  EXPECT_TRUE(finds("night"));
}

TEST_F(IncrementalTest, OnlyTheTitleOfAChat) {
  expect_file(200, [&] {
    dir_.write("home/.cursor/chats/0123/c9000/meta.json", R"({"title":"New","cwd":"/home/ada/a"})");
  });
}

TEST_F(IncrementalTest, AFactThatAFileNoLongerTellsIsWithdrawn) {
  expect_file(200,
              [&] { dir_.write("home/.cursor/chats/0123/c9000/meta.json", R"({"title":"New"})"); });
}

// A damaged row is counted once, however often its conversation is read.
TEST_F(IncrementalTest, ADamagedRowIsCountedOnce) {
  for (int turn = 0; turn < 3; ++turn)
    expect_one_conversation([&] {
      set(key(7, 2), R"({"type":1,"te)");
      set(key(7, kBubbles - 1), bubble(fmt::format("turn{}", turn)));
    });
}

TEST_F(IncrementalTest, ADamagedRowAtTheEnd) {
  expect_one_conversation([&] { set(key(7, kBubbles - 1), R"({"type":1,"te)"); });
  EXPECT_FALSE(finds("said7x5"));
}

// What nobody tells any more counts as long as nobody tells anything else.
TEST_F(IncrementalTest, AConversationThatIsGoneKeepsItsName) {
  const auto title = [&] {
    Database history(dir_.path() / "index/history.db", SQLITE_OPEN_READONLY);
    auto row = history.prepare("SELECT title FROM conversations WHERE key = 'c0007'");
    return row.step() ? std::string(row.text(0)) : std::string();
  };
  EXPECT_EQ(title(), "Loom");
  cost_of([&] { state_->exec("DELETE FROM cursorDiskKV WHERE key LIKE '%:c0007%'"); });
  EXPECT_EQ(title(), "Loom");
  expect_one_conversation([&] {
    set(key(7, 0), bubble("back"));
    set(composer_key(7), R"({"name":"Other","fullConversationHeadersOnly":[{"bubbleId":"b0"}]})");
  });
  EXPECT_EQ(title(), "Other");
}

constexpr int kTracked = 400;  // conversations with lines of code
constexpr int kLines = 50;     // each

/// With an ai-code-tracking.db, which three stores read.
class TrackingTest : public IncrementalTest {
 protected:
  TrackingTest() {
    const auto path = home() / ".cursor/ai-tracking/ai-code-tracking.db";
    fs::create_directories(path.parent_path());
    tracking_.emplace(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    tracking_->exec(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
        "CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT NOT NULL, fileExtension "
        "TEXT, fileName TEXT, requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT, "
        "createdAt INTEGER NOT NULL);"
        "CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, scoredAt INTEGER, "
        "commitMessage TEXT, commitDate TEXT, PRIMARY KEY (commitHash, branchName));"
        "CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr "
        "TEXT, overview TEXT, summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER);"
        "CREATE TABLE tracking_state (key TEXT, value TEXT); BEGIN");
    for (int c = 0; c < kTracked; ++c) {
      for (int i = 0; i < kLines; ++i) add_line(c, fmt::format("/home/ada/a/f{}.c", i % 3));
      if (c % 2 == 0) summarise(c, fmt::format("told{}", c));
      if (c % 2 == 0) commit(c, fmt::format("committed{}", c));
    }
    tracking_->exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    index();
  }

  static std::string tracked(int number) { return fmt::format("d{:04}", number); }

  void add_line(int conversation, const std::string& file) {
    ++lines_;
    tracking_->exec(
        fmt::format("INSERT INTO ai_code_hashes VALUES ('h{}', 'composer', 'c', '{}', 'r', '{}', "
                    "{}, 'model', 1)",
                    lines_, file, tracked(conversation), 1'781'000'000'000 + lines_));
  }
  void summarise(int conversation, const std::string& text) {
    tracking_->exec(
        fmt::format("INSERT OR REPLACE INTO conversation_summaries VALUES ('{}', 'T', '{}', '', "
                    "'', 'model', 'agent', {})",
                    tracked(conversation), text, ++time_));
  }
  void commit(int number, const std::string& text) {
    tracking_->exec(fmt::format(
        "INSERT OR REPLACE INTO scored_commits VALUES ('{:040x}', 'main', {}, '{}', '2026-06-09')",
        number + 1, ++time_, text));
  }

  /// Two stores look at the last block and those of the conversation, and at each row for its
  /// number and for its values; all rows of the small tables tell when they were written.
  void expect_little(const std::function<void()>& change) {
    expect({2u * 2 * 3 * 512 + 3 * kTracked, 900'000}, change);
  }

  std::optional<Database> tracking_{};
  int lines_ = 0;
  int time_ = 0;
};

TEST_F(TrackingTest, NothingThatIsRead) {
  expect_little([&] { tracking_->exec("INSERT INTO tracking_state VALUES ('a', 'b')"); });
}

TEST_F(TrackingTest, ALineOfCode) {
  expect_little([&] { add_line(7, "/home/ada/a/fresh7.c"); });
  EXPECT_TRUE(finds("fresh7"));
  expect_little([&] { add_line(kTracked, "/home/ada/a/fresh8.c"); });
  EXPECT_TRUE(finds("fresh8"));
}

TEST_F(TrackingTest, TheLastLinesAreDeletedAndOthersGetTheirNumbers) {
  expect_little([&] {
    tracking_->exec(
        "DELETE FROM ai_code_hashes WHERE rowid > (SELECT max(rowid) - 60 FROM "
        "ai_code_hashes)");
    add_line(7, "/home/ada/a/reused.c");
  });
  EXPECT_TRUE(finds("reused"));
}

// The whole of the small tables is looked at, so that all is seen at once.
TEST_F(TrackingTest, ASummaryThatIsNewRewrittenUpdatedOrDeleted) {
  expect_little([&] { summarise(7, "fresh"); });
  EXPECT_TRUE(finds("fresh"));
  expect_little([&] { summarise(8, "rewritten"); });
  EXPECT_TRUE(finds("rewritten"));
  EXPECT_FALSE(finds("told8"));
  expect_little([&] {
    tracking_->exec(
        "UPDATE conversation_summaries SET tldr = 'updated', updatedAt = 99999 WHERE "
        "conversationId = 'd0010'");
  });
  EXPECT_TRUE(finds("updated"));
  expect_little([&] {
    tracking_->exec("DELETE FROM conversation_summaries WHERE conversationId = 'd0012'");
  });
  EXPECT_FALSE(finds("told12"));
}

TEST_F(TrackingTest, ACommitThatIsNewOrRewritten) {
  expect_little([&] { commit(7, "fresh"); });
  EXPECT_TRUE(finds("fresh"));
  expect_little([&] { commit(8, "rewritten"); });
  EXPECT_TRUE(finds("rewritten"));
  EXPECT_FALSE(finds("committed8"));
}

TEST_F(TrackingTest, ADeletedCommit) {
  expect_little([&] { tracking_->exec("DELETE FROM scored_commits WHERE rowid = 5"); });
  EXPECT_FALSE(finds("committed8"));
}

TEST_F(TrackingTest, WhatIsUpdatedInItsPlaceOrDeletedElsewhereIsSeenAfterADay) {
  cost_of([&] {
    tracking_->exec(
        "UPDATE conversation_summaries SET tldr = 'elsewhere' WHERE rowid = 5;"
        "UPDATE scored_commits SET commitMessage = 'otherwise' WHERE rowid = 5;"
        "UPDATE ai_code_hashes SET fileName = '/home/ada/a/moved.c' WHERE rowid = 5;"
        "DELETE FROM ai_code_hashes WHERE conversationId = 'd0009'");
  });
  EXPECT_FALSE(finds("elsewhere"));
  let_a_day_pass(dir_.path() / "index");
  expect({2u * 2 * kTracked * kLines + 6 * kTracked, 12'000'000},
         [&] { tracking_->exec("INSERT INTO tracking_state VALUES ('a', 'b')"); });
  EXPECT_TRUE(finds("elsewhere") && finds("otherwise") && finds("moved"));
  expect_little([&] { tracking_->exec("INSERT INTO tracking_state VALUES ('a', 'c')"); });
}

TEST_F(TrackingTest, AVacuum) {
  expect({2u * 2 * kTracked * kLines + 6 * kTracked, 12'000'000}, [&] {
    tracking_->exec("DELETE FROM ai_code_hashes WHERE conversationId = 'd0009'; VACUUM");
  });
}

constexpr int kChats = 40;
constexpr int kSaid = 100;  // in each chat

std::string blob_id(int number) {
  return fmt::format("{:064x}", number + 1);
}

std::string bytes_of_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

/// The state of a conversation of which these blobs are the messages.
std::string root_of(int first, int count) {
  std::string root;
  for (int i = 0; i < count; ++i) root += "\x0a\x20" + bytes_of_hex(blob_id(first + i));
  return root;
}

std::string message(const std::string& text) {
  return fmt::format(R"({{"role":"user","content":"{}"{}}})", text, padding());
}

/// With what the other stores read: chats in databases of their own, blobs of agents, diffs and
/// contexts among the bubbles, lists of prompts and old chats, and files.
class OtherStoresTest : public IncrementalTest {
 protected:
  OtherStoresTest() {
    for (int c = 0; c < kChats; ++c) {
      Database chat(make_folder(chat_path(c)), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
      chat.exec(
          "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
          "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);"
          "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); BEGIN");
      for (int i = 0; i < kSaid; ++i)
        put_blob(chat, blob_id(1000 * c + i), message(fmt::format("chat{}x{}", c, i)));
      put_root(chat, c, kSaid, "Named");
      chat.exec("COMMIT");
    }
    state_->exec("BEGIN");
    for (int c = 0; c < 100; ++c) {
      for (int i = 0; i < 5; ++i) add_agent_blob(c, i);
      set_checkpoint(c, 5);
      set(fmt::format("codeBlockDiff:c{:04}:d", c), diff(fmt::format("diff{}", c)));
      set(fmt::format("messageRequestContext:c{:04}:b0", c),
          fmt::format(R"({{"gitStatusRaw":"context{}"{}}})", c, padding()));
    }
    state_->exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    set_item("aiService.prompts", R"([{"text":"typed one"}])");
    set_item("workbench.panel.aichat.view.aichat.chatdata", tabs("old"));
    for (int i = 0; i < 50; ++i)
      for (const char* name : kFiles)
        dir_.write(file(name, i),
                   fmt::format("---\nname: n\n---\nfile{} {}\n", i, std::string(1500, 'x')));
    state_bytes_ = fs::file_size(state_path());
    index();
  }

  static constexpr std::array kFiles = {"plans", "terminals", "agent-tools", "uploads"};

  fs::path chat_path(int number) const {
    return home() / fmt::format(".cursor/chats/0123/k{:03}/store.db", number);
  }
  static fs::path make_folder(const fs::path& path) {
    fs::create_directories(path.parent_path());
    return path;
  }
  static fs::path file(const std::string& store, int number) {
    if (store == "plans") return fmt::format("home/.cursor/plans/p{}.plan.md", number);
    return fmt::format("home/.cursor/projects/home-ada-widget/{}/{}.{}", store, number,
                       store == "uploads" ? "md" : "txt");
  }

  static void put_blob(Database& chat, const std::string& id, const std::string& bytes) {
    auto insert = chat.prepare("INSERT OR REPLACE INTO blobs VALUES (?1, ?2)");
    insert.bind(1, id);
    insert.bind_blob(2, bytes);
    insert.run();
  }
  static void put_root(Database& chat, int number, int count, const std::string& name) {
    const auto root = blob_id(100'000 + 1000 * number + count);
    put_blob(chat, root, root_of(1000 * number, count));
    auto meta = chat.prepare("INSERT OR REPLACE INTO meta VALUES ('0', ?1)");
    meta.bind(1, fmt::format(R"({{"latestRootBlobId":"{}","name":"{}"}})", root, name));
    meta.run();
  }
  static void say_more(Database& chat) {
    put_blob(chat, blob_id(7000 + kSaid), message("fresh"));
    put_root(chat, 7, kSaid + 1, "Named");
  }

  void add_agent_blob(int conversation, int number) {
    const auto id = blob_id(10'000 + 100 * conversation + number);
    set("agentKv:blob:" + id, message(fmt::format("agent{}x{}", conversation, number)));
  }
  void set_checkpoint(int conversation, int count) {
    const auto root = blob_id(1'000'000 + 100 * conversation + count);
    set("agentKv:blob:" + root, root_of(10'000 + 100 * conversation, count));
    set(fmt::format("agentKv:checkpoint:c{:04}", conversation), root);
  }
  static std::string diff(const std::string& line) {
    return fmt::format(R"({{"newModelDiffWrtV0":[{{"modified":["{}"]}}]{}}})", line, padding());
  }
  static std::string tabs(const std::string& text) {
    return fmt::format(
        R"({{"tabs":[{{"tabId":"t","chatTitle":"T","bubbles":[{{"type":"user","text":"{}"}}]}}]}})",
        text);
  }
  void set_item(const std::string& name, const std::string& value) {
    auto insert = state_->prepare("INSERT INTO ItemTable VALUES (?1, ?2)");
    insert.bind(1, name);
    insert.bind(2, value);
    insert.run();
  }

  /// What the others hold is not read.
  void expect_one_chat(const std::function<void(Database&)>& change) {
    expect({6u * kSaid, 3 * fs::file_size(chat_path(7))}, [&] {
      Database chat(chat_path(7), SQLITE_OPEN_READWRITE);
      change(chat);
    });
  }
};

TEST_F(OtherStoresTest, AMessageInAChat) {
  expect_one_chat(say_more);
  EXPECT_TRUE(finds("fresh"));
}

TEST_F(OtherStoresTest, ACommitToAChatThatIsOnlyInItsWal) {
  Database writer(chat_path(7), SQLITE_OPEN_READWRITE);  // keeps the -wal there
  expect_one_chat([&](Database& /*chat*/) { say_more(writer); });
  EXPECT_TRUE(finds("fresh"));
}

TEST_F(OtherStoresTest, AnotherNameOrModelOfAChat) {
  expect_one_chat([](Database& chat) { put_root(chat, 7, kSaid, "Renamed"); });
}

TEST_F(OtherStoresTest, AChatThatIsVacuumedSwappedOrDeleted) {
  expect_one_chat([](Database& chat) { chat.exec("VACUUM"); });
  expect({6u * kSaid, 3 * fs::file_size(chat_path(7))}, [&] {
    const auto other = home() / "other.db";
    fs::copy_file(chat_path(8), other);
    fs::rename(other, chat_path(7));
  });
  cost_of([&] { fs::remove_all(chat_path(9).parent_path()); });
  expect_as_new();
  EXPECT_FALSE(finds("chat9x1"));
}

TEST_F(OtherStoresTest, ABlobOfAnAgent) {
  expect_one_conversation([&] {
    add_agent_blob(7, 5);
    set_checkpoint(7, 6);
  });
  EXPECT_TRUE(finds("agent7x5"));
}

TEST_F(OtherStoresTest, ADiffAndAContextThatAreNewRewrittenOrDeleted) {
  expect_one_conversation([&] { set("codeBlockDiff:c0007:e", diff("fresh")); });
  EXPECT_TRUE(finds("fresh"));
  expect_one_conversation(
      [&] { set("messageRequestContext:c0008:b0", R"({"gitStatusRaw":"rewritten"})"); });
  EXPECT_TRUE(finds("rewritten"));
  EXPECT_FALSE(finds("context8"));
  expect_one_conversation(
      [&] { state_->exec("DELETE FROM cursorDiskKV WHERE key = 'codeBlockDiff:c0009:d'"); });
  EXPECT_FALSE(finds("diff9"));
}

TEST_F(OtherStoresTest, ListsOfPromptsAndOldChats) {
  expect_one_conversation(
      [&] { set_item("aiService.prompts", R"([{"text":"typed two"},{"text":"typed one"}])"); });
  EXPECT_TRUE(finds("two"));
  expect_one_conversation(
      [&] { set_item("workbench.panel.aichat.view.aichat.chatdata", tabs("edited")); });
  EXPECT_TRUE(finds("edited"));
  expect_file(1'000, [&] {
    dir_.write("home/.cursor/chats/0123/c9000/prompt_history.json", R"(["three", "one"])");
  });
  EXPECT_TRUE(finds("three"));
}

TEST_F(OtherStoresTest, AFileThatIsNewRewrittenReplacedOrDeleted) {
  const auto expect_of_each = [&](const std::function<void(const char*)>& change) {
    expect_file(4 * 2'000, [&] {
      for (const char* name : kFiles) change(name);
    });
  };
  const std::string head = "---\nname: n\n---\n";
  expect_of_each([&](const char* name) { dir_.write(file(name, 99), head + "fresh"); });
  expect_of_each([&](const char* name) { dir_.write(file(name, 7), head + "rewritten"); });
  expect_of_each([&](const char* name) {
    dir_.write("home/other", head + "replaced");
    fs::rename(home() / "other", dir_.path() / file(name, 8));
  });
  cost_of([&] {
    for (const char* name : kFiles) fs::remove(dir_.path() / file(name, 9));
  });
  expect_as_new();
  for (const char* word : {"fresh", "rewritten", "replaced"}) EXPECT_TRUE(finds(word)) << word;
  EXPECT_FALSE(finds("file9"));
}

}  // namespace
}  // namespace cgrep::test
