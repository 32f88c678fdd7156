#include "bench/judged/evaluate.h"

#include <algorithm>

#include "query/parser.h"
#include "query/searcher.h"

namespace cgrep::bench {

std::vector<Judgement> judge(History& history, const JudgedHistory& judged,
                             const RankWeights& weights) {
  Searcher searcher(history);
  std::vector<Judgement> judgements;
  for (const auto& query : judged.queries) {
    Request request{.query = parse_query(query.text).query,
                    .here = query.here,
                    .weights = weights,
                    .now_ms = judged.now_ms};
    Outcome outcome;
    const auto found = searcher.find(request, outcome);
    Judgement judgement{.query = &query, .answers = found.size()};
    for (std::size_t i = 0; i < found.size() && judgement.place == 0; ++i) {
      const auto key = history.conversation(found[i].conversation).key;
      if (i == 0) judgement.first = key;
      if (std::find(query.wanted.begin(), query.wanted.end(), key) != query.wanted.end())
        judgement.place = i + 1;
    }
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

Figures figures(const std::vector<Judgement>& judgements,
                const std::function<bool(const JudgedQuery&)>& counts) {
  Figures sums;
  for (const auto& judgement : judgements) {
    if (counts && !counts(*judgement.query)) continue;
    ++sums.queries;
    if (judgement.place == 0) continue;
    sums.mrr += 1 / static_cast<double>(judgement.place);
    sums.success_1 += judgement.place == 1 ? 1 : 0;
    sums.success_5 += judgement.place <= 5 ? 1 : 0;
  }
  if (sums.queries == 0) return sums;
  const auto all = static_cast<double>(sums.queries);
  return {.queries = sums.queries,
          .mrr = sums.mrr / all,
          .success_1 = sums.success_1 / all,
          .success_5 = sums.success_5 / all};
}

}  // namespace cgrep::bench
