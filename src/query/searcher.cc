#include "query/searcher.h"

#include <algorithm>
#include <deque>
#include <span>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "error.h"
#include "index/damaged.h"
#include "query/exact_search.h"
#include "query/in_cores.h"
#include "query/matcher.h"
#include "query/snapshot.h"
#include "query/spread.h"
#include "query/word_search.h"

namespace cgrep {

namespace {

constexpr std::size_t kListedCandidates = 8;

/// One question with its answer: by words, or exactly.
struct Answer {
  Answer(Snapshot& snapshot, const Request& request) {
    if (request.exact)
      exact = std::make_unique<ExactSearch>(snapshot, request);
    else
      words = std::make_unique<WordSearch>(snapshot, request);
  }

  void find(Snapshot& snapshot, const Request& request, Outcome& outcome) {
    if (exact) {
      groups = exact->answer(outcome);
      return;
    }
    groups = words->answer(outcome);
    if (groups.empty() && request.spread) groups = answer_spread(snapshot, request, outcome);
  }

  bool complete() const { return exact || words->complete(); }

  std::string explain() const { return exact ? exact->explain() : words->explain(); }

  std::unique_ptr<ExactSearch> exact{};
  std::unique_ptr<WordSearch> words{};
  std::vector<Group> groups{};
};

using LinesOf = std::function<std::vector<MatchLine>(std::string_view text)>;

LinesOf lines_of(const Answer& answer) {
  if (answer.exact)
    return
        [&matcher = answer.exact->matcher()](std::string_view text) { return matcher.lines(text); };
  return [matcher = Matcher(answer.words->query())](std::string_view text) {
    return matcher.lines(text);
  };
}

MatchLine first_line(std::string_view text) {
  auto line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return {.number = 1, .text = line};
}

void add_lines(Hit& hit, const LinesOf& lines) {
  hit.lines = lines(hit.text);
  if (hit.lines.empty()) hit.lines.push_back(first_line(hit.text));
}

void count(const Hit& hit, Outcome& outcome) {
  ++outcome.documents;
  outcome.lines += hit.lines.size();
}

/// Hits whose texts are still to be unpacked, and looked through for their lines.
class HitBatch {
 public:
  HitBatch(Frames& frames, const LinesOf& lines) : frames_(frames), lines_(lines) {}

  /// Hits refer to it.
  const Conversation& keep(Conversation conversation) {
    return conversations_.emplace_back(std::move(conversation));
  }

  void add(Hit hit, std::string_view packed) {
    items_.push_back({.hit = std::move(hit), .packed = std::string(packed)});
    bytes_ += packed.size();
  }

  std::size_t bytes() const { return bytes_; }

  /// Visits all of them in order, and forgets them; false when the visitor wants no more.
  bool deliver(const HitVisitor& visit, Outcome& outcome) {
    work_in_cores(items_, bytes_, frames_, [this](Item& item, Frames& frames) {
      item.hit.text = frames.unpack_here(item.packed);
      add_lines(item.hit, lines_);
    });
    for (const auto& [hit, packed] : items_) {
      count(hit, outcome);
      if (!visit(hit)) return false;
    }
    items_.clear();
    bytes_ = 0;
    while (conversations_.size() > 1) conversations_.pop_front();  // the last one may have more
    return true;
  }

 private:
  struct Item {
    Hit hit{};
    std::string packed{};
  };

  Frames& frames_;
  const LinesOf& lines_;
  std::vector<Item> items_{};
  std::deque<Conversation> conversations_{};
  std::size_t bytes_ = 0;
};

}  // namespace

struct Searcher::Impl {
  explicit Impl(History& opened) : history(opened) {}

  /// Words are asked for only when there are some: addresses and documents need no runs.
  Snapshot& snapshot() {
    if (!snapshot_) snapshot_ = std::make_unique<Snapshot>(history);
    return *snapshot_;
  }

  Answer answer(const Request& request, Outcome& outcome);
  bool deliver_one(const Group& group, const HitVisitor& visit, Outcome& outcome);
  bool deliver_count(const Group& group, const HitVisitor& visit, Outcome& outcome);
  bool deliver_documents(std::span<const Group> groups, const LinesOf& lines,
                         const HitVisitor& visit, Outcome& outcome);
  bool deliver_around(const Group& found, const Request& request, const LinesOf& lines,
                      const HitVisitor& visit, Outcome& outcome);
  std::vector<Match> take_hidden(Group& group, const LineLimit& limit, const LinesOf& lines);
  Hit hit_of(const StoredDocument& document, const Conversation& conversation,
             bool with_text = true);

  History& history;
  bool with_source = true;

 private:
  std::unique_ptr<Snapshot> snapshot_{};
};

Answer Searcher::Impl::answer(const Request& request, Outcome& outcome) {
  try {
    Answer answer(snapshot(), request);
    answer.find(snapshot(), request, outcome);
    return answer;
  } catch (const Damaged&) {  // found out only now: read the texts instead
    snapshot().words_are_damaged();
    outcome = {};
    Answer answer(snapshot(), request);
    answer.find(snapshot(), request, outcome);
    return answer;
  }
}

Hit Searcher::Impl::hit_of(const StoredDocument& document, const Conversation& conversation,
                           bool with_text) {
  Hit hit{.conversation = &conversation,
          .row = document.row,
          .number = document.number,
          .role = document.role,
          .time = document.time ? document.time : conversation.fallback,
          .tool = document.tool,
          .files = document.files,
          .stores = store_names(document.stores),
          .source = with_source ? history.source_of(document.row) : std::string(),
          .text = with_text ? history.text(document.row) : std::string(),
          .gone = document.gone,
          .delegated = document.delegated,
          .orphan = document.orphan,
          .truncated = document.truncated,
          .repeated = document.repeated};
  return hit;
}

/// So many conversations that most pages of history.db with conversations will be read.
constexpr std::size_t kMany = 200;

bool Searcher::Impl::deliver_one(const Group& group, const HitVisitor& visit, Outcome& outcome) {
  const auto conversation = history.conversation(group.conversation);
  ++outcome.conversations;
  const auto document = history.document(group.matches.front().row);
  if (!document) return true;
  const auto hit = hit_of(*document, conversation, false);
  outcome.documents += group.matches.size();
  return visit(hit);
}

// How many lines, and where: no document is read for it.
bool Searcher::Impl::deliver_count(const Group& group, const HitVisitor& visit, Outcome& outcome) {
  const auto conversation = history.conversation(group.conversation);
  const auto& first = group.matches.front();
  std::size_t lines = 0;
  for (const auto& match : group.matches) lines += match.lines;
  Hit hit{.conversation = &conversation, .row = first.row, .number = first.number};
  if (with_source) hit.source = history.source_of(first.row);
  hit.lines.resize(lines);
  ++outcome.conversations;
  outcome.documents += group.matches.size();
  outcome.lines += lines;
  return visit(hit);
}

bool Searcher::Impl::deliver_documents(std::span<const Group> groups, const LinesOf& lines,
                                       const HitVisitor& visit, Outcome& outcome) {
  constexpr std::size_t kAtOnce = 512u << 10;
  HitBatch batch(snapshot().frames, lines);
  for (const auto& group : groups) {
    const auto& conversation = batch.keep(group.known ? history.addressed(*group.known)
                                                      : history.conversation(group.conversation));
    ++outcome.conversations;
    for (const auto& match : group.matches) {
      const auto document = history.document(match.row);
      if (!document) continue;
      auto hit = hit_of(*document, conversation, false);
      hit.score = match.score;
      batch.add(std::move(hit), history.packed_text(match.row));
      if (batch.bytes() >= kAtOnce && !batch.deliver(visit, outcome)) return false;
    }
  }
  return batch.deliver(visit, outcome);
}

// Takes those out of the group that will not be shown, as others of their conversation come first
// in reading order.
std::vector<Match> Searcher::Impl::take_hidden(Group& group, const LineLimit& limit,
                                               const LinesOf& lines) {
  std::vector<Match> hidden;
  if (limit.of_conversation == LineLimit{}.of_conversation) return hidden;
  std::unordered_map<std::int64_t, const Match*> matching;
  for (const auto& match : group.matches) matching.emplace(match.row, &match);
  std::size_t shown = 0;
  std::vector<Match> kept;
  history.for_each_document(group.conversation, [&](const StoredDocument& document) {
    const auto match = matching.find(document.row);
    if (match == matching.end()) return true;
    (shown < limit.of_conversation ? kept : hidden).push_back(*match->second);
    if (shown < limit.of_conversation)
      shown +=
          std::clamp<std::size_t>(lines(history.text(document.row)).size(), 1, limit.of_document);
    return true;
  });
  group.matches = std::move(kept);
  return hidden;
}

// In reading order, with the documents around those that match and are shown.
bool Searcher::Impl::deliver_around(const Group& found, const Request& request,
                                    const LinesOf& lines, const HitVisitor& visit,
                                    Outcome& outcome) {
  auto group = found;
  const auto hidden = take_hidden(group, request.shown, lines);
  const auto conversation = history.conversation(group.conversation);
  ++outcome.conversations;
  std::unordered_map<std::int64_t, const Match*> matching;
  for (const auto& match : group.matches) matching.emplace(match.row, &match);
  std::vector<StoredDocument> documents;
  std::vector<std::size_t> places;
  history.for_each_document(group.conversation, [&](const StoredDocument& document) {
    if (matching.contains(document.row)) places.push_back(documents.size());
    documents.push_back(document);
    return true;
  });
  std::size_t next = 0;  // the first that is not delivered yet
  for (const auto place : places) {
    const auto first = std::max(next, place > request.around ? place - request.around : 0);
    const auto last = std::min(place + request.around, documents.size() - 1);
    for (auto i = first; i <= last; ++i) {
      auto hit = hit_of(documents[i], conversation);
      hit.apart = i == first && first > next && next > 0;
      const auto match = matching.find(documents[i].row);
      hit.beside = match == matching.end();
      if (!hit.beside) {
        hit.score = match->second->score;
        add_lines(hit, lines);
        count(hit, outcome);
      }
      if (!visit(hit)) return false;
    }
    next = std::max(next, last + 1);
  }
  for (const auto& match : hidden) {  // they are counted
    const auto document = history.document(match.row);
    if (!document) continue;
    auto hit = hit_of(*document, conversation);
    hit.score = match.score;
    add_lines(hit, lines);
    count(hit, outcome);
    if (!visit(hit)) return false;
  }
  return true;
}

Searcher::Searcher(History& history) : impl_(std::make_unique<Impl>(history)) {}
Searcher::~Searcher() = default;

void Searcher::leave_open() {
  [[maybe_unused]] static Impl* volatile left_open = nullptr;  // else it is taken for lost
  left_open = impl_.release();
}

Outcome Searcher::search(const Request& request, const HitVisitor& visit) {
  Outcome outcome;
  impl_->with_source = request.sources;
  auto answer = impl_->answer(request, outcome);
  auto& groups = answer.groups;
  const std::size_t shown =
      request.limit == 0 ? groups.size() : std::min(request.limit, groups.size());
  outcome.more_conversations = groups.size() - shown;
  outcome.more_is_exact = answer.complete();
  const auto lines = lines_of(answer);
  if (!answer.complete()) answer.words->complete_groups(std::span(groups).first(shown), outcome);
  const auto delivered = std::span(groups).first(shown);
  if (shown > kMany) impl_->history.expect_many();
  if (request.around == 0 && request.detail == Detail::lines) {
    impl_->deliver_documents(delivered, lines, visit, outcome);
    return outcome;
  }
  for (const auto& group : delivered) {
    const bool counted = request.detail == Detail::counts && group.matches.front().lines > 0;
    const bool more = request.around > 0
                          ? impl_->deliver_around(group, request, lines, visit, outcome)
                      : counted ? impl_->deliver_count(group, visit, outcome)
                      : request.detail == Detail::conversations
                          ? impl_->deliver_one(group, visit, outcome)
                          : impl_->deliver_documents({&group, 1}, lines, visit, outcome);
    if (!more) break;
  }
  return outcome;
}

std::vector<Found> Searcher::find(const Request& request, Outcome& outcome) {
  auto unlimited = request;
  unlimited.limit = 0;
  const auto answer = impl_->answer(unlimited, outcome);
  std::vector<Found> found;
  found.reserve(answer.groups.size());
  for (const auto& group : answer.groups) {
    found.push_back({.conversation = group.conversation});
    for (const auto& match : group.matches) found.back().documents.push_back(match.row);
    outcome.documents += group.matches.size();
  }
  outcome.conversations = found.size();
  return found;
}

std::vector<Advice> Searcher::advise(const Request& request, bool stores_named) {
  return cgrep::advise(impl_->snapshot(), request, stores_named, [&](const Request& changed) {
    Outcome ignored;
    return find(changed, ignored).size();
  });
}

std::string Searcher::explain(const Request& request) {
  return Answer(impl_->snapshot(), request).explain();
}

Conversation Searcher::find_conversation(const Address& address) {
  auto& history = impl_->history;
  const auto rows = history.conversations_with_prefix(address.conversation, kListedCandidates + 1);
  if (rows.empty())
    throw Error(fmt::format("no conversation '{}'", address.conversation),
                "cgrep -l PATTERN lists addresses");
  if (rows.size() == 1) return history.conversation(rows.front());
  std::string hint = "one of";
  for (std::size_t i = 0; i < std::min(rows.size(), kListedCandidates); ++i)
    hint += " " + history.conversation(rows[i]).address;
  if (rows.size() > kListedCandidates) hint += " …";
  throw Error(fmt::format("'{}' is ambiguous", address.conversation), hint);
}

void Searcher::read(const Address& address, const HitVisitor& visit) {
  const auto conversation = find_conversation(address);
  std::vector<StoredDocument> documents;
  impl_->history.for_each_document(conversation.row, [&](const StoredDocument& document) {
    documents.push_back(document);
    return true;
  });
  auto from = documents.begin();
  auto to = documents.end();
  if (address.first) {
    const auto place_of = [&](std::uint32_t number) {
      const auto found =
          std::find_if(documents.begin(), documents.end(),
                       [&](const StoredDocument& document) { return document.number == number; });
      if (found == documents.end())
        throw Error(fmt::format("{} has no document {}", conversation.address, number),
                    fmt::format("cgrep show {}", conversation.address));
      return found;
    };
    // A range is what stands between its ends in reading order, whichever comes first there.
    const auto ends =
        std::minmax({place_of(*address.first), place_of(address.last.value_or(*address.first))});
    from = ends.first;
    to = ends.second + 1;
  }
  for (; from != to; ++from)
    if (!visit(impl_->hit_of(*from, conversation))) return;
}

}  // namespace cgrep
