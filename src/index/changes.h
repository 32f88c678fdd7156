// What changed since the ledger was written: discovery, compared with it by stat.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/store.h"
#include "index/excluded_projects.h"
#include "index/history.h"
#include "index/ledger.h"
#include "index/look.h"
#include "index/seen.h"
#include "index/update.h"

namespace cgrep {

/// Stores that are read, given what was asked for and what the history opted into or out of.
std::vector<const Store*> stores_to_read(History& history, const UpdateOptions& options);
bool is_opted_out(History& history, const Store& store);

/// A source that has to be read, and its state before that.
struct ChangedSource {
  Source source{};
  Fingerprint file{};
  Fingerprint wal{};
  StoreSummary* summary = nullptr;
  std::size_t seen = 0;  // its place in Changes::seen()
  bool unknown = false;  // the ledger has no such source
};

/// What it is given must live longer.
class Changes {
 public:
  Changes(History& history, const Roots& roots, const UpdateOptions& options)
      : history_(history), roots_(roots), options_(options) {}

  /// Looks for the sources of one store; counts them in `summary`, which must stay where it is.
  void find(const Store& store, StoreSummary& summary);

  /// Instead: takes from a look what it found of the store.
  void take(const Looked& looked, const Store& store, StoreSummary& summary);

  /// All sources that were found or taken, with the states that the ledger has of them.
  std::vector<SeenSource>& seen() { return seen_; }
  /// The numbers of those that were taken.
  const std::vector<std::uint32_t>& taken() const { return taken_; }
  bool left_some() const { return left_some_; }  // as they are kept out

  std::vector<ChangedSource>& sources() { return sources_; }

  /// Rows of the ledger whose source is certain to be gone.
  const std::vector<std::pair<std::int64_t, StoreSummary*>>& vanished() const { return vanished_; }

  /// Of the stores that nobody opted into: how much there is.
  std::vector<LeftOut> find_left_out(const std::vector<const Store*>& opted_in);

  /// Known before, and as they are.
  const Folders::Known& known_folders() const { return known_; }
  Folders& folders();

 private:
  bool is_wanted(const std::filesystem::path& path) const;
  bool is_excluded(const Source& source);
  bool root_is_there(const std::filesystem::path& path);
  void compare(ChangedSource source, const LedgerEntry* entry);
  void find_vanished(const Ledger& ledger, const std::set<std::filesystem::path, PathOrder>& found,
                     StoreSummary& summary);

  History& history_;
  const Roots& roots_;
  const UpdateOptions& options_;
  Folders::Known known_{};
  std::optional<Folders> folders_{};  // made when it is asked for
  ExcludedProjects excluded_{history_.database(), options_.exclude};
  std::map<std::filesystem::path, bool, PathOrder> empty_roots_{};  // those looked at
  std::vector<ChangedSource> sources_{};
  std::vector<SeenSource> seen_{};
  std::vector<std::uint32_t> taken_{};
  bool left_some_ = false;
  std::vector<std::pair<std::int64_t, StoreSummary*>> vanished_{};
};

}  // namespace cgrep
