#include "extract/state_database.h"

#include <string_view>
#include <utility>

#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "state.vscdb";
constexpr std::string_view kWorkspaces = "workspaceStorage";

class Search {
 public:
  Search(const Store& store, Folders& folders, std::vector<Source>& found)
      : store_(store), folders_(folders), found_(found) {}

  void look_into(const fs::path& folder, const fs::path& root) {
    for (const Entry& entry : folders_.list(folder, root))
      if (entry.name == kName && entry.kind == Entry::Kind::file)
        found_.push_back({.store = &store_, .path = folder / entry.name, .root = root});
  }

  void look_into_each(const fs::path& folder, const fs::path& root) {
    for (const Entry& entry : folders_.list(folder, root))
      if (entry.kind == Entry::Kind::folder) look_into(folder / entry.name, root);
  }

 private:
  const Store& store_;
  Folders& folders_;
  std::vector<Source>& found_;
};

}  // namespace

void discover_state_databases(const Store& store, const Roots& roots, Folders& folders,
                              std::vector<Source>& found, Where where) {
  Search search(store, folders, found);
  if (where != Where::workspaces) {
    for (const auto& root : roots.ide) search.look_into(root / "User" / "globalStorage", root);
    for (const auto& root : roots.data) search.look_into(root, root);
  }
  if (where == Where::global) return;
  for (const auto& root : roots.ide) search.look_into_each(root / "User" / kWorkspaces, root);
}

std::string workspace_of(const Source& source) {
  const auto folder = source.path.parent_path();
  if (folder.parent_path().filename() != kWorkspaces) return {};
  return repaired_utf8(folder.filename().string());
}

Items read_items(SourceDatabase& database, std::span<const std::string_view> keys, Sink& sink) {
  KeyedTable table(database, "ItemTable");
  Items items;
  for (const auto key : keys) {
    auto value = table.value(key);
    const bool too_big = value.state == KeyedValue::State::too_big;
    if (too_big || value.state == KeyedValue::State::damaged) {
      // All keys are looked at whenever the database is read.
      sink.problem({.what = too_big ? "value over 64 MB" : "damaged page",
                    .example = std::string(key),
                    .passing = true});
      items.complete = false;
    }
    items.hash = hash64(value.bytes, items.hash + 1);
    items.values.push_back(std::move(value.bytes));
  }
  return items;
}

}  // namespace cgrep
