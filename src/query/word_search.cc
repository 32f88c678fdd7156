#include "query/word_search.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "index/terms.h"
#include "index/words.h"
#include "index/xapian_errors.h"
#include "query/best_documents.h"
#include "query/check.h"
#include "query/forms.h"
#include "query/second_stage.h"

namespace cgrep {

namespace {

// With a limit, this many candidates are looked at before the rest is only estimated.
constexpr Xapian::doccount kFirstPage = 300;
constexpr Xapian::doccount kNextPage = 8;  // times as many, where they are in too few conversations

// So many posting lists are read side by side.
constexpr std::size_t kTermsAtOnce = 500;

// So many documents are asked before it pays to list which have to be.
constexpr std::size_t kAskedAtOnce = 100;

/// Keeps rows that are no longer current, and those that fail a condition, out of the answer.
class Decider : public Xapian::MatchDecider {
 public:
  Decider(const Snapshot& snapshot, std::function<bool(std::int64_t)> holds)
      : snapshot_(snapshot), holds_(std::move(holds)) {}

  bool operator()(const Xapian::Document& document) const override {
    const std::int64_t row = document.get_docid();  // of its run, so the row
    return !snapshot_.is_dropped(row) && (!holds_ || holds_(row));
  }

 private:
  const Snapshot& snapshot_;
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

}  // namespace

WordSearch::WordSearch(Snapshot& snapshot, const Request& request)
    : snapshot_(snapshot),
      request_(request),
      query_(request.query),
      conditions_(snapshot.conditions.of_filters(request.filters, mentions_system(request.query))) {
  if (snapshot_.damaged) find_forms();
  if (!snapshot_.runs) return;
  plan_ = Planner(*snapshot_.runs, snapshot_.conditions).plan(query_);
  filtered_ = plan_.query;
  for (const auto& condition : conditions_) {
    if (condition.terms) {
      filtered_ = condition.narrowed(filtered_);
      continue;
    }
    all_by_terms_ = false;
    of_some_ = of_some_ && !condition.only_of.empty();
  }
}

// What a term does not tell is asked of the document. Where a term tells for which ones it has to
// be asked, and there are many, they are listed first: a row of documents is often read from disk.
std::function<bool(std::int64_t)> WordSearch::to_ask_of_rows(Outcome& outcome) {
  if (all_by_terms_) return {};
  return [&](std::int64_t row) {
    if (of_some_ && ++asked_ > kAskedAtOnce) {
      if (!with_terms_) with_terms_ = rows_with_terms();
      if (!std::binary_search(with_terms_->begin(), with_terms_->end(), row)) return true;
    }
    auto document = snapshot_.history.document(row);
    return document &&
           Snapshot::hold(conditions_, snapshot_.conditions.candidate(std::move(*document)),
                          outcome);
  };
}

std::vector<std::int64_t> WordSearch::rows_with_terms() const {
  std::vector<std::int64_t> rows;
  const auto& database = snapshot_.runs->database();
  for (const auto& condition : conditions_)
    if (!condition.only_of.empty())
      for (auto id = database.postlist_begin(condition.only_of);
           id != database.postlist_end(condition.only_of); ++id)
        rows.push_back(snapshot_.runs->row_of(*id));
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Best first, at most `most`; texts are not checked yet.
std::vector<Match> WordSearch::candidates(const Xapian::Query& query, Xapian::doccount most,
                                          Outcome& outcome) {
  auto& history = snapshot_.history;
  auto& conditions = snapshot_.conditions;
  std::vector<Match> matches;
  translating_xapian_errors([&] {
    const auto holds = to_ask_of_rows(outcome);
    const bool all_count = !holds && snapshot_.dropped.empty();
    const Decider decider(snapshot_, holds);
    const auto found =
        best_documents(*snapshot_.runs, query, most,
                       {.decider = all_count ? nullptr : &decider, .by_many = !holds});
    matches.reserve(found.size());
    for (const auto& [row, weight] : found) matches.push_back({.row = row, .score = weight});
  });
  for (auto& match : matches) {
    auto document = history.document(match.row);
    if (!document) continue;
    const auto candidate = conditions.candidate(std::move(*document));
    match.conversation = candidate.document.conversation;
    match.number = candidate.document.number;
    match.role = candidate.document.role;
    match.delegated = candidate.document.delegated;
    match.orphan = candidate.document.orphan;
    if (candidate.time) match.time = candidate.time->ms;
  }
  std::erase_if(matches, [](const Match& match) { return match.conversation == 0; });
  return matches;
}

// Without a vocabulary the other forms of the words are looked for in the texts.
void WordSearch::find_forms() {
  std::vector<std::pair<Query*, FormFinder>> finders;
  const std::function<void(Query&)> collect = [&](Query& node) {
    if (node.kind == Query::Kind::word && !node.exact)
      finders.emplace_back(&node, FormFinder(node.text));
    for (auto& child : node.children) collect(child);
  };
  collect(query_);
  TermCutter cutter;
  bool overlong = false;
  snapshot_.history.for_each_document([&](const StoredDocument& document) {
    cutter.cut(
        snapshot_.history.text(document.row),
        [&](std::string_view term) {
          for (auto& [node, finder] : finders) finder.offer(term);
        },
        overlong);
    return true;
  });
  for (auto& [node, finder] : finders) {
    node->forms = finder.forms();
    node->longer = finder.longer();
  }
}

// Without usable runs: every text is read.
std::vector<Match> WordSearch::scan(Outcome& outcome) {
  outcome.scanned = true;
  const Check check(query_, snapshot_.conditions);
  std::vector<Match> matches;
  snapshot_.history.for_each_document([&](const StoredDocument& document) {
    const auto candidate = snapshot_.conditions.candidate(StoredDocument(document));
    if (!Snapshot::hold(conditions_, candidate, outcome)) return true;
    if (!check.holds(candidate, snapshot_.history.text(document.row))) return true;
    matches.push_back({.row = document.row,
                       .conversation = document.conversation,
                       .number = document.number,
                       .score = 1});
    matches.back().role = document.role;
    matches.back().delegated = document.delegated;
    matches.back().orphan = document.orphan;
    if (candidate.time) matches.back().time = candidate.time->ms;
    return true;
  });
  return matches;
}

void WordSearch::check_texts(std::vector<Match>& matches) {
  if (plan_.exact) return;
  const Check check(query_, snapshot_.conditions);
  std::erase_if(matches, [&](const Match& match) {
    auto document = snapshot_.history.document(match.row);
    return !document || !check.holds(snapshot_.conditions.candidate(std::move(*document)),
                                     snapshot_.history.text(match.row));
  });
}

std::vector<Match> WordSearch::matches(Outcome& outcome) {
  std::vector<Match> matches;
  if (snapshot_.damaged) return scan(outcome);
  if (!snapshot_.runs) return matches;
  const auto all = snapshot_.runs->database().get_doccount();
  if (places_.empty()) {
    matches = candidates(filtered_, all, outcome);
  } else {
    for (const auto& place : places_) {
      const auto some =
          candidates(Xapian::Query(Xapian::Query::OP_FILTER, filtered_, place), all, outcome);
      matches.insert(matches.end(), some.begin(), some.end());
    }
    std::stable_sort(matches.begin(), matches.end(), better);
  }
  check_texts(matches);
  return matches;
}

std::size_t WordSearch::estimate() const {
  if (!snapshot_.runs) return 0;
  std::size_t estimate = 0;
  translating_xapian_errors([&] {
    Xapian::Enquire enquire(snapshot_.runs->database());
    enquire.set_query(filtered_);
    estimate = enquire.get_mset(0, 0).get_matches_upper_bound();
  });
  return estimate;
}

void WordSearch::only_in(const std::vector<std::int64_t>& conversations) {
  std::vector<Xapian::Query> terms;
  const auto close = [&] {
    if (terms.empty()) return;
    places_.emplace_back(Xapian::Query::OP_OR, terms.begin(), terms.end());
    terms.clear();
  };
  for (const auto conversation : conversations) {
    terms.emplace_back(conversation_term(conversation));
    if (terms.size() == kTermsAtOnce) close();
  }
  close();
}

std::vector<Group> WordSearch::answer(Outcome& outcome) {
  std::vector<Match> matches;
  const bool by_time = request_.sort != Sort::relevance || !asks_for_words(query_);
  if (snapshot_.damaged) {
    matches = scan(outcome);
  } else if (snapshot_.runs) {
    matches = request_.limit > 0 && !by_time ? first_page(outcome) : this->matches(outcome);
  }
  auto groups = grouped(matches);
  if (by_time)
    order_by_time(snapshot_.history, groups, request_.sort);
  else
    order_by_relevance(snapshot_, request_, query_, groups);
  return groups;
}

// Enough for as many conversations as are asked for, if there are so many.
std::vector<Match> WordSearch::first_page(Outcome& outcome) {
  const auto all = snapshot_.runs->database().get_doccount();
  for (Xapian::doccount most = kFirstPage;; most *= kNextPage) {
    auto counted = outcome;
    auto found = candidates(filtered_, std::min(most, all), counted);
    complete_ = found.size() < most || most >= all;
    check_texts(found);
    if (!complete_ && grouped(found).size() < request_.limit) continue;
    outcome = counted;
    return found;
  }
}

void WordSearch::complete_groups(std::span<Group> groups, Outcome& outcome) {
  std::vector<std::int64_t> conversations;
  std::unordered_map<std::int64_t, Group*> by_conversation;
  std::unordered_set<std::int64_t> known;
  for (auto& group : groups) {
    conversations.push_back(group.conversation);
    by_conversation.emplace(group.conversation, &group);
    for (const auto& match : group.matches) known.insert(match.row);
  }
  only_in(conversations);
  for (const auto& match : matches(outcome))
    if (!known.contains(match.row))
      by_conversation.at(match.conversation)->matches.push_back(match);
}

std::string WordSearch::explain() const {
  std::string text = fmt::format("tree:   {}\n", query_.printed());
  if (!snapshot_.runs) return text + "xapian: none; the texts are read\n";
  text += fmt::format("xapian: {}\n", filtered_.get_description());
  text += fmt::format("check:  {}\n", plan_.exact ? "none" : "every candidate, on its text");
  return text;
}

}  // namespace cgrep
