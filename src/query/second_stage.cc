#include "query/second_stage.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/overview.h"
#include "index/terms.h"
#include "index/xapian_errors.h"
#include "query/in_cores.h"
#include "query/rank.h"

namespace cgrep {

namespace {

// So many conversations are looked at, and of each the texts of so many documents: a hundred texts
// of at most 64 KB cost a few milliseconds.
constexpr std::size_t kConversations = 50;
constexpr std::size_t kTextsOfEach = 2;

// Documents with only some of the words that may add to the conversations looked at.
constexpr Xapian::doccount kPartial = 300;

/// A conversation that is looked at.
struct Looked {
  Group* group = nullptr;
  ConversationEvidence evidence{};
};

/// A text that decides.
struct LookedText {
  std::string packed{};
  Closeness closeness{};
};

/// The first message says what a conversation is about, unless an agent wrote it.
template <typename Document>
bool opens(const Document& document) {
  return document.number == 1 && document.role == Role::user && !document.delegated;
}

class SecondStage {
 public:
  SecondStage(Snapshot& snapshot, const Request& request, const Query& query)
      : snapshot_(snapshot),
        request_(request),
        query_(query),
        ranker_(query, request.weights, request.now_ms.value_or(snapshot.now_ms)),
        known_closeness_(ranker_.known_closeness()) {}

  void order(std::vector<Group>& groups);

 private:
  double guess(Group& group) const;
  void look_at(Looked& looked);
  void add_texts(const Looked& looked);
  void weigh(Looked& looked, std::span<const LookedText> texts);
  void add_partial(std::span<Looked> looked);
  Xapian::Query any_word() const;
  std::vector<std::pair<std::int64_t, double>> partial_rows(std::span<const Looked> looked);

  Snapshot& snapshot_;
  const Request& request_;
  const Query& query_;
  Ranker ranker_;
  std::optional<Closeness> known_closeness_;
  std::vector<LookedText> texts_{};  // of the first documents of each conversation, in order
  std::size_t packed_bytes_ = 0;
};

// By weights and roles alone: what can be said of all matches without reading a text.
double SecondStage::guess(Group& group) const {
  ConversationEvidence evidence;
  for (auto& match : group.matches)
    evidence.documents.push_back(
        ranker_.document_score({.weight = match.score, .role = match.role}));
  return ranker_.conversation_score(std::move(evidence));
}

void SecondStage::look_at(Looked& looked) {
  auto& [group, evidence] = looked;
  group->known =
      std::make_shared<const Conversation>(snapshot_.history.unaddressed(group->conversation));
  const auto& conversation = *group->known;
  evidence.subagent = is_subagent(conversation);
  if (!evidence.subagent) evidence.title = conversation.title;  // an agent's errand is no title
  evidence.here = !request_.here.empty() && conversation.project == request_.here;
  const auto guessed = [&](const Match& match) {
    return ranker_.document_score({.weight = match.score, .role = match.role});
  };
  std::stable_sort(group->matches.begin(), group->matches.end(),
                   [&](const Match& a, const Match& b) { return guessed(a) > guessed(b); });
  add_texts(looked);
}

std::size_t texts_of(const Group& group) {
  return std::min(group.matches.size(), kTextsOfEach);
}

void SecondStage::add_texts(const Looked& looked) {
  if (known_closeness_) return;
  for (std::size_t i = 0; i < texts_of(*looked.group); ++i) {
    const auto packed = snapshot_.history.packed_text(looked.group->matches[i].row);
    texts_.push_back({.packed = std::string(packed)});
    packed_bytes_ += packed.size();
  }
}

void SecondStage::weigh(Looked& looked, std::span<const LookedText> texts) {
  for (std::size_t i = 0; i < looked.group->matches.size(); ++i) {
    auto& match = looked.group->matches[i];
    DocumentEvidence of_match{.weight = match.score, .role = match.role};
    const bool is_looked_at = i < kTextsOfEach;
    if (is_looked_at) {
      of_match.orphan = match.orphan;
      of_match.closeness = known_closeness_ ? *known_closeness_ : texts[i].closeness;
    }
    match.score = ranker_.document_score(of_match);
    looked.evidence.documents.push_back(match.score);
    if (is_looked_at && opens(match)) looked.evidence.opening = match.score;
    looked.evidence.time = std::max(looked.evidence.time, match.time);
  }
}

Xapian::Query SecondStage::any_word() const {
  std::vector<Xapian::Query> words;
  for (const auto* word : wanted_words(query_))
    if (!word->forms.empty())
      words.emplace_back(Xapian::Query::OP_SYNONYM, word->forms.begin(), word->forms.end());
  if (words.size() < 2) return {};
  return {Xapian::Query::OP_OR, words.begin(), words.end()};
}

// Of what people read: what tools print says little of what a conversation is about.
std::vector<std::pair<std::int64_t, double>> SecondStage::partial_rows(
    std::span<const Looked> looked) {
  std::vector<std::pair<std::int64_t, double>> rows;
  const auto words = any_word();
  if (words.empty()) return rows;
  std::vector<std::string> conversations;
  for (const auto& each : looked)
    conversations.push_back(conversation_term(each.group->conversation));
  std::vector<std::string> roles;
  for (const Role role : {Role::user, Role::assistant, Role::summary, Role::title, Role::plan})
    roles.push_back(role_term(role));
  const auto filter =
      Xapian::Query(Xapian::Query::OP_AND,
                    Xapian::Query(Xapian::Query::OP_OR, conversations.begin(), conversations.end()),
                    Xapian::Query(Xapian::Query::OP_OR, roles.begin(), roles.end()));
  translating_xapian_errors([&] {
    Xapian::Enquire enquire(snapshot_.runs->database());
    enquire.set_query(Xapian::Query(Xapian::Query::OP_FILTER, words, filter));
    const auto found = enquire.get_mset(0, kPartial);
    for (auto match = found.begin(); match != found.end(); ++match)
      rows.emplace_back(snapshot_.runs->row_of(*match), match.get_weight());
  });
  return rows;
}

void SecondStage::add_partial(std::span<Looked> looked) {
  if (request_.weights.partial == 0 || !snapshot_.runs || ranker_.words() < 2) return;
  std::unordered_map<std::int64_t, Looked*> by_conversation;
  std::unordered_set<std::int64_t> known;
  for (auto& each : looked) {
    by_conversation[each.group->conversation] = &each;
    for (const auto& match : each.group->matches) known.insert(match.row);
  }
  double best = 0;
  for (const auto& [row, weight] : partial_rows(looked)) {
    best = std::max(best, weight);
    if (known.contains(row) || snapshot_.is_dropped(row)) continue;
    const auto document = snapshot_.history.document(row);
    if (!document) continue;
    const auto found = by_conversation.find(document->conversation);
    if (found == by_conversation.end()) continue;
    auto& evidence = found->second->evidence;
    // Much less for less: half of the words is a quarter of the evidence.
    const double score = ranker_.document_score(
        {.weight = weight * weight / best, .role = document->role, .orphan = document->orphan});
    evidence.partial.push_back(score);
    if (opens(*document)) evidence.opening = request_.weights.partial * score;
  }
}

void SecondStage::order(std::vector<Group>& groups) {
  std::vector<std::pair<double, Group*>> guesses;
  guesses.reserve(groups.size());
  for (auto& group : groups) guesses.emplace_back(guess(group), &group);
  const auto reached = std::min(groups.size(), kConversations);
  std::partial_sort(guesses.begin(), guesses.begin() + static_cast<std::ptrdiff_t>(reached),
                    guesses.end(), [](const auto& a, const auto& b) {
                      return a.first != b.first ? a.first > b.first : a.second < b.second;
                    });
  std::vector<Looked> looked(reached);
  for (std::size_t i = 0; i < reached; ++i) {
    looked[i].group = guesses[i].second;
    look_at(looked[i]);
  }
  work_in_cores(texts_, packed_bytes_, snapshot_.frames, [this](LookedText& text, Frames& frames) {
    text.closeness = ranker_.closeness(frames.unpack_here(text.packed));
  });
  std::span<const LookedText> texts = texts_;
  for (auto& each : looked) {
    const auto own = known_closeness_ ? 0 : texts_of(*each.group);
    weigh(each, texts.first(own));
    texts = texts.subspan(own);
  }
  add_partial(looked);
  for (auto& each : looked) {
    each.group->ranked = true;
    each.group->score = ranker_.conversation_score(std::move(each.evidence));
  }
  for (auto& group : groups) std::stable_sort(group.matches.begin(), group.matches.end(), better);
  order_by_score(snapshot_.history, groups);
}

}  // namespace

void order_by_relevance(Snapshot& snapshot, const Request& request, const Query& query,
                        std::vector<Group>& groups) {
  SecondStage(snapshot, request, query).order(groups);
}

}  // namespace cgrep
