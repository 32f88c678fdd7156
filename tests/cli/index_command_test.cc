#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "error.h"
#include "index/folder.h"

namespace cgrep::test {
namespace {

class IndexCommandTest : public StandardHome {};

TEST_F(IndexCommandTest, ALinePerStore) {
  const auto first = cgrep({"index"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("transcripts    3 sources, 3 read, 7 documents\n"), std::string::npos)
      << first.out;
  const auto second = cgrep({"index"});
  EXPECT_NE(second.out.find("transcripts    3 sources, 0 read, 0 documents\n"), std::string::npos)
      << second.out;
}

TEST_F(IndexCommandTest, RebuildReadsEverythingAgain) {
  cgrep({"index"});
  EXPECT_NE(cgrep({"index", "--rebuild"}).out.find("3 sources, 3 read"), std::string::npos);
  EXPECT_EQ(cgrep({"-q", "login"}).code, 0);
}

TEST_F(IndexCommandTest, CompactSaysWhatItCameTo) {
  const auto result = cgrep({"index", "--compact"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("compacted      "), std::string::npos) << result.out;
}

TEST_F(IndexCommandTest, ProjectsCanBeKeptOut) {
  const auto with = [&](const char* exclude) {
    auto excluding = options();
    excluding.environment["CGREP_EXCLUDE"] = exclude;
    return run_cgrep({"-l", "login"}, excluding).out;
  };
  EXPECT_EQ(with(""), "11111111\n22222222\n");
  EXPECT_EQ(with("home-ada-gadget,nothing"), "11111111\n");
  EXPECT_EQ(with(""), "11111111\n22222222\n");
}

TEST_F(IndexCommandTest, WhatIsGoneCanExpire) {
  cgrep({"index", "-q"});
  std::filesystem::remove_all(home_.path() / ".cursor/projects/home-ada-gadget");
  EXPECT_EQ(cgrep({"-q", "docker"}).code, 0);
  auto expiring = options();
  expiring.environment["CGREP_RETAIN"] = "0d";
  EXPECT_EQ(run_cgrep({"-q", "docker"}, expiring).code, 0);  // only when it is indexed
  const auto result = run_cgrep({"index"}, expiring);
  EXPECT_NE(result.out.find("2 documents removed that had been gone"), std::string::npos)
      << result.out;
  EXPECT_EQ(cgrep({"-q", "docker"}).code, 1);
}

TEST_F(IndexCommandTest, QuietSaysNothing) {
  const auto result = cgrep({"index", "--quiet"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST_F(IndexCommandTest, OnlyWhatLiesUnderAPath) {
  const auto path = (home_.path() / ".cursor/projects/home-ada-gadget").string();
  EXPECT_EQ(cgrep({"index", path}).code, 0);
  EXPECT_EQ(cgrep({"-q", "--refresh", "never", "docker"}).code, 0);
  EXPECT_EQ(cgrep({"-q", "--refresh", "never", "bug"}).code, 1);
}

TEST_F(IndexCommandTest, DamageIsCounted) {
  home_.append(std::string(".cursor/projects/home-ada-widget/agent-transcripts/") + kLogin + "/" +
                   kLogin + ".jsonl",
               "{\"role\":\"user\",\"mess\nnot json\n");
  EXPECT_NE(cgrep({"index"}).out.find("2 problems"), std::string::npos);
}

TEST_F(IndexCommandTest, TheBarIsErasedAtTheEnd) {
  const auto result = cgrep_on_terminal({"index"});
  EXPECT_EQ(result.code, 0);
  const auto bar = result.out.rfind("transcripts: ");
  if (bar == std::string::npos) return;  // too quick for a bar
  EXPECT_NE(result.out.find("\r\x1b[K", bar), std::string::npos);
}

TEST_F(IndexCommandTest, OnATerminalABarTellsStoreShareAndRate) {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += " word" + std::to_string(i % 5000);
  for (int i = 10; i < 60; ++i)
    conversation("777777" + std::to_string(i) + "-aaaa-4000-8000-000000000008", {{"user", text}});
  const auto result = cgrep_on_terminal({"index"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("transcripts: reading ["), std::string::npos);
  EXPECT_NE(result.out.find("% "), std::string::npos);
  EXPECT_NE(result.out.find(" MB/s"), std::string::npos);
  const auto bar = result.out.rfind("MB/s");
  EXPECT_NE(result.out.find("\r\x1b[K", bar), std::string::npos);  // erased at the end
}

TEST_F(IndexCommandTest, ElsewhereALinePerStoreTellsHowFarItIs) {
  const auto result = cgrep({"index"});
  EXPECT_NE(result.err.find("reading transcripts\n"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find('\x1b'), std::string::npos);
  const auto quiet = cgrep_on_terminal({"index", "--full", "--quiet"});
  EXPECT_EQ(quiet.out, "");
}

TEST_F(IndexCommandTest, ItWaitsForAnotherWriterAndCtrlCStopsAtOnce) {
  cgrep({"index", "-q"});
  const auto writing = WriterLock::try_take(home_.path() / ".local/share/cgrep");
  ASSERT_TRUE(writing);
  const auto result = shell("timeout --preserve-status -s INT 3 \"$CGREP\" index");
  EXPECT_EQ(result.code, 130);
  EXPECT_NE(result.err.find("another process is writing"), std::string::npos) << result.err;
}

TEST_F(IndexCommandTest, ASearchDoesNotWaitForAWriter) {
  cgrep({"index", "-q"});
  const auto writing = WriterLock::try_take(home_.path() / ".local/share/cgrep");
  ASSERT_TRUE(writing);
  const auto result = cgrep({"-l", "docker"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "22222222\n");
}

}  // namespace
}  // namespace cgrep::test
