#include "cli/nothing_found.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/display.h"
#include "cli/nearest.h"
#include "document.h"
#include "error.h"
#include "extract/stores.h"
#include "query/conditions.h"
#include "query/dates.h"
#include "query/fields.h"

namespace cgrep {
namespace {

std::string corrected(std::string pattern, const Advice& advice) {
  for (const auto& [typed, meant] : advice.words)
    if (const auto at = pattern.find(typed); at != std::string::npos)
      pattern.replace(at, typed.size(), meant);
  return pattern;
}

Help help_of(const Advice& advice, const std::string& pattern) {
  Help help{.subject = advice.subject, .conversations = advice.conversations};
  switch (advice.kind) {
    case Advice::Kind::spelling:
      help.kind = "spelling";
      help.subject = pattern;
      help.suggestion = corrected(pattern, advice);
      break;
    case Advice::Kind::filter:
      help.kind = "filter";
      break;
    case Advice::Kind::filters:
      help.kind = "filters";
      break;
    case Advice::Kind::store:
      help.kind = "store";
      help.suggestion = "--store " + advice.subject;
      break;
    case Advice::Kind::system:
      help.kind = "system";
      help.suggestion = "--role system";
      break;
  }
  return help;
}

// The names that a field may have as its value; empty when it can be anything.
std::vector<std::string> values_of(std::string_view field) {
  if (field == "role") return {kRoleNames.begin(), kRoleNames.end()};
  if (field == "is") return {"gone", "orphan", "archived", "subagent"};
  std::vector<std::string> names;
  if (field == "store")
    for (const Store* store : all_stores()) names.emplace_back(store->name);
  return names;
}

bool is_date(std::string_view value) {
  try {
    parse_date_range(value, 0);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool is_value(std::string_view field, std::string_view value) {
  if (field == "date") return is_date(value);
  if (field == "role") return role_named(value).has_value();
  if (field == "is") return mark_named(value).has_value();
  return field != "store" || find_store(value) != nullptr;
}

void add_unknown_values(const Query& query, std::vector<Help>& help) {
  if (query.kind == Query::Kind::field && !is_value(query.field, query.text)) {
    const auto nearest = nearest_name(query.text, values_of(query.field));
    help.push_back({.kind = "value",
                    .subject = query.field + ':' + query.text,
                    .suggestion = nearest.empty() ? "" : query.field + ':' + nearest});
  }
  for (const Query& child : query.children) add_unknown_values(child, help);
}

}  // namespace

std::vector<Help> help_of(const std::vector<Advice>& advice, const std::string& pattern) {
  std::vector<Help> help;
  help.reserve(advice.size());
  for (const Advice& each : advice) help.push_back(help_of(each, pattern));
  return help;
}

std::vector<Help> help_of_fields(const std::vector<std::string>& unknown, const Query& query) {
  std::vector<std::string> names;
  for (const Field& field : fields()) names.emplace_back(field.name);
  std::vector<Help> help;
  for (const std::string& typed : unknown) {
    const auto nearest = nearest_name(typed, names);
    help.push_back({.kind = "field",
                    .subject = typed + ':',
                    .suggestion = nearest.empty() ? "" : nearest + ':'});
  }
  add_unknown_values(query, help);
  return help;
}

std::string help_line(const Help& help) {
  const auto found = counted(help.conversations, "conversation");
  const auto meant =
      help.suggestion.empty() ? "" : fmt::format("; did you mean '{}'?", visible(help.suggestion));
  if (help.kind == "spelling") {
    const std::vector<std::string> words = {help.suggestion};
    return fmt::format("{} for: cgrep {}", found, visible(shell_quoted(words)));
  }
  if (help.kind == "filter") return fmt::format("{} without {}", found, visible(help.subject));
  if (help.kind == "filters") return fmt::format("{} without the filters", found);
  if (help.kind == "field")
    return fmt::format("'{}' is no field, so it was searched for{} cgrep fields lists them",
                       visible(help.subject), meant.empty() ? ";" : meant);
  if (help.kind == "value") return fmt::format("nothing is '{}'{}", visible(help.subject), meant);
  return fmt::format("{} with {}", found, help.suggestion);
}

void print_help(const std::vector<Help>& help) {
  warn(help.empty() ? "nothing found" : "nothing found, but:");
  for (const Help& each : help) warn("  " + help_line(each));
}

}  // namespace cgrep
