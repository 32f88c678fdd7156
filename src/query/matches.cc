#include "query/matches.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace cgrep {

std::vector<Group> grouped(const std::vector<Match>& matches) {
  std::vector<Group> groups;
  std::unordered_map<std::int64_t, std::size_t> index;
  for (const auto& match : matches) {
    const auto [found, fresh] = index.try_emplace(match.conversation, groups.size());
    if (fresh) groups.push_back({.conversation = match.conversation, .score = match.score});
    groups[found->second].matches.push_back(match);
  }
  return groups;
}

bool newer(const Match& a, const Match& b) {
  if (a.time != b.time) return a.time > b.time;
  return a.number != b.number ? a.number > b.number : a.row > b.row;
}

bool better(const Match& a, const Match& b) {
  if (a.score != b.score) return a.score > b.score;
  return newer(a, b);
}

namespace {

/// By address. Few are alike, so their keys are asked for only here.
void order_alike(History& history, std::vector<Group>::iterator begin,
                 std::vector<Group>::iterator end) {
  if (end - begin < 2) return;
  std::vector<std::pair<std::string, Group>> keyed;
  for (auto group = begin; group != end; ++group) {
    auto key = history.unaddressed(group->conversation).key;
    keyed.emplace_back(std::move(key), std::move(*group));
  }
  std::sort(keyed.begin(), keyed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [key, group] : keyed) *begin++ = std::move(group);
}

/// Sorts by `before`, and what that leaves open by address.
template <typename Before>
void order(History& history, std::vector<Group>& groups, const Before& before) {
  std::sort(groups.begin(), groups.end(), before);
  for (auto begin = groups.begin(); begin != groups.end();) {
    const auto end = std::find_if(begin, groups.end(),
                                  [&](const Group& group) { return before(*begin, group); });
    order_alike(history, begin, end);
    begin = end;
  }
}

}  // namespace

void order_by_time(History& history, std::vector<Group>& groups, Sort sort) {
  const auto first = [&](const Match& a, const Match& b) {
    if (a.time.has_value() != b.time.has_value()) return a.time.has_value();
    return sort == Sort::oldest ? newer(b, a) : newer(a, b);
  };
  for (auto& group : groups)  // most are in order already
    if (!std::is_sorted(group.matches.begin(), group.matches.end(), first))
      std::sort(group.matches.begin(), group.matches.end(), first);
  order(history, groups, [&](const Group& a, const Group& b) {
    const auto& time = a.matches.front().time;
    return time != b.matches.front().time && first(a.matches.front(), b.matches.front());
  });
}

void order_by_score(History& history, std::vector<Group>& groups) {
  order(history, groups, [](const Group& a, const Group& b) {
    if (a.ranked != b.ranked) return a.ranked;
    if (a.score != b.score) return a.score > b.score;
    return a.matches.front().time > b.matches.front().time;
  });
}

}  // namespace cgrep
