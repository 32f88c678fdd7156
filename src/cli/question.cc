#include "cli/question.h"

#include <algorithm>
#include <chrono>

namespace cgrep {

bool names_field(const Query& query, std::string_view field) {
  if (query.kind == Query::Kind::not_of) return false;
  return (query.kind == Query::Kind::field && query.field == field) ||
         std::any_of(query.children.begin(), query.children.end(),
                     [&](const Query& child) { return names_field(child, field); });
}

std::string joined(const std::vector<std::string>& operands) {
  std::string pattern;
  for (const std::string& operand : operands) pattern += (pattern.empty() ? "" : " ") + operand;
  return pattern;
}

std::int64_t current_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace cgrep
