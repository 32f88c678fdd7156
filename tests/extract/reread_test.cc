// What corpus/ cannot show of the IDE's databases and prompt histories: reading them again.
#include <string>

#include <gtest/gtest.h>

#include "extract/sqlite.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

constexpr const char* kChats = "workbench.panel.aichat.view.aichat.chatdata";

std::string tab(const std::string& id, const std::string& text) {
  return R"({"tabId":")" + id + R"(","bubbles":[{"type":"user","text":")" + text + R"("}]})";
}

class RereadTest : public testing::Test {
 protected:
  RereadTest() { source.root = temp.path(); }

  void use(const char* store, const std::string& path) {
    source.store = find_store(store);
    source.path = temp.path() / path;
  }

  void set(const std::string& key, const std::string& value) {
    Database database(source.path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    database.exec(
        "CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    auto insert = database.prepare("INSERT INTO ItemTable VALUES (?1, ?2)");
    insert.bind(1, key);
    insert.bind(2, value);
    insert.run();
  }

  // What is delivered, without claims.
  std::string read() {
    class Documents : public PrintingSink {
     public:
      void claim(Claim) override {}
    } sink;
    source.mark = source.store->extract(source, sink);
    return sink.text();
  }

  TempDir temp{};
  Source source{};
};

TEST_F(RereadTest, SaysNothingWhenOnlyOtherKeysChanged) {
  use("legacy-chats", "state.vscdb");
  set(kChats, R"({"tabs":[)" + tab("t1", "one") + "]}");
  EXPECT_EQ(read(), "whole t1\nt1 user - \"one\"\n");
  set("history.entries", "[]");
  EXPECT_EQ(read(), "");
}

TEST_F(RereadTest, TellsOfChatsThatVanished) {
  use("legacy-chats", "state.vscdb");
  set(kChats, R"({"tabs":[)" + tab("t1", "one") + "," + tab("t2", "two") + "]}");
  read();
  set(kChats, R"({"tabs":[)" + tab("t2", "two") + "]}");
  EXPECT_EQ(read(), "whole t2\nt2 user - \"two\"\nwhole t1\n");
}

TEST_F(RereadTest, LosesNoChatToDamage) {
  use("legacy-chats", "state.vscdb");
  set(kChats, R"({"tabs":[)" + tab("t1", "one") + "]}");
  read();
  set(kChats, R"({"tabs":[{"tab)");
  EXPECT_EQ(read(), "problem \"not JSON\" at " + std::string(kChats) + " passing\n");
  set(kChats, R"({"tabs":[]})");
  EXPECT_EQ(read(), "whole t1\n");
}

TEST_F(RereadTest, LosesNoPromptToDamage) {
  use("prompts", "state.vscdb");
  set("aiService.prompts", R"(["one"])");
  const auto conversation = read().substr(6, 24);
  set("aiService.generations", R"([{"textDesc)");
  EXPECT_EQ(read(), "problem \"not JSON\" at aiService.generations passing\n");
  set("aiService.generations", R"([{"textDescription":"two"}])");
  EXPECT_EQ(read(), "whole " + conversation + "\n" + conversation + " prompt - \"one\"\n" +
                        conversation + " prompt - \"two\"\n");
}

TEST_F(RereadTest, DeliversAHistoryThatRolledOnAsAWhole) {
  use("prompts", "chats/h/c1/prompt_history.json");
  temp.write("chats/h/c1/prompt_history.json", R"(["one","two"])");
  EXPECT_EQ(read(), "whole c1\nc1 prompt - \"one\"\nc1 prompt - \"two\"\n");
  temp.write("chats/h/c1/prompt_history.json", R"(["two","thr)");
  EXPECT_EQ(read(), "problem \"not JSON\" at file passing\n");
  temp.write("chats/h/c1/prompt_history.json", R"(["two","three"])");
  EXPECT_EQ(read(), "whole c1\nc1 prompt - \"two\"\nc1 prompt - \"three\"\n");
  temp.write("chats/h/c1/prompt_history.json", "[]");
  EXPECT_EQ(read(), "whole c1\n");
}

}  // namespace
}  // namespace cgrep::test
