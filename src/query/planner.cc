#include "query/planner.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "index/terms.h"
#include "index/words.h"

namespace cgrep {

namespace {

// What a longer identifier weighs, compared with the one that was typed.
constexpr double kLonger = 0.5;

/// A single term stays one: it is cheaper and prints better.
Xapian::Query any_term(const std::vector<std::string>& terms) {
  if (terms.size() == 1) return Xapian::Query(terms.front());
  return {Xapian::Query::OP_SYNONYM, terms.begin(), terms.end()};
}

Xapian::Query overlong() {
  return Xapian::Query(std::string(kOverlongTerm));
}

}  // namespace

Plan Planner::plan(Query& query) {
  switch (query.kind) {
    case Query::Kind::everything:
      return {.query = Xapian::Query::MatchAll};
    case Query::Kind::word:
      return word(query);
    case Query::Kind::prefix:
      return {
          .query = Xapian::Query(Xapian::Query::OP_WILDCARD, fold(query.text), 0,
                                 Xapian::Query::WILDCARD_LIMIT_ERROR, Xapian::Query::OP_SYNONYM),
          .exact = !query.cased};
    case Query::Kind::phrase:
    case Query::Kind::near:
      return words_together(query);
    case Query::Kind::field:
      return field(query);
    case Query::Kind::all_of:
      return all_of(query);
    case Query::Kind::any_of:
      return any_of(query);
    case Query::Kind::not_of:
      break;
  }
  // What is not exactly known cannot be taken away: it is left to the check.
  const auto child = plan(query.children.front());
  if (!child.exact) return {.query = Xapian::Query::MatchAll, .exact = false};
  return {.query = Xapian::Query(Xapian::Query::OP_AND_NOT, Xapian::Query::MatchAll, child.query)};
}

Plan Planner::word(Query& query) {
  const auto words = words_of(query.text);
  if (words.empty()) return {.query = Xapian::Query::MatchAll, .exact = false};
  if (words.size() == 1 && words.front().cjk) return cjk_word(words.front().folded, query);
  const auto folded = fold(query.text);
  if (folded.size() > kMaxWordBytes) return {.query = overlong(), .exact = false};
  if (query.exact) {
    query.forms = {folded};
    return {.query = Xapian::Query(folded), .exact = !query.cased};
  }
  FormFinder finder(query.text);
  for (const auto& vocabulary : runs_.vocabularies()) finder.look_in(vocabulary);
  query.forms = finder.forms();
  const Plan plan{.query = any_term(query.forms), .exact = !query.cased};
  return with_longer(plan, query, finder);
}

Plan Planner::with_longer(Plan plan, Query& query, const FormFinder& finder) {
  query.longer = finder.longer();
  if (query.longer.empty()) return plan;
  auto longer = any_term(query.longer);
  if (finder.too_many()) {
    std::vector<Xapian::Query> parts;
    for (const auto& choices : finder.sub_words()) parts.push_back(any_term(choices));
    longer = Xapian::Query(Xapian::Query::OP_AND, parts.begin(), parts.end());
  }
  plan.query = Xapian::Query(Xapian::Query::OP_OR, plan.query,
                             Xapian::Query(Xapian::Query::OP_SCALE_WEIGHT, longer, kLonger));
  plan.exact = plan.exact && finder.certain() && !finder.too_many();
  return plan;
}

// All pairs of neighbours must be there; a single character is part of some pair.
Plan Planner::cjk_word(const std::string& folded, Query& query) {
  const auto pairs = terms_of(folded);
  if (pairs.size() > 1)
    return {.query = Xapian::Query(Xapian::Query::OP_AND, pairs.begin(), pairs.end()),
            .exact = false};
  query.forms = pairs;
  for (const auto& vocabulary : runs_.vocabularies())
    vocabulary.for_each_containing(folded, [&](std::string_view word) {
      query.forms.emplace_back(word);
      return true;
    });
  std::sort(query.forms.begin(), query.forms.end());
  query.forms.erase(std::unique(query.forms.begin(), query.forms.end()), query.forms.end());
  return {.query = any_term(query.forms)};
}

Plan Planner::words_together(Query& query) {
  std::vector<Xapian::Query> words;
  for (auto& child : query.children) words.push_back(plan(child).query);
  return {.query = Xapian::Query(Xapian::Query::OP_AND, words.begin(), words.end()),
          .exact = false};
}

Plan Planner::field(const Query& query) {
  const auto condition = conditions_.of_field(query.field, query.text);
  // Terms of fields must not weigh: they say what a document is, not how well it fits.
  if (condition.terms)
    return {.query = Xapian::Query(Xapian::Query::OP_SCALE_WEIGHT,
                                   condition.narrowed(Xapian::Query::MatchAll), 0)};
  return {.query = Xapian::Query::MatchAll, .exact = false};
}

Plan Planner::all_of(Query& query) {
  Plan plan;
  std::vector<Xapian::Query> wanted;
  std::vector<Xapian::Query> unwanted;
  for (auto& child : query.children) {
    if (child.kind == Query::Kind::not_of) {
      const auto inner = this->plan(child.children.front());
      if (inner.exact) unwanted.push_back(inner.query);
      plan.exact = plan.exact && inner.exact;
    } else {
      const auto inner = this->plan(child);
      wanted.push_back(inner.query);
      plan.exact = plan.exact && inner.exact;
    }
  }
  plan.query = wanted.empty() ? Xapian::Query::MatchAll
                              : Xapian::Query(Xapian::Query::OP_AND, wanted.begin(), wanted.end());
  if (!unwanted.empty())
    plan.query =
        Xapian::Query(Xapian::Query::OP_AND_NOT, plan.query,
                      Xapian::Query(Xapian::Query::OP_OR, unwanted.begin(), unwanted.end()));
  return plan;
}

Plan Planner::any_of(Query& query) {
  Plan plan;
  std::vector<Xapian::Query> choices;
  for (auto& child : query.children) {
    const auto inner = this->plan(child);
    choices.push_back(inner.query);
    plan.exact = plan.exact && inner.exact;
  }
  plan.query = Xapian::Query(Xapian::Query::OP_OR, choices.begin(), choices.end());
  return plan;
}

}  // namespace cgrep
