#include "query/spelling.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "edit_distance.h"

namespace cgrep {

namespace {

constexpr std::size_t kShortest = 4;  // shorter ones are near to too much
constexpr std::size_t kLongest = 40;
constexpr std::size_t kTwoMistakes = 7;

// Which letters a word has. Some share a bit, which only lets more words pass.
std::uint64_t letters_of(std::string_view word) {
  std::uint64_t letters = 0;
  for (const char c : word) letters |= std::uint64_t{1} << (static_cast<unsigned char>(c) & 63u);
  return letters;
}

/// Rules out nearly every word of a vocabulary at the price of reading it: a mistake makes one
/// letter more, one less, or both.
class Near {
 public:
  explicit Near(std::string_view word) : size_(word.size()), letters_(letters_of(word)) {}

  bool may_be(std::string_view other, std::size_t most) const {
    if (std::max(size_, other.size()) - std::min(size_, other.size()) > most) return false;
    const auto letters = letters_of(other);
    const auto count = [](std::uint64_t set) {
      return static_cast<std::size_t>(std::popcount(set));
    };
    return count(letters_ & ~letters) <= most && count(letters & ~letters_) <= most;
  }

 private:
  std::size_t size_;
  std::uint64_t letters_;
};

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
  const Near nearness(folded);
  for (const auto& vocabulary : runs.vocabularies())
    for_each_line(vocabulary.words(), [&](std::string_view word) {
      if (!nearness.may_be(word, nearest)) return;
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
