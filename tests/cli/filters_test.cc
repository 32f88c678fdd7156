// Filters, documents around a match, and what is said when nothing is found.
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/history_home.h"

namespace cgrep::test {
namespace {

using FiltersTest = StandardHome;

TEST_F(FiltersTest, HereInSubfoldersAndWorktrees) {
  const auto widget = home_.path() / "widget";
  conversation("44444444-dddd-4000-8000-000000000004", {{"user", "said here"}}, [&] {
    auto slug = widget.string().substr(1);
    std::replace(slug.begin(), slug.end(), '/', '-');
    std::replace(slug.begin(), slug.end(), '.', '-');
    return slug;
  }());
  ASSERT_EQ(shell("git init -q -b main widget && cd widget && mkdir -p src/deep && "
                  "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && "
                  "git worktree add -q ../tree")
                .code,
            0);
  for (const auto* folder : {"widget", "widget/src/deep", "tree"})
    EXPECT_EQ(shell(std::string("cd ") + folder + " && $CGREP said --here -l").out, "44444444\n")
        << folder;
  EXPECT_EQ(shell("mkdir other && cd other && $CGREP said --here -l").code, 1);
}

TEST_F(FiltersTest, GoneOrNot) {
  cgrep({"index"});
  std::filesystem::remove_all(home_.path() / ".cursor/projects/home-ada-gadget/agent-transcripts");
  EXPECT_EQ(cgrep({"login", "--gone", "-l"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"login", "--no-gone", "-l"}).out, "11111111\n");
  EXPECT_EQ(cgrep({"login is:gone", "-l"}).out, "22222222\n");
}

TEST_F(FiltersTest, ModelsFilesAndSubagents) {
  EXPECT_EQ(cgrep({"login", "--model", "none", "-l"}).out, "11111111\n22222222\n");
  EXPECT_EQ(cgrep({"login", "--model", "gpt*", "-l"}).code, 1);
  EXPECT_EQ(cgrep({"login", "--file", "x.ts", "-l"}).code, 1);
  EXPECT_EQ(cgrep({"login", "--file", "!x.ts", "-l"}).code, 0);
  EXPECT_EQ(cgrep({"login", "--no-subagents", "-l"}).out, "11111111\n22222222\n");
}

TEST_F(FiltersTest, DocumentsAroundAMatch) {
  EXPECT_EQ(cgrep({"timeout", "--around", "1"}).out,
            "11111111:1-1-there is a login bug\n11111111:1-2-in the session code\n"
            "11111111:2:1:The login bug comes from the session timeout.\n"
            "11111111:3-1-fix the login\n");
  const auto json = cgrep({"timeout", "--around", "1", "--json"}).out;
  EXPECT_NE(json.find(R"("type":"context")"), std::string::npos) << json;
  EXPECT_EQ(cgrep({"timeout", "--around", "1", "-c"}).out, "11111111:1\n");
  const auto shown = cgrep_on_terminal({"timeout", "--around", "1", "--color", "never"}).out;
  EXPECT_NE(shown.find("3-1     user"), std::string::npos) << shown;
}

TEST_F(FiltersTest, DocumentsAroundAMatchThatIsShown) {
  const std::string id = "44444444-dddd-4000-8000-000000000004";
  std::vector<Message> messages;
  for (int i = 1; i <= 40; ++i)
    messages.push_back({"user", i % 3 == 2 ? "a xylophone" : "no. " + std::to_string(i)});
  conversation(id, messages);
  EXPECT_EQ(cgrep({"xylophone", "--around", "1", "-m", "2"}).out,
            "44444444:1-1-no. 1\n44444444:2:1:a xylophone\n44444444:3-1-no. 3\n"
            "44444444:4-1-no. 4\n44444444:5:1:a xylophone\n44444444:6-1-no. 6\n");
  EXPECT_EQ(cgrep({"xylophone", "--around", "3", "-m", "1"}).out,
            "44444444:1-1-no. 1\n44444444:2:1:a xylophone\n44444444:3-1-no. 3\n"
            "44444444:4-1-no. 4\n44444444:5-1-a xylophone\n");
  const auto shown = cgrep_on_terminal({"xylophone", "--around", "1", "--color", "never"}).out;
  EXPECT_NE(shown.find("no. 30"), std::string::npos) << shown;  // of the tenth
  EXPECT_EQ(shown.find("no. 31"), std::string::npos) << shown;
  EXPECT_NE(shown.find("+3 lines in 3 more documents"), std::string::npos) << shown;
}

TEST_F(FiltersTest, WordsOfAConversationTogether) {
  const auto result = cgrep({"slow", "cache", "-l"});
  EXPECT_EQ(result.out, "22222222\n");
  EXPECT_EQ(result.err,
            "cgrep: no document has all the words; these conversations have them between them\n");
  EXPECT_NE(cgrep({"slow", "cache", "--json"}).out.find(R"("spread":true)"), std::string::npos);
}

TEST_F(FiltersTest, CaseOfWords) {
  EXPECT_EQ(cgrep({"-s", "Login"}).code, 1);
  EXPECT_EQ(cgrep({"-s", "Use", "-l"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"-S", "The", "login", "-l"}).out, "11111111\n");
  EXPECT_EQ(cgrep({"-i", "LOGIN", "-l"}).code, 0);
}

TEST_F(FiltersTest, NothingFoundSaysWhatWouldHelp) {
  EXPECT_EQ(cgrep({"dokcer", "bulid"}).err,
            "cgrep: nothing found, but:\ncgrep:   1 conversation for: cgrep 'docker build'\n");
  EXPECT_EQ(cgrep({"docker", "--role", "plan"}).err,
            "cgrep: nothing found, but:\ncgrep:   1 conversation without --role\n");
  EXPECT_EQ(cgrep({"docker rol:plan"}).err,
            "cgrep: nothing found, but:\ncgrep:   'rol:' is no field, so it was searched for; did "
            "you mean 'role:'? cgrep fields lists them\n");
  EXPECT_EQ(cgrep({"docker role:usr"}).err,
            "cgrep: nothing found, but:\ncgrep:   1 conversation without role:usr\n"
            "cgrep:   nothing is 'role:usr'; did you mean 'role:user'?\n");
  EXPECT_NE(cgrep({"docker date:sometime"}).err.find("cgrep:   nothing is 'date:sometime'\n"),
            std::string::npos);
  EXPECT_EQ(cgrep({"qqqqqqqqqq"}).err, "cgrep: nothing found\n");
  EXPECT_EQ(cgrep({"-q", "qqqqqqqqqq"}).err, "");
  const auto json = cgrep({"docker", "--role", "plan", "--json"}).out;
  EXPECT_NE(json.find(R"("advice":[{"kind":"filter","subject":"--role","suggestion":null,)"
                      R"("conversations":1}])"),
            std::string::npos)
      << json;
}

TEST_F(FiltersTest, StrictWantsTheWholeAnswer) {
  EXPECT_EQ(cgrep({"docker", "--strict", "-l"}).code, 0);
  const auto stale = cgrep({"docker", "--strict", "-l", "--refresh", "never"});
  EXPECT_EQ(stale.code, 2);
  EXPECT_EQ(stale.out, "22222222\n");
  EXPECT_NE(stale.err.find("hint: cgrep index"), std::string::npos) << stale.err;
  EXPECT_EQ(cgrep({"docker", "--strict", "-L", "--refresh", "never"}).code, 2);
  EXPECT_EQ(cgrep({"docker", "--strict", "--by", "role", "--refresh", "never"}).code, 2);
}

TEST_F(FiltersTest, AddressesNameDocumentsToo) {
  EXPECT_EQ(cgrep({"login", "--conversation", "11111111:2", "-c"}).out, "11111111:1\n");
  EXPECT_EQ(cgrep({"login", "--conversation", "11111111:1-2", "-c"}).out, "11111111:2\n");
  EXPECT_EQ(cgrep({"login", "--conversation", "!11111111:1-2", "-c"}).out,
            "11111111:1\n22222222:1\n");
  EXPECT_EQ(cgrep({"login", "--conversation", "11111111:99"}).code, 1);
  const auto unknown = cgrep({"login", "--conversation", "99999999"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("no conversation '99999999'"), std::string::npos) << unknown.err;
  EXPECT_EQ(cgrep({"log", "--conversation", "99999999"}).code, 2);
}

TEST_F(FiltersTest, TheLastCaseCounts) {
  EXPECT_EQ(cgrep({"-s", "-i", "-F", "LOGIN", "-l"}).code, 0);
  EXPECT_EQ(cgrep({"-i", "-s", "-F", "LOGIN", "-l"}).code, 1);
}

TEST_F(FiltersTest, ExactPatternsOfSeveralLinesAndOfNoText) {
  EXPECT_EQ(cgrep({"-F", "session code\nlayer cache", "-c"}).out, "22222222:1\n11111111:1\n");
  EXPECT_EQ(cgrep({"\"", "-l"}).code, 1);
  const auto bad = cgrep({"-E", "ab(c"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(bad.err.starts_with("cgrep: bad regular expression 'ab(c': missing )")) << bad.err;
  EXPECT_NE(cgrep({"-E", "ab[c"}).err.find("in '[c' at byte 3"), std::string::npos);
  EXPECT_NE(cgrep({"-F", "caf\xe9"}).err.find("not valid UTF-8"), std::string::npos);
}

TEST_F(FiltersTest, TitlesByWholeWords) {
  EXPECT_EQ(cgrep({"title:docker", "-l"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"title:dock", "-l"}).code, 1);
  EXPECT_EQ(cgrep({"title:dock*", "-l"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"title:\"docker build\"", "-l"}).out, "22222222\n");
  EXPECT_EQ(cgrep({"title:\"build docker\"", "-l"}).code, 1);
}

TEST_F(FiltersTest, WhatIsGoneSaysSo) {
  cgrep({"index"});
  std::filesystem::remove_all(home_.path() / ".cursor/projects/home-ada-gadget/agent-transcripts");
  const auto shown = cgrep_on_terminal({"docker", "--color", "never"}).out;
  EXPECT_NE(shown.find("  gone"), std::string::npos) << shown;
  const auto listed = cgrep_on_terminal({"log", "--color", "never"}).out;
  EXPECT_NE(listed.find("(gone)"), std::string::npos) << listed;
}

TEST_F(FiltersTest, AHeadingStaysOnOneLine) {
  conversation("55555555-eeee-4000-8000-000000000005",
               {{"user", "why does the xylophone of the orchestra sound out of tune after rain",
                 "Monday, Aug 3, 2026, 9:00 AM (UTC+0)"}},
               "home-ada-a-rather-long-name-of-a-project");
  cgrep({"index"});
  const auto shown = cgrep_on_terminal({"xylophone", "--color", "never"}).out;
  EXPECT_LE(shown.find('\n'), 80u + 5u) << shown;  // two … of three bytes, and \r
}

TEST_F(FiltersTest, EveryMistakeHasAHint) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"-m", "-1", "x"},
                                             {"-A", "x", "y"},
                                             {"-A"},
                                             {"--store", "", "x"},
                                             {"--store", ",", "x"},
                                             {"--json=foo", "x"},
                                             {"status", "--foo"},
                                             {"--by", ",", "x"}}) {
    const auto result = cgrep(words);
    EXPECT_EQ(result.code, 2) << words[0];
    EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result.err;
  }
  EXPECT_EQ(cgrep({"show", "--role", "plan", "11111111"}).code, 1);
}

}  // namespace
}  // namespace cgrep::test
