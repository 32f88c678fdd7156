// Salvage: a damaged history.db becomes one that can be read, with the rows that still could.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>

namespace cgrep {

/// Whether there is a history.db, and SQLite finds fault with it. Reads all of it.
bool is_damaged(const std::filesystem::path& folder);

/// Puts a new history.db in its place and keeps the old one aside. The ledger says that nothing was
/// read, and there are no runs. Returns how many documents were saved.
std::size_t salvage(const std::filesystem::path& folder);

/// Where the old one is kept.
std::filesystem::path kept_aside(const std::filesystem::path& folder);

/// Removes what was kept aside; whether there was any.
bool remove_kept_aside(const std::filesystem::path& folder);

}  // namespace cgrep
