// cgrep show: a conversation, a document or a range of documents, to read.
#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/display.h"
#include "cli/options.h"
#include "cli/printer.h"
#include "cli/refresh.h"
#include "cli/times.h"
#include "index/history.h"
#include "query/searcher.h"

namespace cgrep {
namespace {

struct Options {
  bool json = false;
  bool all = false;
  std::optional<bool> heading{};
  ColorWhen color = ColorWhen::automatic;
  Refresh refresh = Refresh::always;
  PlaceOptions places{};
};

// Ids are mostly hexadecimal. A short word that is not cannot be the beginning of one, so it was
// meant to be searched for: `cgrep show me the bug`.
bool may_be_id(std::string_view text) {
  const auto all = [&](auto accepted) { return std::all_of(text.begin(), text.end(), accepted); };
  const auto is_hex = [](unsigned char c) { return std::isxdigit(c) != 0 || c == '-'; };
  const auto is_printable = [](unsigned char c) { return c > ' ' && c != 0x7f; };
  return text.size() < kMinAddressLength ? all(is_hex) : all(is_printable);
}

std::vector<Address> addresses_of(const Context& context) {
  if (context.operands.empty())
    throw Error("show needs an address", "cgrep show 3f2a9c1e; a search prints addresses");
  std::vector<Address> addresses;
  for (const std::string& operand : context.operands) {
    auto address = parse_address(operand);
    if (!address || !may_be_id(address->conversation))
      throw Error(fmt::format("not an address: '{}'", operand), search_hint(context.typed));
    addresses.push_back(*std::move(address));
  }
  return addresses;
}

std::string marks_of(const Hit& hit) {
  std::string marks;
  if (hit.gone) marks += "  gone";
  if (hit.orphan) marks += "  orphan";
  if (hit.delegated) marks += "  delegated";
  if (hit.truncated) marks += "  truncated";
  return marks;
}

// What the stores know of the conversation beside its heading.
std::string details_of(const Conversation& conversation) {
  std::string details;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) details += fmt::format("{}{} {}", details.empty() ? "" : ", ", name, value);
  };
  add("model", conversation.model);
  add("mode", conversation.mode);
  add("branch", conversation.branch);
  add("surface", conversation.surface);
  add("started by", conversation.parent);
  if (conversation.tokens) add("tokens", fmt::to_string(*conversation.tokens));
  if (!conversation.files.empty())
    add("wrote", fmt::format("{}", fmt::join(conversation.files, " ")));
  if (conversation.archived) add("archived", "yes");
  return details;
}

class ShowRun {
 public:
  ShowRun(const Options& options, Context& context) : options_(options), out_(context.out) {
    style_.terminal = find_terminal(options.color, context.environment);
    style_.home = context.environment("HOME").value_or("");
  }

  void show(Searcher& searcher, const Address& address) {
    bool first = true;
    std::size_t left_out = 0;
    searcher.read(address, [&](const Hit& hit) {
      // What is no part of the conversation any more, or stands there twice.
      if (!options_.all && !address.first && (hit.orphan || hit.repeated)) {
        ++left_out;
        return true;
      }
      if (options_.json) {
        out_.write(json_document(hit));
        return true;
      }
      if (first && options_.heading.value_or(true)) print_heading(hit);
      first = false;
      print_document(hit);
      return true;
    });
    if (left_out > 0 && style_.terminal.is_terminal)
      warn(fmt::format("{} of abandoned turns left out; --all shows them",
                       counted(left_out, "document")));
  }

 private:
  void print_heading(const Hit& hit) {
    if (printed_) out_.write("\n");
    printed_ = true;
    out_.print("{}\n", conversation_heading(*hit.conversation, hit.source, style_));
    if (const auto details = details_of(*hit.conversation); !details.empty())
      out_.print("{}\n", painted(style_.terminal, Paint::faint, visible(details)));
  }

  void print_document(const Hit& hit) {
    const auto paint = [&](Paint how, std::string_view text) {
      return painted(style_.terminal, how, visible(text));
    };
    if (printed_) out_.write("\n");
    printed_ = true;
    if (options_.heading.value_or(true)) {
      out_.print("{}  {}",
                 linked(style_.terminal, hit.source, paint(Paint::address, hit.address())),
                 paint(Paint::title, name_of(hit.role)));
      if (hit.time) out_.print("  {}", paint(Paint::faint, local_time(hit.time)));
      if (!hit.tool.empty()) out_.print("  {}", paint(Paint::project, hit.tool));
      out_.print("{}\n", paint(Paint::faint, marks_of(hit)));
    }
    out_.write(style_.terminal.is_terminal ? visible_lines(hit.text) : hit.text);
    if (!hit.text.ends_with('\n')) out_.write("\n");
  }

  const Options& options_;
  Output& out_;
  TextStyle style_{};
  bool printed_ = false;
};

ExitCode show(const Options& options, Context& context) {
  const auto addresses = addresses_of(context);
  const Places places = find_places(options.places, context.environment);
  refresh_index(places, options.refresh, {});
  History history(places.index, History::Mode::read);
  Searcher searcher(history);
  ShowRun run(options, context);
  for (const Address& address : addresses) run.show(searcher, address);
  return ExitCode::ok;
}

}  // namespace

Action declare_show(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.option_defaults()->group("Output");
  auto* json = app.add_flag("--json", options->json, "One JSON object per document");
  auto* heading = add_switch(app, "--heading,--no-heading{false}", options->heading,
                             "With headings (default), or the texts alone");
  json->excludes(heading);
  app.add_flag("--all", options->all, "Also what is no longer part of the conversation");
  declare_refresh(app, options->refresh);
  declare_color(app, options->color);
  declare_places(app, options->places);
  return [options](Context& context) { return show(*options, context); };
}

}  // namespace cgrep
