// How far one name is from another, for suggestions.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace cgrep {

/// How many letters have to be put in, taken out, replaced or swapped with their neighbour; when
/// it is more than `most`, something above that.
inline std::size_t edit_distance(std::string_view a, std::string_view b,
                                 std::size_t most = std::numeric_limits<std::size_t>::max() - 1) {
  const auto longer = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (longer > most) return longer;
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    // A swap reaches back two rows, and costs one.
    if (*std::min_element(row.begin(), row.end()) > most + 1) return most + 1;
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace cgrep
