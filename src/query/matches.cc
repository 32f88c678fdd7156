#include "query/matches.h"

#include <algorithm>
#include <unordered_map>

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
  return a.row > b.row;
}

bool better(const Match& a, const Match& b) {
  if (a.score != b.score) return a.score > b.score;
  return newer(a, b);
}

void order_by_time(std::vector<Group>& groups, Sort sort) {
  const auto first = [&](const Match& a, const Match& b) {
    return sort == Sort::oldest ? newer(b, a) : newer(a, b);
  };
  for (auto& group : groups) std::sort(group.matches.begin(), group.matches.end(), first);
  std::sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    return first(a.matches.front(), b.matches.front());
  });
}

}  // namespace cgrep
