// What later readings of agentkv do; the first ones are in corpus/agentkv.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

class AgentKvTest : public testing::Test {
 protected:
  void make(const std::string& name) {
    const auto home = made.path() / name;
    corpus::make_home(fs::path(CGREP_CORPUS) / "agentkv" / name / "home", home);
    const auto no_environment = [](const char*) -> std::optional<std::string> { return {}; };
    Folders folders;
    std::vector<Source> sources;
    agentkv->discover(find_roots(no_environment, home), folders, sources);
    ASSERT_FALSE(sources.empty());
    source = sources.front();
  }

  // What is delivered; the mark goes into the source.
  std::string read() {
    PrintingSink sink;
    source.mark = agentkv->extract(source, sink);
    return sink.text();
  }

  void change(const std::string& sql) const {
    Database(source.path, SQLITE_OPEN_READWRITE).exec(sql);
  }

  TempDir made{};
  const Store* agentkv = find_store("agentkv");
  Source source{};
};

TEST_F(AgentKvTest, DeliversNothingWhenNothingChanged) {
  for (const char* name : {"basic", "checkpoints", "requests", "shared"}) {
    make(name);
    EXPECT_NE(read(), "") << name;
    EXPECT_EQ(read(), "") << name;
    EXPECT_EQ(read(), "") << name;
  }
}

TEST_F(AgentKvTest, DeliversOnlyTheConversationThatChanged) {
  make("shared");
  read();
  change(
      "UPDATE cursorDiskKV SET value = (SELECT value FROM cursorDiskKV WHERE key = "
      "'composerData:c2') WHERE key = 'composerData:c1'");
  const auto text = read();
  EXPECT_NE(text.find("whole c1\n"), std::string::npos);
  EXPECT_NE(text.find("c1 user - "), std::string::npos);
  EXPECT_NE(text.find("and Altair"), std::string::npos);
  EXPECT_EQ(text.find("c2 "), std::string::npos);
  EXPECT_EQ(read(), "");
}

TEST_F(AgentKvTest, LosesConversationsThatWereDeleted) {
  make("shared");
  read();
  change("UPDATE cursorDiskKV SET value = NULL WHERE key = 'composerData:c1'");
  EXPECT_EQ(read(), "whole c1\n");
  change("DELETE FROM cursorDiskKV WHERE key = 'composerData:c2'");
  EXPECT_EQ(read(), "whole c2\n");
  EXPECT_EQ(read(), "");
}

TEST_F(AgentKvTest, KeepsConversationsThatCannotBeReadNow) {
  make("shared");
  read();
  change("UPDATE cursorDiskKV SET value = '{\"conver' WHERE key = 'composerData:c1'");
  EXPECT_EQ(read(), "problem \"not JSON\" at composerData:c1\n");
}

TEST_F(AgentKvTest, AddsRowsToTheRequestThatWasBegunLast) {
  make("requests");
  change(
      "DELETE FROM cursorDiskKV WHERE rowid >= (SELECT max(rowid) - 1 FROM cursorDiskKV WHERE key "
      "LIKE 'agentKv:blob:%') AND key LIKE 'agentKv:blob:%'");
  read();
  change(
      "INSERT INTO cursorDiskKV VALUES ('agentKv:blob:00', "
      "'{\"role\":\"assistant\",\"content\":\"Somebody must.\"}')");
  const auto text = read();
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "request-3 assistant - key=request-3/00/0 \"Somebody must.\"");
  EXPECT_EQ(read(), "");
}

TEST_F(AgentKvTest, ReadsAllAgainWhenTheDatabaseWasMadeAnew) {
  make("requests");
  const auto first = read();
  source.mark = "rows 1000000 request-3\nstate gone 0\njoined c1\njoined request-8\n";
  EXPECT_EQ(read(), first + "whole gone\nwhole request-8\n");
}

}  // namespace
}  // namespace cgrep::test
