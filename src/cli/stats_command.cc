// cgrep stats: how much there is, and a table with bars for each thing it can be counted by. In
// JSON:
//   totals  conversations subagents documents gone text_bytes index_bytes first last tokens
//   count   one for each row of each table (tally.cc)
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/chart.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/display.h"
#include "cli/filter_options.h"
#include "cli/json_object.h"
#include "cli/options.h"
#include "cli/question.h"
#include "cli/refresh.h"
#include "cli/tally.h"
#include "cli/times.h"
#include "query/selection.h"

namespace cgrep {
namespace {

struct Options {
  FilterOptions filters{};
  std::vector<std::string> by{};
  std::optional<std::size_t> limit{};
  bool json = false;
  RefreshOptions refresh{};
  ColorWhen color = ColorWhen::automatic;
  PlaceOptions places{};
};

constexpr std::size_t kRows = 10;

struct Totals {
  std::size_t conversations = 0;
  std::size_t subagents = 0;  // of them, started by others
  DocumentCounts documents{};
  std::uint64_t text_bytes = 0;
  std::uint64_t index_bytes = 0;
  std::optional<std::int64_t> first{};
  std::optional<std::int64_t> last{};
  std::optional<std::int64_t> tokens{};
};

class StatsRun {
 public:
  StatsRun(const Options& options, Context& context)
      : options_(options),
        context_(context),
        terminal_(find_terminal(options.color, context.environment)),
        utf8_(speaks_utf8(context.environment)),
        home_(context.environment("HOME").value_or("")) {}

  ExitCode run() {
    if (!context_.operands.empty())
      throw Error("stats takes no operands",
                  "cgrep PATTERN --by project counts what matches a pattern");
    auto names = split_lists(options_.by);
    if (names.empty()) names = {"project", "store", "role", "month", "model"};
    const auto tables = find_facets(names);
    const auto stores = select_stores(options_.filters.stores, context_.settings.default_stores);
    Filters filters = make_filters(options_.filters, stores, current_ms());
    leave_out(filters, context_.settings.exclude);
    const Places places = find_places(options_.places, context_.environment, context_.settings);
    refresh_index(places, options_.refresh, stores.opt_in);

    History history(places.index, History::Mode::read);
    const Conversations conversations(history);
    std::vector<Tally> tallies;
    tallies.reserve(tables.size());
    for (const Facet* facet : tables) tallies.emplace_back(std::vector{facet}, conversations);
    totals_.index_bytes = index_bytes(places.index);
    count(history, conversations, filters, tallies);
    if (options_.json)
      context_.out.write(json_totals());
    else
      print_totals();
    for (const Tally& tally : tallies) print_table(tally);
    context_.out.flush();
    if (undated_ > 0)
      warn(fmt::format("--since and --until leave out {} without a time",
                       counted(undated_, "document")));
    return totals_.documents.documents > 0 ? ExitCode::ok : ExitCode::no_match;
  }

 private:
  void count(History& history, const Conversations& conversations, const Filters& filters,
             std::vector<Tally>& tallies) {
    std::vector<std::int64_t> rows;
    std::unordered_set<std::int64_t> seen;
    Outcome outcome;
    Selection(history, conversations, filters)
        .for_each_document(outcome,
                           [&](const StoredDocument& document, const std::optional<Time>& time) {
                             totals_.documents.add(document);
                             rows.push_back(document.row);
                             seen.insert(document.conversation);
                             if (time) {
                               totals_.first = std::min(totals_.first.value_or(time->ms), time->ms);
                               totals_.last = std::max(totals_.last.value_or(time->ms), time->ms);
                             }
                             for (Tally& tally : tallies) tally.add(document, time);
                           });
    undated_ = outcome.undated;
    std::sort(rows.begin(), rows.end());
    totals_.text_bytes = text_bytes(history, rows);
    totals_.conversations = seen.size();
    for (const std::int64_t row : seen) {
      const Conversation* conversation = conversations.find(row);
      if (conversation == nullptr) continue;
      if (is_subagent(*conversation)) ++totals_.subagents;
      if (conversation->tokens) totals_.tokens = totals_.tokens.value_or(0) + *conversation->tokens;
    }
  }

  std::string json_totals() const {
    const auto iso = [](const std::optional<std::int64_t>& ms) {
      return ms ? iso_time(*ms) : std::string();
    };
    JsonObject data;
    data.number("conversations", totals_.conversations)
        .number("subagents", totals_.subagents)
        .number("documents", totals_.documents.documents)
        .number("gone", totals_.documents.gone)
        .number("text_bytes", totals_.text_bytes)
        .number("index_bytes", totals_.index_bytes)
        .text("first", iso(totals_.first))
        .text("last", iso(totals_.last))
        .number("tokens", totals_.tokens);
    return json_event("totals", data);
  }

  void print_totals() {
    const auto line = [&](std::string_view name, const std::string& value) {
      context_.out.print("{} {}\n", painted(terminal_, Paint::title, fmt::format("{:<13}", name)),
                         value);
    };
    const auto some = [](std::size_t number, std::string_view what) {
      return number == 0 ? std::string() : fmt::format(", {} {}", grouped_digits(number), what);
    };
    line("conversations", grouped_digits(totals_.conversations) +
                              some(totals_.subagents, "of them started by others"));
    line("documents", grouped_digits(totals_.documents.documents) +
                          some(totals_.documents.gone, "of them gone"));
    line("text", readable_bytes(totals_.text_bytes));
    line("whole index", readable_bytes(totals_.index_bytes));
    if (totals_.tokens) line("tokens", grouped_digits(static_cast<std::uint64_t>(*totals_.tokens)));
    if (totals_.first)
      line("time", local_time(*totals_.first) + " to " + local_time(*totals_.last));
  }

  void print_table(const Tally& tally) {
    const Facet& facet = *tally.facets().front();
    const auto rows = tally.rows();
    const auto shown =
        limited(rows, facet.date, options_.limit.value_or(options_.json ? 0 : kRows));
    if (options_.json) {
      for (const TallyRow& row : shown) context_.out.write(json_count(tally.facets(), row));
      return;
    }
    if (shown.empty()) return;
    const bool tokens = std::any_of(shown.begin(), shown.end(),
                                    [](const TallyRow& row) { return row.tokens.has_value(); });
    Chart chart{.headings = {std::string(facet.name), "conversations", "documents"}};
    if (tokens) chart.headings.emplace_back("tokens");
    for (const TallyRow& row : shown) {
      ChartRow& line = chart.rows.emplace_back();
      line.names = {shown_value(facet, row.values.front(), home_)};
      line.numbers = {grouped_digits(row.conversations), grouped_digits(row.documents)};
      if (tokens)
        line.numbers.push_back(row.tokens ? grouped_digits(static_cast<std::uint64_t>(*row.tokens))
                                          : "-");
      line.length = row.documents;
    }
    context_.out.write("\n");
    print_chart(chart, terminal_, utf8_, context_.out);
    if (rows.size() > shown.size())
      context_.out.print("{}\n", painted(terminal_, Paint::faint,
                                         fmt::format("+{} more", rows.size() - shown.size())));
  }

  const Options& options_;
  Context& context_;
  Terminal terminal_;
  bool utf8_;
  std::string home_;
  Totals totals_{};
  std::size_t undated_ = 0;
};

}  // namespace

Action declare_stats(OptionTable& table) {
  auto options = std::make_shared<Options>();
  declare_filters(table, options->filters);
  table.group("Output");
  declare_by(table, options->by, "Tables of documents by each of these fields: ");
  table.add_number("--limit", options->limit, "At most NUM rows of each table; 0: all; default 10");
  table.add_flag("--json", options->json, "One JSON event per line");
  declare_refresh(table, options->refresh);
  declare_color(table, options->color);
  declare_places(table, options->places);
  return [options](Context& context) { return StatsRun(*options, context).run(); };
}

}  // namespace cgrep
