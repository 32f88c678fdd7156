#include "query/spread.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "query/word_search.h"

namespace cgrep {

namespace {

bool is_about_text(const Query& query) {
  if (query.kind == Query::Kind::field || query.kind == Query::Kind::not_of) return false;
  return query.children.empty() ||
         std::any_of(query.children.begin(), query.children.end(), is_about_text);
}

/// Each part as a request of its own. Fields, and what must not be there, hold for every document.
std::vector<Request> parts_of(const Request& request) {
  std::vector<Request> parts;
  if (request.query.kind != Query::Kind::all_of) return parts;
  std::vector<Query> always;
  for (const auto& child : request.query.children)
    if (!is_about_text(child)) always.push_back(child);
  for (const auto& child : request.query.children) {
    if (!is_about_text(child)) continue;
    auto& part = parts.emplace_back(request);
    part.limit = 0;
    part.query = child;
    if (always.empty()) continue;
    part.query = {.kind = Query::Kind::all_of, .children = always};
    part.query.children.push_back(child);
  }
  return parts;
}

using Conversations = std::unordered_map<std::int64_t, Group>;

/// Of `before`, the conversations that have the part as well, with its matches.
Conversations joined(Conversations before, const std::vector<Match>& matches, bool first) {
  Conversations after;
  for (auto& group : grouped(matches)) {
    const auto found = before.find(group.conversation);
    if (found == before.end() && !first) continue;
    auto& both = after[group.conversation];
    if (found != before.end()) both = std::move(found->second);
    both.conversation = group.conversation;
    both.score += std::max_element(group.matches.begin(), group.matches.end(),
                                   [](const Match& a, const Match& b) { return a.score < b.score; })
                      ->score;
    for (const auto& match : group.matches) {
      const auto known = std::find_if(both.matches.begin(), both.matches.end(),
                                      [&](const Match& other) { return other.row == match.row; });
      if (known == both.matches.end())
        both.matches.push_back(match);
      else
        known->score += match.score;
    }
  }
  return after;
}

std::vector<std::int64_t> rows_of(const Conversations& conversations) {
  std::vector<std::int64_t> rows;
  rows.reserve(conversations.size());
  for (const auto& [row, group] : conversations) rows.push_back(row);
  return rows;
}

}  // namespace

std::vector<Group> answer_spread(Snapshot& snapshot, const Request& request, Outcome& outcome) {
  const auto parts = parts_of(request);
  if (parts.size() < 2) return {};
  // The rarest first: the others are looked for in its conversations only.
  std::multimap<std::size_t, std::unique_ptr<WordSearch>> searches;
  for (const auto& part : parts) {
    auto search = std::make_unique<WordSearch>(snapshot, part);
    const auto estimate = search->estimate();
    if (estimate == 0 && snapshot.runs) return {};
    searches.emplace(estimate, std::move(search));
  }
  Conversations found;
  bool first = true;
  for (auto& [estimate, search] : searches) {
    Outcome ignored;
    if (!first) search->only_in(rows_of(found));
    found = joined(std::move(found), search->matches(ignored), first);
    first = false;
    if (found.empty()) return {};
  }
  std::vector<Group> groups;
  groups.reserve(found.size());
  for (auto& [row, group] : found) {
    std::sort(group.matches.begin(), group.matches.end(), better);
    groups.push_back(std::move(group));
  }
  outcome.spread = true;
  if (request.sort != Sort::relevance) {
    order_by_time(snapshot.history, groups, request.sort);
  } else {
    order_by_score(snapshot.history, groups);
  }
  return groups;
}

}  // namespace cgrep
