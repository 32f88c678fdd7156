#include "query/snapshot.h"

#include <algorithm>
#include <chrono>

#include "index/damaged.h"

namespace cgrep {

namespace {

std::int64_t current_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Snapshot::Snapshot(History& opened)
    : history(opened), now_ms(current_ms()), conditions(opened, now_ms), dropped(opened.dropped()) {
  const auto named = history.runs();
  if (named.empty()) return;
  try {
    runs.emplace(history.words(), named);
  } catch (const Damaged&) {
    damaged = true;
  }
}

bool Snapshot::is_dropped(std::int64_t row) const {
  return std::binary_search(dropped.begin(), dropped.end(), row);
}

bool Snapshot::hold(const std::vector<Condition>& asked, const Candidate& candidate,
                    Outcome& outcome) {
  bool all = true;
  for (const auto& condition : asked) {
    if (condition.holds(candidate)) continue;
    if (!condition.dates || candidate.time) return false;
    all = false;
  }
  if (!all) ++outcome.undated;  // all that it lacks is a time
  return all;
}

void Snapshot::words_are_damaged() {
  runs.reset();
  damaged = true;
}

}  // namespace cgrep
