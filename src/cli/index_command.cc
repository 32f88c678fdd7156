// cgrep index: bring the index up to date.
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/detach.h"
#include "cli/filter_options.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "index/checks.h"
#include "index/update.h"

namespace cgrep {
namespace {

struct Options {
  std::vector<std::string> stores{};
  bool full = false;
  bool rebuild = false;
  bool compact = false;
  bool lazy = false;
  bool quiet = false;
  PlaceOptions places{};
};

std::vector<std::filesystem::path> paths_of(const Context& context) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& operand : context.operands) {
    std::error_code error;
    const auto path = std::filesystem::canonical(operand, error);
    if (error) throw Error(fmt::format("no such path: '{}'", operand), search_hint(context.typed));
    paths.push_back(path);
  }
  return paths;
}

std::string summary_line(const StoreSummary& store) {
  std::string line =
      fmt::format("{:<14} {}, {} read, {}", store.store->name, counted(store.sources, "source"),
                  store.read, counted(store.documents, "document"));
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) line += fmt::format(", {} {}", count, what);
  };
  add(store.gone, "gone");
  if (store.problems > 0) line += ", " + counted(store.problems, "problem");
  add(store.unreadable, "unreadable");
  return line;
}

std::string size_text(std::uintmax_t bytes) {
  constexpr double kMegabyte = 1'000'000;
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / kMegabyte);
}

UpdateSummary update_with_progress(const Places& places, const Options& options,
                                   UpdateOptions update_options) {
  ProgressReport report(options.quiet ? ProgressStyle::none : progress_style(ProgressStyle::lines));
  update_options.progress = [&](const Progress& progress) { report.show(progress); };
  update_options.waiting = [&] { report.waiting(); };
  return update(places.index, places.roots, update_options);
}

void require_plain_if_lazy(const Options& options, const Context& context) {
  if (!options.lazy) return;
  if (options.full || options.rebuild || options.compact || !options.stores.empty() ||
      !context.operands.empty())
    throw Error("--lazy looks at everything, and reads only what changed",
                "leave --lazy away, or the other options and paths");
}

// The last check is too young for another, but what changed since must not wait for the next
// prompt. Of all who ask, the first looks again in time, on its own.
void look_later(const Places& places, const UpdateOptions& options) {
  if (!detached()) return;
  for (bool young = true; young && is_check_asked_for(places.index);) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(kYoungCheckNs));
    if (is_check_asked_for(places.index)) young = update(places.index, places.roots, options).young;
  }
}

ExitCode index(const Options& options, Context& context) {
  require_plain_if_lazy(options, context);
  UpdateOptions update_options{
      .full = options.full, .rebuild = options.rebuild, .compact = options.compact};
  update_options.lazy = options.lazy;
  update_options.paths = paths_of(context);
  const auto selection = select_stores(options.stores, context.settings.default_stores);
  if (selection.named) update_options.stores = selection.choice.wanted;  // `all` is the usual
  update_options.without = selection.choice.unwanted;
  update_options.opt_in = selection.opt_in;
  const Places places = find_places(options.places, context.environment, context.settings);
  if (options.lazy && !places.has_history()) return ExitCode::ok;  // a prompt is no place to say it
  places.require_history();
  update_options.exclude = places.exclude;
  update_options.retain = places.retain;

  const UpdateSummary summary = update_with_progress(places, options, update_options);
  if (summary.first_to_ask) look_later(places, update_options);
  if (!options.lazy || !options.quiet)
    for (const std::string& warning : summary.warnings) warn(warning);
  if (options.quiet) return ExitCode::ok;
  if (summary.busy)
    context.out.write("another process is writing, and looks again before it ends\n");
  if (summary.young) context.out.write("looked less than 2 s ago\n");
  for (const StoreSummary& store : summary.stores)
    if (store.store->searched != Searched::never)  // these only tell about other stores
      context.out.print("{}\n", summary_line(store));
  if (summary.expired > 0)
    context.out.print("{} removed that had been gone for longer than retain says\n",
                      counted(summary.expired, "document"));
  if (summary.compacted)
    context.out.print("compacted      {} before, {} after\n", size_text(summary.compacted->first),
                      size_text(summary.compacted->second));
  return ExitCode::ok;
}

}  // namespace

Action declare_index(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Index");
  declare_store_option(table, options->stores);
  table.add_flag("--full", options->full,
                 "Read everything again and compare it, also what looks unchanged");
  table.add_flag("--rebuild", options->rebuild,
                 "Make the index anew; what is gone, addresses and what was forgotten are kept");
  table.add_flag("--compact", options->compact, "Make the index as small as it can be");
  table.add_flag(
      "--lazy", options->lazy,
      "For prompts: leave at once when another process writes, which then looks again, or "
      "when the last look is less than 2 s old: then one is taken later");
  table.add_flag("-q,--quiet", options->quiet, "No progress, no summary");
  declare_places(table, options->places);
  return [options](Context& context) { return index(*options, context); };
}

}  // namespace cgrep
