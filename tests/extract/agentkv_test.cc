// What later readings of agentkv do; the first ones are in corpus/agentkv.
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/sqlite.h"
#include "extract/state_changes.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

// Keeps notes, as the index does.
class NotingSink : public PrintingSink {
 public:
  explicit NotingSink(std::map<std::string, std::string>& notes) : notes_(notes) {}
  void more(std::string_view conversation) override { line("more " + std::string(conversation)); }
  std::optional<std::string> noted(std::string_view part) override {
    const auto note = notes_.find(std::string(part));
    return note != notes_.end() ? std::optional(note->second) : std::nullopt;
  }
  void note(std::string_view part, std::string_view text) override {
    notes_[std::string(part)] = text;
  }
  void forget_note(std::string_view part) override { notes_.erase(std::string(part)); }
  std::vector<std::string> noted_parts() override {
    std::vector<std::string> parts;
    for (const auto& [part, note] : notes_) parts.push_back(part);
    return parts;
  }

 private:
  std::map<std::string, std::string>& notes_;
};

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
    notes.clear();
  }

  // What is delivered; the mark goes into the source.
  std::string read() {
    NotingSink sink(notes);
    source.mark = agentkv->extract(source, sink);
    return sink.text();
  }

  void change(const std::string& sql) const {
    Database(source.path, SQLITE_OPEN_READWRITE).exec(sql);
  }

  TempDir made{};
  const Store* agentkv = find_store("agentkv");
  Source source{};
  std::map<std::string, std::string> notes{};
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
      "INSERT OR REPLACE INTO cursorDiskKV SELECT 'composerData:c1', value FROM cursorDiskKV "
      "WHERE key = 'composerData:c2'");
  const auto text = read();
  EXPECT_NE(text.find("whole c1\n"), std::string::npos);
  EXPECT_NE(text.find("c1 user - "), std::string::npos);
  EXPECT_NE(text.find("and Altair"), std::string::npos);
  EXPECT_EQ(text.find("c2 "), std::string::npos);
  EXPECT_EQ(read(), "");
}

TEST_F(AgentKvTest, SeesWhatWasUpdatedInItsPlaceAfterADay) {
  make("shared");
  read();
  change("UPDATE cursorDiskKV SET value = NULL WHERE key = 'composerData:c1'");
  EXPECT_EQ(read(), "");
  auto mark = StateMark::parse(source.mark.substr(0, source.mark.find('\n')));
  ASSERT_TRUE(mark);
  mark->hour -= 24;
  source.mark = mark->text() + source.mark.substr(source.mark.find('\n'));
  EXPECT_EQ(read(), "whole c1\n");
  EXPECT_EQ(read(), "");
}

TEST_F(AgentKvTest, LosesConversationsThatWereDeleted) {
  make("shared");
  read();
  change("INSERT OR REPLACE INTO cursorDiskKV VALUES ('composerData:c1', NULL)");
  EXPECT_EQ(read(), "whole c1\n");
  change("DELETE FROM cursorDiskKV WHERE key = 'composerData:c2'");
  EXPECT_EQ(read(), "whole c2\n");
  EXPECT_EQ(read(), "");
}

TEST_F(AgentKvTest, KeepsConversationsThatCannotBeReadNow) {
  make("shared");
  read();
  change("INSERT OR REPLACE INTO cursorDiskKV VALUES ('composerData:c1', '{\"conver')");
  EXPECT_EQ(read(), "problem \"not JSON\" at composerData:c1 passing\n");
  EXPECT_TRUE(notes.contains("c1"));
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
  EXPECT_EQ(text.substr(0, text.find(" claim")),
            "more request-3\nrequest-3 assistant - key=request-3/00/0 \"Somebody "
            "must.\"\nrequest-3");
  EXPECT_EQ(read(), "");
}

TEST_F(AgentKvTest, ReadsAllAgainWhenTheDatabaseWasMadeAnew) {
  make("requests");
  const auto first = read();
  source.mark = "rows 1000000 request-3";
  notes = {{"gone", "state 0"}, {"c1", "joined"}, {"request-8", "joined"}};
  EXPECT_EQ(read(), first + "whole gone\nwhole request-8\n");
  EXPECT_EQ(read(), "");
}

}  // namespace
}  // namespace cgrep::test
