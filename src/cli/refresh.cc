#include "cli/refresh.h"

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/progress.h"
#include "index/folder.h"
#include "index/update.h"

namespace cgrep {
namespace {

Coverage updated(const Places& places, const std::vector<const Store*>& opt_in, bool first) {
  ProgressReport report(first ? progress_style(ProgressStyle::none) : ProgressStyle::none);
  UpdateOptions options{.opt_in = opt_in, .exclude = places.exclude, .wait = first};
  options.progress = [&](const Progress& progress) { report.show(progress); };
  options.waiting = [&] { report.waiting(); };
  const UpdateSummary summary = update(places.index, places.roots, options);
  report.erase();
  for (const std::string& warning : summary.warnings) warn(warning);
  if (summary.busy) {
    warn("another process is writing the index; what is newest may be missing");
    return {};
  }
  Coverage coverage{.refreshed = true, .stale_sources = 0};
  for (const StoreSummary& store : summary.stores) *coverage.stale_sources += store.unreadable;
  return coverage;
}

}  // namespace

void declare_refresh(CLI::App& app, Refresh& refresh) {
  add_choice(app, "--refresh", refresh,
             Choices<Refresh>{{"always", Refresh::always}, {"never", Refresh::never}},
             "Whether to bring the index up to date first; default always");
}

Coverage refresh_index(const Places& places, Refresh refresh,
                       const std::vector<const Store*>& opt_in) {
  const bool first = !index_exists(places.index);
  if (first && refresh == Refresh::never)
    throw Error(fmt::format("no index at {}", places.index.string()), "cgrep index makes one");
  if (first) places.require_history();
  if (refresh == Refresh::never) return {};
  if (!places.has_history()) {
    warn("no history of Cursor found; this is what the index kept of it");
    return {};
  }
  if (first) return updated(places, opt_in, true);
  try {
    return updated(places, opt_in, false);
  } catch (const Error& error) {
    warn(fmt::format("the index could not be brought up to date: {}", error.what()));
    return {};
  }
}

}  // namespace cgrep
