// What is forgotten is in no file of the index any more, and does not come back.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "extract/sqlite.h"
#include "index/history.h"
#include "index/runs.h"
#include "index/vocabulary.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCanary = "canarysong";
constexpr const char* kSecret = "44444444-dddd-4000-8000-000000000004";

class ForgetTest : public StandardHome {
 protected:
  ForgetTest() {
    // Long enough to be kept as a frame, and to begin with what becomes the title.
    std::string text = "the canarysong token\n";
    for (int i = 0; i < 50; ++i) text += "and some more of it, line by line\n";
    conversation(kSecret, {{"user", "a harmless question"}, {"user", text}, {"assistant", "sure"}},
                 "home-ada-gadget");
  }

  fs::path index() const { return home_.path() / ".local/share/cgrep"; }

  void make(const char* path, const std::string& sql) {
    fs::create_directories((home_.path() / path).parent_path());
    Database(home_.path() / path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE).exec(sql);
  }

  /// Where the canary is: raw bytes, texts, terms, vocabulary, titles.
  std::set<std::string> places() {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(index()))
      if (entry.is_regular_file() && read_file(entry.path()).find(kCanary) != std::string::npos)
        found.insert("files");
    History history(index(), History::Mode::read);
    history.for_each_document([&](const StoredDocument& document) {
      if (history.text(document.row).find(kCanary) != std::string::npos) found.insert("texts");
      return true;
    });
    history.for_each_conversation([&](const History::Attribution& of) {
      if (of.title.find(kCanary) != std::string::npos) found.insert("titles");
      return true;
    });
    const Runs runs(history.words(), history.runs());
    if (runs.database().term_exists(kCanary)) found.insert("terms");
    for (const auto& vocabulary : runs.vocabularies())
      if (vocabulary.contains(kCanary)) found.insert("vocabulary");
    return found;
  }

  void expect_planted() {
    EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
    const auto before = places();
    for (const char* place : {"files", "texts", "terms", "vocabulary"})
      EXPECT_TRUE(before.contains(place)) << place;
  }

  /// Neither now nor after everything is read again.
  void expect_forgotten(const std::vector<std::string>& words) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    EXPECT_EQ(places(), std::set<std::string>{});
    for (const char* how : {"-q", "--full", "--rebuild"}) {
      EXPECT_EQ(cgrep({"index", how}).code, 0);
      EXPECT_EQ(places(), std::set<std::string>{}) << how;
    }
    EXPECT_EQ(cgrep({"-q", kCanary}).code, 1);
    EXPECT_EQ(cgrep({"-l", "docker"}).out, "22222222\n");
  }

  std::vector<std::string> show(const std::string& address) {
    return lines_of(cgrep({"show", "--no-heading", address}).out);
  }
};

TEST_F(ForgetTest, AConversation) {
  expect_planted();
  expect_forgotten({"forget", "44444444", "--yes"});
  conversation(kSecret, {{"user", "another canarysong"}}, "home-ada-gadget");
  EXPECT_EQ(cgrep({"-q", kCanary}).code, 1);  // what is added later stays out as well
  EXPECT_EQ(cgrep({"show", "44444444"}).code, 2);
}

TEST_F(ForgetTest, ADocument) {
  expect_planted();
  expect_forgotten({"forget", "44444444:2", "--yes"});
  EXPECT_EQ(cgrep({"show", "44444444:2"}).code, 2);
  EXPECT_EQ(show("44444444:3"), std::vector<std::string>{"sure"});  // numbers stay
}

TEST_F(ForgetTest, ARangeAndTheTitleThatCameOfIt) {
  conversation(
      kSecret,
      {{"user", "the canarysong in a title"}, {"assistant", "canarysong"}, {"user", "a last word"}},
      "home-ada-gadget");
  expect_planted();
  EXPECT_TRUE(places().contains("titles"));
  expect_forgotten({"forget", "44444444:1-2", "--yes"});
  EXPECT_NE(cgrep({"--heading", "word"}).out.find("a last word"), std::string::npos);
}

TEST_F(ForgetTest, WhatAQueryFinds) {
  expect_planted();
  expect_forgotten({"forget", "--query", "canarysong", "--yes"});
  EXPECT_EQ(show("44444444:1"), std::vector<std::string>{"a harmless question"});
}

TEST_F(ForgetTest, AQueryCanBeNarrowed) {
  expect_planted();
  EXPECT_EQ(cgrep({"forget", "--query", "canarysong", "-p", "home-ada-widget", "--yes"}).code, 1);
  EXPECT_TRUE(places().contains("texts"));
}

TEST_F(ForgetTest, WhatIsGone) {
  expect_planted();
  fs::remove_all(home_.path() / ".cursor/projects/home-ada-gadget/agent-transcripts" / kSecret);
  EXPECT_EQ(cgrep({"-q", kCanary}).code, 0);
  expect_forgotten({"forget", "--gone", "--yes"});
  EXPECT_EQ(cgrep({"forget", "--gone", "--yes"}).code, 1);
}

TEST_F(ForgetTest, AStoreThatWasOptedInto) {
  fs::remove_all(home_.path() / ".cursor/projects/home-ada-gadget/agent-transcripts" / kSecret);
  home_.write(".cursor/projects/home-ada-gadget/terminals/1.txt", "canarysong on a terminal\n");
  EXPECT_EQ(cgrep({"index", "-q", "--store", "terminals"}).code, 0);
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  expect_planted();
  expect_forgotten({"forget", "--store", "terminals", "--yes"});
  EXPECT_EQ(cgrep({"-q", "--store", "terminals", kCanary}).code, 0);  // asked for again
}

TEST_F(ForgetTest, AStoreThatIsReadByDefault) {
  expect_planted();
  EXPECT_EQ(cgrep({"forget", "--store", "transcripts", "--yes"}).code, 0);
  EXPECT_EQ(places(), std::set<std::string>{});
  EXPECT_EQ(cgrep({"-q", "docker"}).code, 1);
  EXPECT_EQ(cgrep({"index", "-q", "--store", "transcripts"}).code, 0);
  EXPECT_EQ(cgrep({"-q", "docker"}).code, 0);
}

// Lists of prompts repeat what was said; what is forgotten must not turn up there.
TEST_F(ForgetTest, WhatAListOfPromptsRepeats) {
  conversation(kSecret, {{"user", "tell canarysong"}, {"assistant", "no"}}, "home-ada-gadget");
  home_.write(".cursor/prompt_history.json", R"(["tell canarysong","docker build is slow"])");
  expect_planted();
  expect_forgotten({"forget", "44444444", "--yes"});
}

// Whatever a store notes of what it read, to know what changes next, is not the text.
TEST_F(ForgetTest, WhatAnyStoreHolds) {
  make(".config/Cursor/User/globalStorage/state.vscdb", R"sql(
    CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
    INSERT INTO cursorDiskKV VALUES
      ('composerData:c1', '{"name": "canarysong in a name", "todos": [{"content": "canarysong"}],
        "newlyCreatedFiles": [{"uri": {"fsPath": "/home/ada/canarysong.h"}}],
        "fullConversationHeadersOnly": [{"bubbleId": "b1"}, {"bubbleId": "b2"}]}'),
      ('bubbleId:c1:b1', '{"type": 1, "text": "canarysong in a bubble"}'),
      ('bubbleId:c1:b2', '{"type": 2, "text": "wrote /home/ada/canarysong.h"}'),
      ('codeBlockDiff:c1:d1', '{"newModelDiffWrtV0": [{"modified": ["canarysong in a diff"]}]}'),
      ('messageRequestContext:c1:b1', '{"gitStatusRaw": "canarysong in a context"}');
    INSERT INTO ItemTable VALUES
      ('aiService.prompts', '[{"text": "canarysong in a prompt"}]'),
      ('workbench.panel.aichat.view.aichat.chatdata', '{"tabs": [{"tabId": "t1", "chatTitle":
        "canarysong", "bubbles": [{"type": "user", "text": "canarysong in a chat"}]}]}'))sql");
  make(".cursor/ai-tracking/ai-code-tracking.db", R"sql(
    CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT,
      overview TEXT, summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER);
    CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT, fileExtension TEXT, fileName
      TEXT, requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT, createdAt INTEGER);
    CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, commitMessage TEXT, commitDate
      TEXT, scoredAt INTEGER, PRIMARY KEY (commitHash, branchName));
    INSERT INTO conversation_summaries VALUES ('c3', 'canarysong', 'canarysong in a summary', '', '',
      'm', 'agent', 1781000000000);
    INSERT INTO ai_code_hashes VALUES ('h1', 'composer', 'c', '/home/ada/canarysong.c', 'r', 'c4',
      1781000000000, 'm', 1781000000000);
    INSERT INTO scored_commits VALUES ('canarysong', 'canarysong', 'canarysong in a commit',
      '2026-06-09', 1))sql");
  make(".cursor/chats/0123/c2/store.db", R"sql(
    CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO blobs VALUES
      ('0000000000000000000000000000000000000000000000000000000000000001',
        '{"role":"user","content":"canarysong in a session"}'),
      ('0000000000000000000000000000000000000000000000000000000000000002',
        x'0a200000000000000000000000000000000000000000000000000000000000000001');
    INSERT INTO meta VALUES ('0', '{"latestRootBlobId":
      "0000000000000000000000000000000000000000000000000000000000000002",
      "name": "canarysong"}'))sql");
  const std::string project = ".cursor/projects/home-ada-gadget/";
  for (const char* file :
       {"terminals/1.txt", "agent-tools/a.txt", "uploads/u.md", "agent-notes/shared/n.md"})
    home_.write(project + file, "canarysong in a file\n");
  home_.write(".cursor/plans/p.plan.md", "---\nname: canarysong\n---\n\nthe canarysong plan\n");
  home_.write(".cursor/skills/s/SKILL.md", "a canarysong skill\n");
  EXPECT_EQ(cgrep({"index", "-q", "--store",
                   "chats,diffs,contexts,commits,ai-files,terminals,agent-tools,uploads,notes,"
                   "skills"})
                .code,
            0);
  expect_planted();
  for (const char* store : {"bubbles", "composers", "summaries", "prompts", "legacy-chats", "plans",
                            "chats", "diffs", "contexts", "commits", "ai-files", "terminals",
                            "agent-tools", "uploads", "notes", "skills"})
    EXPECT_EQ(cgrep({"-q", "--store", store, kCanary}).code, 0) << store;
  expect_forgotten({"forget", "--query", "canarysong*", "--yes"});
}

/// A conversation that works on a file, in a transcript, in bubbles and in what Cursor counts.
class ForgetFilesTest : public ForgetTest {
 protected:
  static constexpr const char* kFile = "/home/ada/gadget/canarysong/deep.c";

  ForgetFilesTest() {
    home_.write(transcript(), line(R"({"type":"text","text":"look at it"})") +
                                  line(fmt::format(R"({{"type":"tool_use","name":"Read","input":)"
                                                   R"({{"path":"{}"}}}})",
                                                   kFile)));
    make(".config/Cursor/User/globalStorage/state.vscdb", fmt::format(R"sql(
      CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
      INSERT INTO cursorDiskKV VALUES
        ('composerData:{0}', '{{"newlyCreatedFiles": [{{"uri": {{"fsPath": "{1}"}}}},
          {{"uri": {{"fsPath": "/home/ada/gadget/main.c"}}}}], "context": {{"fileSelections":
          [{{"uri": {{"fsPath": "{1}"}}}}]}}, "fullConversationHeadersOnly": [{{"bubbleId": "b1"}}]}}'),
        ('bubbleId:{0}:b1', '{{"type": 2, "text": "wrote {1} and main.c",
          "workspaceProjectDir": "/home/ada/gadget/canarysong"}}'))sql",
                                                                      kSecret, kFile));
    make(".cursor/ai-tracking/ai-code-tracking.db", fmt::format(R"sql(
      CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT, fileExtension TEXT, fileName
        TEXT, requestId TEXT, conversationId TEXT, timestamp INTEGER, model TEXT,
        createdAt INTEGER);
      INSERT INTO ai_code_hashes VALUES ('h1', 'composer', 'c', '{}', 'r', '{}', 1781000000000, 'm',
        1781000000000))sql",
                                                                kFile, kSecret));
  }

  static std::string transcript() {
    return fmt::format(".cursor/projects/home-ada-gadget/agent-transcripts/{0}/{0}.jsonl", kSecret);
  }
  static std::string line(const std::string& block) {
    return R"({"role":"assistant","message":{"content":[)" + block + "]}}\n";
  }
};

TEST_F(ForgetFilesTest, GoWithTheirConversation) {
  expect_planted();
  expect_forgotten({"forget", "44444444", "--yes"});
  home_.append(transcript(), line(R"({"type":"text","text":"more of it"})"));
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(places(), std::set<std::string>{});
}

// The folder that the IDE says the conversation belongs to is no document's.
TEST_F(ForgetFilesTest, GoWithTheDocumentsThatNameThem) {
  Database(home_.path() / ".config/Cursor/User/globalStorage/state.vscdb", SQLITE_OPEN_READWRITE)
      .exec(
          "UPDATE cursorDiskKV SET value = replace(value, '\"/home/ada/gadget/canarysong\"', "
          "'\"/home/ada/gadget\"')");
  expect_planted();
  EXPECT_EQ(cgrep({"-l", "--file", "*/deep.c"}).out, "44444444\n");
  expect_forgotten({"forget", "--query", "canarysong", "--yes"});
  EXPECT_EQ(cgrep({"-l", "--file", "*/main.c"}).out, "44444444\n");
  EXPECT_EQ(show("44444444:1"), std::vector<std::string>{"look at it"});
  home_.append(transcript(), line(R"({"type":"text","text":"more of it"})"));
  EXPECT_EQ(cgrep({"-l", "more of it"}).out, "44444444\n");
  EXPECT_EQ(places(), std::set<std::string>{});
}

// Others still name it.
TEST_F(ForgetFilesTest, StayWhileADocumentNamesThem) {
  home_.append(transcript(), line(fmt::format(R"({{"type":"text","text":"saved {}"}})", kFile)));
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(cgrep({"forget", "--query", "wrote", "--yes"}).code, 0);
  const auto file = cgrep({"-l", "--file", "*/deep.c"});
  EXPECT_EQ(file.out, "44444444\n") << file.err;
}

TEST_F(ForgetTest, ADryRunRemovesNothing) {
  expect_planted();
  const auto result = cgrep({"forget", "--query", "canarysong", "--dry-run"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out,
            "would forget 1 document in 1 conversation\n"
            "  44444444  1 document  a harmless question\n");
  EXPECT_TRUE(places().contains("texts"));
}

TEST_F(ForgetTest, AsksOnATerminal) {
  expect_planted();
  const auto ask = [&](const std::string& answer) {
    return shell("echo " + answer + " | script -qec \"$CGREP forget 44444444:2\" /dev/null");
  };
  const auto no = ask("n");
  EXPECT_NE(no.out.find("1 document in 1 conversation"), std::string::npos) << no.out;
  EXPECT_NE(no.out.find("nothing was forgotten"), std::string::npos) << no.out;
  EXPECT_EQ(no.code, 1);
  EXPECT_TRUE(places().contains("texts"));
  const auto yes = ask("y");
  EXPECT_EQ(yes.code, 0) << yes.out;
  EXPECT_EQ(places(), std::set<std::string>{});
}

TEST_F(ForgetTest, ErrorsSayWhatToDo) {
  cgrep({"index", "-q"});
  const auto error = [&](const std::vector<std::string>& words) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_NE(result.err.find("hint: "), std::string::npos) << result.err;
    return result.err;
  };
  EXPECT_NE(error({"forget"}).find("needs to know what"), std::string::npos);
  EXPECT_NE(error({"forget", "44444444", "--gone", "--yes"}).find("one of them"),
            std::string::npos);
  EXPECT_NE(error({"forget", "44444444"}).find("no terminal"), std::string::npos);
  EXPECT_NE(error({"forget", "--store", "chatz", "--yes"}).find("chats"), std::string::npos);
  EXPECT_NE(error({"forget", "--gone", "-p", "x", "--yes"}).find("narrow"), std::string::npos);
  EXPECT_NE(error({"forget", "ffffffff", "--yes"}).find("no conversation"), std::string::npos);
}

}  // namespace
}  // namespace cgrep::test
