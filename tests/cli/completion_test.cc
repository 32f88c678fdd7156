// Completion scripts load in their shell, and bash's completes.
#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

bool has(const std::string& program) {
  return run_program({"sh", "-c", "command -v " + program}).code == 0;
}

class CompletionTest : public testing::TestWithParam<const char*> {};

TEST_P(CompletionTest, TheScriptLoads) {
  const std::string shell = GetParam();
  if (!has(shell)) GTEST_SKIP() << shell << " is not installed";
  const auto script = run_cgrep({"completion", shell});
  ASSERT_EQ(script.code, 0);
  const TempDir folder;
  const auto path = folder.write("script", script.out).string();
  const auto result = run_program({shell, "-n", path});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  for (const char* part : {"--store", "transcripts", "tool-result", "newest", "never", "--rebuild"})
    EXPECT_NE(script.out.find(shell == std::string("fish") && part[0] == '-' ? part + 2 : part),
              std::string::npos)
        << part;
}

INSTANTIATE_TEST_SUITE_P(Shells, CompletionTest, testing::Values("bash", "zsh", "fish"),
                         [](const auto& parameter) { return std::string(parameter.param); });

class BashCompletionTest : public testing::Test {
 protected:
  // What bash offers for the last of the words.
  std::vector<std::string> offered(const std::string& words) {
    const std::string script = run_cgrep({"completion", "bash"}).out;
    const TempDir folder;
    const auto path = folder.write("script", script).string();
    const auto result = run_shell("source " + path + "; COMP_WORDS=(" + words +
                                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _cgrep; "
                                  "printf '%s\\n' \"${COMPREPLY[@]}\"");
    EXPECT_EQ(result.err, "");
    return lines_of(result.out);
  }
};

using Words = std::vector<std::string>;

TEST_F(BashCompletionTest, CommandsOptionsAndValues) {
  EXPECT_EQ(offered("cgrep sto"), (Words{"stores"}));
  EXPECT_EQ(offered("cgrep --ro"), (Words{"--role", "--root"}));
  EXPECT_EQ(offered("cgrep index --re"), (Words{"--rebuild"}));
  EXPECT_EQ(offered("cgrep --sort n"), (Words{"newest"}));
  EXPECT_EQ(offered("cgrep --sort = n"), (Words{"newest"}));
  EXPECT_EQ(offered("cgrep completion f"), (Words{"fish"}));
  EXPECT_EQ(offered("cgrep --store stores sto"), (Words{"stores"}));
}

TEST_F(BashCompletionTest, ListsGoOnAfterTheComma) {
  EXPECT_EQ(offered("cgrep --role user,assi"), (Words{"user,assistant"}));
  EXPECT_EQ(offered("cgrep --role '!tool-c'"), (Words{"!tool-call"}));
}

TEST(FishCompletionTest, FishOffersCommandsAndValues) {
  if (!has("fish")) GTEST_SKIP() << "fish is not installed";
  const TempDir folder;
  const auto path = folder.write("cgrep.fish", run_cgrep({"completion", "fish"}).out).string();
  const auto offers = [&](const std::string& line) {
    return run_program(
               {"fish", "--no-config", "-c", "source " + path + "; complete -C '" + line + "'"},
               {.environment = {{"HOME", folder.path().string()}}})
        .out;
  };
  EXPECT_NE(offers("cgrep sto").find("stores\t"), std::string::npos);
  EXPECT_NE(offers("cgrep --sort n").find("newest"), std::string::npos);
  EXPECT_NE(offers("cgrep index --re").find("--rebuild"), std::string::npos);
  EXPECT_EQ(offers("cgrep index --js").find("--json"), std::string::npos);
}

}  // namespace
}  // namespace cgrep::test
