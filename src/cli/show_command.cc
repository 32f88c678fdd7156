// cgrep show: a conversation, a document or a range of documents, to read.
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/display.h"
#include "cli/filter_options.h"
#include "cli/markdown.h"
#include "cli/options.h"
#include "cli/printer.h"
#include "cli/reading.h"
#include "cli/redaction.h"
#include "cli/refresh.h"
#include "cli/times.h"
#include "index/history.h"
#include "query/searcher.h"

namespace cgrep {
namespace {

struct Options {
  ReadingOptions reading{};
  std::vector<std::string> roles{};
  bool json = false;
  std::optional<bool> heading{};
  ColorWhen color = ColorWhen::automatic;
  RefreshOptions refresh{};
  PlaceOptions places{};
};

Choice<Role> roles_of(const Options& options) {
  return make_filters({.roles = options.roles}, {}, 0).roles;
}

// Documents are printed one by one as they are read: a long conversation needs no more memory than
// its longest document.
class ShowRun {
 public:
  ShowRun(const Options& options, Context& context)
      : options_(options),
        out_(context.out),
        selection_(options.reading, options.json, roles_of(options)),
        redaction_(options.reading.redact.value_or(false)) {
    style_.terminal = find_terminal(options.color, context.environment);
    style_.home = context.environment("HOME").value_or("");
    const bool fold_by_default = style_.terminal.is_terminal && !options.json;
    folds_ = options.reading.tools.value_or(
                 fold_by_default ? ToolDetail::brief : ToolDetail::full) == ToolDetail::brief;
  }

  void show(History& history, Searcher& searcher, const Address& address) {
    const Asked asked = asked_by(address, options_.reading);
    bool first = true;
    const auto show_document = [&](const Hit& read) {
      if (!selection_.takes(read, asked)) return true;
      ++shown_;
      const Hit& hit = redaction_.of(read);
      if (options_.json) {
        out_.write(json_document(hit));
        return true;
      }
      if (first && with_headings()) print_heading(hit);
      first = false;
      if (folds_ && is_tool(hit.role) && !asked.alone)
        print_folded(hit);
      else
        print_document(hit);
      return true;
    };
    searcher.read(options_.reading.turn ? turn_of(history, searcher, address) : address,
                  show_document);
  }

  std::size_t shown() const { return shown_; }

  void print_notes() const {
    if (!style_.terminal.is_terminal) return;
    if (selection_.abandoned() > 0)
      warn(fmt::format("{} of abandoned turns left out; --all shows them",
                       counted(selection_.abandoned(), "document")));
    if (selection_.thoughts() > 0 && !options_.reading.thinking)
      warn(fmt::format("{} left out; --thinking shows them",
                       counted(selection_.thoughts(), "thought")));
  }

 private:
  bool with_headings() const { return options_.heading.value_or(true); }

  std::string paint(Paint how, std::string_view text) const {
    return painted(style_.terminal, how, visible(text));
  }

  void part() {
    if (printed_) out_.write("\n");
    printed_ = true;
    after_fold_ = false;
  }

  void print_heading(const Hit& hit) {
    part();
    out_.print("{}\n", conversation_heading(*hit.conversation, hit.source, style_));
    if (const auto details = details_of(*hit.conversation); !details.empty())
      out_.print("{}\n", paint(Paint::faint, details));
  }

  // Address, role, time and tool.
  std::string fields_of(const Hit& hit, bool with_time = true) const {
    std::string fields = fmt::format(
        "{}  {}", linked(style_.terminal, hit.source, paint(Paint::address, hit.address())),
        paint(Paint::title, name_of(hit.role)));
    if (hit.time && with_time) fields += "  " + paint(Paint::faint, local_time(hit.time));
    if (!hit.tool.empty()) fields += "  " + visible(hit.tool);
    return fields + paint(Paint::faint, marks_of(hit));
  }

  void print_document(const Hit& hit) {
    part();
    if (with_headings()) out_.print("{}\n", fields_of(hit));
    const bool markdown = !is_tool(hit.role) && style_.terminal.color;
    std::string text = style_.terminal.is_terminal ? visible_lines(hit.text) : hit.text;
    if (markdown) text = painted_markdown(style_.terminal, text);
    out_.write(text);
    if (!hit.text.ends_with('\n')) out_.write("\n");
  }

  // Calls and results that follow each other stand close together, each on one line: where the time
  // would leave no room for what they tell, that of the answer above has to do.
  void print_folded(const Hit& hit) {
    if (!after_fold_) part();
    after_fold_ = true;
    const Fold fold = folded(hit);
    const std::string more = more_lines(fold);
    const std::size_t width = style_.terminal.is_terminal ? style_.terminal.width : kPipeWidth;
    std::string line;
    std::size_t used = more.empty() ? 0 : more.size() + kGap;
    if (with_headings()) {
      const bool with_time = used + fields_width(hit, true) + kGap + kReadable <= width;
      line = fields_of(hit, with_time) + "  ";
      used += fields_width(hit, with_time) + kGap;
    }
    line += cut_to_width(fold.telling, width > used + kNarrowest ? width - used : kNarrowest);
    if (!more.empty()) line += "  " + paint(Paint::faint, more);
    out_.print("{}\n", line);
  }

  static std::size_t fields_width(const Hit& hit, bool with_time) {
    std::size_t width = hit.address().size() + kGap + name_of(hit.role).size();
    if (hit.time && with_time) width += kGap + local_time(hit.time).size();
    if (!hit.tool.empty()) width += kGap + display_width(hit.tool);
    return width + marks_of(hit).size();
  }

  static constexpr std::size_t kGap = 2;
  static constexpr std::size_t kReadable = 20;
  static constexpr std::size_t kNarrowest = 12;
  static constexpr std::size_t kPipeWidth = 200;

  const Options& options_;
  Output& out_;
  Picker selection_;
  Redaction redaction_;
  TextStyle style_{};
  bool folds_ = false;
  bool printed_ = false;
  bool after_fold_ = false;
  std::size_t shown_ = 0;
};

ExitCode show(const Options& options, Context& context) {
  if (options.json && options.reading.tools == ToolDetail::brief)
    throw Error("--tools short is for reading", "with --json: --tools full or none");
  const auto addresses = addresses_of(context, "show");
  ShowRun run(options, context);
  const Places places = find_places(options.places, context.environment, context.settings);
  refresh_index(places, options.refresh, {});
  History history(places.index, History::Mode::read);
  Searcher searcher(history);
  for (const Address& address : addresses) run.show(history, searcher, address);
  context.out.flush();
  run.print_notes();
  if (run.shown() > 0) return ExitCode::ok;
  warn("no document is of these roles");
  return ExitCode::no_match;
}

}  // namespace

Action declare_show(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Output");
  declare_reading(table, options->reading, false);
  table.add_list("--role", options->roles, "ROLE", "Only texts of these roles, such as user");
  table.add_flag("--json", options->json, "One JSON object per document").excludes = "--heading";
  table.add_switch("--heading,--no-heading{false}", options->heading,
                   "With headings (default), or the texts alone");
  declare_refresh(table, options->refresh);
  declare_color(table, options->color);
  declare_places(table, options->places);
  return [options](Context& context) { return show(*options, context); };
}

}  // namespace cgrep
