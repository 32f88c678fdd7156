// --pager: who shows the output, and that nothing else changes by it.
#include <gtest/gtest.h>

#include "cli/history_home.h"

namespace cgrep::test {
namespace {

class PagerTest : public StandardHome {
 protected:
  PagerTest() {
    std::string text;
    for (int i = 0; i < 60; ++i) text += "one of many lines with paging\n";
    conversation("44444444-dddd-4000-8000-000000000004", {{"user", text}});
    home_.write("pager", "#!/bin/sh\necho PAGED LESS=$LESS\ncat\necho LEFT >&2\n");
    std::filesystem::permissions(home_.path() / "pager", std::filesystem::perms::owner_all);
  }

  RunResult run(const std::vector<std::string>& words, const std::string& pager,
                bool terminal = true) {
    auto with_pager = options();
    with_pager.environment["PAGER"] = pager;
    with_pager.terminal = terminal;
    return run_cgrep(words, with_pager);
  }
  std::string own_pager() const { return (home_.path() / "pager").string(); }

  static bool paged(const RunResult& result) {
    return result.out.find("PAGED LESS=FRX") != std::string::npos;
  }
};

TEST_F(PagerTest, OnlyWhenAskedAndOnATerminalAndLong) {
  const auto result = run({"show", "44444444", "--pager", "auto"}, own_pager());
  EXPECT_TRUE(paged(result)) << result.out;
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("\x1b[35m44444444"), std::string::npos);  // coloured as without
  EXPECT_TRUE(result.out.ends_with("LEFT\r\n")) << result.out;        // cgrep waited for it
  EXPECT_FALSE(paged(run({"show", "44444444"}, own_pager())));
  EXPECT_FALSE(paged(run({"show", "22222222", "--pager", "auto"}, own_pager())));
  EXPECT_FALSE(paged(run({"show", "44444444", "--pager", "auto"}, own_pager(), false)));
  EXPECT_TRUE(paged(run({"show", "22222222", "--pager", "always"}, own_pager())));
  EXPECT_TRUE(paged(run({"-l", "docker", "--pager", "always"}, own_pager(), false)));
}

TEST_F(PagerTest, TheExitCodeStaysThatOfCgrep) {
  EXPECT_EQ(run({"-F", "--pager", "always", "nosuchthing"}, own_pager()).code, 1);
  const auto error = run({"show", "--pager", "always", "99999999"}, own_pager());
  EXPECT_EQ(error.code, 2);
  EXPECT_NE(error.out.find("99999999"), std::string::npos);
  EXPECT_EQ(run({"show", "44444444", "--pager", "auto"}, "head -c 1; exit 7").code, 0);
}

TEST_F(PagerTest, WithoutAPagerTheOutputIsPlain) {
  for (const std::string pager : {"/no/such/pager", "", "cat"}) {
    const auto result = run({"show", "44444444", "--pager", "auto"}, pager);
    EXPECT_EQ(result.code, 0);
    EXPECT_NE(result.out.find("many lines with paging"), std::string::npos) << pager;
  }
}

}  // namespace
}  // namespace cgrep::test
