#include "query/searcher.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "error.h"
#include "index/damaged.h"
#include "index/frames.h"
#include "index/history.h"
#include "index/runs.h"
#include "index/terms.h"
#include "index/words.h"
#include "index/xapian_errors.h"
#include "query/check.h"
#include "query/conditions.h"
#include "query/forms.h"
#include "query/matcher.h"
#include "query/narrowing.h"
#include "query/planner.h"
#include "query/rank.h"

namespace cgrep {

namespace {

// The texts of this many candidates are read to rank them.
constexpr std::size_t kSecondStage = 100;

// With a limit, this many candidates are looked at before the rest is only estimated.
constexpr Xapian::doccount kFirstPage = 2000;

constexpr std::size_t kListedCandidates = 8;

std::int64_t now_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// A document that matches.
struct Match {
  std::int64_t row = 0;
  std::int64_t conversation = 0;
  double score = 0;
  std::optional<std::int64_t> time{};
};

/// The matches of one conversation.
struct Group {
  std::int64_t conversation = 0;
  std::vector<Match> matches{};
  double score = 0;
  bool ranked = false;  // by the second stage
};

using LinesOf = std::function<std::vector<MatchLine>(std::string_view text)>;

/// What a search has worked out before it looks for documents.
struct Prepared {
  Query query{};  // with forms
  std::vector<Condition> conditions{};
  Plan plan{};
  std::shared_ptr<const ExactMatcher> exact{};  // decides instead of the query
  Xapian::Query filtered{};                     // the plan and all conditions that are terms
  bool all_by_terms = true;                     // no condition has to be asked of the document
};

/// Unpacks and matches texts in all cores, some MB at a time; few are matched here at once.
class TextScan {
 public:
  TextScan(const ExactMatcher& matcher, std::vector<Match>& matches)
      : matcher_(matcher), matches_(matches) {}

  void add(const Match& match, std::string packed) {
    bytes_ += packed.size();
    batch_.push_back({match, std::move(packed)});
    if (bytes_ >= kBatchBytes) finish();
  }

  void finish() {
    const auto cores = std::max(1u, std::thread::hardware_concurrency());
    const auto threads = bytes_ < kWorthAThread ? 1u : cores;
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([&] { match_some(); });
    match_some();
    for (auto& other : others) other.join();
    if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
    for (const auto& item : batch_)
      if (item.matches) matches_.push_back(item.match);
    batch_.clear();
    bytes_ = 0;
    next_ = 0;
  }

 private:
  struct Item {
    Match match{};
    std::string packed{};
    bool matches = false;
  };

  void match_some() {
    try {
      Frames frames;
      for (std::size_t i = next_++; i < batch_.size(); i = next_++)
        batch_[i].matches = matcher_.matches(frames.unpack(batch_[i].packed));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failed_ = std::current_exception();
    }
  }

  static constexpr std::size_t kBatchBytes = 4u << 20;
  static constexpr std::size_t kWorthAThread = 64u << 10;

  const ExactMatcher& matcher_;
  std::vector<Match>& matches_;
  std::vector<Item> batch_{};
  std::size_t bytes_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_{};
  std::exception_ptr failed_{};  // guarded by mutex_ while threads run
};

/// Keeps rows that are no longer current, and those that fail a condition, out of the answer.
class Decider : public Xapian::MatchDecider {
 public:
  Decider(const std::vector<std::int64_t>& dropped, std::function<bool(std::int64_t)> holds)
      : dropped_(dropped), holds_(std::move(holds)) {}

  bool operator()(const Xapian::Document& document) const override {
    const std::int64_t row = document.get_docid();  // of its run, so the row
    return !std::binary_search(dropped_.begin(), dropped_.end(), row) && (!holds_ || holds_(row));
  }

 private:
  const std::vector<std::int64_t>& dropped_;
  std::function<bool(std::int64_t)> holds_;
};

bool mentions_system(const Query& query) {
  if (query.kind == Query::Kind::field && query.field == "role" &&
      query.text.find("system") != std::string::npos)
    return true;
  return std::any_of(query.children.begin(), query.children.end(), mentions_system);
}

/// Whether there is something to rank by: a query of filters alone, or of what must not be there,
/// says nothing of how well a document fits.
bool asks_for_words(const Query& query) {
  switch (query.kind) {
    case Query::Kind::word:
    case Query::Kind::prefix:
      return true;
    case Query::Kind::not_of:
      return false;
    default:
      return std::any_of(query.children.begin(), query.children.end(), asks_for_words);
  }
}

/// Times of the same age: the larger number last said it.
bool newer(const Match& a, const Match& b) {
  if (a.time != b.time) return a.time > b.time;  // none is oldest
  return a.row > b.row;
}

bool better(const Match& a, const Match& b) {
  if (a.score != b.score) return a.score > b.score;
  return newer(a, b);
}

}  // namespace

struct Searcher::Impl {
  explicit Impl(History& opened)
      : history(opened), conditions(opened, now_ms()), dropped(opened.dropped()) {
    const auto named = history.runs();
    if (named.empty()) return;
    try {
      runs.emplace(history.words(), named);
    } catch (const Damaged&) {
      damaged = true;
    }
  }

  Prepared prepare(const Request& request);
  std::vector<Group> answer_exactly(const Request& request, const Prepared& prepared,
                                    Outcome& outcome);
  std::vector<std::int64_t> rows_to_read(const Prepared& prepared, Outcome& outcome);
  std::string explain_exactly(const Prepared& prepared);
  bool conditions_hold(const Prepared& prepared, const Candidate& candidate, Outcome& outcome);
  std::vector<Match> candidates(const Prepared& prepared, const Xapian::Query& query,
                                Xapian::doccount most, Outcome& outcome);
  std::vector<Match> scan(const Prepared& prepared, Outcome& outcome);
  void find_forms(Query& query);
  void check_texts(const Prepared& prepared, std::vector<Match>& matches);
  std::vector<Group> group(const std::vector<Match>& matches) const;
  void rank(const Request& request, const Prepared& prepared, std::vector<Group>& groups,
            const std::vector<Match>& best);
  std::vector<Group> answer(const Request& request, const Prepared& prepared, bool& complete,
                            Outcome& outcome);
  void complete_group(const Prepared& prepared, Group& group, Outcome& outcome);
  bool deliver(const Group& group, const LinesOf& lines_of, const HitVisitor& visit,
               Outcome& outcome);
  Hit hit_of(const StoredDocument& document, const Conversation& conversation);

  History& history;
  Conditions conditions;
  std::vector<std::int64_t> dropped;
  std::optional<Runs> runs{};
  bool damaged = false;
};

Prepared Searcher::Impl::prepare(const Request& request) {
  Prepared prepared{.query = request.query};
  prepared.conditions = conditions.of_filters(request.filters, mentions_system(request.query));
  if (request.exact) {
    prepared.exact = std::make_shared<const ExactMatcher>(*request.exact);
    return prepared;
  }
  if (damaged) find_forms(prepared.query);
  if (!runs) return prepared;
  prepared.plan = Planner(*runs, conditions).plan(prepared.query);
  prepared.filtered = prepared.plan.query;
  for (const auto& condition : prepared.conditions) {
    if (condition.terms)
      prepared.filtered =
          Xapian::Query(Xapian::Query::OP_FILTER, prepared.filtered, *condition.terms);
    else
      prepared.all_by_terms = false;
  }
  return prepared;
}

bool Searcher::Impl::conditions_hold(const Prepared& prepared, const Candidate& candidate,
                                     Outcome& outcome) {
  bool hold = true;
  for (const auto& condition : prepared.conditions) {
    if (condition.holds(candidate)) continue;
    if (!condition.dates || candidate.time) return false;
    hold = false;
  }
  if (!hold) ++outcome.undated;  // all that it lacks is a time
  return hold;
}

// Best first, at most `most`; texts are not checked yet.
std::vector<Match> Searcher::Impl::candidates(const Prepared& prepared, const Xapian::Query& query,
                                              Xapian::doccount most, Outcome& outcome) {
  std::function<bool(std::int64_t)> holds;
  if (!prepared.all_by_terms)
    holds = [&](std::int64_t row) {
      auto document = history.document(row);
      return document &&
             conditions_hold(prepared, conditions.candidate(std::move(*document)), outcome);
    };
  std::vector<Match> matches;
  translating_xapian_errors([&] {
    Xapian::Enquire enquire(runs->database());
    enquire.set_query(query);
    const Decider decider(dropped, holds);
    const auto found = enquire.get_mset(0, most, 0, nullptr, &decider);
    matches.reserve(found.size());
    for (auto match = found.begin(); match != found.end(); ++match)
      matches.push_back({.row = runs->row_of(*match), .score = match.get_weight()});
  });
  for (auto& match : matches) {
    auto document = history.document(match.row);
    if (!document) continue;
    const auto candidate = conditions.candidate(std::move(*document));
    match.conversation = candidate.document.conversation;
    if (candidate.time) match.time = candidate.time->ms;
  }
  std::erase_if(matches, [](const Match& match) { return match.conversation == 0; });
  return matches;
}

// Without a vocabulary the other forms of the words are looked for in the texts.
void Searcher::Impl::find_forms(Query& query) {
  std::vector<std::pair<Query*, FormFinder>> finders;
  const std::function<void(Query&)> collect = [&](Query& node) {
    if (node.kind == Query::Kind::word && !node.exact)
      finders.emplace_back(&node, FormFinder(fold(node.text)));
    for (auto& child : node.children) collect(child);
  };
  collect(query);
  TermCutter cutter;
  bool overlong = false;
  history.for_each_document([&](const StoredDocument& document) {
    cutter.cut(
        history.text(document.row),
        [&](std::string_view term) {
          for (auto& [node, finder] : finders)
            if (!finder.prefix().empty() && term.starts_with(finder.prefix())) finder.offer(term);
        },
        overlong);
    return true;
  });
  for (auto& [node, finder] : finders) node->forms = finder.forms();
}

// Without usable runs: every text is read.
std::vector<Match> Searcher::Impl::scan(const Prepared& prepared, Outcome& outcome) {
  outcome.scanned = true;
  const Check check(prepared.query, conditions);
  std::vector<Match> matches;
  history.for_each_document([&](const StoredDocument& document) {
    const auto candidate = conditions.candidate(document);
    if (!conditions_hold(prepared, candidate, outcome)) return true;
    if (!check.holds(candidate, history.text(document.row))) return true;
    matches.push_back({.row = document.row, .conversation = document.conversation, .score = 1});
    if (candidate.time) matches.back().time = candidate.time->ms;
    return true;
  });
  return matches;
}

void Searcher::Impl::check_texts(const Prepared& prepared, std::vector<Match>& matches) {
  if (prepared.plan.exact) return;
  const Check check(prepared.query, conditions);
  std::erase_if(matches, [&](const Match& match) {
    auto document = history.document(match.row);
    return !document ||
           !check.holds(conditions.candidate(std::move(*document)), history.text(match.row));
  });
}

std::vector<Group> Searcher::Impl::group(const std::vector<Match>& matches) const {
  std::vector<Group> groups;
  std::unordered_map<std::int64_t, std::size_t> index;
  for (const auto& match : matches) {
    const auto [found, fresh] = index.try_emplace(match.conversation, groups.size());
    if (fresh) groups.push_back({.conversation = match.conversation, .score = match.score});
    groups[found->second].matches.push_back(match);
  }
  return groups;
}

// Reads the texts of the best matches and puts their conversations in order; the others follow in
// Xapian's.
void Searcher::Impl::rank(const Request& request, const Prepared& prepared,
                          std::vector<Group>& groups, const std::vector<Match>& best) {
  const Ranker ranker(prepared.query, now_ms());
  std::unordered_map<std::int64_t, double> scores;
  std::unordered_map<std::int64_t, Conversation> seen;
  for (std::size_t i = 0; i < std::min(best.size(), kSecondStage); ++i) {
    auto document = history.document(best[i].row);
    if (!document) continue;
    const auto [found, fresh] = seen.try_emplace(document->conversation);
    if (fresh) found->second = history.conversation(document->conversation);
    const auto candidate = conditions.candidate(std::move(*document));
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
}

std::vector<Group> Searcher::Impl::answer(const Request& request, const Prepared& prepared,
                                          bool& complete, Outcome& outcome) {
  if (prepared.exact) return answer_exactly(request, prepared, outcome);
  std::vector<Match> matches;
  complete = true;
  const bool by_time = request.sort != Sort::relevance || !asks_for_words(prepared.query);
  if (damaged) {
    matches = scan(prepared, outcome);
  } else if (runs) {
    const auto all = runs->database().get_doccount();
    const auto most = request.limit > 0 && !by_time ? std::min(all, kFirstPage) : all;
    matches = candidates(prepared, prepared.filtered, most, outcome);
    complete = matches.size() < kFirstPage || most == all;
    check_texts(prepared, matches);
  }
  auto groups = group(matches);
  if (!by_time) {
    rank(request, prepared, groups, matches);
    for (auto& group : groups) std::stable_sort(group.matches.begin(), group.matches.end(), better);
    return groups;
  }
  const auto first = [&](const Match& a, const Match& b) {
    return request.sort == Sort::oldest ? newer(b, a) : newer(a, b);
  };
  for (auto& group : groups) std::sort(group.matches.begin(), group.matches.end(), first);
  std::sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    return first(a.matches.front(), b.matches.front());
  });
  return groups;
}

// The rows that the runs do not rule out, newest first.
std::vector<std::int64_t> Searcher::Impl::rows_to_read(const Prepared& prepared, Outcome& outcome) {
  std::optional<RowSet> narrowed;
  if (runs && !damaged) narrowed = narrow(*prepared.exact, *runs).rows;
  outcome.scanned = damaged;
  std::vector<std::int64_t> rows;
  if (!narrowed) {
    history.for_each_document([&](const StoredDocument& document) {
      rows.push_back(document.row);
      return true;
    });
    return rows;
  }
  for (auto row = narrowed->end() - 1; row >= 0; --row)
    if (narrowed->contains(row) && !std::binary_search(dropped.begin(), dropped.end(), row))
      rows.push_back(row);
  return rows;
}

// Every document whose text has a matching line.
std::vector<Group> Searcher::Impl::answer_exactly(const Request& request, const Prepared& prepared,
                                                  Outcome& outcome) {
  std::vector<Match> matches;
  TextScan scan(*prepared.exact, matches);
  for (const auto row : rows_to_read(prepared, outcome)) {
    auto document = history.document(row);
    if (!document) continue;
    const auto candidate = conditions.candidate(std::move(*document));
    if (!conditions_hold(prepared, candidate, outcome)) continue;
    Match match{.row = row, .conversation = candidate.document.conversation, .score = 1};
    if (candidate.time) match.time = candidate.time->ms;
    scan.add(match, history.packed_text(row));
  }
  scan.finish();
  auto groups = group(matches);
  const auto first = [&](const Match& a, const Match& b) {
    return request.sort == Sort::oldest ? newer(b, a) : newer(a, b);
  };
  for (auto& each : groups) std::sort(each.matches.begin(), each.matches.end(), first);
  std::sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    // Most matching documents first, when asked for the best.
    if (request.sort == Sort::relevance && a.matches.size() != b.matches.size())
      return a.matches.size() > b.matches.size();
    return first(a.matches.front(), b.matches.front());
  });
  return groups;
}

// A conversation whose first matches were found by the first page may have more of them.
void Searcher::Impl::complete_group(const Prepared& prepared, Group& group, Outcome& outcome) {
  const auto query = Xapian::Query(Xapian::Query::OP_FILTER, prepared.filtered,
                                   Xapian::Query(conversation_term(group.conversation)));
  auto matches = candidates(prepared, query, runs->database().get_doccount(), outcome);
  check_texts(prepared, matches);
  for (auto& match : matches) {
    const bool known = std::any_of(group.matches.begin(), group.matches.end(),
                                   [&](const Match& other) { return other.row == match.row; });
    if (!known) group.matches.push_back(match);
  }
}

Hit Searcher::Impl::hit_of(const StoredDocument& document, const Conversation& conversation) {
  Hit hit{.conversation = &conversation,
          .row = document.row,
          .number = document.number,
          .role = document.role,
          .time = document.time ? document.time : conversation.fallback,
          .tool = document.tool,
          .files = document.files,
          .stores = store_names(document.stores),
          .source = history.source_of(document.row),
          .text = history.text(document.row),
          .gone = document.gone,
          .delegated = document.delegated,
          .orphan = document.orphan,
          .truncated = document.truncated,
          .repeated = document.repeated};
  return hit;
}

bool Searcher::Impl::deliver(const Group& group, const LinesOf& lines_of, const HitVisitor& visit,
                             Outcome& outcome) {
  const auto conversation = history.conversation(group.conversation);
  ++outcome.conversations;
  for (const auto& match : group.matches) {
    const auto document = history.document(match.row);
    if (!document) continue;
    auto hit = hit_of(*document, conversation);
    hit.score = match.score;
    hit.lines = lines_of(hit.text);
    if (hit.lines.empty()) {
      auto line = std::string_view(hit.text).substr(0, hit.text.find('\n'));
      if (line.ends_with('\r')) line.remove_suffix(1);
      hit.lines.push_back({.number = 1, .text = line});
    }
    ++outcome.documents;
    outcome.lines += hit.lines.size();
    if (!visit(hit)) return false;
  }
  return true;
}

Searcher::Searcher(History& history) : impl_(std::make_unique<Impl>(history)) {}
Searcher::~Searcher() = default;

Outcome Searcher::search(const Request& request, const HitVisitor& visit) {
  Outcome outcome;
  Prepared prepared;
  std::vector<Group> groups;
  bool complete = true;
  try {
    prepared = impl_->prepare(request);
    groups = impl_->answer(request, prepared, complete, outcome);
  } catch (const Damaged&) {  // found out only now: read the texts instead
    impl_->runs.reset();
    impl_->damaged = true;
    outcome = {};
    prepared = impl_->prepare(request);
    groups = impl_->answer(request, prepared, complete, outcome);
  }
  const std::size_t shown =
      request.limit == 0 ? groups.size() : std::min(request.limit, groups.size());
  outcome.more_conversations = groups.size() - shown;
  outcome.more_is_exact = complete;
  LinesOf lines_of;
  if (prepared.exact)
    lines_of = [&](std::string_view text) { return prepared.exact->lines(text); };
  else
    lines_of = [matcher = Matcher(prepared.query)](std::string_view text) {
      return matcher.lines(text);
    };
  for (std::size_t i = 0; i < shown; ++i) {
    if (!complete) impl_->complete_group(prepared, groups[i], outcome);
    if (!impl_->deliver(groups[i], lines_of, visit, outcome)) break;
  }
  return outcome;
}

std::string Searcher::explain(const Request& request) {
  const auto prepared = impl_->prepare(request);
  if (prepared.exact) return impl_->explain_exactly(prepared);
  std::string text = fmt::format("tree:   {}\n", prepared.query.printed());
  if (!impl_->runs) return text + "xapian: none; the texts are read\n";
  text += fmt::format("xapian: {}\n", prepared.filtered.get_description());
  text +=
      fmt::format("check:  {}\n", prepared.plan.exact ? "none" : "every candidate, on its text");
  return text;
}

// Which literals every match has, how they narrow, and how many texts are read.
std::string Searcher::Impl::explain_exactly(const Prepared& prepared) {
  std::string text = fmt::format("regex:  {}\ncase:   {}\n", prepared.exact->printed(),
                                 prepared.exact->case_sensitive() ? "matters" : "does not matter");
  if (!runs) return text + "plan:   none; the texts are read\n";
  const auto narrowed = narrow(*prepared.exact, *runs);
  for (const auto& literal : narrowed.literals)
    text +=
        fmt::format("needs:  {} ({})\n", literal.literal,
                    literal.usable ? fmt::format("in {} words", literal.words) : "may be anywhere");
  const auto all = history.document_count();
  if (!narrowed.rows) return text + fmt::format("plan:   all {} texts are read\n", all);
  return text + fmt::format("plan:   {} of {} texts are read\n", narrowed.rows->size(), all);
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
