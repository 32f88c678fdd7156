#include "cli/reading.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command_line.h"
#include "cli/markdown.h"
#include "cli/options.h"
#include "cli/redaction.h"
#include "index/history.h"
#include "index/overview.h"

namespace cgrep {
namespace {

constexpr auto kToolDetails = std::to_array<Named<ToolDetail>>(
    {{"full", ToolDetail::full}, {"short", ToolDetail::brief}, {"none", ToolDetail::none}});

// Ids are mostly hexadecimal. A short word that is not cannot be the beginning of one, so it was
// meant to be searched for: `cgrep show me the bug`.
bool may_be_id(std::string_view text) {
  const auto all = [&](auto accepted) { return std::all_of(text.begin(), text.end(), accepted); };
  const auto is_hex = [](unsigned char c) { return std::isxdigit(c) != 0 || c == '-' || c == '_'; };
  const auto is_printable = [](unsigned char c) { return c > ' ' && c != 0x7f; };
  return text.size() < kMinAddressLength ? all(is_hex) : all(is_printable);
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::string_view trimmed(std::string_view line) {
  const auto first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

// The value of `name: value`, if the line begins so.
std::string_view argument(std::string_view line, std::string_view name) {
  if (!line.starts_with(name) || !line.substr(name.size()).starts_with(": ")) return {};
  return trimmed(line.substr(name.size() + 2));
}

// The argument that says what a call is about, most telling first.
std::string_view telling_argument(const std::vector<std::string_view>& lines) {
  constexpr auto kTelling = std::to_array<std::string_view>(
      {"command", "pattern", "query", "search_term", "glob_pattern", "path", "file_path",
       "target_file", "relativeWorkspacePath", "targetFile", "url", "description", "name"});
  for (const auto name : kTelling)
    for (const auto line : lines)
      if (const auto value = argument(line, name); !value.empty()) return value;
  return {};
}

bool opens_turn(const StoredDocument& document) {
  return document.role == Role::user && !document.orphan;
}

}  // namespace

void declare_reading(OptionTable& table, ReadingOptions& options, bool redacts) {
  table.add_flag("--turn", options.turn,
                 "The question and its whole answer; of a conversation, the last");
  table.add_choice(
      "--tools", options.tools, kToolDetails,
      redacts ? "Calls and results of tools in full (default), in a line each, or not at all"
              : "Calls and results of tools in full, in a line each, or not at all; default "
                "short on a terminal, else full");
  table.add_switch("--thinking,--no-thinking{false}", options.thinking,
                   redacts ? "Also what the agent thought, or not (default)"
                           : "Also what the agent thought, or not (default, but for --json)");
  table.add_flag("--all", options.all, "Also what is no longer part of the conversation");
  declare_redact(table, options.redact, redacts);
}

std::vector<Address> addresses_of(const Context& context, std::string_view command) {
  if (context.operands.empty())
    throw Error(fmt::format("{} needs an address", command),
                fmt::format("cgrep {} 3f2a9c1e; a search prints addresses", command));
  std::vector<Address> addresses;
  for (const std::string& operand : context.operands) {
    auto address = parse_address(operand);
    if (!address || !may_be_id(address->conversation))
      throw Error(fmt::format("not an address: '{}'", operand), search_hint(context.typed));
    addresses.push_back(*std::move(address));
  }
  return addresses;
}

bool is_tool(Role role) {
  return role == Role::tool_call || role == Role::tool_result;
}

Asked asked_by(const Address& address, const ReadingOptions& options) {
  if (options.turn || !address.first) return {};
  const bool alone = !address.last || address.last == address.first;
  return {.alone = alone, .by_range = !alone};
}

Address turn_of(History& history, Searcher& searcher, const Address& address) {
  const Conversation conversation = searcher.find_conversation(address);
  std::vector<StoredDocument> documents;
  history.for_each_document(conversation.row, [&](const StoredDocument& document) {
    documents.push_back(document);
    return true;
  });
  if (documents.empty()) return address;
  const auto place_of = [&](std::optional<std::uint32_t> number) {
    const auto found = std::find_if(documents.begin(), documents.end(), [&](const auto& document) {
      return document.number == number;
    });
    if (found == documents.end())
      throw Error(fmt::format("{} has no document {}", conversation.address, number.value_or(0)),
                  fmt::format("cgrep show {}", conversation.address));
    return found;
  };
  auto ends = std::pair(documents.end() - 1, documents.end() - 1);
  if (address.first)
    ends = std::minmax(
        {place_of(address.first), place_of(address.last ? address.last : address.first)});
  while (ends.first != documents.begin() && !opens_turn(*ends.first)) --ends.first;
  const auto next = std::find_if(ends.second + 1, documents.end(), opens_turn);
  return {
      .conversation = conversation.key, .first = ends.first->number, .last = (next - 1)->number};
}

bool Picker::fits_role(Role role) const {
  const auto has = [&](const std::vector<Role>& roles) {
    return std::find(roles.begin(), roles.end(), role) != roles.end();
  };
  return (roles_.wanted.empty() || has(roles_.wanted)) && !has(roles_.unwanted);
}

bool Picker::takes(const Hit& hit, const Asked& asked) {
  if (asked.alone) return true;
  // What is no part of the conversation any more, or stands there twice.
  if (!options_.all && !asked.by_range && (hit.orphan || hit.repeated)) {
    ++abandoned_;
    return false;
  }
  if (!fits_role(hit.role)) return false;
  if (is_tool(hit.role)) return options_.tools != ToolDetail::none;
  if (hit.role != Role::thinking || thinking_ || !roles_.wanted.empty()) return true;
  ++thoughts_;
  return false;
}

Fold folded(const Hit& hit) {
  const auto lines = text_lines(hit.text);
  const auto first = std::find_if_not(lines.begin(), lines.end(), is_blank);
  if (first == lines.end()) return {};
  std::string_view telling;
  if (hit.role == Role::tool_call) telling = telling_argument(lines);
  return {.telling = telling.empty() ? trimmed(*first) : telling, .more_lines = lines.size() - 1};
}

std::string more_lines(const Fold& fold) {
  return fold.more_lines == 0 ? "" : "+" + counted(fold.more_lines, "line");
}

std::string marks_of(const Hit& hit) {
  std::string marks;
  if (hit.gone) marks += "  gone";
  if (hit.orphan) marks += "  orphan";
  if (hit.delegated) marks += "  delegated";
  if (hit.truncated) marks += "  truncated";
  return marks;
}

std::string details_of(const Conversation& conversation) {
  std::string details;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) details += fmt::format("{}{} {}", details.empty() ? "" : ", ", name, value);
  };
  add("model", conversation.model);
  add("mode", conversation.mode);
  add("branch", conversation.branch);
  add("surface", conversation.surface);
  add(is_subagent(conversation) ? "started by" : "made in", conversation.parent);
  if (conversation.tokens) add("tokens", fmt::to_string(*conversation.tokens));
  if (!conversation.files.empty())
    add("wrote", fmt::format("{}", fmt::join(conversation.files, " ")));
  if (conversation.archived) add("archived", "yes");
  return details;
}

}  // namespace cgrep
