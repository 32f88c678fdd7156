// cgrep stores: the whole catalogue, what was found of each store, where, what is indexed, and what
// is newer than that.
#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/display.h"
#include "cli/json_object.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/times.h"
#include "error.h"
#include "extract/folders.h"
#include "extract/stores.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/staleness.h"

namespace cgrep {
namespace {

struct Options {
  bool json = false;
  PlaceOptions places{};
};

struct Row {
  const Store* store = nullptr;
  std::size_t found = 0;              // sources, or what a catalogue store holds
  std::vector<std::string> places{};  // folders that hold its sources
  bool opted_in = false;
  std::optional<StoreCounts> counts{};  // absent: no index
  std::optional<std::size_t> stale{};   // sources newer than the index; absent: not indexed

  bool indexed() const { return counts && (store->searched == Searched::by_default || opted_in); }

  /// Why it is not in the index; empty when it is.
  std::string_view why_not() const {
    if (store->searched == Searched::never) return "only listed";
    if (!counts) return "no index yet";
    return indexed() ? "" : "opt-in";
  }
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

// The folder right below a root that a source lies in, or the root: `~/.cursor/projects`.
std::string place_of(const Source& source) {
  const auto relative = source.path.lexically_relative(source.root);
  if (relative.empty() || std::distance(relative.begin(), relative.end()) < 2)
    return source.path.parent_path().string();
  return (source.root / *relative.begin()).string();
}

std::size_t count_of(const Source& source) {
  if (source.store->count == nullptr) return 1;
  try {
    return source.store->count(source);
  } catch (const std::exception&) {
    return 1;  // it is there; what it holds cannot be told now
  }
}

void find_sources(const Places& places, Folders& folders, Row& row) {
  std::vector<Source> found;
  if (row.store->discover != nullptr) row.store->discover(places.roots, folders, found);
  for (const Source& source : found) {
    row.found += count_of(source);
    if (auto place = place_of(source);
        std::find(row.places.begin(), row.places.end(), place) == row.places.end())
      row.places.push_back(std::move(place));
  }
}

void add_counts(const Places& places, std::vector<Row>& rows) {
  if (!index_exists(places.index))
    return warn("no index yet; cgrep index makes it, and so does the first search");
  try {
    History history(places.index, History::Mode::read);
    const auto opted_in = history.opted_in();
    for (const StoreCounts& counts : history.store_counts())
      for (Row& row : rows) {
        if (row.store != counts.store) continue;
        row.counts = counts;
        row.opted_in = std::find(opted_in.begin(), opted_in.end(), row.store) != opted_in.end();
      }
    if (!places.has_history()) return;
    const auto stale = stale_by_store(history, places.roots, places.exclude);
    for (Row& row : rows)
      if (const auto found = stale.find(row.store); found != stale.end() && row.indexed())
        row.stale = found->second;
  } catch (const Error& error) {
    warn(error.what());
  }
}

std::vector<Row> rows_of(const Places& places) {
  std::vector<Row> rows;
  Folders folders;
  for (const Store* store : all_stores()) {
    Row& row = rows.emplace_back();
    row.store = store;
    find_sources(places, folders, row);
  }
  add_counts(places, rows);
  return rows;
}

std::string shortened(const std::string& path, const std::string& home) {
  if (!home.empty() && path.starts_with(home + "/")) return "~" + path.substr(home.size());
  return path;
}

std::string number_of(const Row& row, std::size_t StoreCounts::*member) {
  return row.indexed() ? fmt::to_string((*row.counts).*member) : "-";
}

std::string newest_of(const Row& row) {
  if (!row.why_not().empty()) return std::string(row.why_not());
  return row.counts->newest ? local_time(*row.counts->newest) : "-";
}

struct Column {
  std::string_view heading{};
  std::size_t width = 0;
  bool number = false;
  bool of_trouble = false;  // on a terminal only when it tells of some
  std::string (*cell)(const Row& row) = nullptr;
};

constexpr auto kColumns = std::to_array<Column>({
    {"STORE", 12, false, false, [](const Row& row) { return std::string(row.store->name); }},
    {"CLASS", 9, false, false, [](const Row& row) { return std::string(class_of(*row.store)); }},
    {"SOURCES", 7, true, false, [](const Row& row) { return fmt::to_string(row.found); }},
    {"NEWER", 5, true, true,
     [](const Row& row) { return row.stale ? fmt::to_string(*row.stale) : std::string("-"); }},
    {"DOCUMENTS", 9, true, false,
     [](const Row& row) { return number_of(row, &StoreCounts::documents); }},
    {"PROBLEMS", 8, true, true,
     [](const Row& row) { return number_of(row, &StoreCounts::problems); }},
    {"NEWEST", 16, false, false, newest_of},
});

// In 80 columns there is room for most places, each below the one before where they are several.
class Table {
 public:
  Table(const std::vector<Row>& rows, const std::string& home, const Terminal& terminal)
      : home_(home), terminal_(terminal) {
    for (const Column& column : kColumns) {
      const auto tells = [&](const Row& row) {
        const auto cell = column.cell(row);
        return cell != "0" && cell != "-";
      };
      if (!column.of_trouble || !terminal.is_terminal ||
          std::any_of(rows.begin(), rows.end(), tells))
        columns_.push_back(&column);
    }
  }

  void print_headings(Output& out) const {
    print_line(
        out, [](const Column& column) { return std::string(column.heading); }, "WHERE");
  }

  void print(const Row& row, Output& out) const {
    print_line(
        out, [&](const Column& column) { return column.cell(row); }, places_of(row));
  }

 private:
  std::size_t width() const {
    std::size_t width = 0;
    for (const Column* column : columns_) width += column->width + 1;
    return width;
  }

  std::string places_of(const Row& row) const {
    std::string all;
    std::size_t used = width();
    for (const std::string& place : row.places) {
      const std::string shown = visible(shortened(place, home_));
      const bool fits = used + 2 + display_width(shown) <= terminal_.width;
      if (!all.empty() && terminal_.is_terminal && !fits) {
        all += ",\n" + std::string(width(), ' ');
        used = width();
      } else if (!all.empty()) {
        all += ", ";
      }
      all += shown;
      used += 2 + display_width(shown);
    }
    return all;
  }

  template <typename Cell>
  void print_line(Output& out, const Cell& cell, const std::string& where) const {
    std::string line;
    for (const Column* column : columns_)
      line += column->number ? fmt::format("{:>{}} ", cell(*column), column->width)
                             : fmt::format("{:<{}} ", cell(*column), column->width);
    line += where;
    line.erase(line.find_last_not_of(' ') + 1);
    out.print("{}\n", line);
  }

  std::string home_;
  Terminal terminal_;
  std::vector<const Column*> columns_{};
};

std::string json_row(const Row& row) {
  const auto number = [&](auto member) {
    return row.counts ? std::optional<std::size_t>((*row.counts).*member) : std::nullopt;
  };
  JsonObject data;
  data.string("name", row.store->name)
      .text("summary", row.store->summary)
      .string("class", class_of(*row.store))
      .texts("locations", std::span(row.places))
      .number("sources", row.found)
      .flag("indexed", row.indexed())
      .text("not_indexed_because", row.why_not())
      .number("indexed_sources", number(&StoreCounts::sources))
      .number("stale_sources", row.stale)
      .number("documents", number(&StoreCounts::documents))
      .number("gone", number(&StoreCounts::gone))
      .number("truncated", number(&StoreCounts::truncated))
      .number("problems", number(&StoreCounts::problems));
  const bool dated = row.counts && row.counts->newest;
  data.text("newest", dated ? iso_time(*row.counts->newest) : std::string());
  return json_event("store", data);
}

ExitCode stores(const Options& options, Context& context) {
  if (!context.operands.empty())
    throw Error("stores takes no operands", search_hint(context.typed));
  const Places places = find_places(options.places, context.environment, context.settings);
  if (!index_exists(places.index)) places.require_history();
  const auto rows = rows_of(places);
  const auto& variable = context.environment;
  const auto home =
      options.places.root.value_or(variable("CGREP_ROOT").value_or(variable("HOME").value_or("")));
  const Table table(rows, home, find_terminal(ColorWhen::never, context.environment));
  if (!options.json) table.print_headings(context.out);
  for (const Row& row : rows)
    if (options.json)
      context.out.write(json_row(row));
    else
      table.print(row, context.out);
  return ExitCode::ok;
}

}  // namespace

Action declare_stores(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Output");
  table.add_flag("--json", options->json, "One JSON object per store");
  declare_places(table, options->places);
  return [options](Context& context) { return stores(*options, context); };
}

}  // namespace cgrep
