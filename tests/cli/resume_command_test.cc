#include <filesystem>

#include <gtest/gtest.h>

#include "cli/corpus_home.h"
#include "cli/history_home.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

class ResumeCommandTest : public StandardHome {
 protected:
  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }

  /// cursor-agent has the conversation, begun in this folder.
  void kept_by_agent(const std::string& id, const std::string& folder) {
    home_.write(".cursor/chats/0123/" + id + "/meta.json",
                R"({"schemaVersion":1,"hasConversation":true,"cwd":")" + folder + "\"}");
  }

  /// With an agent that says how it was called.
  RunResult cgrep_with_agent(const std::string& words) {
    const auto agent = home_.write("bin/cursor-agent", "#!/bin/sh\necho \"in $PWD: $*\"\nexit 7\n");
    fs::permissions(agent, fs::perms::owner_all);
    return shell("PATH=$HOME/bin:$PATH $CGREP " + words);
  }

  std::string project() const {
    fs::create_directories(home_.path() / "it's here");
    return fs::canonical(home_.path() / "it's here").string();
  }
};

TEST_F(ResumeCommandTest, PrintsACommandForTheShell) {
  kept_by_agent(kLogin, project());
  const auto result = cgrep({"resume", "11111111:2"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(has(result.out, "it'\\''s here' && cursor-agent --resume=" + std::string(kLogin)))
      << result.out;
  const auto ran =
      shell("cursor-agent() { echo \"in $PWD: $*\"; }; eval \"$($CGREP resume 11111111)\"");
  EXPECT_EQ(ran.out, "in " + project() + ": --resume=" + kLogin + "\n") << ran.err;
  // There already: nothing to go to.
  auto there = options();
  there.directory = project();
  EXPECT_EQ(run_cgrep({"resume", "11111111"}, there).out,
            "cursor-agent --resume=" + std::string(kLogin) + "\n");
}

TEST_F(ResumeCommandTest, ExecRunsItInItsProject) {
  kept_by_agent(kLogin, project());
  const auto result = cgrep_with_agent("resume --exec 11111111");
  EXPECT_EQ(result.code, 7) << result.err;
  EXPECT_EQ(result.out, "in " + project() + ": --resume=" + kLogin + "\n");
}

TEST_F(ResumeCommandTest, WhatExecCannotRun) {
  kept_by_agent(kLogin, project());
  const auto missing = cgrep({"resume", "--exec", "11111111"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(has(missing.err, "cannot run cursor-agent")) << missing.err;
  EXPECT_TRUE(has(missing.err, "hint: install")) << missing.err;

  const auto copy = cgrep_with_agent("resume --exec 11111111 --root $HOME");
  EXPECT_EQ(copy.code, 2);
  EXPECT_TRUE(has(copy.err, "not for a copy")) << copy.err;

  kept_by_agent(kDocker, "/no/such/project");
  const auto gone = cgrep_with_agent("resume --exec 22222222");
  EXPECT_EQ(gone.code, 2);
  EXPECT_TRUE(has(gone.err, "cannot go to its project /no/such/project")) << gone.err;
  const auto printed = cgrep({"resume", "22222222"});
  EXPECT_EQ(printed.code, 0);
  EXPECT_TRUE(has(printed.err, "/no/such/project is not there")) << printed.err;
}

TEST_F(ResumeCommandTest, WhatIsOnlyATranscriptOrGoneCannotGoOn) {
  const auto transcript = cgrep({"resume", "11111111"});
  EXPECT_EQ(transcript.code, 2);
  EXPECT_TRUE(has(transcript.err, "only a transcript is here")) << transcript.err;
  EXPECT_TRUE(has(transcript.err, "hint: cgrep export 11111111")) << transcript.err;

  kept_by_agent(kLogin, project());
  EXPECT_EQ(cgrep({"resume", "11111111"}).code, 0);
  fs::remove_all(home_.path() / ".cursor/chats");
  const auto gone = cgrep({"resume", "11111111"});
  EXPECT_EQ(gone.code, 2) << gone.out;
  EXPECT_TRUE(has(gone.err, "hint: cgrep export 11111111")) << gone.err;
}

TEST_F(ResumeCommandTest, OneAddressIsNeeded) {
  EXPECT_TRUE(has(cgrep({"resume"}).err, "hint: cgrep resume"));
  const auto two = cgrep({"resume", "11111111", "22222222"});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(has(two.err, "takes one address")) << two.err;
  EXPECT_TRUE(has(cgrep({"resume", "after lunch"}).err, "hint: to search"));
}

class ResumeDemoTest : public CorpusHome {
 protected:
  ResumeDemoTest() { make("home"); }
};

TEST_F(ResumeDemoTest, ConversationsOfTheIdeHaveNoCommandOfTheirOwn) {
  const auto opened = cgrep({"resume", "f60b8d24"});
  EXPECT_EQ(opened.out, "cursor /home/mira/lanternpost\n");
  EXPECT_NE(opened.err.find("opens its project only"), std::string::npos) << opened.err;
  const auto without = cgrep({"resume", "06a4e8c2"});
  EXPECT_EQ(without.code, 2);
  EXPECT_NE(without.err.find("hint: open Cursor"), std::string::npos) << without.err;
  const auto exec = cgrep({"resume", "--exec", "f60b8d24"});
  EXPECT_EQ(exec.code, 2);
  EXPECT_NE(exec.err.find("hint: cursor /home/mira/lanternpost"), std::string::npos) << exec.err;
}

TEST_F(ResumeDemoTest, WhatNobodyBeganIsPointedElsewhere) {
  EXPECT_NE(cgrep({"resume", "a91d04c7"}).err.find("hint: cgrep resume 3f2a9c1e"),
            std::string::npos);
  EXPECT_NE(cgrep({"resume", "a91d04c7"}).err.find("started by an agent"), std::string::npos);
  EXPECT_NE(cgrep({"resume", "experime"}).err.find("made in a conversation"), std::string::npos);
  EXPECT_NE(cgrep({"resume", "prompts-2"}).err.find("hint: cgrep show"), std::string::npos);
}

}  // namespace
}  // namespace cgrep::test
