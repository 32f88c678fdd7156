// What corpus/ cannot show of plans: those that lie in projects, which --root does not look into.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

class PlansTest : public testing::Test {
 protected:
  PlansTest() {
    roots.data = {temp.path() / ".cursor"};
    roots.ide = {temp.path() / "ide"};
    roots.filesystem = "/";
  }

  void open(const std::string& hash, const std::string& uri) {
    temp.write("ide/User/workspaceStorage/" + hash + "/workspace.json",
               R"({"folder": ")" + uri + "\"}");
  }
  std::string uri(const std::string& folder) { return "file://" + (temp.path() / folder).string(); }

  std::vector<Source> discover() {
    Folders folders;
    std::vector<Source> found;
    find_store("plans")->discover(roots, folders, found);
    return found;
  }
  std::string found() {
    std::string paths;
    for (const auto& source : discover())
      paths += source.path.lexically_relative(temp.path()).string() + " ";
    return paths;
  }

  TempDir temp{};
  Roots roots{};
};

TEST_F(PlansTest, LooksIntoProjectsThatWereOpen) {
  temp.write("app/.cursor/plans/a.plan.md", "x");
  temp.write("my app/.cursor/plans/b.plan.md", "x");
  temp.write("other/.cursor/plans/c.plan.md", "x");
  open("w1", uri("my%20app"));
  open("w2", uri("app"));
  open("w3", uri("app/"));
  EXPECT_EQ(found(), "app/.cursor/plans/a.plan.md my app/.cursor/plans/b.plan.md ");
  roots.filesystem.reset();
  EXPECT_EQ(found(), "");
}

TEST_F(PlansTest, LeavesOutCheckoutsTheHomeAndOtherMachines) {
  temp.write(".cursor/plans/home.plan.md", "x");
  temp.write(".cursor/worktrees/app/a1/.cursor/plans/a.plan.md", "x");
  temp.write("app/.cursor/plans/a.plan.md", "x");
  open("w1", uri(""));
  open("w2", uri(".cursor/worktrees/app/a1"));
  open("w3", "vscode-remote://wsl+ubuntu" + (temp.path() / "app").string());
  open("w4", "app");
  open("w5", uri("app%00/x"));
  temp.write("ide/User/workspaceStorage/w6/workspace.json", "{");
  EXPECT_EQ(found(), ".cursor/plans/home.plan.md ");
}

TEST_F(PlansTest, BelongsToItsProject) {
  temp.write("app/.cursor/plans/a.plan.md", "# Gears\n");
  open("w1", uri("app"));
  const auto sources = discover();
  ASSERT_EQ(sources.size(), 1u);
  PrintingSink sink;
  find_store("plans")->extract(sources[0], sink);
  EXPECT_EQ(sink.text(),
            "whole a\na plan - key=a.plan.md \"# Gears\"\na claim title=Gears @26\n"
            "a claim seen @50\na claim project=" +
                (temp.path() / "app").string() + " @45\n");
}

}  // namespace
}  // namespace cgrep::test
