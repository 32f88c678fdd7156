// cgrep hook run, as Cursor starts it: real processes, real files, a real state.vscdb.
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "cli/hook_event.h"
#include "extract/json.h"
#include "extract/sqlite.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/noted_turns.h"
#include "support/eventually.h"
#include "support/processes.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTold = "44444444-dddd-4000-8000-000000000004";
constexpr const char* kOther = "55555555-eeee-4000-8000-000000000005";
constexpr const char* kFolder = ".cursor/projects/home-ada-widget/agent-transcripts";

std::string line(const std::string& role, const std::string& text) {
  return fmt::format(R"({{"role":"{}","message":{{"content":[{{"type":"text","text":{}}}]}}}})"
                     "\n",
                     role, json_quote(text));
}

class HookRunTest : public StandardHome {
 protected:
  HookRunTest() {
    // What was young when it was read is looked at again.
    const auto an_hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::recursive_directory_iterator(home_.path()))
      fs::last_write_time(entry, an_hour_ago);
    cgrep({"index", "-q"});
  }
  ~HookRunTest() override {
    EXPECT_TRUE(eventually([&] { return workers() == 0; }));
  }

  static std::string transcript(const std::string& id) {
    return fmt::format("{0}/{1}/{1}.jsonl", kFolder, id);
  }

  /// An event as Cursor tells it.
  std::string event(const std::string& name = "stop", const std::string& conversation = kTold,
                    const std::string& more = "") const {
    return fmt::format(
        R"({{"conversation_id":{},"generation_id":"g-1","hook_event_name":"{}",)"
        R"("workspace_roots":["/home/ada/widget"],"user_email":"canary@example.org"{}}})",
        json_quote(conversation), name, more);
  }
  std::string with_path(const std::string& key, const std::string& path) const {
    return fmt::format(",\"{}\":{}", key, json_quote((home_.path() / path).string()));
  }

  /// Tells it, and returns when Cursor would go on.
  RunResult tell(const std::string& event) {
    home_.write("event", event);
    return shell("\"$CGREP\" hook run < event; code=$?; rm event; exit $code");
  }

  /// Processes of this test that still work.
  std::size_t workers() const { return processes_in(home_.path(), std::string("hook\0run", 8)); }
  bool ended() const {
    return eventually([&] { return workers() == 0; });
  }

  bool found(const std::string& word) {
    return cgrep({"-q", "--refresh", "never", word}).code == 0;
  }

  /// `text time_source` of each document, in reading order.
  std::vector<std::string> times(const std::string& id) {
    std::vector<std::string> lines;
    for (const auto& shown : lines_of(cgrep({"show", "--json", "--refresh", "never", id}).out)) {
      const auto json = Json::parse(shown);
      const auto* data = json->find("data");
      lines.push_back(fmt::format("{} {}", data->text("text"), data->text("time_source")));
    }
    return lines;
  }

  /// Texts and times in ms, of the whole conversation.
  std::vector<std::pair<std::string, std::int64_t>> dated(const std::string& id) {
    std::vector<std::pair<std::string, std::int64_t>> found;
    History history(index(), History::Mode::read);
    history.for_each_document(
        history.row_of_conversation(id).value(), [&](const StoredDocument& document) {
          found.emplace_back(history.text(document.row), document.time ? document.time->ms : 0);
          return true;
        });
    return found;
  }

  static std::int64_t now_ms() {
    using std::chrono::milliseconds;
    return std::chrono::duration_cast<milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }

  fs::path index() const { return home_.path() / ".local/share/cgrep"; }
};

TEST_F(HookRunTest, IndexesWhatTheTurnSaid) {
  home_.write(transcript(kTold), line("user", "a needle") + line("assistant", "in the hay"));
  home_.write(transcript(kOther), line("user", "a needless one"));
  const auto result = tell(event("stop", kTold, with_path("transcript_path", transcript(kTold))));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found("needle"));
  EXPECT_FALSE(found("needless")) << "another conversation is left alone";
  EXPECT_EQ(times(kTold), (std::vector<std::string>{"a needle tag", "in the hay tag"}));
  EXPECT_TRUE(cgrep({"-q", "needless"}).code == 0) << "and is still to be read";
}

// Whoever waits for the end of its output goes on while the worker still waits for a transcript.
TEST_F(HookRunTest, CursorDoesNotWaitForTheWorker) {
  const auto result = shell("echo '" + event() + "' | \"$CGREP\" hook run 3>&1 4>&2; echo $?");
  EXPECT_EQ(result.out + result.err, "0\n");
  EXPECT_EQ(workers(), 1u);
  // Of its own session, with nothing open that is not its own.
  home_.write(transcript(kTold), line("user", "a needle") + R"({"type":"turn_ended"})" + "\n");
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found("needle"));
}

TEST_F(HookRunTest, ATranscriptMayComeLater) {
  for (const std::string path : {"", "named"}) {
    const std::string id = path.empty() ? kTold : kOther;
    const auto more = path.empty() ? "" : with_path("transcript_path", transcript(id));
    EXPECT_EQ(tell(event("stop", id, more)).code, 0);
    home_.write(transcript(id), "");
    home_.append(transcript(id), line("user", "late" + path));
    EXPECT_TRUE(eventually([&] { return found("late" + path); }));
    home_.append(transcript(id), line("assistant", "later" + path));
    EXPECT_TRUE(eventually([&] { return found("later" + path); }));
    EXPECT_EQ(times(id),
              (std::vector<std::string>{"late" + path + " tag", "later" + path + " tag"}));
  }
}

TEST_F(HookRunTest, ByTheEnvironmentAsWell) {
  home_.write(transcript(kTold), line("user", "a needle"));
  const auto result =
      shell(fmt::format("echo '{}' | CURSOR_TRANSCRIPT_PATH=\"$HOME/{}\" \"$CGREP\" hook run",
                        event("sessionEnd"), transcript(kTold)));
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(eventually([&] { return found("needle"); }));
}

TEST_F(HookRunTest, SubagentsGoWithTheirConversation) {
  const auto child = fmt::format("{}/{}/subagents/{}.jsonl", kFolder, kTold, kOther);
  home_.write(transcript(kTold), line("user", "a needle"));
  home_.write(child, line("user", "delegated") + line("assistant", "done by another"));
  EXPECT_EQ(tell(event("subagentStop", kTold, with_path("agent_transcript_path", child))).code, 0);
  EXPECT_TRUE(eventually([&] { return found("delegated") && found("needle"); }));
  EXPECT_EQ(times(kOther), (std::vector<std::string>{"delegated tag", "done by another tag"}));
}

TEST_F(HookRunTest, WhateverItIsToldItEndsWell) {
  for (const std::string& garbage :
       {std::string(), std::string("no JSON"), std::string("[]"), std::string("{}"),
        std::string("{\"conversation_id\":7}"), std::string("\0\xff", 2),
        std::string("{", 1) + "\"", event("stop", "../../../../etc"), event("stop", "a/b"),
        event("stop", ".."), event("stop", std::string("x\n")),
        event("stop", std::string(5000, 'x'))}) {
    const auto result = tell(garbage);
    EXPECT_EQ(result.code, 0) << garbage;
    EXPECT_EQ(result.out + result.err, "") << garbage;
    EXPECT_EQ(workers(), 0u) << garbage;
  }
  for (const char* line :
       {"\"$CGREP\" hook run <&-", "\"$CGREP\" hook run <&- >&- 2>&-",
        "\"$CGREP\" hook run --no-such-option </dev/null", "\"$CGREP\" hook run < /",
        "HOME= \"$CGREP\" hook run </dev/null", "head -c 17000000 /dev/zero | \"$CGREP\" hook run",
        "sleep 3 | \"$CGREP\" --index / hook run"}) {
    const auto result = shell(line);
    EXPECT_EQ(result.code, 0) << line;
    EXPECT_EQ(result.out + result.err, "") << line;
  }
  home_.write(".config/cgrep/config", "nonsense = 1\n");
  EXPECT_EQ(tell(event()).code, 0);
  EXPECT_EQ(workers(), 0u);
}

TEST_F(HookRunTest, APathThatLeadsElsewhereLeadsNowhere) {
  const auto secret =
      home_.write("elsewhere/" + std::string(kTold) + ".jsonl", line("user", "secretword"));
  fs::create_directories(home_.path() / kFolder);
  fs::create_symlink(secret, home_.path() / kFolder / (std::string(kTold) + ".jsonl"));
  for (const auto& path : {secret.string(), "elsewhere/" + std::string(kTold) + ".jsonl",
                           (home_.path() / kFolder / "../../../../elsewhere").string()})
    EXPECT_EQ(
        tell(event("afterAgentResponse", kTold, ",\"transcript_path\":" + json_quote(path))).code,
        0);
  EXPECT_TRUE(ended());
  EXPECT_FALSE(found("secretword"));
}

TEST_F(HookRunTest, WhatIsForgottenOrExcludedStaysAway) {
  home_.write(transcript(kTold), line("user", "a needle"));
  cgrep({"index", "-q"});
  EXPECT_EQ(cgrep({"forget", "--yes", kTold}).code, 0);
  home_.append(transcript(kTold), line("assistant", "another needle"));
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  home_.write(
      fmt::format(".cursor/projects/home-ada-secret/agent-transcripts/{0}/{0}.jsonl", kOther),
      line("user", "a hidden thing"));
  home_.write(".config/cgrep/config", "exclude = home-ada-secret\n");
  EXPECT_EQ(tell(event("afterAgentResponse", kOther)).code, 0);
  EXPECT_TRUE(ended());
  EXPECT_FALSE(found("needle"));
  EXPECT_FALSE(found("hidden"));
}

TEST_F(HookRunTest, NeverKeepsWhoseAccountItIs) {
  home_.write(transcript(kTold), line("user", "a needle"));
  EXPECT_EQ(tell(event("stop", kTold, ",\"text\":\"canary\"")).code, 0);
  EXPECT_TRUE(ended());
  for (const auto& entry : fs::recursive_directory_iterator(index())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(read_file(entry.path()).find("canary"), std::string::npos) << entry.path();
  }
}

// Another process writes: it is asked to look, and the turn is noted once it is done.
TEST_F(HookRunTest, WaitsForWhoeverWrites) {
  home_.write(transcript(kTold), line("user", "a needle"));
  auto writing = WriterLock::try_take(index());
  ASSERT_TRUE(writing);
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  EXPECT_TRUE(eventually([&] { return fs::exists(index() / "asked"); }));
  EXPECT_FALSE(found("needle"));
  writing.reset();
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found("needle"));
  EXPECT_EQ(times(kTold), std::vector<std::string>{"a needle tag"});
}

TEST_F(HookRunTest, WithoutAnIndexItMakesAllOfIt) {
  fs::remove_all(index());
  home_.write(transcript(kTold), line("user", "a needle"));
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found("needle"));
  EXPECT_TRUE(found("docker"));
}

// Turn after turn; some lines are read by the hook first, and some by a plain index.
TEST_F(HookRunTest, DatesTurnsWhoeverReadsThemFirst) {
  const std::string ended_line = "{\"type\":\"turn_ended\",\"status\":\"success\"}\n";
  home_.write(transcript(kTold), line("user", "old prompt") + line("assistant", "old answer"));
  cgrep({"index", "-q"});
  home_.append(transcript(kTold),
               line("user", "prompt 1") + line("assistant", "answer 1") + ended_line);
  EXPECT_EQ(tell(event()).code, 0);
  EXPECT_TRUE(ended());
  home_.append(transcript(kTold), line("user", "prompt 2"));
  cgrep({"index", "-q"});
  home_.append(transcript(kTold), line("assistant", "answer 2") + ended_line);
  EXPECT_EQ(tell(event()).code, 0);
  EXPECT_TRUE(ended());
  const std::vector<std::string> expected = {"old prompt mtime", "old answer mtime",
                                             "prompt 1 tag",     "answer 1 tag",
                                             "prompt 2 tag",     "answer 2 tag"};
  EXPECT_EQ(times(kTold), expected);
  EXPECT_EQ(cgrep({"index", "-q", "--rebuild"}).code, 0);
  EXPECT_EQ(times(kTold), expected);
}

// Both end before anybody gets to read them; each has its own time.
TEST_F(HookRunTest, DatesTurnsThatEndWhileAnotherProcessWrites) {
  const std::string ended_line = "{\"type\":\"turn_ended\",\"status\":\"success\"}\n";
  const auto named = with_path("transcript_path", transcript(kTold));
  home_.write(transcript(kTold), "");
  auto writing = WriterLock::try_take(index());
  ASSERT_TRUE(writing);
  std::vector<std::int64_t> told;
  for (const std::string turn : {"1", "2", "3"}) {
    home_.append(transcript(kTold),
                 line("user", "prompt " + turn) + line("assistant", "answer " + turn) + ended_line);
    EXPECT_EQ(tell(event("stop", kTold, named)).code, 0);
    told.push_back(now_ms());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  home_.append(transcript(kTold), line("user", "prompt 4"));
  EXPECT_EQ(workers(), 3u);
  writing.reset();
  EXPECT_TRUE(ended());
  const auto messages = dated(kTold);
  ASSERT_EQ(messages.size(), 7u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LE(messages[i].second, told[i / 2]) << messages[i].first;
    if (i >= 2) {
      EXPECT_GT(messages[i].second, told[i / 2 - 1]) << messages[i].first;
    }
  }
  EXPECT_EQ(times(kTold).back(), "prompt 4 mtime");
  EXPECT_FALSE(is_any_turn_noted(index()));
}

// Its worker was killed, or never got to write.
TEST_F(HookRunTest, ATurnThatWasOnlyNotedIsDatedByWhoeverReadsIt) {
  home_.write(transcript(kTold), line("user", "a needle") + line("assistant", "in the hay"));
  const auto size = static_cast<std::int64_t>(fs::file_size(home_.path() / transcript(kTold)));
  note_turn(index(), {.conversation = kTold, .time = 1'781'000'000'000, .size = size});
  home_.append(transcript(kTold), line("user", "another"));
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(times(kTold),
            (std::vector<std::string>{"a needle tag", "in the hay tag", "another mtime"}));
  EXPECT_EQ(dated(kTold).front().second, 1'781'000'000'000);
  EXPECT_FALSE(is_any_turn_noted(index()));
  // Also when there is nothing else to do.
  note_turn(index(), {.conversation = kTold, .time = 1'781'000'060'000});
  EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
  EXPECT_EQ(times(kTold).back(), "another tag");
}

/// With a database of the editor that a writer keeps open.
class HookRunBubblesTest : public HookRunTest {
 protected:
  HookRunBubblesTest() {
    fs::create_directories(database_.parent_path());
    writer_.emplace(database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    writer_->exec(
        "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
        "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
        "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    say(kTold, {"alpha"});
    say(kOther, {"beta", "gamma"});
  }

  void put(const std::string& key, const std::string& value) {
    auto row = writer_->prepare("INSERT INTO cursorDiskKV VALUES (?1, ?2)");
    row.bind(1, key);
    row.bind(2, value);
    row.run();
  }

  /// The conversation has these messages, and no other.
  void say(const std::string& id, const std::vector<std::string>& texts) {
    std::string headers;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      put(fmt::format("bubbleId:{}:b{}", id, i),
          fmt::format(R"({{"_v":3,"bubbleId":"b{}","type":{},"text":{}}})", i, i % 2 + 1,
                      json_quote(texts[i])));
      headers += fmt::format(R"({}{{"bubbleId":"b{}","type":{}}})", i > 0 ? "," : "", i, i % 2 + 1);
    }
    put("composerData:" + id, fmt::format(R"({{"_v":3,"composerId":"{}","name":"title of {}",)"
                                          R"("fullConversationHeadersOnly":[{}]}})",
                                          id, texts.back(), headers));
  }

  fs::path database_ = home_.path() / ".config/Cursor/User/globalStorage/state.vscdb";
  std::optional<Database> writer_{};
};

TEST_F(HookRunBubblesTest, ReadsTheMessagesOfThatConversationOnly) {
  cgrep({"index", "-q"});
  say(kTold, {"alpha", "delta"});
  say(kOther, {"beta", "epsilon", "zeta"});
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found("delta"));
  EXPECT_FALSE(found("epsilon"));
  EXPECT_TRUE(found("gamma")) << "nothing of others is gone";
  // A bubble grows, and is read in its place.
  say(kTold, {"alpha", "delta grows"});
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  EXPECT_TRUE(ended());
  EXPECT_EQ(cgrep({"-c", "--role", "assistant", "--refresh", "never", "delta"}).out,
            "44444444:1\n");
  EXPECT_TRUE(found("grows"));
  // What the hook left is read as if it had not been there.
  cgrep({"index", "-q"});
  EXPECT_TRUE(found("epsilon") && found("zeta"));
  const auto documents = cgrep({"show", "--json", "--refresh", "never", kTold, kOther}).out;
  cgrep({"index", "-q", "--rebuild"});
  EXPECT_EQ(cgrep({"show", "--json", "--refresh", "never", kTold, kOther}).out, documents);
  EXPECT_NE(cgrep({"log", "--refresh", "never"}).out.find("title of delta grows"),
            std::string::npos);
}

TEST_F(HookRunBubblesTest, AlsoWhenTheDatabaseWasNeverRead) {
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found("alpha"));
  EXPECT_FALSE(found("beta"));
  cgrep({"index", "-q"});
  EXPECT_TRUE(found("alpha") && found("beta") && found("gamma"));
  EXPECT_EQ(cgrep({"-c", "--role", "user", "--refresh", "never", "alpha"}).out, "44444444:1\n");
}

/// With sessions of the command line, whose store.db a writer keeps open.
class HookRunChatsTest : public HookRunTest {
 protected:
  void say(const std::string& id, const std::string& text) {
    const auto path = home_.path() / ".cursor/chats/0123" / id / "store.db";
    auto& chat = chats_[id];
    if (!chat) {
      fs::create_directories(path.parent_path());
      chat.emplace(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
      chat->exec(
          "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
          "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);"
          "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)");
    }
    auto blob = chat->prepare("INSERT INTO blobs VALUES (?1, ?2)");
    auto& said = said_[id];
    const auto add = [&](const std::string& data) {
      blob.bind(1, fmt::format("{:064x}", ++blobs_));
      blob.bind_blob(2, data);
      blob.run();
      return fmt::format("{:064x}", blobs_);
    };
    add(fmt::format(R"({{"role":"user","content":{}}})", json_quote(text)));
    said += std::string("\x0a\x20") + std::string(31, '\0') + static_cast<char>(blobs_);
    const auto root = add(said);
    chat->exec(fmt::format(
        "INSERT OR REPLACE INTO meta VALUES ('0', '{{\"latestRootBlobId\":\"{}\"}}')", root));
  }

  bool found_in_chats(const std::string& word) {
    return cgrep({"-q", "--refresh", "never", "--store", "chats", word}).code == 0;
  }

  std::map<std::string, std::optional<Database>> chats_{};
  std::map<std::string, std::string> said_{};  // the root
  int blobs_ = 0;
};

TEST_F(HookRunChatsTest, OfAnOptedInStoreItReadsThatChatOnly) {
  say(kTold, "alpha");
  say(kOther, "beta");
  cgrep({"index", "-q", "--store", "chats"});
  EXPECT_TRUE(found_in_chats("alpha") && found_in_chats("beta"));
  say(kTold, "gamma");
  say(kOther, "delta");
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found_in_chats("gamma"));
  EXPECT_FALSE(found_in_chats("delta")) << "another chat is left alone";
  EXPECT_TRUE(found_in_chats("beta")) << "and nothing of it is gone";
  cgrep({"index", "-q"});
  EXPECT_TRUE(found_in_chats("delta")) << "it is still to be read";
}

TEST_F(HookRunChatsTest, AChatMayBeWrittenLater) {
  say(kTold, "alpha");
  cgrep({"index", "-q", "--store", "chats"});
  EXPECT_EQ(tell(event()).code, 0);
  say(kTold, "gamma");
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found_in_chats("gamma"));
}

TEST_F(HookRunChatsTest, WhereNobodyOptedInItLeavesChatsAlone) {
  say(kTold, "alpha");
  home_.write(transcript(kTold), line("user", "a needle"));
  cgrep({"index", "-q"});
  say(kTold, "gamma");
  home_.append(transcript(kTold), line("assistant", "another"));
  EXPECT_EQ(tell(event("afterAgentResponse")).code, 0);
  EXPECT_TRUE(ended());
  EXPECT_TRUE(found("another"));
  EXPECT_EQ(cgrep({"show", "--refresh", "never", kTold}).out.find("gamma"), std::string::npos);
  EXPECT_NE(cgrep({"stores", "--json"}).out.find("chats"), std::string::npos);
  Database history(index() / "history.db", SQLITE_OPEN_READONLY);
  auto opted = history.prepare("SELECT count(*) FROM opted_in");
  EXPECT_TRUE(opted.step());
  EXPECT_EQ(opted.int64(0), 0) << "nor does it opt in";
}

}  // namespace
}  // namespace cgrep::test
