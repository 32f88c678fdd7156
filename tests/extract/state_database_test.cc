#include "extract/state_database.h"

#include <gtest/gtest.h>

#include "extract/stores.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

class StateDatabaseTest : public testing::Test {
 protected:
  StateDatabaseTest() {
    for (const char* name :
         {"ide/User/globalStorage/state.vscdb", "ide/User/globalStorage/state.vscdb.backup",
          "ide/User/globalStorage/state.vscdb.corrupt.1", "ide/User/workspaceStorage/b/state.vscdb",
          "ide/User/workspaceStorage/a/state.vscdb", "ide/User/workspaceStorage/c/workspace.json",
          "ide/User/workspaceStorage/state.vscdb", "data/state.vscdb"})
      temp.write(name, "");
    temp.write("ide/User/workspaceStorage/d/state.vscdb/x", "");
    roots.ide = {temp.path() / "ide"};
    roots.data = {temp.path() / "data"};
  }

  // What is found, each with its workspace.
  std::string found(Where where) {
    std::vector<Source> sources;
    discover_state_databases(*find_store("prompts"), roots, folders, sources, where);
    std::string text;
    for (const auto& source : sources) {
      text += source.path.lexically_relative(temp.path()).string();
      text += "(" + workspace_of(source) + ") ";
      EXPECT_EQ(source.store, find_store("prompts"));
    }
    return text;
  }

  TempDir temp{};
  Roots roots{};
  Folders folders{};
};

TEST_F(StateDatabaseTest, FindsThoseOfAllWindows) {
  EXPECT_EQ(found(Where::global), "ide/User/globalStorage/state.vscdb() data/state.vscdb() ");
}

TEST_F(StateDatabaseTest, FindsThoseOfWorkspaces) {
  EXPECT_EQ(found(Where::workspaces),
            "ide/User/workspaceStorage/a/state.vscdb(a) "
            "ide/User/workspaceStorage/b/state.vscdb(b) ");
}

TEST_F(StateDatabaseTest, FindsAll) {
  EXPECT_EQ(found(Where::everywhere), found(Where::global) + found(Where::workspaces));
}

}  // namespace
}  // namespace cgrep::test
