#include "index/update.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "error.h"
#include "index/checks.h"
#include "index/damaged.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/look.h"
#include "index/noted_turns.h"
#include "index/runs.h"
#include "index/salvage.h"
#include "index/seen.h"
#include "index/update_run.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

bool is_young(const std::optional<std::int64_t>& check) {
  const auto age = now_ns() - check.value_or(0);
  return age >= 0 && age < kYoungCheckNs;
}

// Whether a look at what was seen before can tell what changed.
bool may_look(const UpdateOptions& options) {
  return looks_at_all(options) && !options.full && !options.rebuild && !options.compact &&
         !options.turn;
}

bool words_are_whole(History& history) {
  try {
    Runs(history.words(), history.runs()).vocabularies();
    return true;
  } catch (const Damaged&) {
    return false;
  }
}

// Told without writing anything, and without the lock. Absent: there may be something to do.
std::optional<UpdateSummary> nothing_to_do(const fs::path& folder, const UpdateOptions& options,
                                           const Looked& looked) {
  if (options.retain || !looked.file || looked.elsewhere || !looked.sources.empty())
    return std::nullopt;
  try {
    History history(folder, History::Mode::read);
    if (!looked.nothing_changed(generation_of(history)) || !looked.reads(options.opt_in) ||
        needs_cleaning(history) || !words_are_whole(history))
      return std::nullopt;
    UpdateSummary summary;
    for (const Store* store : stores_to_read(history, options))
      summary.stores.push_back({.store = store, .sources = looked.count(*store)});
    return summary;
  } catch (const Error&) {
    return std::nullopt;  // a writer says it better
  }
}

UpdateSummary check(const fs::path& folder, const Roots& roots, const UpdateOptions& options,
                    const Looked* looked = nullptr) {
  // What was there when a turn ended, a look that comes now sees.
  auto turns = noted_turns(folder);
  // Who asks wants to know of what came after that look.
  if (looks_at_all(options) && (take_request(folder) || !turns.empty())) looked = nullptr;
  const auto began = looked != nullptr ? looked->began : now_ns();
  std::optional<Look> look;
  if (looked == nullptr && may_look(options)) {
    look.emplace(folder, roots, options.exclude);
    looked = &look->finish();
  }
  std::vector<std::string> warnings;
  if (options.rebuild && is_damaged(folder)) {
    const auto saved = salvage(folder);
    remove_seen(folder);
    warnings.push_back(fmt::format("history.db was damaged: {} documents saved, the old file is {}",
                                   saved, kept_aside(folder).string()));
  }
  History history(folder, History::Mode::write);
  auto summary = UpdateRun(history, roots, options, looked, std::move(turns)).run();
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

// Whether another process has seen to the turn, and so to all that was there when it ended.
bool is_taken(const UpdateOptions& options) {
  std::error_code error;
  return !options.note.empty() && !fs::exists(options.note, error) && !error;
}

// Absent: another process writes, and was asked to look again if that matters.
std::optional<WriterLock> take_lock(const fs::path& folder, const UpdateOptions& options) {
  auto lock = WriterLock::try_take(folder);
  if (lock) return lock;
  if (options.lazy) {
    ask_for_check(folder);
    return WriterLock::try_take(folder);  // who wrote may have ended without seeing the mark
  }
  if (options.patience) {
    ask_for_check(folder);
    return WriterLock::take_within(folder, *options.patience, [&] { return is_taken(options); });
  }
  if (options.wait) lock = WriterLock::take(folder, options.waiting);
  return lock;
}

// For so long it looks again for those who ask; then one of them has to.
constexpr auto kServes = std::chrono::milliseconds(3000);

// The lock is free, and who asks finds no check that would do. Whether nobody takes it for a while.
bool is_left_alone(const fs::path& folder) {
  std::this_thread::sleep_for(std::chrono::nanoseconds(kYoungCheckNs));
  return is_check_asked_for(folder);
}

// Looks again when somebody lazy asks, before and after the lock is released.
void serve(const fs::path& folder, const Roots& roots, const UpdateOptions& options,
           std::optional<WriterLock> lock, UpdateSummary& summary) {
  UpdateOptions once_more{.exclude = options.exclude, .budget = options.budget};
  once_more.progress = options.progress;
  const auto end = std::chrono::steady_clock::now() + options.budget.value_or(kServes);
  bool enough = false;
  for (bool asked = true; asked && !enough && summary.left == 0;) {
    asked = take_request(folder);
    if (!asked) {
      // Who asked since then found the lock still taken.
      lock.reset();
      if (is_check_asked_for(folder)) lock = WriterLock::try_take(folder);
      asked = lock && take_request(folder);
    }
    if (asked) add(summary, check(folder, roots, once_more));
    enough = std::chrono::steady_clock::now() >= end;
  }
  lock.reset();
  if (!enough || summary.left > 0 || !is_check_asked_for(folder)) return;
  note_check(folder, last_check(folder).value_or(0) - kYoungCheckNs);
  if (!options.budget && is_left_alone(folder)) lock = WriterLock::try_take(folder);
  if (lock && take_request(folder)) add(summary, check(folder, roots, once_more));
}

}  // namespace

UpdateSummary update(const fs::path& folder, const Roots& roots, const UpdateOptions& options,
                     const Looked* looked) {
  prepare_index_folder(folder);
  if (options.lazy && is_young(last_check(folder)))
    return {.young = true, .first_to_ask = ask_for_check(folder)};
  std::optional<Look> look;
  bool asked = false;
  if (looked == nullptr && may_look(options)) {
    asked = take_request(folder);
    look.emplace(folder, roots, options.exclude);
    looked = &look->finish();
  }
  // Who asks now may mean what came after that look.
  if (looked != nullptr && may_look(options) && !is_check_asked_for(folder) &&
      !is_any_turn_noted(folder))
    if (auto summary = nothing_to_do(folder, options, *looked)) {
      note_check(folder, looked->began);
      return std::move(*summary);
    }
  auto lock = take_lock(folder, options);
  const bool by_another = is_taken(options);
  if (asked && (by_another || !lock)) ask_for_check(folder);
  if (by_another) return {.by_another = true};
  if (!lock) return {.busy = true};
  auto summary = check(folder, roots, options, looked);
  serve(folder, roots, options, std::move(lock), summary);
  return summary;
}

}  // namespace cgrep
