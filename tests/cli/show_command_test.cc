#include <gtest/gtest.h>

#include "cli/corpus_home.h"
#include "cli/history_home.h"
#include "extract/json.h"

namespace cgrep::test {
namespace {

using Lines = std::vector<std::string>;

class ShowCommandTest : public StandardHome {};

TEST_F(ShowCommandTest, AConversationInReadingOrder) {
  const auto result = cgrep({"show", "11111111"});
  EXPECT_EQ(result.code, 0) << result.err;
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 11u) << result.out;
  EXPECT_TRUE(lines[0].starts_with("11111111  ")) << lines[0];
  EXPECT_EQ(lines[2], "11111111:1  user  2026-08-01 10:22");
  EXPECT_EQ(lines[3], "there is a login bug");
  EXPECT_EQ(lines[4], "in the session code");
  EXPECT_EQ(lines[7], "The login bug comes from the session timeout.");
  EXPECT_EQ(lines[10], "fix the login");
}

TEST_F(ShowCommandTest, OneDocumentOrARange) {
  EXPECT_EQ(cgrep({"show", "--no-heading", "11111111:3"}).out, "fix the login\n");
  EXPECT_EQ(cgrep({"show", "--no-heading", "11111111:2-3"}).out,
            "The login bug comes from the session timeout.\n\nfix the login\n");
}

TEST_F(ShowCommandTest, SeveralAddresses) {
  EXPECT_EQ(cgrep({"show", "--no-heading", "11111111:3", "22222222:1"}).out,
            "fix the login\n\ndocker build is slow\n");
}

TEST_F(ShowCommandTest, JsonHasOneObjectPerDocument) {
  const auto result = cgrep({"show", "--json", "22222222"});
  Lines texts;
  for (const std::string& line : lines_of(result.out)) {
    const auto event = Json::parse(line);
    ASSERT_TRUE(event) << line;
    EXPECT_EQ(event->text("type"), "document");
    texts.emplace_back(event->find("data")->text("text"));
  }
  EXPECT_EQ(texts,
            (Lines{"docker build is slow", "Use a layer cache; docker keeps login state apart."}));
}

TEST_F(ShowCommandTest, AnAmbiguousPrefixListsTheCandidates) {
  conversation("11111111-aaaa-4000-8000-00000000000f", {{"user", "a twin"}});
  const auto result = cgrep({"show", "11111111"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("000000000001"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("00000000000f"), std::string::npos) << result.err;
}

class ShowOrphansTest : public CorpusHome {
 protected:
  ShowOrphansTest() { make("bubbles/order/home"); }
};

TEST_F(ShowOrphansTest, OrphansAreLeftOutUnlessAllIsWanted) {
  const std::string orphan = "a prompt that was edited";
  EXPECT_EQ(cgrep({"show", "c1"}).out.find(orphan), std::string::npos);
  const auto all = cgrep({"show", "--all", "c1"}).out;
  EXPECT_NE(all.find("  orphan\n" + orphan), std::string::npos) << all;
  const auto said = cgrep_on_terminal({"show", "c1"}).out;
  EXPECT_NE(said.find("2 documents of abandoned turns left out"), std::string::npos) << said;
}

TEST_F(ShowOrphansTest, AnOrphanIsShownByItsAddress) {
  const auto found = lines({"-N", "prompt that was edited"});
  ASSERT_EQ(found.size(), 1u);
  const auto address = found[0].substr(0, found[0].rfind(':'));
  EXPECT_EQ(cgrep({"show", "--no-heading", address}).out, "a prompt that was edited\n");
}

}  // namespace
}  // namespace cgrep::test
