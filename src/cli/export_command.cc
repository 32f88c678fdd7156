// cgrep export: conversations as Markdown, HTML or JSON, to standard output or a file.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <unordered_set>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/export_file.h"
#include "cli/export_writer.h"
#include "cli/filter_options.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/redaction.h"
#include "cli/refresh.h"
#include "index/history.h"
#include "query/parser.h"
#include "query/searcher.h"

namespace cgrep {
namespace {

enum class Format : std::uint8_t { markdown, html, json };

constexpr auto kFormats = std::to_array<Named<Format>>(
    {{"md", Format::markdown}, {"html", Format::html}, {"json", Format::json}});

struct Options {
  ReadingOptions reading{};
  std::optional<std::string> query{};
  std::optional<std::size_t> limit{};
  FilterOptions filters{};
  std::optional<Format> format{};
  std::optional<std::string> output{};
  bool force = false;
  RefreshOptions refresh{};
  PlaceOptions places{};

  bool to_file() const { return output && *output != "-"; }
};

Format format_of(const Options& options) {
  if (options.format) return *options.format;
  const auto ending = std::filesystem::path(options.output.value_or("")).extension();
  if (ending == ".html" || ending == ".htm") return Format::html;
  return ending == ".json" ? Format::json : Format::markdown;
}

void require_sense(const Options& options, const Context& context) {
  const bool asks = options.query || !options.filters.empty();
  if (!context.operands.empty() && asks)
    throw Error("addresses and a query cannot go together",
                "cgrep export ADDRESS, or cgrep export --query WORDS with filters");
  if (context.operands.empty() && !asks)
    throw Error("export needs an address or a query",
                "cgrep export 3f2a9c1e, cgrep export --query 'auth bug'");
  if (!context.operands.empty() && options.limit)
    throw Error("--limit goes with --query", "give fewer addresses");
  if (options.force && !options.to_file())
    throw Error("--force goes with --output", "--output FILE --force writes over FILE");
  if (format_of(options) == Format::json && options.reading.tools == ToolDetail::brief)
    throw Error("--tools short is for reading", "with --format json: --tools full or none");
}

// A part of a conversation, or all of it.
struct Part {
  Address address{};
  Asked asked{};
};

class ExportRun {
 public:
  ExportRun(const Options& options, History& history)
      : options_(options),
        history_(history),
        searcher_(history),
        selection_(options.reading, format_of(options) == Format::json),
        redaction_(options.reading.redact.value_or(true)) {}

  void take(const std::vector<Address>& addresses) {
    for (const Address& address : addresses) {
      conversations_.push_back(redaction_.of(searcher_.find_conversation(address)));
      parts_.push_back({options_.reading.turn ? turn_of(history_, searcher_, address) : address,
                        asked_by(address, options_.reading)});
    }
  }

  void take_answers(const StoreSelection& stores, const std::vector<std::string>& exclude) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    Request request{.query = parse_query(options_.query.value_or("")).query,
                    .filters = make_filters(options_.filters, stores, now_ms),
                    .limit = options_.limit.value_or(0)};
    leave_out(request.filters, exclude);
    if (request.query.kind == Query::Kind::everything) request.sort = Sort::newest;
    std::vector<Address> addresses;
    std::unordered_set<std::int64_t> seen;
    searcher_.search(request, [&](const Hit& hit) {
      if (seen.insert(hit.conversation->row).second)
        addresses.push_back({.conversation = hit.conversation->key});
      return true;
    });
    take(addresses);
  }

  bool empty() const { return parts_.empty(); }

  // Texts are read and written one by one.
  void write(ExportWriter& writer) {
    writer.begin(conversations_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      writer.begin_conversation(conversations_[i]);
      searcher_.read(parts_[i].address, [&](const Hit& hit) {
        if (!selection_.takes(hit, parts_[i].asked)) return true;
        ++documents_;
        writer.document(redaction_.of(hit));
        return true;
      });
      writer.end_conversation();
    }
    writer.end();
  }

  void print_notes(bool terminal) const {
    if (options_.to_file() && terminal)
      warn(fmt::format("{}: {} of {}", *options_.output, counted(documents_, "document"),
                       counted(parts_.size(), "conversation")));
    if (redaction_.masked() > 0)
      warn(fmt::format("{} masked; --no-redact reveals them",
                       counted(redaction_.masked(), "secret")));
    if (terminal && selection_.thoughts() > 0 && !options_.reading.thinking)
      warn(fmt::format("{} left out; --thinking exports them",
                       counted(selection_.thoughts(), "thought")));
  }

 private:
  const Options& options_;
  History& history_;
  Searcher searcher_;
  Picker selection_;
  Redaction redaction_;
  std::vector<Conversation> conversations_{};
  std::vector<Part> parts_{};
  std::size_t documents_ = 0;
};

std::unique_ptr<ExportWriter> make_writer(const Options& options, Output& out) {
  const ToolDetail tools = options.reading.tools.value_or(ToolDetail::full);
  switch (format_of(options)) {
    case Format::html:
      return make_html_writer(out, tools);
    case Format::json:
      return make_json_writer(out);
    case Format::markdown:
      break;
  }
  return make_markdown_writer(out, tools);
}

ExitCode export_conversations(const Options& options, Context& context) {
  require_sense(options, context);
  const auto stores = select_stores(options.filters.stores, context.settings.default_stores);
  std::vector<Address> addresses;
  if (!context.operands.empty()) addresses = addresses_of(context, "export");
  std::unique_ptr<ExportFile> file;
  if (options.to_file()) file = std::make_unique<ExportFile>(*options.output, options.force);

  const Places places = find_places(options.places, context.environment, context.settings);
  refresh_index(places, options.refresh, stores.opt_in);
  History history(places.index, History::Mode::read);
  ExportRun run(options, history);
  if (addresses.empty())
    run.take_answers(stores, context.settings.exclude);
  else
    run.take(addresses);
  if (run.empty()) {
    warn("no conversation answers this; nothing was exported");
    return ExitCode::no_match;
  }
  Output& out = file ? file->out() : context.out;
  run.write(*make_writer(options, out));
  if (file) file->keep();
  context.out.flush();
  run.print_notes(isatty(STDERR_FILENO) == 1);
  return ExitCode::ok;
}

}  // namespace

Action declare_export(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Output");
  table.add_choice("--format", options->format, kFormats,
                   "Markdown, one page of HTML, or JSON; default by the file's ending, else md");
  table.add_value("-o,--output", options->output, "FILE",
                  "Write FILE, readable by you alone, instead of standard output");
  table.add_flag("--force", options->force, "Write over FILE if it exists");
  declare_reading(table, options->reading, true);
  table.group("Search");
  table.add_value("--query", options->query, "WORDS",
                  "Whole conversations that answer WORDS, best first, in place of addresses");
  table.add_number("--limit", options->limit, "At most NUM conversations; 0: all; default all");
  declare_refresh(table, options->refresh);
  declare_filters(table, options->filters);
  declare_places(table, options->places);
  return [options](Context& context) { return export_conversations(*options, context); };
}

}  // namespace cgrep
