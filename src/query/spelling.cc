#include "query/spelling.h"

#include <algorithm>
#include <vector>

#include "edit_distance.h"

namespace cgrep {

namespace {

constexpr std::size_t kShortest = 4;  // shorter ones are near to too much
constexpr std::size_t kLongest = 40;
constexpr std::size_t kTwoMistakes = 7;

template <typename Visit>
void for_each_line(std::string_view lines, Visit&& visit) {
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    visit(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace

std::optional<std::string> nearest_word(const Runs& runs, std::string_view folded) {
  if (folded.size() < kShortest || folded.size() > kLongest) return std::nullopt;
  std::size_t nearest = folded.size() < kTwoMistakes ? 1 : 2;
  std::vector<std::string> near;
  for (const auto& vocabulary : runs.vocabularies())
    for_each_line(vocabulary.words(), [&](std::string_view word) {
      const auto distance = edit_distance(folded, word, nearest);
      if (distance > nearest || distance == 0) return;
      if (distance < nearest) near.clear();
      nearest = distance;
      near.emplace_back(word);
    });
  if (near.empty()) return std::nullopt;
  const auto& database = runs.database();
  return *std::max_element(near.begin(), near.end(), [&](const auto& a, const auto& b) {
    const auto of_a = database.get_termfreq(a);
    const auto of_b = database.get_termfreq(b);
    return of_a != of_b ? of_a < of_b : a > b;
  });
}

}  // namespace cgrep
