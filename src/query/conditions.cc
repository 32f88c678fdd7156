#include "query/conditions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "error.h"
#include "extract/stores.h"
#include "extract/tools.h"
#include "index/overview.h"
#include "index/project_pattern.h"
#include "index/terms.h"
#include "index/words.h"
#include "query/dates.h"
#include "query/matcher.h"
#include "query/name_pattern.h"
#include "query/parser.h"

namespace cgrep {

namespace {

// Above this, looking at each candidate costs less than so many posting lists.
constexpr std::size_t kMaxConversationTerms = 500;

Condition nothing() {
  return {.terms = Xapian::Query(), .holds = [](const Candidate&) { return false; }};
}

/// A condition of any of `wanted` (none given: all), and none of `unwanted`, as terms.
template <typename Value, typename Term>
Condition choice_condition(const Choice<Value>& choice, Term&& term) {
  const auto any = [&](const std::vector<Value>& values) {
    std::vector<Xapian::Query> terms;
    terms.reserve(values.size());
    for (const auto& value : values) terms.emplace_back(term(value));
    return Xapian::Query(Xapian::Query::OP_OR, terms.begin(), terms.end());
  };
  Condition condition;
  condition.terms = choice.wanted.empty() ? Xapian::Query::MatchAll : any(choice.wanted);
  if (!choice.unwanted.empty()) condition.unwanted = any(choice.unwanted);
  return condition;
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

/// Whether any wanted value fits, or none is asked for, and no unwanted one does.
template <typename Value, typename Fits>
bool chosen(const Choice<Value>& choice, const Fits& fits) {
  const auto any = [&](const std::vector<Value>& values) {
    return std::any_of(values.begin(), values.end(), fits);
  };
  return (choice.wanted.empty() || any(choice.wanted)) && !any(choice.unwanted);
}

template <typename Fits>
bool any_line(std::string_view lines, const Fits& fits) {
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    if (fits(lines.substr(0, end))) return true;
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return false;
}

bool is_by_subagent(const History::Attribution& conversation) {
  return is_subagent(conversation.parent, conversation.stores);
}

std::optional<const Store*> store_named(std::string_view name) {
  const Store* store = find_store(name);
  return store != nullptr ? std::optional(store) : std::nullopt;
}

constexpr std::array<std::pair<std::string_view, Mark>, 4> kMarks = {{
    {"gone", Mark::gone},
    {"orphan", Mark::orphan},
    {"archived", Mark::archived},
    {"subagent", Mark::subagent},
}};

/// The fields that are names of a conversation's.
constexpr std::array<std::pair<std::string_view, std::string_view (*)(const History::Attribution&)>,
                     4>
    kNames = {{
        {"model", [](const History::Attribution& of) { return of.model; }},
        {"mode", [](const History::Attribution& of) { return of.mode; }},
        {"branch", [](const History::Attribution& of) { return of.branch; }},
        {"surface", [](const History::Attribution& of) { return of.surface; }},
    }};

std::uint32_t bits_of(const std::vector<const Store*>& stores) {
  std::uint32_t bits = 0;
  for (const Store* store : stores) bits |= store_bit(*store);
  return bits;
}

}  // namespace

// Without a list of all documents, where that says nothing: it takes as long as another word.
Xapian::Query Condition::narrowed(Xapian::Query query) const {
  if (terms && terms->get_type() != Xapian::Query::LEAF_MATCH_ALL)
    query = Xapian::Query(Xapian::Query::OP_FILTER, query, *terms);
  if (!unwanted.empty()) query = Xapian::Query(Xapian::Query::OP_AND_NOT, query, unwanted);
  return query;
}

std::optional<Mark> mark_named(std::string_view name) {
  for (const auto& [known, mark] : kMarks)
    if (known == name) return mark;
  return std::nullopt;
}

Candidate Conditions::candidate(StoredDocument&& document) {
  auto time = document.time;
  if (!time) time = fallback_time(document.conversation);
  return {.document = std::move(document), .time = time};
}

std::optional<Time> Conditions::fallback_time(std::int64_t conversation) {
  const auto [known, fresh] = fallbacks_.try_emplace(conversation);
  if (fresh) known->second = history_.fallback_time(conversation);
  return known->second;
}

Condition Conditions::of_roles(const Choice<Role>& roles) {
  auto condition = choice_condition(roles, [](Role role) { return role_term(role); });
  condition.holds = [roles](const Candidate& candidate) {
    const Role role = candidate.document.role;
    return (roles.wanted.empty() || contains(roles.wanted, role)) &&
           !contains(roles.unwanted, role);
  };
  return condition;
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
  auto condition = choice_condition(tools, term);
  condition.holds = [tools, any](const Candidate& candidate) {
    const auto& tool = candidate.document.tool;
    return (tools.wanted.empty() || any(tools.wanted, tool)) && !any(tools.unwanted, tool);
  };
  return condition;
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

// Whether every document is in one of them: others are not read until somebody names them.
bool Conditions::are_all(const Choice<const Store*>& stores) {
  if (!stores.unwanted.empty()) return false;
  const auto wanted = bits_of(stores.wanted);
  auto read = bits_of(history_.opted_in());
  for (const Store* store : all_stores())
    if (store->searched == Searched::by_default) read |= store_bit(*store);
  return (read & ~wanted) == 0;
}

Condition Conditions::of_conversations_that(const Holds& hold) {
  std::vector<bool> rows;
  std::size_t count = 0;
  history_.for_each_conversation([&](const History::Attribution& conversation) {
    const auto row = static_cast<std::size_t>(conversation.row);
    if (rows.size() <= row) rows.resize(row + 1);
    rows[row] = hold(conversation);
    count += rows[row] ? 1 : 0;
    return true;
  });
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
  return of_conversations_that([&](const History::Attribution& conversation) {
    return chosen(projects, [&](const std::string& pattern) {
      return project_matches(pattern, conversation.project, conversation.slug);
    });
  });
}

// Projects in the folders that are one with the current one. When there is none, the folder may lie
// inside of what Cursor had opened: then the nearest such project above it.
Condition Conditions::of_here(const Here& here) {
  bool any = false;
  std::string nearest = "/";
  history_.for_each_conversation([&](const History::Attribution& conversation) {
    const auto project = conversation.project;
    any = std::any_of(here.roots.begin(), here.roots.end(),
                      [&](const std::string& root) { return project_matches(root, project, {}); });
    if (project.size() > nearest.size() && project_matches(project, here.folder, {}))
      nearest = project;
    return !any;
  });
  if (any) return of_projects({.wanted = here.roots});
  return of_conversations_that([&](const History::Attribution& conversation) {
    return nearest.size() > 1 && conversation.project == nearest;
  });
}

Condition Conditions::of_names(const Choice<std::string>& names, NameOf name_of) {
  return of_conversations_that([&](const History::Attribution& conversation) {
    return chosen(names, [&](const std::string& pattern) {
      return name_matches(pattern, name_of(conversation));
    });
  });
}

// A word, the beginning of one (`log*`), or several as a phrase.
Condition Conditions::of_title(std::string_view words) {
  std::string pattern(words);
  std::erase(pattern, '"');
  if (!pattern.ends_with('*')) pattern = '"' + pattern + '"';
  const Matcher matcher(parse_query(pattern).query);
  return of_conversations_that([&](const History::Attribution& conversation) {
    return matcher.matches(conversation.title);
  });
}

// The files of the document, or those that a store knows of the whole conversation.
Condition Conditions::of_files(const Choice<std::string>& files) {
  const auto any = [](const std::vector<std::string>& patterns, std::string_view file) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return file_matches(pattern, file); });
  };
  const auto of_whole = [&](const std::vector<std::string>& patterns) {
    if (patterns.empty()) return Condition{};
    return of_conversations_that([&](const History::Attribution& conversation) {
      return any_line(conversation.files, [&](auto file) { return any(patterns, file); });
    });
  };
  return {.holds = [files, any, wanted = of_whole(files.wanted).holds,
                    unwanted = of_whole(files.unwanted).holds](const Candidate& candidate) {
    const auto has = [&](const std::vector<std::string>& patterns, const auto& of_conversation) {
      const auto& own = candidate.document.files;
      return of_conversation && (of_conversation(candidate) ||
                                 std::any_of(own.begin(), own.end(), [&](const std::string& file) {
                                   return any(patterns, file);
                                 }));
    };
    return (files.wanted.empty() || has(files.wanted, wanted)) && !has(files.unwanted, unwanted);
  }};
}

Condition Conditions::of_gone(bool gone) {
  return {.holds = [gone](const Candidate& candidate) { return candidate.document.gone == gone; }};
}

Condition Conditions::of_marks(const Choice<Mark>& marks) {
  const auto archived =
      of_conversations_that([](const History::Attribution& of) { return of.archived; }).holds;
  const auto subagent = of_conversations_that(is_by_subagent).holds;
  return {.holds = [marks, archived, subagent](const Candidate& candidate) {
    return chosen(marks, [&](Mark mark) {
      switch (mark) {
        case Mark::gone:
          return candidate.document.gone;
        case Mark::orphan:
          return candidate.document.orphan;
        case Mark::archived:
          return archived(candidate);
        case Mark::subagent:
          break;
      }
      return subagent(candidate);
    });
  }};
}

// What stands between the ends of the address in reading order; nothing when one is not there.
void Conditions::add_range(std::int64_t conversation, const Address& address,
                           std::unordered_set<std::int64_t>& documents) {
  const auto last = address.last.value_or(*address.first);
  std::vector<std::int64_t> between;
  bool inside = false;
  history_.for_each_document(conversation, [&](const StoredDocument& document) {
    const bool is_end = document.number == *address.first || document.number == last;
    if (inside || is_end) between.push_back(document.row);
    if (is_end && (inside || *address.first == last)) {
      documents.insert(between.begin(), between.end());
      return false;
    }
    inside = inside || is_end;
    return true;
  });
}

Conditions::Addressed Conditions::addressed(const std::vector<Address>& addresses) {
  Addressed addressed;
  for (const auto& address : addresses) {
    constexpr std::size_t kAll = 1'000'000;
    const auto found = history_.conversations_with_prefix(address.conversation, kAll);
    if (!address.first)
      addressed.conversations.insert(addressed.conversations.end(), found.begin(), found.end());
    else
      for (const auto row : found) add_range(row, address, addressed.documents);
  }
  return addressed;
}

Condition Conditions::of_conversations(const Choice<Address>& addresses) {
  const auto wanted = addressed(addresses.wanted);
  const auto unwanted = addressed(addresses.unwanted);
  const bool any = addresses.wanted.empty();
  if (!any && wanted.empty()) return nothing();
  Condition condition;
  if (wanted.documents.empty() && unwanted.documents.empty())
    condition = choice_condition(
        Choice<std::int64_t>{.wanted = wanted.conversations, .unwanted = unwanted.conversations},
        [](std::int64_t row) { return conversation_term(row); });
  condition.holds = [wanted, unwanted, any](const Candidate& candidate) {
    return (any || wanted.has(candidate)) && !unwanted.has(candidate);
  };
  return condition;
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
  if (filters.here) conditions.push_back(of_here(*filters.here));
  if (!filters.models.empty())
    conditions.push_back(of_names(filters.models, [](const auto& of) { return of.model; }));
  if (!filters.stores.empty() && !are_all(filters.stores))
    conditions.push_back(of_stores(filters.stores));
  if (!filters.files.empty()) conditions.push_back(of_files(filters.files));
  if (filters.gone) conditions.push_back(of_gone(*filters.gone));
  if (!filters.subagents)
    conditions.push_back(of_marks({.wanted = {}, .unwanted = {Mark::subagent}}));
  if (!filters.repeated)
    conditions.push_back(
        {.holds = [](const Candidate& candidate) { return !candidate.document.repeated; },
         .only_of = role_term(Role::prompt)});
  if (filters.since || filters.until) conditions.push_back(of_times(filters.since, filters.until));
  return conditions;
}

Condition Conditions::of_date(std::string_view field, std::string_view value) {
  try {
    if (field == "since") return of_times(parse_date(value, now_ms_).begin_ms, std::nullopt);
    if (field == "until") return of_times(std::nullopt, parse_date(value, now_ms_).end_ms);
    const auto range = parse_date_range(value, now_ms_);
    return of_times(range.since, range.until);
  } catch (const Error&) {
    return nothing();  // a pattern never fails for its grammar
  }
}

Condition Conditions::of_field(std::string_view field, std::string_view value) {
  const auto condition = [](const auto& choice, const auto& make) {
    return choice ? make(*choice) : nothing();
  };
  if (field == "title") return of_title(value);
  if (field == "is")
    return condition(choice_of<Mark>(value, mark_named),
                     [&](const auto& marks) { return of_marks(marks); });
  if (field == "role")
    return condition(choice_of<Role>(value, [](auto name) { return role_named(name); }),
                     [&](const auto& roles) { return of_roles(roles); });
  if (field == "store")
    return condition(choice_of<const Store*>(value, store_named),
                     [&](const auto& stores) { return of_stores(stores); });
  if (field == "conversation")
    return condition(choice_of<Address>(value, [](auto name) { return parse_address(name); }),
                     [&](const auto& addresses) { return of_conversations(addresses); });
  const auto texts =
      choice_of<std::string>(value, [](auto name) { return std::optional(std::string(name)); });
  if (field == "tool") return condition(texts, [&](const auto& tools) { return of_tools(tools); });
  if (field == "project")
    return condition(texts, [&](const auto& projects) { return of_projects(projects); });
  if (field == "file") return condition(texts, [&](const auto& files) { return of_files(files); });
  const auto named = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const auto& name) { return name.first == field; });
  if (named != kNames.end())
    return condition(texts, [&](const auto& names) { return of_names(names, named->second); });
  return of_date(field, value);
}

}  // namespace cgrep
