// cgrep log: conversations, newest first. In a pipe a line has seven columns, parted by tabs:
//   ADDRESS  TIME  PROJECT  TITLE  STORES  DOCUMENTS  PARENT
// and in JSON there is one event for each:
//   conversation  address conversation parent project title first last time_source model mode
//   branch
//                 surface stores documents user_documents gone archived subagents tokens
// and the summary of a search at the end. documents, user_documents and gone count what passes the
// filters and matches the pattern.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/chart.h"
#include "cli/commands.h"
#include "cli/conversation_list.h"
#include "cli/coverage.h"
#include "cli/display.h"
#include "cli/filter_options.h"
#include "cli/json_object.h"
#include "cli/nothing_found.h"
#include "cli/options.h"
#include "cli/printer.h"
#include "cli/question.h"
#include "cli/refresh.h"
#include "cli/times.h"

namespace cgrep {
namespace {

constexpr auto kOrders = std::to_array<Named<Sort>>(
    {{"newest", Sort::newest}, {"oldest", Sort::oldest}, {"relevance", Sort::relevance}});

struct Options {
  FilterOptions filters{};
  Sort sort = Sort::newest;
  PatternOptions pattern{};
  RefreshOptions refresh{};
  bool list = false;
  bool json = false;
  bool null_separator = false;
  std::optional<std::size_t> limit{};
  ColorWhen color = ColorWhen::automatic;
  PlaceOptions places{};
};

constexpr std::size_t kScreenConversations = 20;
constexpr std::size_t kGap = 2;

const std::string& project_of(const Conversation& conversation) {
  return conversation.project.empty() ? conversation.slug : conversation.project;
}

struct TableRow {
  std::string address{};
  std::string time{};
  std::string project{};
  std::string title{};
  std::string stores{};
  std::string documents{};
  std::string source{};
};

class LogRun {
 public:
  LogRun(const Options& options, Context& context)
      : options_(options),
        out_(context.out),
        context_(context),
        terminal_(find_terminal(options.color, context.environment)),
        table_(terminal_.is_terminal && !options.list && !options.json),
        home_(context.environment("HOME").value_or("")) {}

  ExitCode run() {
    const auto stores = select_stores(options_.filters.stores, context_.settings.default_stores);
    const Request request = make_request(stores);
    const Places places = find_places(options_.places, context_.environment, context_.settings);
    summary_.coverage = refresh_index(places, options_.refresh, stores.opt_in);
    History history(places.index, History::Mode::read);
    Searcher searcher(history);
    require_known(searcher, request.filters);
    const auto started = std::chrono::steady_clock::now();
    ConversationList list(history, request);
    list.find(searcher, summary_.outcome);
    const std::size_t more = list.limit(options_.limit.value_or(table_ ? kScreenConversations : 0));
    print(history, list);
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - started;
    summary_.elapsed_ms = elapsed.count();
    if (list.listed().empty()) find_help(searcher, request);
    if (options_.json) print_summary(history, request);
    out_.flush();
    print_footer(more);
    if (list.listed().empty()) print_help(summary_.help);
    return list.listed().empty() ? ExitCode::no_match : ExitCode::ok;
  }

 private:
  Request make_request(const StoreSelection& stores) {
    question_ = make_question(options_.pattern, context_.operands);
    if (options_.sort == Sort::relevance && question_.empty())
      throw Error("--sort relevance needs a pattern", "cgrep log --sort newest");
    Request request = cgrep::make_request(question_, options_.filters, stores, context_.settings);
    request.sort = options_.sort;
    return request;
  }

  void print(History& history, ConversationList& list) {
    std::vector<TableRow> rows;
    Outcome& outcome = summary_.outcome;
    outcome.documents = 0;
    for (const Conversation* conversation : list.listed()) {
      if (options_.list) {
        print_address(history, *conversation, terminal_, options_.null_separator, out_);
        continue;
      }
      const DocumentCounts counts = list.counts(*conversation);
      outcome.documents += counts.documents;
      if (options_.json)
        out_.write(json(history, list.conversations(), *conversation, counts));
      else if (table_)
        rows.push_back(table_row(history, *conversation, counts));
      else
        print_line(*conversation, counts);
    }
    outcome.conversations = list.listed().size();
    print_table(rows);
  }

  void print_line(const Conversation& conversation, const DocumentCounts& counts) {
    const auto cell = [&](Paint paint, const std::string& text) {
      return painted(terminal_, paint, text);
    };
    out_.write(cell(Paint::address, conversation.address));
    out_.write(options_.null_separator ? std::string_view("\0", 1) : "\t");
    out_.print("{}\t{}\t{}\t{}\t{}\t{}\n", cell(Paint::faint, local_time(conversation.last)),
               on_one_line(project_of(conversation)),
               cell(Paint::title, on_one_line(conversation.title)),
               fmt::join(conversation.stores, ","), counts.documents, conversation.parent);
  }

  std::string json(History& history, const Conversations& all, const Conversation& conversation,
                   const DocumentCounts& counts) const {
    const auto iso = [](const std::optional<Time>& time) {
      return time ? iso_time(time->ms) : std::string();
    };
    const auto origin = newest_origin(history, conversation);
    JsonObject data;
    data.string("address", conversation.address)
        .string("conversation", conversation.key)
        .text("parent", conversation.parent)
        .text("project", conversation.project)
        .text("title", conversation.title)
        .text("first", iso(conversation.first))
        .text("last", iso(conversation.last))
        .text("time_source", conversation.last ? name_of(origin.value_or(conversation.last->origin))
                                               : std::string_view())
        .text("model", conversation.model)
        .text("mode", conversation.mode)
        .text("branch", conversation.branch)
        .text("surface", conversation.surface)
        .texts("stores", std::span(conversation.stores))
        .number("documents", counts.documents)
        .number("user_documents", counts.user)
        .number("gone", counts.gone)
        .flag("archived", conversation.archived)
        .number("subagents", all.started_by(conversation))
        .number("tokens", conversation.tokens);
    return json_event("conversation", data);
  }

  TableRow table_row(History& history, const Conversation& conversation,
                     const DocumentCounts& counts) const {
    const auto& stores = conversation.stores;
    const std::string_view mark = speaks_utf8(context_.environment) ? "↳ " : "> ";
    TableRow row{.address = visible(conversation.address),
                 .time = local_time(conversation.last),
                 .project = visible(with_tilde(project_of(conversation), home_)),
                 .title = fmt::format("{}{}", is_subagent(conversation) ? mark : "",
                                      visible(conversation.title)),
                 .documents = fmt::to_string(counts.documents)};
    if (counts.gone > 0 && counts.gone == counts.documents) row.title = "(gone) " + row.title;
    if (!stores.empty()) row.stores = stores.front();
    if (stores.size() > 1) row.stores += fmt::format(" +{}", stores.size() - 1);
    if (terminal_.links) row.source = source_of_conversation(history, conversation.row);
    return row;
  }

  // The title gets what the others leave: a long project is cut first, and stores are named only
  // where they leave it room.
  void print_table(const std::vector<TableRow>& rows) {
    const auto widest = [&](auto member) {
      std::size_t width = 0;
      for (const TableRow& row : rows) width = std::max(width, display_width(row.*member));
      return width;
    };
    std::size_t project = std::min(widest(&TableRow::project), terminal_.width / 4);
    const std::size_t address = widest(&TableRow::address);
    const std::size_t time = widest(&TableRow::time);
    const std::size_t documents = widest(&TableRow::documents);
    const std::size_t stores = widest(&TableRow::stores) + kGap;
    constexpr std::size_t kShortestTitle = 12;
    constexpr std::size_t kReadableTitle = 24;
    constexpr std::size_t kShortestProject = 8;
    const std::size_t others = address + time + documents + 4 * kGap + kShortestTitle;
    if (others + project > terminal_.width)
      project = terminal_.width > others + kShortestProject ? terminal_.width - others
                                                            : std::min(project, kShortestProject);
    const std::size_t used = address + time + project + documents + 4 * kGap;
    const bool with_stores = terminal_.width >= used + stores + kReadableTitle;
    const std::size_t taken = used + (with_stores ? stores : 0);
    const std::size_t room =
        terminal_.width > taken + kShortestTitle ? terminal_.width - taken : kShortestTitle;
    const std::size_t title = std::min(room, widest(&TableRow::title));
    for (const TableRow& row : rows) {
      const auto cell = [&](Paint paint, std::string_view text, std::size_t width) {
        const std::string cut = cut_to_width(text, width);
        return painted(terminal_, paint, cut) +
               std::string(width - std::min(width, display_width(cut)) + kGap, ' ');
      };
      const std::size_t padding = address - display_width(row.address) + kGap;
      out_.print("{}{}{}{}{}{}{}\n",
                 linked(terminal_, row.source, painted(terminal_, Paint::address, row.address)),
                 std::string(padding, ' '), cell(Paint::faint, row.time, time),
                 cell(Paint::plain, row.project, project), cell(Paint::title, row.title, title),
                 painted(terminal_, Paint::number, fmt::format("{:>{}}", row.documents, documents)),
                 with_stores ? painted(terminal_, Paint::faint, "  " + row.stores) : "");
    }
  }

  void print_footer(std::size_t more) const {
    if (table_ && more > 0)
      warn(fmt::format("{}; --limit 0 shows all", counted(more, "more conversation")));
    if (summary_.outcome.undated > 0)
      warn(fmt::format("--since and --until leave out {} without a time",
                       counted(summary_.outcome.undated, "document")));
    if (summary_.outcome.scanned)
      warn("the word index is damaged, so all texts were read; cgrep index repairs it");
    if (summary_.outcome.spread)
      warn("no document has all the words; these conversations have them between them");
  }

  void find_help(Searcher& searcher, const Request& request) {
    summary_.help =
        help_of(searcher.advise(request, !options_.filters.stores.empty()), question_.text);
    for (Help& help : help_of_fields(question_.unknown_fields, request.query))
      summary_.help.push_back(std::move(help));
  }

  void print_summary(History& history, const Request& request) {
    find_left_out(history, request, !options_.filters.stores.empty(), summary_.coverage);
    count_problems(history, summary_.coverage);
    out_.write(json_summary(summary_));
  }

  const Options& options_;
  Output& out_;
  Context& context_;
  Terminal terminal_;
  bool table_;
  std::string home_;
  Question question_{};
  Summary summary_{};
};

}  // namespace

Action declare_log(OptionTable& table) {
  auto options = std::make_shared<Options>();
  declare_pattern(table, options->pattern);
  table.add_choice("--sort", options->sort, kOrders, "Order of conversations; default newest");
  declare_refresh(table, options->refresh);
  declare_filters(table, options->filters);
  table.group("Output");
  table.add_flag("-l,--list", options->list, "Only the addresses of conversations");
  table.add_flag("--json", options->json, "One JSON event per line").excludes = "--list";
  table.add_flag("-0,--null", options->null_separator, "A NUL after each address, for xargs -0")
      .excludes = "--json";
  table.add_number("--limit", options->limit,
                   "At most NUM conversations; 0: all; default 20 on a terminal");
  declare_color(table, options->color);
  declare_places(table, options->places);
  return [options](Context& context) { return LogRun(*options, context).run(); };
}

}  // namespace cgrep
