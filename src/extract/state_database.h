// Where the IDE keeps its databases: one for all windows, and one per workspace.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/source_database.h"
#include "extract/store.h"

namespace cgrep {

enum class Where : std::uint8_t {
  global,      // <ide>/User/globalStorage/state.vscdb; very old ones lie in ~/.cursor
  workspaces,  // <ide>/User/workspaceStorage/<hash>/state.vscdb
  everywhere,
};

/// Adds those that exist, as sources of the store. Backups and damaged copies that Cursor put aside
/// have other names.
void discover_state_databases(const Store& store, const Roots& roots, Folders& folders,
                              std::vector<Source>& found, Where where);

/// The <hash> of a workspace's database; empty for a global one.
std::string workspace_of(const Source& source);

/// Values of the IDE's ItemTable.
struct Items {
  std::vector<std::string> values{};  // in the order of the keys; empty where there is none
  std::uint64_t hash = 0;             // of all of them
  bool complete = true;               // none had to be left out
};

/// Reads the values of these keys and no other: among the others are secrets.
Items read_items(SourceDatabase& database, std::span<const std::string_view> keys, Sink& sink);

}  // namespace cgrep
