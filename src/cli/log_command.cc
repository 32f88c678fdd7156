// cgrep log: conversations, newest first. In a pipe a line has seven columns, parted by tabs:
//   ADDRESS  TIME  PROJECT  TITLE  STORES  DOCUMENTS  PARENT
// and in JSON there is one event for each:
//   conversation  address conversation parent project title first last time_source model mode
//   branch
//                 surface stores documents user_documents gone archived subagents tokens
// documents, user_documents and gone count what passes the filters and matches the pattern.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/chart.h"
#include "cli/commands.h"
#include "cli/conversation_list.h"
#include "cli/display.h"
#include "cli/filter_options.h"
#include "cli/here.h"
#include "cli/json_object.h"
#include "cli/nothing_found.h"
#include "cli/options.h"
#include "cli/printer.h"
#include "cli/question.h"
#include "cli/refresh.h"
#include "cli/times.h"
#include "query/parser.h"

namespace cgrep {
namespace {

struct Options {
  FilterOptions filters{};
  Sort sort = Sort::newest;
  bool whole_words = false;
  bool literal = false;
  bool regex = false;
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
    ConversationList list(history, request);
    list.find(searcher, summary_.outcome);
    const std::size_t more = list.limit(options_.limit.value_or(table_ ? kScreenConversations : 0));
    print(history, list);
    out_.flush();
    print_footer(more);
    if (list.listed().empty()) explain_nothing(searcher, request);
    return list.listed().empty() ? ExitCode::no_match : ExitCode::ok;
  }

 private:
  Request make_request(const StoreSelection& stores) {
    Request request;
    request.filters = make_filters(options_.filters, stores, current_ms());
    leave_out(request.filters, context_.settings.exclude);
    const std::string pattern = joined(context_.operands);
    if (options_.literal || options_.regex) {
      if (pattern.empty()) throw Error("no pattern", "cgrep log -F TEXT, cgrep log -E REGEX");
      request.exact = ExactQuery{
          .patterns = {pattern}, .literal = options_.literal, .whole_words = options_.whole_words};
    } else {
      ParsedQuery parsed = parse_query(pattern, {.whole = options_.whole_words});
      unknown_fields_ = std::move(parsed.unknown_fields);
      request.query = std::move(parsed.query);
    }
    if (options_.sort == Sort::relevance && pattern.empty())
      throw Error("--sort relevance needs a pattern", "cgrep log --sort newest");
    // A pattern that names stores itself decides which.
    if (options_.filters.stores.empty() && names_field(request.query, "store")) {
      request.filters.stores = {};
      request.filters.repeated = true;
    }
    request.sort = options_.sort;
    if (const auto here = find_here(); !here.roots.empty()) request.here = here.roots.front();
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
    out_.write(conversation.address);
    out_.write(options_.null_separator ? std::string_view("\0", 1) : "\t");
    out_.print("{}\t{}\t{}\t{}\t{}\t{}\n", local_time(conversation.last),
               on_one_line(project_of(conversation)), on_one_line(conversation.title),
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
                 .title = fmt::format("{}{}", conversation.parent.empty() ? "" : mark,
                                      visible(conversation.title)),
                 .documents = fmt::to_string(counts.documents)};
    if (counts.gone > 0 && counts.gone == counts.documents) row.title = "(gone) " + row.title;
    if (!stores.empty()) row.stores = stores.front();
    if (stores.size() > 1) row.stores += fmt::format(" +{}", stores.size() - 1);
    if (terminal_.links) row.source = source_of_conversation(history, conversation.row);
    return row;
  }

  // The title gets what the others leave; a long project is cut first.
  void print_table(const std::vector<TableRow>& rows) {
    const auto widest = [&](auto member) {
      std::size_t width = 0;
      for (const TableRow& row : rows) width = std::max(width, display_width(row.*member));
      return width;
    };
    const std::size_t project = std::min(widest(&TableRow::project), terminal_.width / 4);
    const std::size_t address = widest(&TableRow::address);
    const std::size_t time = widest(&TableRow::time);
    const std::size_t documents = widest(&TableRow::documents);
    const std::size_t stores = widest(&TableRow::stores);
    constexpr std::size_t kShortestTitle = 12;
    const std::size_t used = address + time + project + documents + stores + 5 * kGap;
    const std::size_t room =
        terminal_.width > used + kShortestTitle ? terminal_.width - used : kShortestTitle;
    const std::size_t title = std::min(room, widest(&TableRow::title));
    for (const TableRow& row : rows) {
      const auto cell = [&](Paint paint, std::string_view text, std::size_t width) {
        const std::string cut = cut_to_width(text, width);
        return painted(terminal_, paint, cut) +
               std::string(width - std::min(width, display_width(cut)) + kGap, ' ');
      };
      const std::size_t padding = address - display_width(row.address) + kGap;
      out_.print(
          "{}{}{}{}{}{}{}\n",
          linked(terminal_, row.source, painted(terminal_, Paint::address, row.address)),
          std::string(padding, ' '), cell(Paint::faint, row.time, time),
          cell(Paint::project, row.project, project), cell(Paint::title, row.title, title),
          painted(terminal_, Paint::number, fmt::format("{:>{}}  ", row.documents, documents)),
          painted(terminal_, Paint::faint, row.stores));
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

  void explain_nothing(Searcher& searcher, const Request& request) const {
    auto help = help_of(searcher.advise(request, !options_.filters.stores.empty()),
                        joined(context_.operands));
    for (Help& of_field : help_of_fields(unknown_fields_, request.query))
      help.push_back(std::move(of_field));
    print_help(help);
  }

  const Options& options_;
  Output& out_;
  Context& context_;
  Terminal terminal_;
  bool table_;
  std::string home_;
  std::vector<std::string> unknown_fields_{};
  Summary summary_{};
};

}  // namespace

Action declare_log(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.option_defaults()->group("Search");
  app.add_flag("-w,--whole-words", options->whole_words, "Words as they are typed, no other forms");
  auto* literal = app.add_flag("-F,--fixed-strings", options->literal,
                               "Exactly this text, wherever it stands, also inside words");
  app.add_flag("-E,--extended-regexp", options->regex,
               "The pattern is a regular expression, matched on lines")
      ->excludes(literal);
  add_choice(
      app, "--sort", options->sort,
      Choices<Sort>{
          {"newest", Sort::newest}, {"oldest", Sort::oldest}, {"relevance", Sort::relevance}},
      "Order of conversations; default newest");
  declare_refresh(app, options->refresh);
  declare_filters(app, options->filters);
  app.option_defaults()->group("Output");
  auto* list = app.add_flag("-l,--list", options->list, "Only the addresses of conversations");
  auto* json = app.add_flag("--json", options->json, "One JSON event per line");
  json->excludes(list);
  app.add_flag("-0,--null", options->null_separator, "A NUL after each address, for xargs -0")
      ->excludes(json);
  add_number(app, "--limit", options->limit,
             "At most NUM conversations; 0: all; default 20 on a terminal");
  declare_color(app, options->color);
  declare_places(app, options->places);
  return [options](Context& context) { return LogRun(*options, context).run(); };
}

}  // namespace cgrep
