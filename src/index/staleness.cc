#include "index/staleness.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "extract/folders.h"
#include "extract/store.h"
#include "extract/stores.h"
#include "index/history.h"
#include "index/ledger.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

bool is_under_any(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
    const auto [end, ignored] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
  });
}

bool is_read(const Store& store, const std::vector<const Store*>& opted_in) {
  if (!store.readable()) return false;
  return store.searched != Searched::when_named ||
         std::find(opted_in.begin(), opted_in.end(), &store) != opted_in.end();
}

// As update() decides it (update.cc): another fingerprint, or another version of the extractor.
bool is_stale(const Source& source, const Ledger& ledger) {
  const auto file = fingerprint_of(source.path);
  if (!file) return false;
  const auto entry = ledger.find(source.path);
  if (entry == ledger.end() || entry->second.version != source.store->version) return true;
  auto wal_path = source.path;
  wal_path += "-wal";
  const auto wal = source.store->database ? fingerprint_of(wal_path) : std::nullopt;
  return entry->second.file != *file || entry->second.wal != wal.value_or(Fingerprint{});
}

}  // namespace

std::size_t stale_sources(History& history, const Roots& roots) {
  const auto opted_in = history.opted_in();
  Folders folders(load_folders(history.database()));
  std::size_t stale = 0;
  for (const Store* store : all_stores()) {
    if (!is_read(*store, opted_in)) continue;
    const auto ledger = load_ledger(history.database(), *store);
    std::vector<Source> sources;
    store->discover(roots, folders, sources);
    std::set<fs::path, PathOrder> found;
    for (const Source& source : sources)
      if (found.insert(source.path).second && is_stale(source, ledger)) ++stale;
    for (const auto& [path, entry] : ledger) {
      const bool root_is_there = is_under_any(path, roots.data) || is_under_any(path, roots.ide) ||
                                 is_under_any(path, roots.config);
      if (!entry.missing && !found.contains(path) && root_is_there &&
          !is_under_any(path, folders.unreadable()))
        ++stale;
    }
  }
  return stale;
}

}  // namespace cgrep
