// cgrep search: find history that answers a question, best conversation first.
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/conversation_list.h"
#include "cli/counts.h"
#include "cli/coverage.h"
#include "cli/display.h"
#include "cli/filter_options.h"
#include "cli/nothing_found.h"
#include "cli/options.h"
#include "cli/printer.h"
#include "cli/question.h"
#include "cli/redaction.h"
#include "cli/refresh.h"
#include "index/folder.h"
#include "index/history.h"
#include "query/searcher.h"

namespace cgrep {
namespace {

constexpr auto kOrders = std::to_array<Named<Sort>>(
    {{"relevance", Sort::relevance}, {"newest", Sort::newest}, {"oldest", Sort::oldest}});

struct Options {
  FilterOptions filters{};
  std::optional<Sort> sort{};
  PatternOptions pattern{};
  bool explain = false;
  RefreshOptions refresh{};
  bool strict = false;

  bool list = false;
  bool list_without = false;
  std::vector<std::string> by{};
  bool count = false;
  bool quiet = false;
  bool json = false;
  std::optional<bool> line_numbers{};
  std::optional<bool> heading{};
  std::optional<std::size_t> after{};
  std::optional<std::size_t> before{};
  std::optional<std::size_t> around{};
  std::optional<std::size_t> documents_around{};
  bool only_matching = false;
  bool null_separator = false;
  std::optional<std::size_t> max_count{};
  std::optional<std::size_t> limit{};
  std::optional<bool> redact{};
  ColorWhen color = ColorWhen::automatic;

  PlaceOptions places{};
};

// What a person can take in at once; for the format with headings on a terminal only.
constexpr std::size_t kScreenConversations = 20;
constexpr std::size_t kScreenLinesPerConversation = 10;
constexpr std::size_t kScreenLinesPerDocument = 3;

void declare_question(OptionTable& table, Options& options) {
  declare_pattern(table, options.pattern);
  table.add_choice(
      "--sort", options.sort, kOrders,
      "Order of conversations; default relevance; newest for exact patterns and without any");
  declare_refresh(table, options.refresh);
  table.add_flag("--strict", options.strict,
                 "Exit with 2 when the answer may lack something, after printing it");
  table.add_flag("--explain", options.explain,
                 "Print how the pattern is understood; do not search");
}

void declare_output(OptionTable& table, Options& options) {
  table.group("Output");
  table.add_flag("-l,--list", options.list, "Only the addresses of conversations");
  table
      .add_flag("-L,--list-without", options.list_without,
                "Only the addresses of conversations without a hit")
      .excludes = "--list,--count,--json";
  table
      .add_flag("-c,--count", options.count,
                "Only the number of matching lines of each conversation")
      .excludes = "--list";
  table.add_flag("-q,--quiet", options.quiet, "Print nothing; the exit code tells");
  table.add_flag("--json", options.json, "One JSON event per line").excludes =
      "--list,--count,--quiet";
  declare_by(table, options.by, "Count documents by these fields together, instead of hits: ")
      .excludes = "--list,--list-without,--count";
  table.add_switch("-n,--line-number,-N{false},--no-line-number{false}", options.line_numbers,
                   "With line numbers (default), or without");
  table.add_switch("--heading,--no-heading{false}", options.heading,
                   "A heading per conversation (default on a terminal), or ADDRESS:LINE:TEXT");
  table.add_number("-A,--after-context", options.after, "Also NUM lines after each match");
  table.add_number("-B,--before-context", options.before, "Also NUM lines before each match");
  table.add_number("-C,--context", options.around, "Also NUM lines around each match");
  table.add_number("--around", options.documents_around,
                   "Also NUM documents of the conversation around each that matches");
  table.add_flag("-o,--only-matching", options.only_matching, "Only what matches, each on its own")
      .excludes = "--json";
  table.add_flag("-0,--null", options.null_separator, "A NUL after each address, for xargs -0")
      .excludes = "--json";
  table.add_number(
      "-m,--max-count", options.max_count,
      "At most NUM matching lines per conversation; 0: all; default 10 under headings on a "
      "terminal");
  table.add_number("--limit", options.limit,
                   "At most NUM conversations; 0: all; default 20 under headings on a terminal");
  declare_redact(table, options.redact, false);
  declare_color(table, options.color);
}

// One search, from what was typed to what is printed.
class SearchRun {
 public:
  SearchRun(const Options& options, Context& context)
      : options_(options),
        context_(context),
        terminal_(find_terminal(options.color, context.environment)),
        headed_(!options.list && !options.list_without && options.by.empty() && !options.count &&
                !options.json && !options.quiet &&
                options.heading.value_or(terminal_.is_terminal)) {}

  ExitCode run() {
    require_question();
    const auto facets = find_facets(split_lists(options_.by));
    const auto stores = select_stores(options_.filters.stores, context_.settings.default_stores);
    const Request request = make_request(stores);
    const auto find = options_.refresh.when == Refresh::never ? find_index : find_places;
    const Places places = find(options_.places, context_.environment, context_.settings);
    LookBeside beside(places, options_.refresh, stores.opt_in);
    if (index_exists(places.index)) {
      try {
        return answer(places, request, facets, &beside);
      } catch (const Outdated&) {
        summary_ = {};
      } catch (const Error&) {
        // What is missing may be there once all is read.
        if (options_.refresh.when == Refresh::never || has_all_) throw;
      }
    }
    summary_.coverage = refresh_index(places, options_.refresh, stores.opt_in, beside.looked());
    return answer(places, request, facets, nullptr);
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Thrown before anything is printed, when a look beside the search found that there is more.
  struct Outdated {};

  // `beside`: the index may turn out not to have all.
  ExitCode answer(const Places& places, const Request& request,
                  const std::vector<const Facet*>& facets, LookBeside* beside) {
    has_all_ = beside == nullptr;
    History history(places.index, History::Mode::read);
    if (options_.json || (headed_ && terminal_.is_terminal))
      find_left_out(history, request, !options_.filters.stores.empty(), summary_.coverage);
    if (options_.json) count_problems(history, summary_.coverage);
    Searcher searcher(history);
    const bool searches = !options_.explain && !options_.list_without && facets.empty();
    if (!searches) require_all(history, beside);
    require_known(searcher, request.filters);
    if (options_.explain) return explain(searcher, request);
    started_ = Clock::now();
    bool found = false;
    if (options_.list_without)
      found = list_without(history, searcher, request);
    else if (!facets.empty())
      found = count_by(history, searcher, request, facets);
    else
      found = search(searcher, request, [&] { require_all(history, beside); });
    if (options_.strict) require_complete();
    searcher.leave_open();
    history.leave_open();
    return found ? ExitCode::ok : ExitCode::no_match;
  }

  // Before the first word is printed.
  void require_all(History& history, LookBeside* beside) {
    if (has_all_) return;
    if (!beside->has_all(history)) throw Outdated();
    summary_.coverage.refreshed = beside->coverage().refreshed;
    summary_.coverage.stale_sources = beside->coverage().stale_sources;
    has_all_ = true;
  }

  void require_question() const {
    if (!options_.pattern.exact() && context_.operands.empty() && options_.filters.empty())
      throw Error("no pattern and no filter", "cgrep --help shows examples");
  }

  void require_complete() const {
    if (summary_.coverage.complete()) return;
    throw Error("the answer may not be complete", summary_.coverage.refreshed
                                                      ? "cgrep doctor says what could not be read"
                                                      : "cgrep index brings the index up to date");
  }

  Request make_request(const StoreSelection& stores) {
    question_ = make_question(options_.pattern, context_.operands);
    Request request = cgrep::make_request(question_, options_.filters, stores, context_.settings);
    const bool no_words = request.query.kind == Query::Kind::everything;  // also when exact
    // What is only counted or left out need not be ranked.
    const bool unranked = no_words || options_.list_without || !options_.by.empty();
    request.sort = options_.sort.value_or(unranked ? Sort::newest : Sort::relevance);
    request.limit = limit();
    request.around = options_.documents_around.value_or(0);
    request.shown = line_limit();
    request.detail = detail();
    request.sources = options_.json || terminal_.links;
    return request;
  }

  Detail detail() const {
    if (options_.json || options_.documents_around.value_or(0) > 0) return Detail::lines;
    if (options_.list || options_.quiet) return Detail::conversations;
    return options_.count ? Detail::counts : Detail::lines;
  }

  // What one look at a screen takes in, unless -m says it.
  LineLimit line_limit() const {
    LineLimit limit;
    if (options_.max_count.value_or(0) > 0)
      limit.of_conversation = *options_.max_count;
    else if (!options_.max_count && headed_ && terminal_.is_terminal)
      limit = {.of_document = kScreenLinesPerDocument,
               .of_conversation = kScreenLinesPerConversation};
    return limit;
  }

  std::size_t limit() const {
    if (options_.quiet) return 1;
    return options_.limit.value_or(headed_ && terminal_.is_terminal ? kScreenConversations : 0);
  }

  ExitCode explain(Searcher& searcher, const Request& request) {
    std::string text = question_.text;
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
      text.insert(at + 1, "        ");
    context_.out.write(
        visible_lines(fmt::format("text:   {}\n{}", text, searcher.explain(request))));
    return ExitCode::ok;
  }

  std::unique_ptr<Printer> make_printer() {
    TextStyle style{.terminal = terminal_, .line_numbers = options_.line_numbers.value_or(true)};
    style.home = context_.environment("HOME").value_or("");
    const LineLimit limit = line_limit();
    style.lines_per_document = limit.of_document;
    style.lines_per_conversation = limit.of_conversation;
    style.context = {.before = options_.before.value_or(options_.around.value_or(0)),
                     .after = options_.after.value_or(options_.around.value_or(0))};
    style.around = options_.documents_around.value_or(0) > 0;
    style.only_matching = options_.only_matching;
    style.null_separator = options_.null_separator;
    if (options_.json) return make_json_printer(context_.out, style.context);
    if (options_.list) return make_list_printer(context_.out, style);
    if (options_.count) return make_count_printer(context_.out, style);
    return headed_ ? make_text_printer(context_.out, style)
                   : make_flat_printer(context_.out, style);
  }

  // `before_output`: what has to be known before the first word is printed.
  bool search(Searcher& searcher, const Request& request,
              const std::function<void()>& before_output) {
    const auto printer = make_printer();
    Redaction redaction(options_.redact.value_or(false));
    summary_.outcome = searcher.search(request, [&](const Hit& found) {
      before_output();
      if (options_.quiet) return false;
      const Hit& hit = redaction.of(found);
      const auto lines = lines_within_limit(hit);
      if (!lines.empty() || hit.lines.empty()) printer->hit(hit, lines);
      return true;
    });
    before_output();
    measure();
    if (summary_.outcome.documents == 0 && !options_.quiet) find_help(searcher, request);
    if (!options_.quiet) printer->end(summary_);
    context_.out.flush();
    if (!options_.quiet) print_footer();
    if (!options_.quiet && summary_.outcome.documents == 0) print_help(summary_.help);
    return summary_.outcome.documents > 0;
  }

  void measure() {
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - started_;
    summary_.elapsed_ms = elapsed.count();
  }

  void find_help(Searcher& searcher, const Request& request) {
    summary_.help =
        help_of(searcher.advise(request, !options_.filters.stores.empty()), question_.text);
    for (Help& help : help_of_fields(question_.unknown_fields, request.query))
      summary_.help.push_back(std::move(help));
  }

  bool list_without(History& history, Searcher& searcher, const Request& request) {
    ConversationList list(history, request);
    list.find_without(searcher, summary_.outcome);
    list.limit(request.limit);
    for (const Conversation* conversation : list.listed()) {
      if (options_.quiet) break;
      print_address(history, *conversation, terminal_, options_.null_separator, context_.out);
    }
    context_.out.flush();
    if (!options_.quiet) print_footer();
    return !list.listed().empty();
  }

  bool count_by(History& history, Searcher& searcher, const Request& request,
                const std::vector<const Facet*>& facets) {
    const Conversations conversations(history);
    Tally tally(facets, conversations);
    tally_documents(history, searcher, request, conversations, tally, summary_.outcome);
    measure();
    if (summary_.outcome.documents == 0) find_help(searcher, request);
    if (!options_.quiet)
      print_tally(tally, options_.limit, options_.json, terminal_, context_.environment,
                  context_.out);
    if (options_.json) context_.out.write(json_summary(summary_));
    context_.out.flush();
    if (!options_.quiet) print_footer();
    if (!options_.quiet && summary_.outcome.documents == 0) print_help(summary_.help);
    return summary_.outcome.documents > 0;
  }

  // -m: what is left of the conversation's share.
  std::span<const MatchLine> lines_within_limit(const Hit& hit) {
    if (hit.conversation->row != conversation_) {
      conversation_ = hit.conversation->row;
      lines_left_ = options_.max_count.value_or(0);
      if (lines_left_ == 0) lines_left_ = kUnlimited;
    }
    const auto lines = std::span(hit.lines).first(std::min(lines_left_, hit.lines.size()));
    lines_left_ -= lines.size();
    return lines;
  }

  // Notes beside the answer; only the first concerns people alone.
  void print_footer() const {
    const Outcome& outcome = summary_.outcome;
    if (headed_ && terminal_.is_terminal && outcome.more_conversations > 0)
      warn(fmt::format("{}{}; --limit 0 shows all", outcome.more_is_exact ? "" : "at least ",
                       counted(outcome.more_conversations, "more conversation")));
    if (outcome.undated > 0)
      warn(fmt::format("--since and --until leave out {} without a time",
                       counted(outcome.undated, "document")));
    if (outcome.spread)
      warn("no document has all the words; these conversations have them between them");
    if (outcome.scanned)
      warn("the word index is damaged, so all texts were read; cgrep index repairs it");
    if (headed_ && terminal_.is_terminal) print_coverage();
  }

  // What the answer does not cover, and how to have it.
  void print_coverage() const {
    const Coverage& coverage = summary_.coverage;
    if (options_.filters.stores.empty())
      for (const std::string& note : left_out_notes(coverage.not_searched)) warn(note);
    if (coverage.refreshed && coverage.stale_sources.value_or(0) > 0)
      warn(fmt::format("{} could not be read; cgrep doctor tells more",
                       counted(*coverage.stale_sources, "source")));
  }

  const Options& options_;
  Context& context_;
  Terminal terminal_;
  bool headed_;
  Question question_{};
  Clock::time_point started_{};
  Summary summary_{};
  bool has_all_ = false;  // nothing is left to be known about what the index does not have
  std::int64_t conversation_ = -1;
  std::size_t lines_left_ = kUnlimited;
};

}  // namespace

Action declare_search(OptionTable& table) {
  auto options = std::make_shared<Options>();
  declare_question(table, *options);
  declare_filters(table, options->filters);
  declare_output(table, *options);
  declare_places(table, options->places);
  return [options](Context& context) { return SearchRun(*options, context).run(); };
}

}  // namespace cgrep
