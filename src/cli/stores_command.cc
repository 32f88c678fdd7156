// cgrep stores: the whole catalogue, what was found of each store and what is indexed.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/json_object.h"
#include "cli/options.h"
#include "cli/times.h"
#include "extract/folders.h"
#include "extract/stores.h"
#include "index/folder.h"
#include "index/history.h"

namespace cgrep {
namespace {

struct Options {
  bool json = false;
  PlaceOptions places{};
};

struct Row {
  const Store* store = nullptr;
  std::size_t found = 0;
  std::optional<StoreCounts> counts{};  // absent: no index
};

std::string_view class_of(const Store& store) {
  switch (store.searched) {
    case Searched::by_default:
      return "default";
    case Searched::when_named:
      return "opt-in";
    case Searched::never:
      return "catalogue";
  }
  return "";
}

std::vector<StoreCounts> counts_of(const Places& places) {
  if (!index_exists(places.index)) {
    warn("no index yet; cgrep index makes it, and so does the first search");
    return {};
  }
  try {
    return History(places.index, History::Mode::read).store_counts();
  } catch (const Error& error) {
    warn(error.what());
    return {};
  }
}

std::vector<Row> rows_of(const Places& places) {
  std::vector<Row> rows;
  Folders folders;
  for (const Store* store : all_stores()) {
    std::vector<Source> found;
    if (store->discover != nullptr) store->discover(places.roots, folders, found);
    rows.push_back({store, found.size()});
  }
  for (const StoreCounts& counts : counts_of(places))
    for (Row& row : rows)
      if (row.store == counts.store) row.counts = counts;
  return rows;
}

// Catalogue stores are only counted, so nothing is missing when they are not read.
bool awaits_reading(const Store& store) {
  return !store.readable() && store.searched != Searched::never;
}

void print_table(const std::vector<Row>& rows, Output& out) {
  out.print("{:<14} {:<9} {:>8} {:>10} {:>9}  {}\n", "STORE", "CLASS", "SOURCES", "DOCUMENTS",
            "PROBLEMS", "NEWEST");
  for (const Row& row : rows) {
    const bool indexed =
        row.counts && row.store->readable() && row.store->searched != Searched::never;
    const auto number = [&](auto member) {
      return indexed ? fmt::format("{}", (*row.counts).*member) : std::string("-");
    };
    std::string last = indexed && row.counts->newest ? local_time(*row.counts->newest) : "-";
    if (awaits_reading(*row.store)) last = "not read yet";
    out.print("{:<14} {:<9} {:>8} {:>10} {:>9}  {}\n", row.store->name, class_of(*row.store),
              row.found, number(&StoreCounts::documents), number(&StoreCounts::problems), last);
  }
}

std::string json_row(const Row& row) {
  const auto number = [&](auto member) {
    return row.counts ? std::optional<std::size_t>((*row.counts).*member) : std::nullopt;
  };
  JsonObject data;
  data.string("name", row.store->name)
      .text("summary", row.store->summary)
      .string("class", class_of(*row.store))
      .flag("readable", row.store->readable())
      .number("sources", row.found)
      .number("indexed_sources", number(&StoreCounts::sources))
      .number("documents", number(&StoreCounts::documents))
      .number("gone", number(&StoreCounts::gone))
      .number("problems", number(&StoreCounts::problems));
  const bool dated = row.counts && row.counts->newest;
  data.text("newest", dated ? iso_time(*row.counts->newest) : std::string());
  return json_event("store", data);
}

ExitCode stores(const Options& options, Context& context) {
  if (!context.operands.empty())
    throw Error("stores takes no operands", search_hint(context.typed));
  const Places places = find_places(options.places, context.environment);
  if (!index_exists(places.index)) places.require_history();
  const auto rows = rows_of(places);
  if (!options.json) print_table(rows, context.out);
  for (const Row& row : rows)
    if (options.json) context.out.write(json_row(row));
  return ExitCode::ok;
}

}  // namespace

Action declare_stores(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.option_defaults()->group("Output");
  app.add_flag("--json", options->json, "One JSON object per store");
  declare_places(app, options->places);
  return [options](Context& context) { return stores(*options, context); };
}

}  // namespace cgrep
