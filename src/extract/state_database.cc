#include "extract/state_database.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

// By its whole name: state.vscdb.backup and *.corrupt* beside it are old, and can be huge.
constexpr std::string_view kName = "state.vscdb";

void add_from(const fs::path& folder, const fs::path& root, const Store& store, Folders& folders,
              std::vector<Source>& found) {
  for (const Entry& entry : folders.list(folder, root))
    if (entry.name == kName && entry.kind == Entry::Kind::file)
      found.push_back({.store = &store, .path = folder / entry.name, .root = root});
}

}  // namespace

void discover_state_databases(const Store& store, const Roots& roots, Folders& folders,
                              std::vector<Source>& found, bool workspaces) {
  for (const auto& root : roots.ide) {
    add_from(root / "User" / "globalStorage", root, store, folders, found);
    if (!workspaces) continue;
    const auto storage = root / "User" / "workspaceStorage";
    for (const Entry& workspace : folders.list(storage, root))
      if (workspace.kind == Entry::Kind::folder)
        add_from(storage / workspace.name, root, store, folders, found);
  }
  for (const auto& root : roots.data) add_from(root, root, store, folders, found);
}

}  // namespace cgrep
