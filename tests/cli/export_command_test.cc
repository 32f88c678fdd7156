#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/history_home.h"
#include "extract/json.h"
#include "query/redact.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

class ExportCommandTest : public StandardHome {
 protected:
  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }

  /// The error has a line and a hint that say this.
  void fails(const std::vector<std::string>& words, std::string_view what, std::string_view hint) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 2) << result.out;
    EXPECT_TRUE(has(result.err, what)) << result.err;
    EXPECT_TRUE(has(result.err, hint)) << result.err;
  }

  std::string in_home(const std::string& name) const { return (home_.path() / name).string(); }
};

TEST_F(ExportCommandTest, Markdown) {
  const auto result = cgrep({"export", "11111111"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, result.out.find("\n\n## assistant")),
            "# there is a login bug\n\n`11111111` · 2026-08-01 10:22 · transcripts\n\n"
            "## user · 2026-08-01 10:22 · `11111111:1`\n\n"
            "there is a login bug\nin the session code");
}

// Fences are longer than those inside, and one that is left open is closed.
TEST_F(ExportCommandTest, MarkdownFencesHold) {
  home_.write(
      ".cursor/projects/home-ada-widget/agent-transcripts/44444444-aaaa-4000-8000-1.jsonl",
      R"({"role":"assistant","message":{"content":[{"type":"text","text":"open\n```sh\nls"},)"
      R"({"type":"tool_use","name":"Write","input":{"contents":"````\ninner\n````"}}]}})"
      "\n");
  const auto full = cgrep({"export", "44444444"}).out;
  EXPECT_TRUE(has(full, "open\n```sh\nls\n```\n")) << full;
  EXPECT_TRUE(has(full, "\n`````\n")) << full;
  EXPECT_FALSE(has(cgrep({"export", "--tools", "none", "44444444"}).out, "inner"));
  const auto brief = cgrep({"export", "--tools", "short", "44444444"}).out;
  EXPECT_TRUE(has(brief, "*tool-call `Write`")) << brief;
  EXPECT_FALSE(has(brief, "inner")) << brief;
}

TEST_F(ExportCommandTest, JsonIsOneArrayOfWholeConversations) {
  const auto result = cgrep({"export", "--format", "json", "11111111", "22222222"});
  const auto all = Json::parse(result.out);
  ASSERT_TRUE(all && all->array()) << result.out;
  ASSERT_EQ(all->array()->size(), 2u);
  const Json& first = all->array()->front();
  EXPECT_EQ(first.text("conversation"), kLogin);
  EXPECT_EQ(first.text("title"), "there is a login bug");
  const auto& documents = *first.find("documents")->array();
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_EQ(documents[0].text("address"), "11111111:1");
  EXPECT_EQ(documents[0].text("role"), "user");
  EXPECT_EQ(documents[0].text("time"), "2026-08-01T10:22:00.000Z");
  EXPECT_EQ(documents[0].text("text"), "there is a login bug\nin the session code");
  fails({"export", "--format", "json", "--tools", "short", "11111111"}, "--tools short", "hint: ");
}

TEST_F(ExportCommandTest, HtmlIsOneHarmlessPage) {
  conversation("55555555-aaaa-4000-8000-000000000005",
               {{"user", "<script>alert(1)</script> \x1b[31m \xe2\x80\xae <img src=x onerror=y>"}});
  const auto page = cgrep({"export", "--format", "html", "55555555", "11111111"}).out;
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(has(page, "content=\"default-src 'none'; style-src 'unsafe-inline'\""));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert(1)"));
  for (const char* never : {"<script", "<img", "<link", "\x1b", "\xe2\x80\xae", "url(", "@import"})
    EXPECT_FALSE(has(page, never)) << never;
  EXPECT_TRUE(has(page, "<nav>"));
  EXPECT_TRUE(has(page, "<a href=\"#55555555\">"));
  EXPECT_TRUE(has(page, "id=\"11111111:2\""));
  EXPECT_TRUE(has(page, "@media print"));
  EXPECT_TRUE(has(page, "prefers-color-scheme: dark"));
  EXPECT_FALSE(has(cgrep({"export", "--format", "html", "11111111"}).out, "<nav>"));
}

TEST_F(ExportCommandTest, AFileIsPrivateWholeAndNeverOverwrittenUnasked) {
  const auto file = in_home("bug.html");
  EXPECT_EQ(cgrep({"export", "11111111", "-o", file}).code, 0);
  EXPECT_TRUE(read_file(file).starts_with("<!DOCTYPE html>"));  // by its ending
  struct stat status {};
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  fails({"export", "22222222", "-o", file}, "bug.html exists", "hint: --force");
  EXPECT_TRUE(has(read_file(file), "login bug"));
  EXPECT_EQ(cgrep({"export", "22222222", "--force", "--output", file, "--format", "md"}).code, 0);
  EXPECT_TRUE(read_file(file).starts_with("# docker build is slow"));
  // What fails, or finds nothing, leaves nothing behind.
  EXPECT_EQ(cgrep({"export", "99999999", "-o", in_home("none.md")}).code, 2);
  EXPECT_EQ(cgrep({"export", "--query", "zebra", "-o", in_home("none.md")}).code, 1);
  for (const auto& entry : fs::directory_iterator(home_.path()))
    EXPECT_FALSE(has(entry.path().filename().string(), "none.md")) << entry.path();
}

TEST_F(ExportCommandTest, ALinkIsWrittenThrough) {
  const auto target = home_.write("target.md", "old");
  fs::create_symlink(target, in_home("link.md"));
  EXPECT_EQ(cgrep({"export", "11111111", "-o", in_home("link.md")}).code, 2);
  EXPECT_EQ(cgrep({"export", "11111111", "--force", "-o", in_home("link.md")}).code, 0);
  EXPECT_TRUE(fs::is_symlink(in_home("link.md")));
  EXPECT_TRUE(has(read_file(target), "login bug"));
}

TEST_F(ExportCommandTest, AQueryExportsWhatAnswersIt) {
  const auto login = cgrep({"export", "--query", "login", "--format", "json"});
  EXPECT_EQ(Json::parse(login.out)->array()->size(), 2u);
  EXPECT_EQ(
      Json::parse(cgrep({"export", "--query", "login", "--limit", "1", "--format", "json"}).out)
          ->array()
          ->size(),
      1u);
  const auto newer = cgrep({"export", "--query", "login", "--since", "2026-08-02"});
  EXPECT_TRUE(newer.out.starts_with("# docker build is slow")) << newer.out;
  // Filters alone: all that pass, newest first.
  const auto all = cgrep({"export", "--since", "2026-08-02", "--until", "2026-08-03"});
  EXPECT_TRUE(all.out.starts_with("# index out of range")) << all.out;
  EXPECT_TRUE(has(all.out, "# docker build is slow"));
  const auto none = cgrep({"export", "--query", "zebra"});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out, "");
}

TEST_F(ExportCommandTest, WhatAPersonCanGetWrong) {
  fails({"export"}, "needs an address or a query", "hint: cgrep export");
  fails({"export", "--format", "pdf", "11111111"}, "unknown value 'pdf' of --format", "hint: ");
  fails({"export", "11111111", "--query", "x"}, "cannot go together", "hint: ");
  fails({"export", "me"}, "not an address: 'me'", "hint: to search");
  fails({"export", "99999999"}, "no conversation '99999999'", "hint: ");
  fails({"export", "11111111", "-o", in_home("no/such/a.md")}, "no folder", "hint: mkdir -p");
  fails({"export", "11111111", "-o", in_home(".cursor")}, "is a folder", "hint: --output");
  fails({"export", "11111111", "--force", "-o", "/dev/null"}, "no plain file", "hint: ");
  fails({"export", "11111111", "--limit", "2"}, "--limit goes with --query", "hint: ");
  conversation("11111111-aaaa-4000-8000-00000000000f", {{"user", "a twin"}});
  fails({"export", "11111111"}, "ambiguous", "hint: one of");
}

TEST_F(ExportCommandTest, SecretsAreMaskedUnlessTheyAreRevealed) {
  const std::string token = "gh" + example_of({.example = "p_{36}"});
  conversation("66666666-aaaa-4000-8000-000000000006", {{"user", "use " + token + " today"}});
  for (const char* format : {"md", "html", "json"}) {
    const auto result = cgrep({"export", "--format", format, "66666666"});
    EXPECT_FALSE(has(result.out, token.substr(0, 10))) << result.out;
    EXPECT_TRUE(has(result.out, "use [redacted:github-token] today")) << result.out;
    EXPECT_TRUE(has(result.err, "1 secret masked")) << result.err;
  }
  EXPECT_TRUE(has(cgrep({"export", "--no-redact", "66666666"}).out, token));
}

}  // namespace
}  // namespace cgrep::test
