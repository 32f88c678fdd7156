#include "extract/state_database.h"

#include <string_view>
#include <utility>

#include "extract/source_search.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kName = "state.vscdb";
constexpr std::string_view kWorkspaces = "workspaceStorage";

}  // namespace

void discover_state_databases(const Store& store, const Roots& roots, Folders& folders,
                              std::vector<Source>& found, Where where) {
  SourceSearch search(store, folders, found);
  if (where != Where::workspaces) {
    for (const auto& root : roots.ide)
      search.add_file(root / "User" / "globalStorage", kName, root);
    for (const auto& root : roots.data) search.add_file(root, kName, root);
  }
  if (where == Where::global) return;
  for (const auto& root : roots.ide)
    search.for_each_folder(root / "User" / kWorkspaces, root,
                           [&](const auto& workspace) { search.add_file(workspace, kName, root); });
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
