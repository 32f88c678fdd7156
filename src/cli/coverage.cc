#include "cli/coverage.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output.h"
#include "extract/stores.h"
#include "index/overview.h"

namespace cgrep {
namespace {

using Stores = std::vector<const Store*>;

bool contains(const Stores& stores, const Store* store) {
  return std::find(stores.begin(), stores.end(), store) != stores.end();
}

// Conversations that only this store has.
std::size_t only_in(const Store& store, const Conversations& conversations) {
  const auto& all = conversations.all();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Conversation& conversation) {
        return conversation.stores.size() == 1 && conversation.stores.front() == store.name;
      }));
}

// Stores that a plain search has unless the config says otherwise.
std::vector<LeftOut> left_out_by_config(History& history, const Stores& searched) {
  std::vector<LeftOut> left_out;
  const auto& all = all_stores();
  const auto is_left_out = [&](const Store* store) {
    return store->searched == Searched::by_default && !contains(searched, store);
  };
  if (std::none_of(all.begin(), all.end(), is_left_out)) return left_out;
  for (const StoreCounts& counts : history.store_counts())
    if (counts.sources > 0 && is_left_out(counts.store))
      left_out.push_back({.store = counts.store, .sources = counts.sources});
  const Conversations conversations(history);
  for (LeftOut& left : left_out) left.only = only_in(*left.store, conversations);
  return left_out;
}

}  // namespace

void count_problems(History& history, Coverage& coverage) {
  for (const StoreCounts& counts : history.store_counts()) coverage.problems += counts.problems;
}

void find_left_out(History& history, const Request& request, bool stores_named,
                   Coverage& coverage) {
  auto& left_out = coverage.not_searched;
  left_out = history.left_out();
  // A plain search also leaves out what was opted into and not named, and what the config wants.
  if (stores_named || request.filters.stores.empty()) return;
  const Stores& searched = request.filters.stores.wanted;
  for (const LeftOut& left : history.opted_in_only())
    if (left.sources > 0 && !contains(searched, left.store)) left_out.push_back(left);
  for (const LeftOut& left : left_out_by_config(history, searched)) left_out.push_back(left);
  std::sort(left_out.begin(), left_out.end(),
            [](const LeftOut& a, const LeftOut& b) { return a.store->id < b.store->id; });
}

std::string_view why_left_out(const LeftOut& left) {
  return left.store->searched == Searched::by_default ? "default-stores" : "opt-in";
}

namespace {

/// The first names, as many as fit on a line, and how many more there are.
std::string not_searched_note(std::string_view why, const std::vector<std::string_view>& names) {
  constexpr std::size_t kMostNamed = 2;
  constexpr std::size_t kLine = 80 - std::string_view("cgrep: ").size();
  std::string note;
  for (auto named = std::min(names.size(), kMostNamed); named > 0; --named) {
    note = fmt::format(
        "not searched ({}): {}", why,
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), ", "));
    if (named < names.size())
      note += fmt::format(" and {} more, see cgrep stores", names.size() - named);
    if (note.size() <= kLine) break;
  }
  return note;
}

}  // namespace

std::vector<std::string> left_out_notes(const std::vector<LeftOut>& stores) {
  std::vector<std::string> notes;
  for (const std::string_view why : {"opt-in", "default-stores"}) {
    std::vector<std::string_view> names;
    std::vector<const LeftOut*> with_own;
    for (const LeftOut& left : stores) {
      if (why_left_out(left) != why) continue;
      names.push_back(left.store->name);
      if (left.only > 0) with_own.push_back(&left);
    }
    if (!names.empty()) notes.push_back(not_searched_note(why, names));
    if (with_own.empty()) continue;
    auto only = fmt::format("{} only in {}", counted(with_own[0]->only, "conversation"),
                            with_own[0]->store->name);
    if (with_own.size() > 1)
      only += fmt::format(", {} in {}", with_own[1]->only, with_own[1]->store->name);
    if (with_own.size() > 2) only += fmt::format(" and {} more", with_own.size() - 2);
    notes.push_back(std::move(only));
  }
  return notes;
}

}  // namespace cgrep
