#include <fmt/format.h>

#include "cli/corpus_home.h"
#include "extract/sqlite.h"
#include "index/history.h"

namespace cgrep::test {
namespace {

class DoctorCommandTest : public CorpusHome {
 protected:
  std::string state() const {
    return (home() / ".config/Cursor/User/globalStorage/state.vscdb").string();
  }
};

TEST_F(DoctorCommandTest, AGoodHome) {
  make("bubbles/basic/home");
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "nothing is wrong\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(cgrep({"doctor", "--json"}).out, "");
}

TEST_F(DoctorCommandTest, WhatIsWorthKnowingIsNotWrong) {
  make("home");
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out,
            "chats: 1 conversation that no store in the index has\n"
            "  cgrep index --store chats\n"
            "nothing is wrong\n");
  const auto note = with(events({"doctor", "--json"}, "finding"), "store", "chats");
  EXPECT_EQ(note.text("level"), "note");
  EXPECT_EQ(note.find("count")->integer(), 1);
}

// As a probe under another Xapian would have left it.
TEST_F(DoctorCommandTest, TellsWhenXapiansOwnWriterIsUsed) {
  make("bubbles/basic/home");
  cgrep({"index"});
  History(dir_.path() / "index", History::Mode::write)
      .database()
      .exec("UPDATE state SET value = -value WHERE key = 'direct_runs'");
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out,
            "this version of Xapian does not read what cgrep writes in its format\n"
            "  Xapian's own writer is used: the index is complete, making it takes longer\n"
            "nothing is wrong\n");
}

TEST_F(DoctorCommandTest, DamagedRecordsAreNamedByTheirKeys) {
  make("bubbles/damaged/home");
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find(fmt::format("bubbles: bubble is not JSON (2 records)\n"
                                        "  such as bubbleId:c1:a in {}\n"
                                        "  skipped; the rest of the source was read\n",
                                        state())),
            std::string::npos)
      << result.out;
  EXPECT_EQ(result.out.find("nothing is wrong"), std::string::npos);
}

TEST_F(DoctorCommandTest, NeverByWhatTheySay) {
  make("bubbles/damaged/home");
  const auto result = cgrep({"doctor"});
  const auto json = cgrep({"doctor", "--json"});
  for (const char* said : {"half of i", "CANARY", "odd"})
    for (const auto& out : {result.out, json.out})
      EXPECT_EQ(out.find(said), std::string::npos) << said << " in\n" << out;
}

TEST_F(DoctorCommandTest, Json) {
  make("bubbles/damaged/home");
  const auto result = cgrep({"doctor", "--json"});
  EXPECT_EQ(result.code, 1);
  const auto found = with(events({"doctor", "--json"}, "finding"), "what", "bubble is not JSON");
  EXPECT_EQ(found.text("store"), "bubbles");
  EXPECT_EQ(found.find("count")->integer(), 2);
  EXPECT_EQ(found.text("example"), "bubbleId:c1:a");
  EXPECT_EQ(found.text("source"), state());
  EXPECT_EQ(found.text("level"), "problem");
  EXPECT_FALSE(found.text("advice").empty());
}

TEST_F(DoctorCommandTest, UnknownVersionsWantANewerCgrep) {
  make("bubbles/unknown-version/home");
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("bubbles: unknown version 4 of bubbleId (2 records)\n"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("a newer cgrep may know more"), std::string::npos);
}

// A link that leads out of its root is not followed.
TEST_F(DoctorCommandTest, ASourceThatCannotBeRead) {
  make("transcripts/basic/home");
  cgrep({"index", "-q"});
  dir_.write("outside/agent-transcripts/c9/c9.jsonl", "");
  std::filesystem::create_directory_symlink(dir_.path() / "outside",
                                            home() / ".cursor/projects/linked");
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find(".cursor/projects/linked: left out"), std::string::npos) << result.out;
}

TEST_F(DoctorCommandTest, ADatabaseThatSomebodyLocks) {
  make("bubbles/basic/home");
  cgrep({"index", "-q"});
  Database locked(state(), SQLITE_OPEN_READWRITE);
  locked.exec("PRAGMA journal_mode=DELETE; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE");
  locked.exec("INSERT INTO cursorDiskKV VALUES ('bubbleId:c1:new', '{}')");
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 1) << result.out;
  EXPECT_NE(result.out.find("state.vscdb: "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("what was read of it before is kept"), std::string::npos) << result.out;
}

TEST_F(DoctorCommandTest, AHomeWithoutHistory) {
  std::filesystem::create_directories(home());
  const auto result = cgrep({"doctor"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("no history of Cursor found"), std::string::npos) << result.out;
}

TEST_F(DoctorCommandTest, DamagedWordsAreFound) {
  make("bubbles/basic/home");
  cgrep({"index", "-q"});
  for (const auto& run : std::filesystem::directory_iterator(dir_.path() / "index/words"))
    std::filesystem::resize_file(run.path() / "iamglass", 3);
  const auto result = cgrep({"doctor", "--refresh", "never"});
  EXPECT_EQ(result.code, 1) << result.out;
  EXPECT_NE(result.out.find("cgrep index makes it again"), std::string::npos) << result.out;
}

TEST_F(DoctorCommandTest, TakesNoOperands) {
  make("bubbles/basic/home");
  EXPECT_EQ(cgrep({"doctor", "who"}).code, 2);
}

}  // namespace
}  // namespace cgrep::test
