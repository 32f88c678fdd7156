#include "query/rank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "index/words.h"

namespace cgrep {

namespace {

constexpr std::size_t kLookedAt = 64u << 10;
constexpr std::size_t kMaxWords = 32;

constexpr double kMsPerDay = 86'400'000;

/// The words that a good answer has: those not under a `not`, in the order of the query.
void collect(const Query& query, std::vector<const Query*>& words) {
  if (query.kind == Query::Kind::not_of) return;
  if (query.kind == Query::Kind::word) words.push_back(&query);
  for (const auto& child : query.children) collect(child, words);
}

/// Follows the words of a text and keeps the closest group that has all of them.
class Window {
 public:
  explicit Window(std::size_t words) : last_(words, kNever) {}

  void see(std::size_t word, std::size_t position, bool typed) {
    const bool follows = word > 0 && last_[word - 1] + 1 == position && run_ == word;
    run_ = word == 0 ? 1 : (follows ? word + 1 : 0);
    if (run_ == last_.size()) phrase_ = true;
    last_[word] = position;
    typed_ = typed_ && typed;
    const auto earliest = *std::min_element(last_.begin(), last_.end());
    if (earliest != kNever &&
        std::none_of(last_.begin(), last_.end(), [](std::size_t at) { return at == kNever; }))
      closest_ = std::min(closest_, position - earliest + 1);
  }

  Closeness result() const {
    const bool all = closest_ != std::numeric_limits<std::size_t>::max();
    return {.phrase = phrase_, .typed = typed_, .window = all ? closest_ : 0};
  }

 private:
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max() - 1;
  std::vector<std::size_t> last_;
  std::size_t run_ = 0;
  std::size_t closest_ = std::numeric_limits<std::size_t>::max();
  bool phrase_ = false;
  bool typed_ = true;
};

}  // namespace

RankWeights RankWeights::plain() {
  RankWeights plain{.phrase = 0,
                    .closeness = 0,
                    .other_form = 1,
                    .subagent = 1,
                    .here = 1,
                    .orphan = 1,
                    .recency = 0,
                    .title = 0,
                    .others = 0,
                    .partial = 0};
  plain.roles.fill(1);
  return plain;
}

Ranker::Ranker(const Query& query, const RankWeights& weights, std::int64_t now_ms)
    : weights_(weights), now_ms_(now_ms) {
  std::vector<const Query*> words;
  collect(query, words);
  if (words.size() > kMaxWords) words.resize(kMaxWords);
  for (std::size_t i = 0; i < words.size(); ++i) {
    typed_.push_back(fold(words[i]->text));
    for (const auto& form : words[i]->forms)
      words_.try_emplace(form, static_cast<std::uint32_t>(i));
    words_.try_emplace(typed_.back(), static_cast<std::uint32_t>(i));
  }
}

Closeness Ranker::closeness(std::string_view text) const {
  if (typed_.empty()) return {};
  Window window(typed_.size());
  std::size_t position = 0;
  std::string word;
  WordScanner scanner;
  for (scanner.start(text.substr(0, kLookedAt)); scanner.next(); ++position) {
    const auto found = words_.find(word.assign(scanner.folded()));
    if (found == words_.end()) continue;
    const auto index = found->second;
    window.see(index, position, word == typed_[index]);
  }
  return window.result();
}

double Ranker::document_score(const Evidence& evidence) const {
  double score = evidence.weight * weights_.roles[static_cast<std::size_t>(evidence.role)];
  if (typed_.size() > 1) {
    if (evidence.closeness.phrase)
      score *= 1 + weights_.phrase;
    else if (evidence.closeness.window > 0)
      score *= 1 + weights_.closeness * static_cast<double>(typed_.size()) /
                       static_cast<double>(evidence.closeness.window);
  }
  if (!evidence.closeness.typed) score *= weights_.other_form;
  if (evidence.subagent) score *= weights_.subagent;
  if (evidence.here) score *= weights_.here;
  if (evidence.orphan) score *= weights_.orphan;
  if (evidence.time) {
    const double age = std::max(0.0, static_cast<double>(now_ms_ - evidence.time->ms) / kMsPerDay);
    score *= 1 + weights_.recency * std::exp(-age / weights_.recency_days);
  }
  return score;
}

double Ranker::conversation_score(const std::vector<double>& scores, std::string_view title) const {
  double score = 0;
  double share = 1;
  for (const double of_document : scores) {
    score += share * of_document;
    share *= weights_.others;
  }
  if (typed_.empty()) return score;
  std::size_t named = 0;
  std::vector<bool> seen(typed_.size());
  for_each_word(title, [&](const Word& word) {
    const auto found = words_.find(word.folded);
    if (found == words_.end() || seen[found->second]) return;
    seen[found->second] = true;
    ++named;
  });
  return score * (1 + weights_.title * static_cast<double>(named) / static_cast<double>(typed_.size()));
}

}  // namespace cgrep
