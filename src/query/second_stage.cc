#include "query/second_stage.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "query/rank.h"

namespace cgrep {

namespace {

// The texts of this many candidates are read to rank them.
constexpr std::size_t kSecondStage = 100;

}  // namespace

void order_by_relevance(Snapshot& snapshot, const Request& request, const Query& query,
                        const std::vector<Match>& best, std::vector<Group>& groups) {
  auto& history = snapshot.history;
  const Ranker ranker(query, request.weights, request.now_ms.value_or(snapshot.now_ms));
  std::unordered_map<std::int64_t, double> scores;
  std::unordered_map<std::int64_t, Conversation> seen;
  for (std::size_t i = 0; i < std::min(best.size(), kSecondStage); ++i) {
    auto document = history.document(best[i].row);
    if (!document) continue;
    const auto [found, fresh] = seen.try_emplace(document->conversation);
    if (fresh) found->second = history.conversation(document->conversation);
    const auto candidate = snapshot.conditions.candidate(std::move(*document));
    scores[best[i].row] = ranker.document_score(
        {.weight = best[i].score,
         .role = candidate.document.role,
         .time = candidate.time,
         .subagent = !found->second.parent.empty(),
         .here = !request.here.empty() && found->second.project == request.here,
         .orphan = candidate.document.orphan,
         .closeness = ranker.closeness(history.text(best[i].row))});
  }
  for (auto& group : groups) {
    std::vector<double> of_documents;
    for (auto& match : group.matches) {
      const auto found = scores.find(match.row);
      if (found == scores.end()) continue;
      match.score = found->second;
      of_documents.push_back(match.score);
    }
    if (of_documents.empty()) continue;
    std::sort(of_documents.rbegin(), of_documents.rend());
    group.ranked = true;
    group.score = ranker.conversation_score(of_documents, seen[group.conversation].title);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    if (a.ranked != b.ranked) return a.ranked;
    return a.score > b.score;
  });
  for (auto& group : groups) std::stable_sort(group.matches.begin(), group.matches.end(), better);
}

}  // namespace cgrep
