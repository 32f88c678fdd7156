#include "index/changes.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "extract/conversation_id.h"
#include "extract/sqlite.h"
#include "extract/stores.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

bool is_under(const fs::path& path, const fs::path& folder) {
  const auto& text = path.native();
  const auto& prefix = folder.native();
  return text.starts_with(prefix) &&
         (text.size() == prefix.size() || prefix.ends_with('/') || text[prefix.size()] == '/');
}

bool is_under_any(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return is_under(path, folder); });
}

bool contains(const std::vector<const Store*>& stores, const Store* store) {
  return std::find(stores.begin(), stores.end(), store) != stores.end();
}

}  // namespace

std::vector<const Store*> stores_to_read(History& history, const UpdateOptions& options) {
  const auto opted_in = history.opted_in();
  std::vector<const Store*> chosen;
  for (const Store* store : all_stores()) {
    if (!store->readable() || contains(options.without, store)) continue;
    if (is_opted_out(history, *store) && !contains(options.stores, store)) continue;
    // What only tells about conversations is read whatever is named: it is small, and all need it.
    const bool tells = store->searched == Searched::never;
    const bool usual = store->searched == Searched::by_default || contains(opted_in, store);
    if (tells || (options.stores.empty() ? usual : contains(options.stores, store)))
      chosen.push_back(store);
  }
  return chosen;
}

bool is_opted_out(History& history, const Store& store) {
  auto found = history.database().prepare("SELECT 1 FROM opted_out WHERE store = ?1");
  found.bind(1, store.id);
  return found.step();
}

bool Changes::is_wanted(const fs::path& path) const {
  return options_.paths.empty() || is_under_any(path, options_.paths);
}

// What lies under projects/<slug> belongs to that project; which one it is, others have told.
bool Changes::is_excluded(const Source& source) {
  if (options_.exclude.empty() || source.store->searched == Searched::never) return false;
  const auto relative = source.path.lexically_relative(source.root);
  auto part = std::find(relative.begin(), relative.end(), "projects");
  if (part == relative.end() || ++part == relative.end()) return false;
  return excluded_.has(part->string());
}

// A chat lies in a folder with the name of its conversation.
std::vector<LeftOut> Changes::find_left_out(const std::vector<const Store*>& opted_in) {
  std::vector<LeftOut> found;
  for (const Store* store : all_stores()) {
    if (store->searched != Searched::when_named || !store->readable() || contains(opted_in, store))
      continue;
    std::vector<Source> sources;
    store->discover(roots_, folders(), sources);
    if (sources.empty()) continue;
    LeftOut left{.store = store, .sources = sources.size()};
    if (store->name == "chats")
      for (const auto& source : sources)
        if (!history_.holds_messages(
                conversation_id(source.path.parent_path().filename().string())))
          ++left.only;
    found.push_back(left);
  }
  return found;
}

Folders& Changes::folders() {
  if (!folders_) {
    known_ = load_folders(history_.database());
    folders_.emplace(known_);
  }
  return *folders_;
}

void Changes::find(const Store& store, StoreSummary& summary) {
  const auto ledger = load_ledger(history_.database(), store);
  std::vector<Source> sources;
  store.discover(roots_, folders(), sources);
  std::set<fs::path, PathOrder> found;
  for (auto& source : sources) {
    if (!is_wanted(source.path) || !found.insert(source.path).second) continue;
    if (is_excluded(source)) {
      left_some_ = true;
      continue;
    }
    ++summary.sources;
    seen_.push_back({.store = &store, .path = source.path, .root = source.root});
    const auto file = fingerprint_of(source.path);
    if (!file) {
      if (errno == ENOENT || errno == ENOTDIR)
        found.erase(source.path);
      else
        ++summary.unreadable;  // a folder that can be listed, but not entered
      continue;
    }
    auto wal_path = source.path;
    wal_path += "-wal";
    const auto wal = store.database ? fingerprint_of(wal_path) : std::nullopt;
    const auto entry = ledger.find(source.path);
    compare({.source = std::move(source),
             .file = *file,
             .wal = wal.value_or(Fingerprint{}),
             .summary = &summary},
            entry != ledger.end() ? &entry->second : nullptr);
  }
  find_vanished(ledger, found, summary);
}

void Changes::take(const Looked& looked, const Store& store, StoreSummary& summary) {
  summary.sources = looked.count(store);
  for (const auto& [number, now] : looked.sources) {
    if (now.store != &store) continue;
    seen_.push_back(now);
    taken_.push_back(number);
    const auto entry = load_ledger_entry(history_.database(), store, now.path);
    compare({.source = {.store = &store, .path = now.path, .root = now.root},
             .file = now.file,
             .wal = now.wal,
             .summary = &summary},
            entry ? &*entry : nullptr);
  }
}

// The last one in seen_. What is not read now differs from what will be noted of it.
void Changes::compare(ChangedSource source, const LedgerEntry* entry) {
  SeenSource& seen = seen_.back();
  seen.file = source.file;
  seen.wal = source.wal;
  const bool again = options_.full || options_.rebuild;  // everything is read
  if (entry != nullptr && !again && entry->version == source.source.store->version) {
    if (entry->file == source.file && entry->wal == source.wal) return;
    source.source.mark = entry->mark;
  }
  seen.file = seen.wal = kNeverEqual;
  source.seen = seen_.size() - 1;
  source.unknown = entry == nullptr;
  sources_.push_back(std::move(source));
}

// An empty root is a place where something is not mounted.
bool Changes::root_is_there(const fs::path& path) {
  for (const auto* roots : {&roots_.data, &roots_.ide, &roots_.config})
    for (const auto& root : *roots) {
      if (!is_under(path, root)) continue;
      const auto [known, added] = empty_roots_.try_emplace(root, false);
      std::error_code error;
      if (added) known->second = fs::is_empty(root, error) || error;
      if (!known->second) return true;
    }
  return false;
}

// Its root is there and every folder on the way could be read.
void Changes::find_vanished(const Ledger& ledger, const std::set<fs::path, PathOrder>& found,
                            StoreSummary& summary) {
  for (const auto& [path, entry] : ledger)
    if (!entry.missing && !found.contains(path) && is_wanted(path) && root_is_there(path) &&
        !is_under_any(path, folders().unreadable()))
      vanished_.emplace_back(entry.row, &summary);
}

}  // namespace cgrep
