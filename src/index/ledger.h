// The ledger: what has been read of which source, and how the folders looked on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "extract/folders.h"
#include "extract/store.h"

namespace cgrep {

class Database;

/// The state of a file when it was read, as stat said before.
struct Fingerprint {
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Absent when the file is.
std::optional<Fingerprint> fingerprint_of(const std::filesystem::path& path);

/// Since 1970, by the clock of files.
std::int64_t now_ns();

/// A file can change again without its mtime moving, while it is this young. What is noted of so
/// young a file never equals what stat says, so that it is looked at again.
inline constexpr std::int64_t kYoungNs = 2'000'000'000;
Fingerprint unless_young(Fingerprint fingerprint, std::int64_t now_ns);

struct LedgerEntry {
  std::int64_t row = 0;
  int version = 0;  // of the extractor that read it
  Fingerprint file{};
  Fingerprint wal{};
  std::string mark{};
  bool missing = false;
};

using Ledger = std::map<std::filesystem::path, LedgerEntry, PathOrder>;

/// All sources of a store that were ever read.
Ledger load_ledger(Database& database, const Store& store);

std::optional<LedgerEntry> load_ledger_entry(Database& database, const Store& store,
                                             const std::filesystem::path& path);

Folders::Known load_folders(Database& database);

/// Writes the listings that differ from those known before, and forgets folders that are gone.
void save_folders(Database& database, const Folders::Known& before, const Folders::Known& now);

}  // namespace cgrep
