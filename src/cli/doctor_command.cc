// cgrep doctor: what is wrong, or not understood, and what to do about it. Names records by their
// keys, never by what they say.
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/display.h"
#include "cli/json_object.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/refresh.h"
#include "error.h"
#include "extract/stores.h"
#include "index/damaged.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/runs.h"
#include "index/salvage.h"
#include "index/update.h"

namespace cgrep {
namespace {

struct Options {
  bool json = false;
  RefreshOptions refresh{};
  PlaceOptions places{};
};

struct Finding {
  std::string what{};
  std::string advice{};
  const Store* store = nullptr;
  std::size_t count = 0;
  std::string example{};
  std::string source{};
  bool bad = true;  // else just worth knowing
};

std::string_view advice_on(std::string_view problem) {
  if (problem.starts_with("unknown version"))
    return "read as far as it is known; a newer cgrep may know more";
  if (problem == "not a database" || problem == "damaged database")
    return "not read; what was read of it before is kept";
  return "skipped; the rest of the source was read";
}

class Examination {
 public:
  explicit Examination(const Options& options) : options_(options) {}

  std::vector<Finding> run(const Places& places) {
    if (!places.has_history())
      add({.what = "no history of Cursor found",
           .advice = "set CURSOR_DATA_DIR or CURSOR_CONFIG_DIR, or use --root"});
    if (index_exists(places.index) || options_.refresh.when != Refresh::never) update_index(places);
    if (!index_exists(places.index)) {
      add({.what = "no index", .advice = "cgrep index"});
      return std::move(findings_);
    }
    look_at_pages(places);
    try {
      History history(places.index, History::Mode::read);
      look_at_words(history);
      look_at_problems(history);
      look_at_left_out(history);
    } catch (const Error& error) {
      add({.what = error.what(), .advice = error.hint()});
    }
    return std::move(findings_);
  }

 private:
  void add(Finding finding) { findings_.push_back(std::move(finding)); }

  void update_index(const Places& places) {
    if (options_.refresh.when == Refresh::never || !places.has_history()) return;
    try {
      ProgressReport report(progress_style(ProgressStyle::none));
      UpdateOptions update_options{.wait = false};
      if (index_exists(places.index)) update_options.budget = options_.refresh.time();
      update_options.progress = [&](const Progress& progress) { report.show(progress); };
      const UpdateSummary summary = update(places.index, places.roots, update_options);
      report.erase();
      if (summary.busy)
        add({.what = "another process is writing the index", .advice = "ask again", .bad = false});
      if (summary.left > 0)
        add({.what = newer_text(summary.left, "the index"), .advice = "cgrep index", .bad = false});
      for (const auto& warning : summary.warnings)
        add({.what = warning, .advice = "what was read of it before is kept"});
    } catch (const Error& error) {
      add({.what = error.what(), .advice = error.hint()});
    }
  }

  // All of them; a search notices only what it reads.
  void look_at_pages(const Places& places) {
    try {
      if (is_damaged(places.index))
        add({.what = "history.db is damaged", .advice = "cgrep index --rebuild"});
    } catch (const Error& error) {
      add({.what = error.what(), .advice = error.hint()});
    }
  }

  void look_at_words(History& history) {
    try {
      const Runs runs(history.words(), history.runs(), SealCheck::thorough);
      runs.vocabularies();
    } catch (const Damaged& damaged) {
      add({.what = damaged.what(), .advice = "cgrep index makes it again"});
    }
    if (history.makes_runs_slowly())
      add({.what = "this version of Xapian does not read what cgrep writes in its format",
           .advice = "Xapian's own writer is used: the index is complete, making it takes longer",
           .bad = false});
  }

  void look_at_problems(History& history) {
    for (const StoredProblem& problem : history.problems())
      add({.what = problem.what,
           .advice = std::string(advice_on(problem.what)),
           .store = problem.store,
           .count = problem.count,
           .example = problem.example,
           .source = problem.source});
  }

  void look_at_left_out(History& history) {
    for (const LeftOut& left : history.left_out())
      if (left.only > 0)
        add({.what = fmt::format("{} that no store in the index has",
                                 counted(left.only, "conversation")),
             .advice = fmt::format("cgrep index --store {}", left.store->name),
             .store = left.store,
             .count = left.only,
             .bad = false});
  }

  const Options& options_;
  std::vector<Finding> findings_{};
};

void print_finding(const Finding& finding, Output& out) {
  if (finding.store != nullptr) out.print("{}: ", finding.store->name);
  out.print("{}", visible(finding.what));
  if (finding.store != nullptr && finding.bad) out.print(" ({})", counted(finding.count, "record"));
  out.print("\n");
  if (!finding.example.empty())
    out.print("  such as {} in {}\n", visible(finding.example), visible(finding.source));
  if (!finding.advice.empty()) out.print("  {}\n", visible(finding.advice));
}

std::string json_finding(const Finding& finding) {
  JsonObject data;
  data.string("what", finding.what)
      .text("advice", finding.advice)
      .text("store", finding.store != nullptr ? finding.store->name : std::string_view())
      .number("count", finding.count)
      .text("example", finding.example)
      .text("source", finding.source)
      .string("level", finding.bad ? "problem" : "note");
  return json_event("finding", data);
}

ExitCode doctor(const Options& options, Context& context) {
  if (!context.operands.empty())
    throw Error("doctor takes no operands", search_hint(context.typed));
  const Places places = find_places(options.places, context.environment, context.settings);
  const auto findings = Examination(options).run(places);
  bool bad = false;
  for (const Finding& finding : findings) {
    bad = bad || finding.bad;
    if (options.json)
      context.out.write(json_finding(finding));
    else
      print_finding(finding, context.out);
  }
  if (!bad && !options.json) context.out.print("nothing is wrong\n");
  return bad ? ExitCode::no_match : ExitCode::ok;
}

}  // namespace

Action declare_doctor(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Output");
  table.add_flag("--json", options->json, "One JSON object per finding");
  declare_refresh(table, options->refresh);
  declare_places(table, options->places);
  return [options](Context& context) { return doctor(*options, context); };
}

}  // namespace cgrep
