#include "query/conditions.h"

#include <algorithm>
#include <utility>

#include "error.h"
#include "extract/stores.h"
#include "extract/tools.h"
#include "index/project_pattern.h"
#include "index/terms.h"
#include "index/words.h"
#include "query/dates.h"

namespace cgrep {

namespace {

// Above this, looking at each candidate costs less than so many posting lists.
constexpr std::size_t kMaxConversationTerms = 500;

Condition nothing() {
  return {.terms = Xapian::Query(), .holds = [](const Candidate&) { return false; }};
}

/// Any of `wanted` (none given: all), and none of `unwanted`, as terms.
template <typename Value, typename Term>
Xapian::Query choice_query(const Choice<Value>& choice, Term&& term) {
  const auto any = [&](const std::vector<Value>& values) {
    std::vector<Xapian::Query> terms;
    terms.reserve(values.size());
    for (const auto& value : values) terms.emplace_back(term(value));
    return Xapian::Query(Xapian::Query::OP_OR, terms.begin(), terms.end());
  };
  auto query = choice.wanted.empty() ? Xapian::Query::MatchAll : any(choice.wanted);
  if (!choice.unwanted.empty())
    query = Xapian::Query(Xapian::Query::OP_AND_NOT, query, any(choice.unwanted));
  return query;
}

/// Splits `a,!b` and gives each piece that is not empty to `add(piece, unwanted)`.
template <typename Add>
void for_each_value(std::string_view list, Add&& add) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    auto value = list.substr(0, comma);
    const bool unwanted = value.starts_with('!');
    if (unwanted) value.remove_prefix(1);
    if (!value.empty()) add(value, unwanted);
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

/// The values of a list as a Choice; `find` says what a value means. Absent when none means
/// anything.
template <typename Value, typename Find>
std::optional<Choice<Value>> choice_of(std::string_view list, Find&& find) {
  Choice<Value> choice;
  for_each_value(list, [&](std::string_view text, bool unwanted) {
    if (std::optional<Value> value = find(text))
      (unwanted ? choice.unwanted : choice.wanted).push_back(std::move(*value));
  });
  if (choice.empty()) return std::nullopt;
  return choice;
}

std::string folded_tool(std::string_view name) {
  return fold(normalised_tool(name));
}

bool is_tool(const std::string& raw, const std::string& wanted) {
  return !raw.empty() && (fold(raw) == fold(wanted) || folded_tool(raw) == folded_tool(wanted));
}

template <typename Value>
bool contains(const std::vector<Value>& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::uint32_t bits_of(const std::vector<const Store*>& stores) {
  std::uint32_t bits = 0;
  for (const Store* store : stores) bits |= store_bit(*store);
  return bits;
}

}  // namespace

Candidate Conditions::candidate(StoredDocument document) {
  auto time = document.time;
  if (!time) time = history_.fallback_time(document.conversation);
  return {.document = std::move(document), .time = time};
}

Condition Conditions::of_roles(const Choice<Role>& roles) {
  return {.terms = choice_query(roles, [](Role role) { return role_term(role); }),
          .holds = [roles](const Candidate& candidate) {
            const Role role = candidate.document.role;
            return (roles.wanted.empty() || contains(roles.wanted, role)) &&
                   !contains(roles.unwanted, role);
          }};
}

Condition Conditions::of_tools(const Choice<std::string>& tools) {
  const auto term = [](const std::string& tool) {
    return Xapian::Query(Xapian::Query::OP_OR, Xapian::Query(tool_term(fold(tool))),
                         Xapian::Query(tool_term(folded_tool(tool))));
  };
  const auto any = [](const std::vector<std::string>& wanted, const std::string& tool) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const std::string& name) { return is_tool(tool, name); });
  };
  return {.terms = choice_query(tools, term), .holds = [tools, any](const Candidate& candidate) {
            const auto& tool = candidate.document.tool;
            return (tools.wanted.empty() || any(tools.wanted, tool)) && !any(tools.unwanted, tool);
          }};
}

Condition Conditions::of_stores(const Choice<const Store*>& stores) {
  const auto wanted = bits_of(stores.wanted);
  const auto unwanted = bits_of(stores.unwanted);
  // A document in several stores is left out only when all of them are unwanted.
  return {.holds = [wanted, unwanted](const Candidate& candidate) {
    const auto bits = candidate.document.stores;
    return (wanted == 0 || (bits & wanted) != 0) && (bits & ~unwanted) != 0;
  }};
}

Condition Conditions::of_rows(std::vector<bool> rows, std::size_t count) {
  Condition condition;
  if (count <= kMaxConversationTerms) {
    std::vector<Xapian::Query> terms;
    for (std::size_t row = 0; row < rows.size(); ++row)
      if (rows[row]) terms.emplace_back(conversation_term(static_cast<std::int64_t>(row)));
    condition.terms = Xapian::Query(Xapian::Query::OP_OR, terms.begin(), terms.end());
  }
  condition.holds = [rows = std::move(rows)](const Candidate& candidate) {
    const auto row = static_cast<std::size_t>(candidate.document.conversation);
    return row < rows.size() && rows[row];
  };
  return condition;
}

Condition Conditions::of_projects(const Choice<std::string>& projects) {
  std::vector<bool> rows;
  std::size_t count = 0;
  const auto any = [](const std::vector<std::string>& patterns, const History::Attribution& of) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return project_matches(pattern, of.project, of.slug);
    });
  };
  history_.for_each_conversation([&](const History::Attribution& conversation) {
    const auto row = static_cast<std::size_t>(conversation.row);
    if (rows.size() <= row) rows.resize(row + 1);
    rows[row] = (projects.wanted.empty() || any(projects.wanted, conversation)) &&
                !any(projects.unwanted, conversation);
    count += rows[row] ? 1 : 0;
    return true;
  });
  return of_rows(std::move(rows), count);
}

Condition Conditions::of_title(const std::string& words) {
  std::vector<std::string> wanted;
  for (const auto& word : words_of(words)) wanted.push_back(word.folded);
  std::vector<bool> rows;
  std::size_t count = 0;
  history_.for_each_conversation([&](const History::Attribution& conversation) {
    const auto row = static_cast<std::size_t>(conversation.row);
    if (rows.size() <= row) rows.resize(row + 1);
    const auto title = fold(conversation.title);
    rows[row] = std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) {
      return title.find(word) != std::string::npos;
    });
    count += rows[row] ? 1 : 0;
    return true;
  });
  return of_rows(std::move(rows), count);
}

std::vector<std::int64_t> Conditions::rows_of(const std::vector<Address>& addresses) {
  std::vector<std::int64_t> rows;
  for (const auto& address : addresses) {
    constexpr std::size_t kAll = 1'000'000;
    const auto found = history_.conversations_with_prefix(address.conversation, kAll);
    rows.insert(rows.end(), found.begin(), found.end());
  }
  return rows;
}

Condition Conditions::of_conversations(const Choice<Address>& addresses) {
  const Choice<std::int64_t> rows{.wanted = rows_of(addresses.wanted),
                                  .unwanted = rows_of(addresses.unwanted)};
  const bool any = addresses.wanted.empty();
  if (!any && rows.wanted.empty()) return nothing();
  return {.terms = choice_query(rows, [](std::int64_t row) { return conversation_term(row); }),
          .holds = [rows, any](const Candidate& candidate) {
            const auto row = candidate.document.conversation;
            return (any || contains(rows.wanted, row)) && !contains(rows.unwanted, row);
          }};
}

Condition Conditions::of_times(std::optional<std::int64_t> since,
                               std::optional<std::int64_t> until) {
  return {.holds =
              [since, until](const Candidate& candidate) {
                return candidate.time && (!since || candidate.time->ms >= *since) &&
                       (!until || candidate.time->ms < *until);
              },
          .dates = true};
}

std::vector<Condition> Conditions::of_filters(const Filters& filters, bool with_system) {
  std::vector<Condition> conditions;
  auto roles = filters.roles;
  if (!with_system && !contains(roles.wanted, Role::system)) roles.unwanted.push_back(Role::system);
  if (!roles.empty()) conditions.push_back(of_roles(roles));
  if (!filters.tools.empty()) conditions.push_back(of_tools(filters.tools));
  if (!filters.conversations.empty()) conditions.push_back(of_conversations(filters.conversations));
  if (!filters.projects.empty()) conditions.push_back(of_projects(filters.projects));
  if (!filters.stores.empty()) conditions.push_back(of_stores(filters.stores));
  if (!filters.repeated)
    conditions.push_back(
        {.holds = [](const Candidate& candidate) { return !candidate.document.repeated; }});
  if (filters.since || filters.until) conditions.push_back(of_times(filters.since, filters.until));
  return conditions;
}

Condition Conditions::of_field(std::string_view field, std::string_view value) {
  if (field == "title") return of_title(std::string(value));
  if (field == "role") {
    const auto roles =
        choice_of<Role>(value, [](std::string_view name) { return role_named(name); });
    return roles ? of_roles(*roles) : nothing();
  }
  if (field == "store") {
    const auto stores =
        choice_of<const Store*>(value, [](std::string_view name) -> std::optional<const Store*> {
          const Store* store = find_store(name);
          return store != nullptr ? std::optional(store) : std::nullopt;
        });
    return stores ? of_stores(*stores) : nothing();
  }
  const auto text = [](std::string_view name) { return std::optional(std::string(name)); };
  if (field == "tool") {
    const auto tools = choice_of<std::string>(value, text);
    return tools ? of_tools(*tools) : nothing();
  }
  if (field == "project") {
    const auto projects = choice_of<std::string>(value, text);
    return projects ? of_projects(*projects) : nothing();
  }
  if (field == "conversation") {
    const auto addresses =
        choice_of<Address>(value, [](std::string_view name) { return parse_address(name); });
    return addresses ? of_conversations(*addresses) : nothing();
  }
  try {
    if (field == "since") return of_times(parse_date(value, now_ms_).begin_ms, std::nullopt);
    if (field == "until") return of_times(std::nullopt, parse_date(value, now_ms_).end_ms);
    const auto range = parse_date_range(value, now_ms_);
    return of_times(range.since, range.until);
  } catch (const Error&) {
    return nothing();  // a pattern never fails for its grammar
  }
}

}  // namespace cgrep
