// Completion scripts load in their shell and complete, also what only the index knows.
#include <filesystem>

#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "cli/run_cgrep.h"
#include "extract/sqlite.h"
#include "index/history.h"
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
  EXPECT_EQ(offered("cgrep sto"), (Words{"stores", "store:"}));
  EXPECT_EQ(offered("cgrep --ro"), (Words{"--role", "--root"}));
  EXPECT_EQ(offered("cgrep index --re"), (Words{"--rebuild"}));
  EXPECT_EQ(offered("cgrep --sort n"), (Words{"newest"}));
  EXPECT_EQ(offered("cgrep --sort = n"), (Words{"newest"}));
  EXPECT_EQ(offered("cgrep completion f"), (Words{"fish"}));
  EXPECT_EQ(offered("cgrep --store stores sto"), (Words{"stores", "store:"}));
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

// A history with a project whose name has a space, a model and a tool.
class LiveCompletionTest : public HistoryHome {
 protected:
  LiveCompletionTest() {
    conversation("aaaaaaaa-0000-4000-8000-000000000001",
                 {{"user", "first", "Saturday, Aug 1, 2026, 10:22 AM (UTC+0)"}});
    conversation("bbbbbbbb-0000-4000-8000-000000000002",
                 {{"user", "second", "Sunday, Aug 2, 2026, 10:22 AM (UTC+0)"}});
    index_ = (home_.path() / "index").string();
    EXPECT_EQ(cgrep({"index", "-q", "--index", index_}).code, 0);
    const auto sql =
        "update conversations set project='/home/ada/my project', model='sonnet-9', "
        "title='A' || char(27) || ' title' where key like 'aaaa%';"
        "update conversations set project='/home/ada/' || char(10) || 'x' where key like 'bbbb%';"
        "update documents set tool='run_terminal_cmd';";
    History(index_, History::Mode::write).database().exec(sql);
    bin_ = std::filesystem::path(CGREP_BINARY).parent_path().string();
  }

  // Runs a script of the shell, with the completion script as $1.
  std::vector<std::string> offered(const std::string& shell, const std::string& script) {
    const auto file = home_.write("completion", run_cgrep({"completion", shell}).out).string();
    const auto main = home_.write("main", script).string();
    auto environment = options();
    environment.environment["CGREP_INDEX"] = index_;
    environment.environment["BIN"] = bin_;
    const auto words = shell == "bash" ? std::vector<std::string>{"bash", "--norc", main, file}
                       : shell == "zsh"
                           ? std::vector<std::string>{"zsh", "-f", main, file}
                           : std::vector<std::string>{"fish", "--no-config", main, file};
    const auto result = run_program(words, environment);
    EXPECT_EQ(result.err, "");
    return lines_of(result.out);
  }

  std::string index_{};
  std::string bin_{};
};

TEST_F(LiveCompletionTest, ValuesOfTheIndexAreHarmless) {
  const auto values = [&](const std::string& kind, const std::string& typed = "") {
    auto environment = options();
    environment.environment["CGREP_INDEX"] = index_;
    const auto result = run_cgrep({"completion", "values", kind, typed}, environment);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    return result.out;
  };
  EXPECT_EQ(values("projects"), "my project\n");  // none with a line end
  EXPECT_EQ(values("projects", "ada/m"), "ada/my project\n");
  EXPECT_EQ(values("projects", "/home/a"), "/home/ada/my project\n");
  EXPECT_EQ(values("models"), "sonnet-9\n");
  EXPECT_EQ(values("tools"), "Shell\n");
  EXPECT_EQ(values("addresses"), "bbbbbbbb\tsecond\naaaaaaaa\tA^[ title\n");
  EXPECT_EQ(values("nonsense"), "");
  // No index, and a config that is wrong: silent.
  EXPECT_EQ(cgrep({"completion", "values", "projects"}).out, "");
  home_.write(".config/cgrep/config", "nonsense = 1\n");
  EXPECT_EQ(values("projects"), "");
  home_.write(".config/cgrep/config", "index = " + index_ + "\n");
  EXPECT_EQ(cgrep({"completion", "values", "models"}).out, "sonnet-9\n");
  EXPECT_FALSE(std::filesystem::exists(home_.path() / ".local"));  // nothing was made
}

TEST_F(LiveCompletionTest, Bash) {
  EXPECT_EQ(offered("bash", R"(PATH=$BIN:$PATH; source "$1"
try() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _cgrep
  local IFS='|'; echo "${COMPREPLY[*]}"
}
try cgrep -p m
try cgrep -p '"m'
try cgrep -p 'my\ pro'
try cgrep --project = m
try cgrep -p 'x,!m'
try cgrep --tool = S
try cgrep show ''
try cgrep --conversation a
try cgrep show --index /nowhere a
try cgrep --role '!tool-c'
try cgrep x ro
unset CGREP_INDEX; try cgrep --index = "$HOME/index" -p m
)"),
            (Words{R"(my\ project)", "my project", R"(my\ project)", R"(my\ project)",
                   R"(x,!my\ project)", "Shell", "bbbbbbbb|aaaaaaaa", "aaaaaaaa", "", "!tool-call",
                   "role:", R"(my\ project)"}));
}

TEST_F(LiveCompletionTest, Fish) {
  if (!has("fish")) GTEST_SKIP() << "fish is not installed";
  EXPECT_EQ(offered("fish", R"fish(set PATH $BIN $PATH; source $argv[1]
for line in 'cgrep -p m' 'cgrep --project=m' 'cgrep -p x,m' 'cgrep --role=\'!tool-c\'' \
    'cgrep --role user,assi' 'cgrep --tool S' 'cgrep show ' 'cgrep --index /nowhere -p m' \
    'cgrep x ro' 'cgrep --store=tran'
    echo "$(string join -- '|' (complete -C $line | string replace -r '\t.*' ''))"
end
complete -C 'cgrep show a' | string replace \t =
)fish"),
            (Words{"my project", "--project=my project", "x,my project", "--role=!tool-call",
                   "user,assistant", "Shell", "bbbbbbbb|aaaaaaaa", "",
                   "role:", "--store=transcripts", "aaaaaaaa=A^[ title"}));
}

// zsh completes only at a prompt: one is driven on a pseudo-terminal, and tells its line.
TEST_F(LiveCompletionTest, Zsh) {
  if (!has("zsh")) GTEST_SKIP() << "zsh is not installed";
  EXPECT_EQ(offered("zsh", R"(path=($BIN $path); zmodload zsh/zpty || exit 1
zpty shell "PATH=$PATH TERM=dumb zsh -f -i"
zpty -w shell "PS1= PS2= ; unsetopt beep zle_bracketed_paste; autoload -U compinit && compinit -u -D"
zpty -w shell "source $1; show() { print -r -- \"<<\$BUFFER>>\" >> $HOME/told; BUFFER= }"
zpty -w shell "zle -N show; bindkey '^T' show; bindkey '^I' complete-word; setopt no_bang_hist"
for line in 'cgrep -p m' 'cgrep --project=m' 'cgrep -p x,m' 'cgrep --role \!tool-c' \
    'cgrep --role user,assi' 'cgrep --tool S' 'cgrep show a' 'cgrep --index /nowhere -p m' \
    'cgrep x ro' 'cgrep --store=tran'; do
  zpty -w -n shell "$line"$'\t\x14'
done
zpty -w shell ''
zpty -w shell 'exit'
while zpty -r shell output; do :; done
cat $HOME/told
)"),
            (Words{R"(<<cgrep -p my\ project >>)", R"(<<cgrep --project=my\ project >>)",
                   R"(<<cgrep -p x,my\ project >>)", "<<cgrep --role !tool-call >>",
                   "<<cgrep --role user,assistant >>", "<<cgrep --tool Shell >>",
                   "<<cgrep show aaaaaaaa >>", "<<cgrep --index /nowhere -p m>>",
                   "<<cgrep x role:>>", "<<cgrep --store=transcripts >>"}));
}

}  // namespace
}  // namespace cgrep::test
