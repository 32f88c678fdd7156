#include "cli/refresh.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/staleness.h"
#include "index/update.h"

namespace cgrep {
namespace {

constexpr auto kWhen = std::to_array<Named<Refresh>>(
    {{"auto", Refresh::automatic}, {"always", Refresh::always}, {"never", Refresh::never}});

// How much is newer, told by a look.
Coverage as_it_is(const Places& places) {
  try {
    History history(places.index, History::Mode::read);
    return {.stale_sources = stale_sources(history, places.roots, places.exclude)};
  } catch (const Error&) {
    return {};  // the search says why
  }
}

Coverage updated(const Places& places, const RefreshOptions& refresh,
                 const std::vector<const Store*>& opt_in, bool first,
                 const Looked* looked = nullptr) {
  ProgressReport report(first ? progress_style(ProgressStyle::none) : ProgressStyle::none);
  UpdateOptions options{.opt_in = opt_in, .exclude = places.exclude, .wait = first};
  if (!first) options.budget = refresh.time();
  options.progress = [&](const Progress& progress) { report.show(progress); };
  options.waiting = [&] { report.waiting(); };
  const UpdateSummary summary = update(places.index, places.roots, options, looked);
  report.erase();
  for (const std::string& warning : summary.warnings) warn(warning);
  if (summary.busy) {
    warn("another process is writing the index; what is newest may be missing");
    return as_it_is(places);
  }
  if (summary.left > 0)
    warn(fmt::format("{}; cgrep index reads {}", newer_text(summary.left, "this answer"),
                     summary.left == 1 ? "it" : "them"));
  Coverage coverage{.refreshed = summary.left == 0, .stale_sources = summary.left};
  for (const StoreSummary& store : summary.stores) *coverage.stale_sources += store.unreadable;
  return coverage;
}

}  // namespace

std::optional<std::chrono::milliseconds> RefreshOptions::time() const {
  constexpr std::size_t kUsual = 200;
  constexpr std::size_t kMost = 1'000'000'000;
  if (when == Refresh::always) return std::nullopt;
  return std::chrono::milliseconds(std::min(budget.value_or(kUsual), kMost));
}

void declare_refresh(OptionTable& table, RefreshOptions& options) {
  table.add_choice("--refresh", options.when, kWhen,
                   "Whether to bring the index up to date first; auto, the default: as far as its "
                   "budget goes, newest first");
  table
      .add_number("--refresh-budget", options.budget,
                  "Milliseconds that --refresh auto may read; 0: only look; default 200")
      .value = "MS";
}

std::string newer_text(std::size_t sources, std::string_view than) {
  return fmt::format("{} {} newer than {}", counted(sources, "source"), sources == 1 ? "is" : "are",
                     than);
}

LookBeside::LookBeside(const Places& places, const RefreshOptions& options,
                       const std::vector<const Store*>& opt_in)
    : opt_in_(opt_in), wanted_(options.when != Refresh::never) {
  if (wanted_ && places.has_history() && index_exists(places.index))
    look_.emplace(places.index, places.roots, places.exclude);
}

bool LookBeside::has_all(History& history) {
  if (!wanted_) return true;
  if (!look_) return false;
  const Looked& looked = look_->finish();
  return looked.nothing_changed(generation_of(history)) && looked.reads(opt_in_);
}

Coverage LookBeside::coverage() const {
  if (!wanted_) return {};
  return {.refreshed = true, .stale_sources = 0};
}

const Looked* LookBeside::looked() {
  return look_ ? &look_->finish() : nullptr;
}

Coverage refresh_index(const Places& places, const RefreshOptions& options,
                       const std::vector<const Store*>& opt_in, const Looked* looked) {
  const bool first = !index_exists(places.index);
  if (first && options.when == Refresh::never)
    throw Error(fmt::format("no index at {}", places.index.string()), "cgrep index makes one");
  if (first) places.require_history();
  if (options.when == Refresh::never) return {};
  if (!places.has_history()) {
    warn("no history of Cursor found; this is what the index kept of it");
    return {};
  }
  if (first) return updated(places, options, opt_in, true);
  try {
    return updated(places, options, opt_in, false, looked);
  } catch (const Error& error) {
    warn(fmt::format("the index could not be brought up to date: {}", error.what()));
    return as_it_is(places);
  }
}

}  // namespace cgrep
