// cgrep hook print, in real shells: bash, zsh and fish must be there (scripts/install-deps test).
#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "index/checks.h"
#include "support/eventually.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

// A name that no shell takes for one word unless it is quoted.
constexpr const char* kBin = "it's \"a\" $bin \\";

class ShellHooksTest : public HistoryHome {
 protected:
  ShellHooksTest() {
    fs::create_directories(bin());
    fs::create_symlink(CGREP_BINARY, bin() / "cgrep");
    for (const char* shell : {"bash", "zsh", "fish"})
      home_.write(fmt::format("hook.{}", shell), code_for(shell));
    // From now on it only notes how it was called, and what it has open.
    fs::remove(bin() / "cgrep");
    home_.write(fs::path(kBin) / "cgrep",
                "#!/bin/sh\n"
                "line=\"$* $(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2 | sort -u)\"\n"
                "echo \"$line\" >> \"$HOME/calls\"\n");
    fs::permissions(bin() / "cgrep", fs::perms::owner_all);
  }

  fs::path bin() const { return home_.path() / kBin; }

  std::string code_for(const std::string& shell) const {
    auto environment = options();
    environment.environment["BIN"] = bin().string();
    return run_shell(R"(PATH="$BIN:$PATH" cgrep hook print )" + shell, environment).out;
  }

  /// What a shell shows that is started on a terminal, and typed at.
  std::string typed_at(const std::string& command, const std::string& typed) {
    auto environment = options();
    environment.environment["TERM"] = "dumb";
    environment.environment["ZDOTDIR"] = home_.path().string();
    home_.write("typed", typed);
    const auto result =
        run_shell(fmt::format("script -qec '{}' /dev/null < typed", command), environment);
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    return result.out;
  }

  std::string told() const { return read_file(home_.path() / "told"); }

  bool was_called(std::size_t times) const {
    return eventually([&] { return calls().size() >= times; });
  }
  std::vector<std::string> calls() const {
    return fs::exists(home_.path() / "calls") ? lines_of(read_file(home_.path() / "calls"))
                                              : std::vector<std::string>();
  }

  static void expect_no_jobs(const std::string& shown) {
    for (const char* sign : {"[1]", "Done", "done", "has ended", "suspended", "Exit"})
      EXPECT_EQ(shown.find(sign), std::string::npos) << sign << " in " << shown;
  }
};

constexpr const char* kBash = "bash --noprofile --rcfile rc -i";
constexpr const char* kZsh = "zsh -d -i";
constexpr const char* kCall = "index --quiet --lazy /dev/null";

TEST_F(ShellHooksTest, BashAtAPrompt) {
  home_.write("rc",
              "PS1='$ '; source hook.bash; source hook.bash; PROMPT_COMMAND+=$'\\nafter=$?'\n"
              "trap 'echo trapped $? >> told' ERR; trap 'echo bye >> told' EXIT\n");
  const auto shown = typed_at(kBash,
                              "(exit 7)\necho \"<$? $after>\" >> told\n"
                              "false | true\necho \"${PIPESTATUS[*]}\" >> told\n"
                              "set -u\necho word\necho \"$_\" >> told\nexit 0\n");
  EXPECT_EQ(told(), "trapped 7\n<7 7>\n1 0\nword\nbye\n") << shown;
  ASSERT_TRUE(was_called(8)) << shown;
  for (const auto& call : calls()) EXPECT_EQ(call, kCall);
  EXPECT_EQ(calls().size(), 8u) << "once for each prompt";
  expect_no_jobs(shown);
}

TEST_F(ShellHooksTest, BashKeepsTheCommandsOfOthers) {
  for (const char* theirs : {"seen=$?", "seen=$?;", "seen=$? ; # mine", "\\nseen=$?\\n"}) {
    home_.write("rc", fmt::format("PROMPT_COMMAND=$'{}'\nsource hook.bash\n", theirs));
    const auto shown = typed_at(kBash, "(exit 7)\necho \"<$seen>\" > told\nexit 0\n");
    EXPECT_EQ(told(), "<7>\n") << shown;
    EXPECT_EQ(shown.find("syntax error"), std::string::npos) << shown;
  }
  EXPECT_TRUE(was_called(4 * 3));
}

TEST_F(ShellHooksTest, BashWithAListOfCommands) {
  home_.write("rc",
              "PROMPT_COMMAND=('a=$?' 'b=$?')\n"
              "source hook.bash; source hook.bash; PROMPT_COMMAND+=('c=$?')\n");
  const auto shown =
      typed_at(kBash, "(exit 7)\necho \"<$a $b $c> ${#PROMPT_COMMAND[@]}\" >> told\nexit 0\n");
  EXPECT_EQ(told(), "<7 7 7> 4\n");
  ASSERT_TRUE(was_called(3));
  expect_no_jobs(shown);
}

// `! true` fails, and is no reason to leave; a hook that fails would be one.
TEST_F(ShellHooksTest, BashThatLeavesOnErrorsStays) {
  home_.write("rc", "set -eu\nsource hook.bash\n");
  const auto shown = typed_at(kBash, "! true\necho \"$?\" >> told\nexit 0\n");
  EXPECT_EQ(told(), "1\n") << shown;
  EXPECT_TRUE(was_called(3));
}

TEST_F(ShellHooksTest, BashWhosePromptIsReadonly) {
  home_.write("rc", "readonly PROMPT_COMMAND='x=1'\nsource hook.bash\n");
  const auto shown = typed_at(kBash, "echo \"$PROMPT_COMMAND\" >> told\nexit 0\n");
  EXPECT_EQ(told(), "x=1\n");
  EXPECT_EQ(shown.find("readonly variable"), std::string::npos) << shown;
}

TEST_F(ShellHooksTest, ZshAtAPrompt) {
  home_.write(".zshrc",
              "PS1='$ '; unsetopt zle prompt_cr prompt_sp\nbefore() { b=$? }\nafter() { a=$? }\n"
              "precmd_functions=(before)\nsource hook.zsh; source hook.zsh\n"
              "precmd_functions+=(after)\nsetopt ksh_arrays\n");
  const auto shown = typed_at(kZsh,
                              "(exit 7)\necho \"<$? $b $a> ${#precmd_functions[@]}\" >> told\n"
                              "false | true\necho \"${pipestatus[*]}\" >> told\n"
                              "TRAPZERR() { echo trapped >> told }\nset -u\nfalse\ntrue\nexit 0\n");
  EXPECT_EQ(told(), "<7 7 7> 3\n1 0\ntrapped\n") << shown;
  ASSERT_TRUE(was_called(9)) << shown;
  for (const auto& call : calls()) EXPECT_EQ(call, kCall);
  EXPECT_EQ(calls().size(), 9u) << "once for each prompt";
  expect_no_jobs(shown);
}

TEST_F(ShellHooksTest, ZshThatLeavesOnErrorsStays) {
  home_.write(".zshrc", "unsetopt zle\nset -eu\nsource hook.zsh\n");
  const auto shown = typed_at(kZsh, "! true\necho \"$?\" >> told\nexit 0\n");
  EXPECT_EQ(told(), "1\n") << shown;
  EXPECT_TRUE(was_called(3));
}

TEST_F(ShellHooksTest, FishAtAPrompt) {
  const auto shown =
      typed_at("fish --no-config -i -C \"source hook.fish; source hook.fish\"",
               "fish -c 'exit 7'\necho \"<$status>\" >> told\nfalse | true\necho $pipestatus >> "
               "told\nexit 0\n");
  EXPECT_EQ(told(), "<7>\n1 0\n") << shown;
  ASSERT_TRUE(was_called(5)) << shown;
  for (const auto& call : calls()) EXPECT_EQ(call, kCall);
  expect_no_jobs(shown);
}

TEST_F(ShellHooksTest, ScriptsAreLeftAlone) {
  for (const char* line :
       {"set -eu; source hook.bash; echo \"${PROMPT_COMMAND-none}\"; declare -F",
        "exec zsh -f -c 'set -eu; source hook.zsh; echo ${precmd_functions-none}'",
        "exec fish --no-config -c 'source hook.fish; functions -q __cgrep_hook; or echo none'"}) {
    const auto result = shell(line);
    EXPECT_EQ(result.out, "none\n") << line;
    EXPECT_EQ(result.err, "") << line;
    EXPECT_EQ(result.code, 0) << line;
  }
  EXPECT_TRUE(calls().empty());
}

// From the rc files that install wrote, with the real binary, to an index.
TEST_F(ShellHooksTest, InstalledItIndexesAtAPrompt) {
  conversation("11111111-aaaa-4000-8000-000000000001", {{"user", "a needle"}});
  const auto checked = home_.path() / ".local/share/cgrep/checked";
  for (const std::string name : {"bash", "zsh", "fish"}) {
    ASSERT_EQ(cgrep({"hook", "install", name}).code, 0);
    fs::remove_all(home_.path() / ".local/share/cgrep");
    const auto shown = typed_at(name + " -i", "exit 0\n");
    EXPECT_TRUE(eventually([&] { return fs::exists(checked); })) << shown;
    EXPECT_EQ(cgrep({"-q", "--refresh", "never", "needle"}).code, 0) << name;
    expect_no_jobs(shown);
  }
}

TEST_F(ShellHooksTest, InstalledItIsSilentWhenTheBinaryIsGone) {
  fs::remove(bin() / "cgrep");
  fs::create_symlink(CGREP_BINARY, bin() / "cgrep");
  auto environment = options();
  environment.environment["BIN"] = bin().string();
  run_shell(R"(PATH="$BIN:$PATH"; cgrep hook install bash zsh fish)", environment);
  fs::remove_all(bin());
  for (const std::string name : {"bash", "zsh", "fish"}) {
    const auto shown =
        typed_at(name + " -i", "echo \"<$" + std::string(name == "fish" ? "status" : "?") +
                                   ">\" >> told\nexit 0\n");
    EXPECT_EQ(shown.find("cgrep"), std::string::npos) << shown;
  }
  EXPECT_EQ(told(), "<0>\n<0>\n<0>\n");
}

}  // namespace
}  // namespace cgrep::test
