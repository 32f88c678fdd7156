#include "query/rank.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/words.h"

namespace cgrep {

namespace {

constexpr std::size_t kLookedAt = 64u << 10;
constexpr std::size_t kMaxWords = 32;

constexpr double kMsPerDay = 86'400'000;

void collect(const Query& query, std::vector<const Query*>& words) {
  if (query.kind == Query::Kind::not_of) return;
  if (query.kind == Query::Kind::word) words.push_back(&query);
  for (const auto& child : query.children) collect(child, words);
}

/// Follows the words of a text and keeps the closest group that has all of them.
class Window {
 public:
  explicit Window(std::size_t words) : last_(words, kNever), typed_(words) {}

  void see(std::size_t word, std::size_t position, bool typed) {
    const bool follows = word > 0 && last_[word - 1] + 1 == position && run_ == word;
    run_ = word == 0 ? 1 : (follows ? word + 1 : 0);
    if (run_ == last_.size()) phrase_ = true;
    if (last_[word] == kNever) --missing_;
    last_[word] = position;
    if (typed && !typed_[word]) {
      typed_[word] = true;
      --not_typed_;
    }
    if (missing_ > 0) return;
    const auto earliest = *std::min_element(last_.begin(), last_.end());
    closest_ = std::min(closest_, position - earliest + 1);
  }

  /// Nothing closer can come.
  bool done() const { return phrase_ && not_typed_ == 0; }

  Closeness result() const {
    return {.phrase = phrase_, .typed = not_typed_ == 0, .window = missing_ == 0 ? closest_ : 0};
  }

 private:
  static constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max() - 1;
  std::vector<std::size_t> last_;  // where each word was seen last
  std::vector<bool> typed_;
  std::size_t missing_ = last_.size();
  std::size_t not_typed_ = last_.size();
  std::size_t run_ = 0;
  std::size_t closest_ = std::numeric_limits<std::size_t>::max();
  bool phrase_ = false;
};

}  // namespace

RankWeights RankWeights::plain() {
  RankWeights plain{.phrase = 0,
                    .closeness = 0,
                    .other_form = 1,
                    .opening = 0,
                    .orphan = 1,
                    .others = 0,
                    .partial = 0,
                    .title = 0,
                    .subagent = 1,
                    .here = 1,
                    .recency = 0};
  plain.roles.fill(1);
  return plain;
}

std::vector<const Query*> wanted_words(const Query& query) {
  std::vector<const Query*> words;
  collect(query, words);
  if (words.size() > kMaxWords) words.resize(kMaxWords);
  return words;
}

Ranker::Ranker(const Query& query, const RankWeights& weights, std::int64_t now_ms)
    : one_word_(query.kind == Query::Kind::word), weights_(weights), now_ms_(now_ms) {
  for (const auto* word : wanted_words(query)) {
    auto folded = fold(word->text);
    if (std::find(typed_.begin(), typed_.end(), folded) != typed_.end()) continue;
    const auto index = static_cast<std::uint32_t>(typed_.size());
    for (const auto& form : word->forms) words_.try_emplace(form, index);
    for (const auto& longer : word->longer) words_.try_emplace(longer, index);
    words_[folded] = index;  // what was typed is no form of another word
    typed_.push_back(std::move(folded));
  }
}

// A word of the query may be part of an identifier: then its parts count as words.
Closeness Ranker::closeness(std::string_view text) const {
  if (typed_.empty()) return {};
  Window window(typed_.size());
  std::size_t position = 0;
  std::string word;
  const auto look_up = [&](std::string_view folded, std::size_t at) {
    const auto found = words_.find(word.assign(folded));
    if (found == words_.end()) return false;
    window.see(found->second, at, word == typed_[found->second]);
    return true;
  };
  WordScanner scanner;
  std::vector<Piece> pieces;
  scanner.start(text.substr(0, kLookedAt));
  for (; !window.done() && scanner.next(); ++position) {
    if (look_up(scanner.folded(), position) || scanner.plain() || scanner.cjk()) continue;
    pieces.clear();
    split_identifier(scanner.raw(), pieces);
    bool part = false;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      part |= look_up(fold(scanner.raw().substr(pieces[i].begin, pieces[i].end - pieces[i].begin)),
                      position + i);
    if (part) position += pieces.size() - 1;
  }
  return window.result();
}

std::optional<Closeness> Ranker::known_closeness() const {
  if (!one_word_ || words_.size() != 1) return std::nullopt;
  return Closeness{.phrase = true, .typed = true, .window = 1};
}

double Ranker::document_score(const DocumentEvidence& evidence) const {
  double score = evidence.weight * weights_.roles[static_cast<std::size_t>(evidence.role)];
  if (evidence.orphan) score *= weights_.orphan;
  if (!evidence.closeness) return score;
  const auto& closeness = *evidence.closeness;
  if (!closeness.typed) score *= weights_.other_form;
  if (typed_.size() < 2) return score;
  if (closeness.phrase) return score * (1 + weights_.phrase);
  if (closeness.window == 0) return score;
  return score * (1 + weights_.closeness * static_cast<double>(typed_.size()) /
                          static_cast<double>(closeness.window));
}

double Ranker::conversation_score(ConversationEvidence evidence) const {
  auto& scores = evidence.documents;
  for (const double partial : evidence.partial) scores.push_back(weights_.partial * partial);
  std::sort(scores.rbegin(), scores.rend());
  double score = weights_.opening * evidence.opening;
  double share = 1;
  for (const double of_document : scores) {
    score += share * of_document;
    share *= weights_.others;
  }
  score *= 1 + weights_.title * named_by(evidence.title);
  if (evidence.subagent) score *= weights_.subagent;
  if (evidence.here) score *= weights_.here;
  if (evidence.time) {
    const double age = std::max(0.0, static_cast<double>(now_ms_ - *evidence.time) / kMsPerDay);
    score *= 1 + weights_.recency * std::exp(-age / weights_.recency_days);
  }
  return score;
}

// Which part of the words.
double Ranker::named_by(std::string_view title) const {
  if (typed_.empty()) return 0;
  std::size_t named = 0;
  std::vector<bool> seen(typed_.size());
  const auto look_up = [&](const std::string& folded) {
    const auto found = words_.find(folded);
    if (found == words_.end() || seen[found->second]) return;
    seen[found->second] = true;
    ++named;
  };
  for_each_word(title, [&](const Word& word) {
    for (const auto& term : terms_of(title.substr(word.begin, word.end - word.begin)))
      look_up(term);
  });
  return static_cast<double>(named) / static_cast<double>(typed_.size());
}

}  // namespace cgrep
