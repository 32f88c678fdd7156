#include "extract/roots.h"

#include <map>

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include "error.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

class RootsTest : public testing::Test {
 protected:
  RootsTest() {
    set("HOME", temp.path() / "home");
    variables["CGREP_WSL_USERS_ROOT"] = "";
  }

  void set(const std::string& name, const fs::path& value) { variables[name] = value.string(); }
  fs::path folder(const fs::path& relative) {
    fs::create_directories(temp.path() / relative);
    return temp.path() / relative;
  }
  Roots find(const std::optional<fs::path>& root = std::nullopt) {
    return find_roots(
        [this](const char* name) {
          const auto found = variables.find(name);
          return found != variables.end() ? std::optional(found->second) : std::nullopt;
        },
        root);
  }

  test::TempDir temp{};
  std::map<std::string, std::string> variables{};
};

TEST_F(RootsTest, FindsWhatIsInAHome) {
  const auto data = folder("home/.cursor");
  const auto ide = folder("home/.config/Cursor");
  const auto config = folder("home/.config/cursor");
  const auto mac = folder("home/Library/Application Support/Cursor");
  const auto remote = folder("home/.cursor-server/data");
  const auto roots = find();
  EXPECT_EQ(roots.data, Paths{data});
  EXPECT_EQ(roots.ide, (Paths{ide, mac, remote}));
  EXPECT_EQ(roots.config, Paths{config});
  EXPECT_EQ(roots.filesystem, fs::path("/"));
}

TEST_F(RootsTest, TellsWhereItLookedWhenThereIsNothing) {
  const auto roots = find();
  EXPECT_TRUE(roots.data.empty() && roots.ide.empty() && roots.config.empty());
  const auto& looked = roots.looked_at;
  for (const char* place : {".cursor", ".config/Cursor", ".config/cursor"})
    EXPECT_EQ(std::count(looked.begin(), looked.end(), temp.path() / "home" / place), 1) << place;
}

TEST_F(RootsTest, ObeysTheVariablesOfCursor) {
  const auto data = folder("home/.cursor");
  const auto moved = folder("moved");
  const auto settings = folder("settings");
  const auto xdg_ide = folder("xdg/Cursor");
  const auto xdg_config = folder("xdg/cursor");
  set("CURSOR_DATA_DIR", moved);
  set("CURSOR_CONFIG_DIR", settings);
  set("XDG_CONFIG_HOME", temp.path() / "xdg");
  const auto roots = find();
  EXPECT_EQ(roots.data, (Paths{moved, data}));
  EXPECT_EQ(roots.ide, Paths{xdg_ide});
  EXPECT_EQ(roots.config, (Paths{settings, xdg_config}));
}

TEST_F(RootsTest, TheAgentsHomeReplacesTheUsualOne) {
  folder("home/.cursor");
  const auto agent = folder("agent");
  set("CURSOR_AGENT_HOME", agent);
  EXPECT_EQ(find().data, Paths{agent});
}

TEST_F(RootsTest, IgnoresEmptyAndRelativeVariables) {
  const auto data = folder("home/.cursor");
  variables["CURSOR_AGENT_HOME"] = "";
  variables["CURSOR_DATA_DIR"] = "relative";
  EXPECT_EQ(find().data, Paths{data});
}

TEST_F(RootsTest, NamesEachFolderOnce) {
  const auto data = folder("home/.cursor");
  folder("home/.config");
  fs::create_symlink(data, temp.path() / "home/.config/cursor");
  set("CURSOR_DATA_DIR", temp.path() / "home" / "." / ".cursor");
  const auto roots = find();
  EXPECT_EQ(roots.data, Paths{data});
  EXPECT_TRUE(roots.config.empty());
}

TEST_F(RootsTest, AFileIsNoRoot) {
  temp.write("home/.cursor", "");
  EXPECT_TRUE(find().data.empty());
}

TEST_F(RootsTest, FindsUsersOfWindows) {
  const auto ide = folder("users/ada/AppData/Roaming/Cursor");
  const auto data = folder("users/ada/.cursor");
  for (const char* nobody : {"Default", "Default User", "Public", "All Users", ".hidden"})
    folder(fs::path("users") / nobody / "AppData/Roaming/Cursor");
  set("CGREP_WSL_USERS_ROOT", temp.path() / "users");
  const auto roots = find();
  EXPECT_EQ(roots.ide, Paths{ide});
  EXPECT_EQ(roots.data, Paths{data});
}

TEST_F(RootsTest, WithoutAHomeItAsksTheSystem) {
  variables.erase("HOME");
  const passwd* user = getpwuid(getuid());
  if (user == nullptr) GTEST_SKIP() << "this user has no entry";
  const auto looked = find().looked_at;
  EXPECT_EQ(std::count(looked.begin(), looked.end(), fs::path(user->pw_dir) / ".cursor"), 1);
}

TEST_F(RootsTest, ACopiedHomeStandsForItself) {
  folder("home/.cursor");
  const auto data = folder("copy/.cursor");
  const auto windows = folder("copy/AppData/Roaming/Cursor");
  set("CURSOR_DATA_DIR", folder("moved"));
  set("XDG_CONFIG_HOME", folder("xdg"));
  folder("xdg/Cursor");
  const auto roots = find(temp.path() / "copy");
  EXPECT_EQ(roots.data, Paths{data});
  EXPECT_EQ(roots.ide, Paths{windows});
  EXPECT_EQ(roots.filesystem, std::nullopt);
}

TEST_F(RootsTest, NothingOutsideOfACopiedHomeIsRead) {
  const auto real = folder("home/.cursor");
  folder("copy");
  fs::create_symlink(real, temp.path() / "copy/.cursor");
  EXPECT_TRUE(find(temp.path() / "copy").data.empty());
}

TEST_F(RootsTest, ACopiedHomeMustExist) {
  EXPECT_THROW(find(temp.path() / "none"), Error);
  EXPECT_THROW(find(temp.write("file", "")), Error);
}

}  // namespace
}  // namespace cgrep
