#include "extract/clean.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cgrep {
namespace {

std::string user(std::string_view raw) {
  return clean_user(raw).text;
}

TEST(CleanTest, TakesTheQueryOutOfItsWrapper) {
  EXPECT_EQ(user("<user_query>\nhello\n</user_query>"), "hello");
  EXPECT_EQ(user("<user_query>hello</user_query>\n<rules>\nbe brief\n</rules>"), "hello");
  EXPECT_EQ(user("<user_query>\n\n</user_query>"), "");
  EXPECT_EQ(user("<user_query>\nopen end"), "open end");
}

TEST(CleanTest, PairsTagsByWhereTheyStand) {
  EXPECT_EQ(user("<user_query>\nuse <user_query> and </user_query>, please\n</user_query>"),
            "use <user_query> and </user_query>, please");
  EXPECT_EQ(user("<user_query>\na\n</user_query>\nx\n<user_query>\nb\n</user_query>"), "a\nb");
  EXPECT_EQ(user("x <user_query>a</user_query> y <user_query>b</user_query>"), "a\nb");
  EXPECT_EQ(user("  <user_query>a </user_query> b</user_query>"), "a </user_query> b");
}

TEST(CleanTest, LeavesPlainTextAlone) {
  for (const char* text : {"hello", "a <b> c", "what is <user_info>?", "<rules> without end",
                           "<unknown_tag>x</unknown_tag>", "see\n<rules>\nx\n</rules>"}) {
    EXPECT_EQ(user(text), text);
    EXPECT_FALSE(clean_user(text).injected) << text;
  }
}

TEST(CleanTest, KnowsEveryWrapperOfContext) {
  for (const std::string name :
       {"user_info", "project_layout", "git_status", "open_and_recently_viewed_files",
        "system_reminder", "attached_files", "code_selection", "rules", "agent_skills",
        "mcp_file_system", "manually_attached_skills", "external_links"}) {
    const auto text = fmt::format("\n<{0}>\nx\n</{0}>\n", name);
    EXPECT_TRUE(clean_user(text).injected) << name;
    EXPECT_FALSE(clean_user(text + "<user_query>q</user_query>").injected) << name;
    EXPECT_EQ(user(text + "<user_query>q</user_query>"), "q");
  }
  EXPECT_TRUE(clean_user("<code_selection path=\"a\">x</code_selection>").injected);
}

TEST(CleanTest, TakesTheTimeBeforeTheQueryOnly) {
  const std::string tag = "<timestamp>Mar 2, 2026, 8:05 AM (UTC+0)</timestamp>";
  EXPECT_EQ(clean_user(tag + "\n<user_query>q</user_query>").time, 1772438700000);
  EXPECT_EQ(clean_user(tag + "plain").time, 1772438700000);
  EXPECT_EQ(user(tag + "plain"), "plain");
  EXPECT_EQ(clean_user("<rules>x</rules>" + tag).time, 1772438700000);
  EXPECT_EQ(clean_user("<user_query>" + tag + "</user_query>").time, std::nullopt);
  EXPECT_EQ(user("<user_query>" + tag + "</user_query>"), tag);
  EXPECT_EQ(user("the log has " + tag), "the log has " + tag);
  EXPECT_EQ(clean_user(tag + "<timestamp>?</timestamp><user_query>q</user_query>").time,
            1772438700000);
  EXPECT_EQ(user("<timestamp>?</timestamp>\nplain"), "plain");
  EXPECT_EQ(user("<timestamp> never closed"), "<timestamp> never closed");
}

TEST(CleanTest, FindsTheWorkspaceOutsideOfTheQuery) {
  const std::string info =
      "<user_info>\nWorkspace Path: /home/ada/my app\nToday's date: Mar 2, 2026\n</user_info>\n";
  EXPECT_EQ(clean_user(info).workspace, "/home/ada/my app");
  EXPECT_EQ(clean_user(info).day, 1772452800000);
  EXPECT_EQ(clean_user(info + "<user_query>q</user_query>").workspace, "/home/ada/my app");
  EXPECT_EQ(clean_user("<user_query>Workspace Path: /x</user_query>").workspace, "");
  EXPECT_EQ(clean_user("Workspace Path: /x").workspace, "");
  EXPECT_EQ(clean_user("<rules>the Workspace Path: /x</rules>").workspace, "");
}

TEST(CleanTest, KeepsThePathsOfImages) {
  const auto cleaned = clean_user(
      "<image_files>\nSome words.\n1. /a/b c.png\n- d/e.jpg\n* C:\\f.gif\n</image_files>\n"
      "<user_query>\nq\n</user_query>");
  EXPECT_EQ(cleaned.text, "q\n/a/b c.png\nd/e.jpg\nC:\\f.gif");
  EXPECT_EQ(cleaned.images, (std::vector<std::string>{"/a/b c.png", "d/e.jpg", "C:\\f.gif"}));
  EXPECT_EQ(user("look <image_files>/a.png</image_files>"), "look\n/a.png");
}

TEST(CleanTest, DropsMarksOfRemovedReasoning) {
  EXPECT_EQ(clean_reply("[REDACTED]"), "");
  EXPECT_EQ(clean_reply("\n [REDACTED] \n"), "");
  EXPECT_EQ(clean_reply("a\n\n[REDACTED]"), "a");
  EXPECT_EQ(clean_reply("[REDACTED]\n\nb"), "b");
  EXPECT_EQ(clean_reply("a\n\n[REDACTED]\n\nb"), "a\n\nb");
  EXPECT_EQ(clean_reply("a\n[REDACTED]\n[REDACTED]\nb"), "a\n\nb");
  EXPECT_EQ(clean_reply("a [REDACTED] b"), "a  b");
  EXPECT_EQ(clean_reply("  keep\n  inner "), "keep\n  inner");
}

// Each would take minutes if the text were copied once per mark.
TEST(CleanTest, TakesTimeInProportionToTheText) {
  const auto many = [](std::string_view piece) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += piece;
    return text;
  };
  EXPECT_EQ(clean_reply(many("[REDACTED]\n")), "");
  EXPECT_EQ(clean_reply(many("x[REDACTED]")).size(), 100'000u);
  EXPECT_EQ(user(many("<timestamp>x</timestamp>") + "<user_query>q</user_query>"), "q");
  EXPECT_EQ(user(many("<image_files></image_files>") + "x"), "x");
  EXPECT_EQ(user(many("\n<user_query>a")).size(), many("\n<user_query>a").size() - 13);
  EXPECT_EQ(user(many("\n<user_query>a</user_query>")).size(), 199'999u);
}

}  // namespace
}  // namespace cgrep
