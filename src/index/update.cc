#include "index/update.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "error.h"
#include "extract/conversation_id.h"
#include "extract/folders.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/checks.h"
#include "index/damaged.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/ledger.h"
#include "index/project_pattern.h"
#include "index/runs.h"
#include "index/salvage.h"
#include "index/writer.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

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

// What the index takes now: runs that were merged are unlinked a little later.
std::uintmax_t index_bytes(History& history) {
  std::error_code ignored;
  std::uintmax_t bytes = fs::file_size(history.folder() / "history.db", ignored);
  for (const auto& run : history.runs())
    for (const auto& entry : fs::directory_iterator(history.words() / run.name, ignored))
      bytes += entry.file_size(ignored);
  return bytes;
}

bool needs_cleaning(History& history) {
  auto state = history.database().prepare(
      "SELECT EXISTS (SELECT 1 FROM state WHERE key = 'cleaning' AND value != 0)");
  return state.step() && state.int64(0) != 0;
}

/// A source that has to be read, and why it is known to have changed.
struct Task {
  Source source{};
  Fingerprint file{};
  Fingerprint wal{};
  StoreSummary* summary = nullptr;
};

class Update {
 public:
  Update(History& history, const Roots& roots, const UpdateOptions& options)
      : history_(history), roots_(roots), options_(options) {}

  UpdateSummary run();

 private:
  std::vector<const Store*> stores() const;
  bool is_opted_out(const Store& store) const;
  void opt_in();
  void find_left_out();
  void apply_exclusions();
  void remove_expired();
  bool is_excluded(const Source& source);
  std::string project_of_slug(const std::string& slug);
  void read_all();
  void finish();
  void compact();
  void find_changes(const Store& store, StoreSummary& summary);
  bool wanted(const fs::path& path) const {
    return options_.paths.empty() || is_under_any(path, options_.paths);
  }
  void find_vanished(const Ledger& ledger, const std::set<fs::path, PathOrder>& found,
                     StoreSummary& summary);
  bool time_is_up() const;
  void sort_newest_first();
  void read(const Task& task);
  void report(std::string_view phase, std::string_view store = {});
  void check_words();
  bool root_is_there(const fs::path& path) const;
  IndexWriter& writer();

  History& history_;
  const Roots& roots_;
  const UpdateOptions& options_;
  UpdateSummary summary_{};
  std::vector<const Store*> opted_in_ = history_.opted_in();
  Folders::Known known_ = load_folders(history_.database());
  Folders folders_{known_};
  std::map<std::string, bool> excluded_slugs_{};
  std::vector<Task> tasks_{};
  std::vector<std::pair<std::int64_t, StoreSummary*>> vanished_{};
  std::optional<IndexWriter> writer_{};  // made when there is something to write
  Progress progress_{};
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool reading_began_ = false;
  bool again_ = options_.full || options_.rebuild;  // everything is read
};

IndexWriter& Update::writer() {
  if (!writer_) {
    writer_.emplace(history_);
    writer_->exclude(options_.exclude);
    if (options_.budget) writer_->leave_off_when([this] { return time_is_up(); });
  }
  return *writer_;
}

std::vector<const Store*> Update::stores() const {
  std::vector<const Store*> chosen;
  for (const Store* store : all_stores()) {
    if (!store->readable() || contains(options_.without, store)) continue;
    if (is_opted_out(*store) && !contains(options_.stores, store)) continue;
    // What only tells about conversations is read whatever is named: it is small, and all need it.
    const bool tells = store->searched == Searched::never;
    const bool usual = store->searched == Searched::by_default || contains(opted_in_, store);
    if (tells || (options_.stores.empty() ? usual : contains(options_.stores, store)))
      chosen.push_back(store);
  }
  return chosen;
}

void Update::opt_in() {
  for (const Store* store : options_.opt_in) {
    if (store->searched != Searched::when_named || contains(opted_in_, store)) continue;
    writer().opt_in(*store);
    opted_in_.push_back(store);
  }
  // One that was forgotten comes back when it is named.
  for (const Store* store : options_.stores)
    if (is_opted_out(*store)) writer().opt_in(*store);
}

bool Update::is_opted_out(const Store& store) const {
  auto found = history_.database().prepare("SELECT 1 FROM opted_out WHERE store = ?1");
  found.bind(1, store.id);
  return found.step();
}

void Update::apply_exclusions() {
  std::vector<std::string> before;
  auto state = history_.database().prepare("SELECT value FROM state WHERE key = 'exclude'");
  if (state.step())
    for (std::string_view rest = state.text(0); !rest.empty();) {
      before.emplace_back(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(before.back().size() + 1);
    }
  state.reset();
  if (before != options_.exclude) writer().exclusions_changed(before);
}

void Update::remove_expired() {
  if (!options_.retain) return;
  const auto before = now_ns() / 1'000'000 - *options_.retain;
  auto any = history_.database().prepare("SELECT EXISTS (SELECT 1 FROM documents WHERE gone < ?1)");
  any.bind(1, before);
  if (!any.step() || any.int64(0) == 0) return;
  any.reset();
  summary_.expired = writer().remove_gone(before);
}

// What lies under projects/<slug> belongs to that project; which one it is, others have told.
bool Update::is_excluded(const Source& source) {
  if (options_.exclude.empty() || source.store->searched == Searched::never) return false;
  const auto relative = source.path.lexically_relative(source.root);
  auto part = std::find(relative.begin(), relative.end(), "projects");
  if (part == relative.end() || ++part == relative.end()) return false;
  const auto slug = part->string();
  const auto [known, added] = excluded_slugs_.try_emplace(slug, false);
  if (!added) return known->second;
  const auto project = project_of_slug(slug);
  return known->second = std::any_of(
             options_.exclude.begin(), options_.exclude.end(),
             [&](const std::string& pattern) { return project_matches(pattern, project, slug); });
}

std::string Update::project_of_slug(const std::string& slug) {
  auto found = history_.database().prepare(
      "SELECT value FROM claims WHERE subject = ?1 AND fact = ?2 ORDER BY rung LIMIT 1");
  found.bind(1, slug_subject(slug));
  found.bind(2, static_cast<int>(Fact::project));
  return found.step() ? std::string(found.text(0)) : std::string();
}

// Says of what is not read how much there is. A chat lies in a folder with the name of its
// conversation.
void Update::find_left_out() {
  if (!options_.stores.empty() || !options_.paths.empty()) return;
  std::vector<LeftOut> found;
  for (const Store* store : all_stores()) {
    if (store->searched != Searched::when_named || !store->readable() || contains(opted_in_, store))
      continue;
    std::vector<Source> sources;
    store->discover(roots_, folders_, sources);
    if (sources.empty()) continue;
    LeftOut left{.store = store, .sources = sources.size()};
    if (store->name == "chats")
      for (const auto& source : sources)
        if (!history_.holds_messages(
                conversation_id(source.path.parent_path().filename().string())))
          ++left.only;
    found.push_back(left);
  }
  if (found != history_.left_out()) writer().remember_left_out(found);
}

void Update::find_changes(const Store& store, StoreSummary& summary) {
  const auto ledger = load_ledger(history_.database(), store);
  std::vector<Source> sources;
  store.discover(roots_, folders_, sources);
  std::set<fs::path, PathOrder> found;
  for (auto& source : sources) {
    if (!wanted(source.path) || !found.insert(source.path).second) continue;
    if (is_excluded(source)) continue;
    ++summary.sources;
    const auto file = fingerprint_of(source.path);
    if (!file) {
      found.erase(source.path);
      continue;
    }
    auto wal_path = source.path;
    wal_path += "-wal";
    const auto wal = store.database ? fingerprint_of(wal_path) : std::nullopt;
    Task task{.source = std::move(source), .file = *file, .wal = wal.value_or(Fingerprint{})};
    task.summary = &summary;
    const auto entry = ledger.find(task.source.path);
    if (entry != ledger.end() && !again_ && entry->second.version == store.version) {
      if (entry->second.file == task.file && entry->second.wal == task.wal) continue;
      task.source.mark = entry->second.mark;
    }
    tasks_.push_back(std::move(task));
  }
  find_vanished(ledger, found, summary);
}

bool Update::root_is_there(const fs::path& path) const {
  return is_under_any(path, roots_.data) || is_under_any(path, roots_.ide) ||
         is_under_any(path, roots_.config);
}

// Gone is what is certain to be gone: its root is there and every folder on the way could be read.
void Update::find_vanished(const Ledger& ledger, const std::set<fs::path, PathOrder>& found,
                           StoreSummary& summary) {
  for (const auto& [path, entry] : ledger)
    if (!entry.missing && !found.contains(path) && wanted(path) && root_is_there(path) &&
        !is_under_any(path, folders_.unreadable()))
      vanished_.emplace_back(entry.row, &summary);
}

void Update::report(std::string_view phase, std::string_view store) {
  if (!options_.progress) return;
  progress_.phase = phase;
  progress_.store = store;
  options_.progress(progress_);
}

// A first step is always made, so that those who have little time catch up, too; but none is when
// there is no time at all.
bool Update::time_is_up() const {
  if (!options_.budget) return false;
  const bool may_stop = reading_began_ || options_.budget->count() == 0;
  return may_stop && std::chrono::steady_clock::now() - began_ >= *options_.budget;
}

void Update::sort_newest_first() {
  const auto time = [](const Task& task) {
    return std::max(task.file.mtime_ns, task.wal.mtime_ns);
  };
  std::stable_sort(tasks_.begin(), tasks_.end(),
                   [&](const Task& one, const Task& other) { return time(one) > time(other); });
}

void Update::read(const Task& task) {
  const Store& store = *task.source.store;
  report("reading", store.name);
  reading_began_ = true;
  const auto row = writer().source_row(task.source);
  Sink& sink = writer().begin_reading(row, store, task.source.mark.empty());
  const auto began = now_ns();
  ReadingCounts counts;
  try {
    const auto mark = store.extract(task.source, sink);
    counts =
        writer().end_reading(unless_young(task.file, began), unless_young(task.wal, began), mark);
  } catch (const LeftOff&) {
    counts = writer().leave_off();
    ++summary_.left;
  } catch (const Unreadable& unreadable) {
    counts = writer().abandon_reading();
    ++task.summary->unreadable;
    summary_.warnings.push_back(
        fmt::format("{}: {}", task.source.path.string(), unreadable.what()));
  }
  ++task.summary->read;
  task.summary->documents += counts.documents;
  task.summary->gone += counts.gone;
  task.summary->problems += counts.problems;
  ++progress_.sources_done;
  progress_.bytes_done += static_cast<std::uint64_t>(task.file.size + task.wal.size);
  progress_.documents += counts.documents;
  writer().commit_when_due();
}

// Whatever is wrong with the runs, the texts are all in history.db.
void Update::check_words() {
  try {
    const Runs runs(history_.words(), history_.runs());
    runs.vocabularies();
  } catch (const Damaged& damaged) {
    summary_.warnings.push_back(std::string(damaged.what()) + "; made again");
    report("making words again");
    writer().rebuild_words();
  }
}

UpdateSummary Update::run() {
  apply_exclusions();
  opt_in();
  const auto chosen = stores();
  summary_.stores.reserve(chosen.size());
  for (const Store* store : chosen) {
    summary_.stores.push_back({.store = store});
    find_changes(*store, summary_.stores.back());
  }
  for (const auto& path : folders_.unreadable())
    summary_.warnings.push_back(fmt::format("{}: cannot be read", path.string()));
  for (const auto& path : folders_.left_out())
    summary_.warnings.push_back(
        fmt::format("{}: left out, as it leads out of its root", path.string()));
  for (const auto& task : tasks_)
    progress_.bytes_to_do += static_cast<std::uint64_t>(task.file.size + task.wal.size);
  progress_.sources_to_do = tasks_.size();
  read_all();
  finish();
  return std::move(summary_);
}

void Update::read_all() {
  if (options_.rebuild)
    writer().begin_rebuild();
  else
    check_words();
  if (options_.budget) sort_newest_first();
  for (const auto& task : tasks_) {
    if (time_is_up())
      ++summary_.left;
    else
      read(task);
  }
  for (const auto& [row, summary] : vanished_) {
    if (time_is_up()) {
      ++summary_.left;
      continue;
    }
    reading_began_ = true;
    summary->gone += writer().vanished(row).gone;
  }
  remove_expired();
  find_left_out();
  if (folders_.changed()) writer().remember(known_, folders_);
  if (!options_.rebuild) return;
  report("making words again");
  writer().finish_rebuild();
}

void Update::finish() {
  if (writer_) {
    writer_->commit();
    report("merging");
    writer_->merge();
  }
  if (options_.compact || options_.rebuild) compact();
  // Also what a removal that was interrupted has left.
  if (needs_cleaning(history_)) writer().clean(false);
}

void Update::compact() {
  report("merging");
  const auto before = index_bytes(history_);
  writer().compact();
  if (options_.compact) summary_.compacted = {before, index_bytes(history_)};
}

// A prompt asks again and again; this often is enough.
bool is_young(const std::optional<std::int64_t>& check) {
  constexpr std::int64_t kYoungCheckNs = 2'000'000'000;
  const auto age = now_ns() - check.value_or(0);
  return age >= 0 && age < kYoungCheckNs;
}

bool looks_at_all(const UpdateOptions& options) {
  return options.stores.empty() && options.without.empty() && options.paths.empty();
}

UpdateSummary check(const fs::path& folder, const Roots& roots, const UpdateOptions& options) {
  const auto began = now_ns();
  if (looks_at_all(options)) take_request(folder);
  std::vector<std::string> warnings;
  if (options.rebuild && is_damaged(folder)) {
    const auto saved = salvage(folder);
    warnings.push_back(fmt::format("history.db was damaged: {} documents saved, the old file is {}",
                                   saved, kept_aside(folder).string()));
  }
  History history(folder, History::Mode::write);
  auto summary = Update(history, roots, options).run();
  summary.warnings.insert(summary.warnings.begin(), warnings.begin(), warnings.end());
  if (looks_at_all(options) && summary.left == 0) note_check(folder, began);
  return summary;
}

void add(UpdateSummary& summary, const UpdateSummary& more) {
  summary.left = more.left;
  for (const auto& warning : more.warnings)
    if (std::find(summary.warnings.begin(), summary.warnings.end(), warning) ==
        summary.warnings.end())
      summary.warnings.push_back(warning);
  for (const auto& from : more.stores)
    for (auto& to : summary.stores) {
      if (to.store != from.store) continue;
      to.read += from.read;
      to.documents += from.documents;
      to.gone += from.gone;
      to.problems += from.problems;
      to.unreadable = std::max(to.unreadable, from.unreadable);
    }
}

}  // namespace

UpdateSummary update(const fs::path& folder, const Roots& roots, const UpdateOptions& options) {
  prepare_index_folder(folder);
  if (options.lazy && is_young(last_check(folder))) return {.young = true};
  if (options.lazy) ask_for_check(folder);
  std::optional<WriterLock> lock = WriterLock::try_take(folder);
  if (!lock && (options.lazy || !options.wait)) return {.busy = true};
  if (!lock) lock = WriterLock::take(folder, options.waiting);
  auto summary = check(folder, roots, options);
  UpdateOptions once_more{.exclude = options.exclude, .budget = options.budget};
  once_more.progress = options.progress;
  for (bool asked = true; asked && summary.left == 0;) {
    asked = take_request(folder);
    if (!asked) {
      // Who asked since then found the lock still taken.
      lock.reset();
      if (is_check_asked_for(folder)) lock = WriterLock::try_take(folder);
      asked = lock && take_request(folder);
    }
    if (asked) add(summary, check(folder, roots, once_more));
  }
  return summary;
}

}  // namespace cgrep
