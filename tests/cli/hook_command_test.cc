// cgrep hook install, uninstall, status: files of the user, changed and restored.
#include <filesystem>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/history_home.h"
#include "extract/json.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::string> kFiles = {{"cursor", ".cursor/hooks.json"},
                                                   {"bash", ".bashrc"},
                                                   {"zsh", ".zshrc"},
                                                   {"fish", ".config/fish/conf.d/cgrep.fish"}};

class HookCommandTest : public HistoryHome {
 protected:
  fs::path file(const std::string& name) const { return home_.path() / kFiles.at(name); }

  RunResult install(const std::string& name) { return cgrep({"hook", "install", name}); }
  RunResult uninstall(const std::string& name) { return cgrep({"hook", "uninstall", name}); }

  static mode_t mode_of(const fs::path& path) {
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
  }

  /// Names of all files and folders in the home.
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(home_.path()))
      found.insert(entry.path().lexically_relative(home_.path()).string());
    return found;
  }

  /// The member of the status of a hook.
  Json status(const std::string& name, const RunResult& result) {
    for (const auto& line : lines_of(result.out)) {
      const auto event = Json::parse(line);
      if (event && event->find("data")->text("name") == name) return *event->find("data");
    }
    return {};
  }
};

TEST_F(HookCommandTest, ComesAndGoesWhereNothingWas) {
  for (const auto& [name, path] : kFiles) {
    fs::create_directories(file(name).parent_path());
    const auto before = names();
    const auto installed = install(name);
    EXPECT_EQ(installed.code, 0) << installed.err;
    EXPECT_EQ(installed.out, fmt::format("{:<7} installed in {}\n", name, file(name).string()));
    const auto text = read_file(file(name));
    EXPECT_NE(text.find(CGREP_BINARY), std::string::npos) << text;
    EXPECT_EQ(install(name).out, fmt::format("{:<7} already in {}\n", name, file(name).string()));
    EXPECT_EQ(read_file(file(name)), text);
    EXPECT_EQ(uninstall(name).out,
              fmt::format("{:<7} removed from {}\n", name, file(name).string()));
    EXPECT_EQ(names(), before) << name;
    EXPECT_EQ(uninstall(name).out, fmt::format("{:<7} not in {}\n", name, file(name).string()));
  }
}

TEST_F(HookCommandTest, RestoresTheBytesTheModeAndTheLink) {
  const std::map<std::string, std::string> texts = {
      {"cursor", "{\n \"version\":1 ,\"hooks\" : { \"stop\":[ {\"command\":\"./x\"} ] }\n}"},
      {"bash", "export A=1"},
      {"zsh", "\n\nexport A=1\n"},
      {"fish", ""}};
  for (const auto& [name, text] : texts) {
    const auto real = home_.write("dotfiles/" + name, text);
    chmod(real.c_str(), 0640);
    fs::create_directories(file(name).parent_path());
    fs::create_symlink(real, file(name));
    const auto before = names();
    EXPECT_EQ(install(name).code, 0);
    EXPECT_NE(read_file(real), text);
    EXPECT_EQ(names(), before);
    EXPECT_TRUE(fs::is_symlink(file(name)));
    EXPECT_EQ(mode_of(real), 0640u);
    EXPECT_EQ(uninstall(name).code, 0);
    EXPECT_EQ(read_file(real), text) << name;
    EXPECT_TRUE(fs::is_symlink(file(name)));
    EXPECT_EQ(mode_of(real), 0640u);
  }
}

TEST_F(HookCommandTest, ADamagedFileIsAnErrorAndStaysAsItIs) {
  const std::map<std::string, std::string> damaged = {{"cursor", "{ // my hooks\n}"},
                                                      {"bash", "a\n# >>> cgrep hook >>>\n"}};
  for (const auto& [name, text] : damaged)
    for (const char* action : {"install", "uninstall"}) {
      home_.write(kFiles.at(name), text);
      const auto result = cgrep({"hook", action, name});
      EXPECT_EQ(result.code, 2) << name;
      EXPECT_EQ(lines_of(result.err).size(), 2u) << result.err;
      EXPECT_NE(result.err.find(file(name).string()), std::string::npos) << result.err;
      EXPECT_EQ(read_file(file(name)), text);
    }
  const auto result = cgrep({"hook", "status", "--json"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(status("cursor", result).find("problem")->string(), nullptr) << result.out;
  EXPECT_TRUE(status("zsh", result).find("problem")->is_null());
}

TEST_F(HookCommandTest, SaysWhatIsInstalledWhere) {
  auto result = cgrep({"hook", "status"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(lines_of(result.out).front(),
            fmt::format("cursor  not installed  {}", file("cursor").string()));
  EXPECT_EQ(cgrep({"hook", "install", "cursor", "bash"}).code, 0);
  home_.write(".zshrc", "# >>> cgrep hook >>>\neval old\n# <<< cgrep hook <<<\n");
  result = cgrep({"hook", "status", "--json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(status("cursor", result).text("command"), CGREP_BINARY + std::string(" hook run"));
  for (const char* name : {"cursor", "bash"}) {
    EXPECT_EQ(status(name, result).find("installed")->boolean(), true);
    EXPECT_EQ(status(name, result).find("current")->boolean(), true);
    EXPECT_EQ(status(name, result).text("file"), file(name).string());
  }
  EXPECT_EQ(status("zsh", result).find("installed")->boolean(), true);
  EXPECT_EQ(status("zsh", result).find("current")->boolean(), false);
  EXPECT_EQ(status("fish", result).find("installed")->boolean(), false);
}

TEST_F(HookCommandTest, FindsTheFilesByTheEnvironmentOrTheRoot) {
  auto environment = options();
  environment.environment["ZDOTDIR"] = (home_.path() / "z").string();
  environment.environment["XDG_CONFIG_HOME"] = (home_.path() / "x").string();
  EXPECT_EQ(run_cgrep({"hook", "install", "zsh", "fish"}, environment).code, 0);
  EXPECT_TRUE(fs::exists(home_.path() / "z/.zshrc"));
  EXPECT_TRUE(fs::exists(home_.path() / "x/fish/conf.d/cgrep.fish"));
  fs::create_directories(home_.path() / "copy");
  EXPECT_EQ(run_cgrep({"hook", "install", "zsh", "--root", "copy"}, environment).code, 0);
  EXPECT_TRUE(fs::exists(home_.path() / "copy/.zshrc"));
  environment.environment.erase("HOME");
  EXPECT_EQ(run_cgrep({"hook", "status"}, environment).code, 2);
}

TEST_F(HookCommandTest, QuotesThePathAndPrefersTheNameInPath) {
  fs::create_directories(home_.path() / "it's a bin");
  fs::create_symlink(CGREP_BINARY, home_.path() / "it's a bin/cgrep");
  EXPECT_EQ(shell(R"(PATH="$HOME/it's a bin:$PATH"; cgrep hook install cursor)").code, 0);
  const auto json = Json::parse(read_file(file("cursor")));
  const auto command =
      std::string(json->find("hooks")->find("stop")->array()->front().text("command"));
  EXPECT_TRUE(command.ends_with("/it'\\''s a bin/cgrep' hook run")) << command;
  // Another binary of it takes its place.
  EXPECT_EQ(install("cursor").code, 0);
  EXPECT_EQ(read_file(file("cursor")).find("it's"), std::string::npos);
  EXPECT_EQ(uninstall("cursor").code, 0);
  EXPECT_FALSE(fs::exists(file("cursor")));
}

TEST_F(HookCommandTest, AFailedWriteLeavesTheOldFileAndNoOther) {
  if (geteuid() != 0) {
    const auto before = home_.write(".bashrc", "a\n");
    fs::permissions(home_.path(), fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(install("bash").code, 2);
    fs::permissions(home_.path(), fs::perms::owner_all);
    EXPECT_EQ(read_file(before), "a\n");
  }
  // No file may grow: what is written is cut off.
  const auto file = home_.write(".zshrc", std::string(4096, '#'));
  const auto names_before = names();
  const auto result = shell("ulimit -f 4; trap '' XFSZ; \"$CGREP\" hook install zsh");
  EXPECT_EQ(result.code, 2) << result.out;
  EXPECT_EQ(read_file(file), std::string(4096, '#'));
  EXPECT_EQ(names(), names_before);
}

TEST_F(HookCommandTest, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(cgrep({"hook"}).code, 2);
  EXPECT_EQ(cgrep({"hook", "install"}).code, 2);
  EXPECT_EQ(cgrep({"hook", "print", "cursor"}).code, 2);
  EXPECT_EQ(cgrep({"hook", "status", "bash"}).code, 2);
  const auto result = cgrep({"hook", "instal", "bash"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("did you mean 'install'?"), std::string::npos) << result.err;
  EXPECT_NE(cgrep({"hook", "install", "curser"}).err.find("'cursor'"), std::string::npos);
}

}  // namespace
}  // namespace cgrep::test
