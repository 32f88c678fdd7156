// Asks the judged queries and tells how good the answers are.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/judged/judged_history.h"
#include "index/history.h"
#include "query/rank_weights.h"

namespace cgrep::bench {

struct Judgement {
  const JudgedQuery* query = nullptr;
  std::size_t place = 0;    // of the first wanted conversation, from 1; 0: not found
  std::string first{};      // the conversation that came first
  std::size_t answers = 0;  // how many conversations there are
};

/// The judgements point into `judged`.
std::vector<Judgement> judge(History& history, const JudgedHistory& judged,
                             const RankWeights& weights);

struct Figures {
  std::size_t queries = 0;
  double mrr = 0;        // mean of 1 / place
  double success_1 = 0;  // share of queries whose first answer is wanted
  double success_5 = 0;
};

Figures figures(const std::vector<Judgement>& judgements,
                const std::function<bool(const JudgedQuery&)>& counts = {});

}  // namespace cgrep::bench
