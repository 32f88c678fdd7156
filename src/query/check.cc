#include "query/check.h"

#include <algorithm>

namespace cgrep {

bool has_field(const Query& query) {
  return query.kind == Query::Kind::field ||
         std::any_of(query.children.begin(), query.children.end(), has_field);
}

Check::Check(const Query& query, Conditions& conditions) : kind_(query.kind) {
  if (!has_field(query))
    matcher_.emplace(query);
  else if (kind_ == Query::Kind::field)
    condition_ = conditions.of_field(query.field, query.text);
  else
    for (const auto& child : query.children) children_.emplace_back(child, conditions);
}

bool Check::holds(const Candidate& candidate, std::string_view text) const {
  if (matcher_) return matcher_->matches(text);
  const auto child_holds = [&](const Check& child) { return child.holds(candidate, text); };
  switch (kind_) {
    case Query::Kind::field:
      return condition_.holds(candidate);
    case Query::Kind::any_of:
      return std::any_of(children_.begin(), children_.end(), child_holds);
    case Query::Kind::not_of:
      return !child_holds(children_.front());
    default:
      return std::all_of(children_.begin(), children_.end(), child_holds);
  }
}

}  // namespace cgrep
