#include "cli/filter_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/here.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "error.h"
#include "extract/stores.h"
#include "query/dates.h"

namespace cgrep {
namespace {

template <typename Value, typename Resolve>
Choice<Value> make_choice(const std::vector<std::string>& values, const Resolve& resolve) {
  Choice<Value> choice;
  for (const std::string& value : split_lists(values)) {
    const bool excluded = value.front() == '!';
    if (value == "!") throw Error("'!' excludes nothing", "write !VALUE, quoted in most shells");
    auto& side = excluded ? choice.unwanted : choice.wanted;
    side.push_back(resolve(excluded ? value.substr(1) : value));
  }
  return choice;
}

std::string typed(const std::string& value) {
  return value;
}

// `.` and `../widget` are paths from here; all else is a pattern and stays as it is.
std::string resolve_project(const std::string& pattern) {
  const auto first = pattern.substr(0, pattern.find('/'));
  if (first != "." && first != "..") return pattern;
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(pattern, error);
  return error ? pattern : path.string();
}

Role resolve_role(const std::string& name) {
  if (const auto role = role_named(name)) return *role;
  const std::vector<std::string> names(kRoleNames.begin(), kRoleNames.end());
  throw Error(fmt::format("unknown role '{}'", name), names_hint(name, names));
}

Address resolve_address(const std::string& text) {
  if (auto address = parse_address(text)) return *std::move(address);
  throw Error(fmt::format("not an address: '{}'", text),
              "an address looks like 3f2a9c1e, 3f2a9c1e:17 or 3f2a9c1e:10-20");
}

const Store* resolve_store(const std::string& name) {
  const Store* store = find_store(name);
  if (store == nullptr) {
    std::vector<std::string_view> names;
    for (const Store* known : all_stores()) names.push_back(known->name);
    throw Error(fmt::format("unknown store '{}'", name),
                fmt::format("did you mean '{}'? known: all, {}", nearest_store(name).name,
                            fmt::join(names, ", ")));
  }
  if (store->searched == Searched::never)
    throw Error(fmt::format("store '{}' is only listed, never searched", name),
                "cgrep stores shows what was found of it");
  return store;
}

bool contains(const std::vector<const Store*>& stores, const Store* store) {
  return std::find(stores.begin(), stores.end(), store) != stores.end();
}

std::vector<const Store*> stores_that(const auto& condition) {
  std::vector<const Store*> stores;
  for (const Store* store : all_stores())
    if (condition(*store)) stores.push_back(store);
  return stores;
}

bool by_default(const Store& store) {
  return store.searched == Searched::by_default;
}

}  // namespace

bool FilterOptions::empty() const {
  return stores.empty() && projects.empty() && !here && roles.empty() && !since && !until &&
         conversations.empty() && tools.empty() && models.empty() && files.empty() &&
         !no_subagents && !gone;
}

void declare_store_option(OptionTable& table, std::vector<std::string>& stores) {
  table.add_list("--store", stores, "STORE",
                 "Only these stores, such as transcripts; all: also those opted in");
}

void declare_filters(OptionTable& table, FilterOptions& options) {
  table.group("Filters");
  declare_store_option(table, options.stores);
  table.add_list("-p,--project", options.projects, "PROJECT",
                 "Only these projects: a path, the end of one, a slug, a glob, or none");
  table.add_flag("--here", options.here, "Only the project of the current directory");
  table.add_list("--role", options.roles, "ROLE", "Only texts of these roles, such as user");
  table.add_value("--since", options.since, "TIME",
                  "Not before TIME: 2h, 3d, 2w, 6mo, today, 2026-08, 2026-08-01T10:00");
  table.add_value("--until", options.until, "TIME", "Not after TIME; a day counts to its end");
  table.add_list("--conversation", options.conversations, "ADDRESS", "Only these conversations");
  table.add_list("--model", options.models, "MODEL",
                 "Only conversations with these models: a name, a part of it, or a glob");
  table.add_list("--tool", options.tools, "TOOL", "Only calls and results of these tools");
  table.add_list("--file", options.files, "GLOB",
                 "Only what touches these files: a path, the end of one, or a glob");
  table.add_flag("--no-subagents", options.no_subagents,
                 "Leave out conversations that an agent started");
  table.add_switch("--gone,--no-gone{false}", options.gone,
                   "Only what Cursor no longer has, or nothing of it");
}

StoreSelection select_stores(const std::vector<std::string>& values,
                             const std::vector<const Store*>& plain) {
  std::vector<std::string> named;
  bool all = false;
  for (const std::string& value : split_lists(values))
    if (value == "all")
      all = true;
    else
      named.push_back(value);

  StoreSelection selection{.choice = make_choice<const Store*>(named, resolve_store)};
  auto& wanted = selection.choice.wanted;
  selection.named = all || !wanted.empty();
  if (!selection.named) wanted = plain.empty() ? stores_that(by_default) : plain;
  for (const Store* store : wanted)
    if (store->searched == Searched::when_named && !contains(selection.choice.unwanted, store))
      selection.opt_in.push_back(store);
  if (all) wanted.clear();
  return selection;
}

void require_known(Searcher& searcher, const Filters& filters) {
  for (const auto* side : {&filters.conversations.wanted, &filters.conversations.unwanted})
    for (const Address& address : *side) searcher.find_conversation(address);
}

Filters make_filters(const FilterOptions& options, const StoreSelection& stores,
                     std::int64_t now_ms) {
  Filters filters;
  filters.stores = stores.choice;
  filters.repeated = stores.named && contains(stores.choice.wanted, find_store("prompts"));
  filters.projects = make_choice<std::string>(options.projects, resolve_project);
  if (options.here) filters.here = find_here();
  filters.roles = make_choice<Role>(options.roles, resolve_role);
  filters.tools = make_choice<std::string>(options.tools, typed);
  filters.models = make_choice<std::string>(options.models, typed);
  filters.files = make_choice<std::string>(options.files, typed);
  filters.subagents = !options.no_subagents;
  filters.gone = options.gone;
  filters.conversations = make_choice<Address>(options.conversations, resolve_address);
  if (options.since) filters.since = parse_date(*options.since, now_ms).begin_ms;
  if (options.until) filters.until = parse_date(*options.until, now_ms).end_ms;
  return filters;
}

void leave_out(Filters& filters, const std::vector<std::string>& projects) {
  auto& unwanted = filters.projects.unwanted;
  unwanted.insert(unwanted.end(), projects.begin(), projects.end());
}

}  // namespace cgrep
