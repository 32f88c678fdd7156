// Where the IDE keeps its state.vscdb: several stores are in them.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/store.h"

namespace cgrep {

/// Adds the global ones as sources of the store; with `workspaces` those of workspaces, too.
void discover_state_databases(const Store& store, const Roots& roots, Folders& folders,
                              std::vector<Source>& found, bool workspaces);

}  // namespace cgrep
