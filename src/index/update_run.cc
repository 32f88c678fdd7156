#include "index/update_run.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "extract/sqlite.h"
#include "index/damaged.h"
#include "index/frames.h"
#include "index/runs.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

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

}  // namespace

bool needs_cleaning(History& history) {
  auto state = history.database().prepare(
      "SELECT EXISTS (SELECT 1 FROM state WHERE key = 'cleaning' AND value != 0)");
  return state.step() && state.int64(0) != 0;
}

bool looks_at_all(const UpdateOptions& options) {
  return options.stores.empty() && options.without.empty() && options.paths.empty();
}

IndexWriter& UpdateRun::writer() {
  if (!writer_) {
    writer_.emplace(history_);
    writer_->exclude(options_.exclude);
    writer_->commit_after(options_.commit_after);
    if (options_.budget) writer_->leave_off_when([this] { return time_is_up(); });
  }
  return *writer_;
}

void UpdateRun::opt_in() {
  for (const Store* store : options_.opt_in) {
    if (store->searched != Searched::when_named || contains(opted_in_, store)) continue;
    writer().opt_in(*store);
    opted_in_.push_back(store);
  }
  // One that was forgotten comes back when it is named.
  for (const Store* store : options_.stores)
    if (is_opted_out(history_, *store)) writer().opt_in(*store);
}

void UpdateRun::apply_exclusions() {
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

void UpdateRun::remove_expired() {
  if (!options_.retain) return;
  const auto before = now_ns() / 1'000'000 - *options_.retain;
  auto any = history_.database().prepare("SELECT EXISTS (SELECT 1 FROM documents WHERE gone < ?1)");
  any.bind(1, before);
  if (!any.step() || any.int64(0) == 0) return;
  any.reset();
  summary_.expired = writer().remove_gone(before);
}

// Says of what is not read how much there is.
void UpdateRun::find_left_out() {
  if (looked_ != nullptr || !options_.stores.empty() || !options_.paths.empty()) return;
  const auto found = changes_.find_left_out(opted_in_);
  if (found != history_.left_out()) writer().remember_left_out(found);
}

void UpdateRun::report(std::string_view phase, std::string_view store) {
  if (!options_.progress) return;
  progress_.phase = phase;
  progress_.store = store;
  options_.progress(progress_);
}

// A first step is always made, so that those who have little time catch up, too; but none is when
// there is no time at all.
bool UpdateRun::time_is_up() const {
  if (!options_.budget) return false;
  const bool may_stop = reading_began_ || options_.budget->count() == 0;
  return may_stop && std::chrono::steady_clock::now() - began_ >= *options_.budget;
}

void UpdateRun::sort_newest_first() {
  const auto time = [](const ChangedSource& changed) {
    return std::max(changed.file.mtime_ns, changed.wal.mtime_ns);
  };
  auto& sources = changes_.sources();
  std::stable_sort(sources.begin(), sources.end(),
                   [&](const auto& one, const auto& other) { return time(one) > time(other); });
}

// What the index knows nothing of needs nothing of the index to be extracted.
void UpdateRun::read_ahead() {
  if (!options_.conversation.empty() || std::thread::hardware_concurrency() < 2) return;
  std::vector<ReadAhead::Wanted> sources;
  std::uint64_t bytes = 0;
  for (const auto& changed : changes_.sources()) {
    if (!changed.unknown) continue;
    const auto size = static_cast<std::uint64_t>(changed.file.size + changed.wal.size);
    sources.push_back({&changed.source, size});
    bytes += size;
  }
  if (sources.empty() || bytes < options_.read_ahead_from) return;
  prepare_packing();
  try {
    ahead_.emplace(std::move(sources));
  } catch (const std::system_error&) {
    // without another thread, then
  }
}

ReadingCounts UpdateRun::read_all_of(const ChangedSource& changed, std::int64_t row) {
  const Store& store = *changed.source.store;
  Sink& sink = writer().begin_reading(row, store, changed.source.mark.empty());
  ReadAhead::Extracted extracted{.began_ns = now_ns()};
  if (changed.unknown && ahead_)
    extracted = ahead_->deliver(sink);
  else
    extracted.mark = store.extract(changed.source, sink);
  auto& seen = changes_.seen()[changed.seen];
  const auto file = unless_young(changed.file, extracted.began_ns);
  const auto wal = unless_young(changed.wal, extracted.began_ns);
  const auto counts = writer().end_reading(file, wal, extracted.mark);
  seen.file = file;
  seen.wal = wal;
  return counts;
}

ReadingCounts UpdateRun::read_one(const ChangedSource& changed, std::int64_t row,
                                  ExtractOne extract_one) {
  Sink& sink = writer().begin_part_reading(row, *changed.source.store);
  extract_one(changed.source, options_.conversation, sink);
  return writer().end_part_reading();
}

void UpdateRun::read(const ChangedSource& changed) {
  const Store& store = *changed.source.store;
  report("reading", store.name);
  reading_began_ = true;
  const auto row = writer().source_row(changed.source);
  const auto extract_one = options_.conversation.empty() ? nullptr : extractor_of_one(store);
  const auto size = static_cast<std::uint64_t>(changed.file.size + changed.wal.size);
  const auto bytes_before = progress_.bytes_done;
  writer().while_reading([&](std::uint64_t bytes) {
    progress_.bytes_done = bytes_before + std::min(bytes, size);
    report("reading", store.name);
  });
  ReadingCounts counts;
  try {
    counts =
        extract_one != nullptr ? read_one(changed, row, extract_one) : read_all_of(changed, row);
  } catch (const LeftOff&) {
    ahead_.reset();
    counts = writer().leave_off();
    ++summary_.left;
  } catch (const Unreadable& unreadable) {
    counts = writer().abandon_reading();
    ++changed.summary->unreadable;
    summary_.warnings.push_back(
        fmt::format("{}: {}", changed.source.path.string(), unreadable.what()));
  }
  ++changed.summary->read;
  changed.summary->documents += counts.documents;
  changed.summary->gone += counts.gone;
  changed.summary->problems += counts.problems;
  ++progress_.sources_done;
  writer().while_reading({});
  progress_.bytes_done = bytes_before + size;
  progress_.documents += counts.documents;
  writer().commit_when_due();
}

// Whatever is wrong with the runs, the texts are all in history.db.
void UpdateRun::check_words() {
  try {
    const Runs runs(history_.words(), history_.runs(),
                    options_.full ? SealCheck::thorough : SealCheck::quick);
    runs.vocabularies();
    if (!runs.to_seal().empty()) writer().seal_again(runs.to_seal());
  } catch (const Damaged& damaged) {
    summary_.warnings.push_back(std::string(damaged.what()) + "; made again");
    report("making words again");
    writer().rebuild_words();
  }
}

UpdateSummary UpdateRun::run() {
  choose_way();
  apply_exclusions();
  opt_in();
  find_changes();
  read_all();
  finish();
  remove_notes();
  remember_seen();
  return std::move(summary_);
}

// A look is worth nothing if it was at another state of the history, or is not all of it.
void UpdateRun::choose_way() {
  if (looked_ == nullptr) return;
  if (!looked_->knows_all(generation_of(history_)) || !looked_->reads(options_.opt_in) ||
      !looks_at_all(options_))
    looked_ = nullptr;
  else
    watch_stores();
}

void UpdateRun::find_changes() {
  const auto stores = stores_to_read(history_, options_);
  summary_.stores.reserve(stores.size());
  for (const Store* store : stores) {
    summary_.stores.push_back({.store = store});
    if (looked_ != nullptr)
      changes_.take(*looked_, *store, summary_.stores.back());
    else
      changes_.find(*store, summary_.stores.back());
  }
  for (const auto& changed : changes_.sources())
    progress_.bytes_to_do += static_cast<std::uint64_t>(changed.file.size + changed.wal.size);
  progress_.sources_to_do = changes_.sources().size();
  if (looked_ != nullptr) return;
  for (const auto& path : changes_.folders().unreadable())
    summary_.warnings.push_back(fmt::format("{}: cannot be read", path.string()));
  for (const auto& path : changes_.folders().left_out())
    summary_.warnings.push_back(
        fmt::format("{}: left out, as it leads out of its root", path.string()));
}

void UpdateRun::read_all() {
  if (options_.rebuild)
    writer().begin_rebuild();
  else
    check_words();
  if (!options_.rebuild && !changes_.sources().empty()) writer().write_beside();
  if (options_.budget) sort_newest_first();
  read_ahead();
  for (const auto& changed : changes_.sources()) {
    if (time_is_up())
      ++summary_.left;
    else
      read(changed);
  }
  ahead_.reset();
  lose_vanished();
  record_turns();
  remove_expired();
  if (looked_ == nullptr && changes_.folders().changed())
    writer().remember(changes_.known_folders(), changes_.folders());
  if (!options_.rebuild) return;
  report("making words again");
  writer().finish_rebuild();
}

void UpdateRun::lose_vanished() {
  for (const auto& [row, summary] : changes_.vanished()) {
    if (time_is_up()) {
      ++summary_.left;
      all_vanished_noted_ = false;
      continue;
    }
    reading_began_ = true;
    summary->gone += writer().vanished(row).gone;
  }
}

// Those whose lines were read if they were there. A turn that is told of again, by who waits for
// more of it, has no note any more.
void UpdateRun::record_turns() {
  std::erase_if(turns_, [&](const NotedTurn& noted) {
    if (looks_at_all(options_)) return summary_.left > 0;
    return !options_.turn || noted.turn.conversation != options_.turn->conversation;
  });
  bool noted = false;
  for (const auto& [note, turn] : turns_) {
    const bool dates = writer().turn_ended(turn);
    if (note != options_.note) continue;
    noted = true;
    summary_.dated = dates;
  }
  if (options_.turn && !noted) summary_.dated = writer().turn_ended(*options_.turn);
}

// What they say is committed.
void UpdateRun::remove_notes() {
  std::error_code ignored;
  for (const auto& noted : turns_) fs::remove(noted.note, ignored);
}

void UpdateRun::finish() {
  if (writer_) writer_->commit_last();
  find_left_out();  // which conversations others hold is known only now
  if (writer_) {
    writer_->commit();
    report("merging");
    writer_->merge();
  }
  if (options_.compact || options_.rebuild) compact();
  // Also what a removal that was interrupted has left.
  if (needs_cleaning(history_)) writer().clean(false);
}

void UpdateRun::compact() {
  report("merging");
  const auto before = index_bytes(history_);
  writer().compact();
  if (options_.compact) summary_.compacted = {before, index_bytes(history_)};
}

// What find_left_out() says depends on which conversations there are, and in which stores.
void UpdateRun::watch_stores() {
  if (history_.left_out().empty()) return;
  auto& database = history_.database();
  sqlite3_create_function(
      database.handle(), "cgrep_stores_changed", 0, SQLITE_UTF8, &stores_changed_,
      [](sqlite3_context* context, int, sqlite3_value**) {
        *static_cast<bool*>(sqlite3_user_data(context)) = true;
      },
      nullptr, nullptr);
  for (const auto* when : {"INSERT ON conversations", "DELETE ON conversations",
                           "UPDATE OF stores ON conversations WHEN new.stores IS NOT old.stores"})
    database.exec(
        fmt::format("CREATE TEMP TRIGGER \"{}\" AFTER {} BEGIN "
                    "SELECT cgrep_stores_changed(); END",
                    when, when));
}

// For the next look. Where only discovery can tell what a look would not see, there is none.
void UpdateRun::remember_seen() {
  if (!looks_at_all(options_)) return;
  if (looked_ == nullptr) return remember_all_seen();
  if (looked_->file->left_some() || stores_changed_) return;
  change_seen(history_.folder(), *looked_->file, generation_of(history_), changes_.taken(),
              changes_.seen());
}

void UpdateRun::remember_all_seen() {
  if (!all_vanished_noted_ || !changes_.folders().unreadable().empty())
    return remove_seen(history_.folder());
  Seen seen{.settings = settings_hash(roots_, options_.exclude),
            .stores = stores_to_read(history_, options_),
            .left_some = changes_.left_some(),
            .sources = std::move(changes_.seen())};
  for (const auto& [path, listing] : changes_.folders().seen())
    seen.folders.emplace_back(path.native(),
                              Fingerprint{.inode = listing.inode, .mtime_ns = listing.mtime_ns});
  write_seen(history_.folder(), seen, generation_of(history_));
}

}  // namespace cgrep
