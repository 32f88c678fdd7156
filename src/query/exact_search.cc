#include "query/exact_search.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "index/frames.h"
#include "query/narrowing.h"

namespace cgrep {

namespace {

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

}  // namespace

ExactSearch::ExactSearch(Snapshot& snapshot, const Request& request)
    : snapshot_(snapshot),
      request_(request),
      matcher_(*request.exact),
      conditions_(snapshot.conditions.of_filters(request.filters, false)) {}

// The rows that the runs do not rule out, newest first.
std::vector<std::int64_t> ExactSearch::rows_to_read(Outcome& outcome) const {
  std::optional<RowSet> narrowed;
  if (snapshot_.runs) narrowed = narrow(matcher_, *snapshot_.runs).rows;
  outcome.scanned = snapshot_.damaged;
  std::vector<std::int64_t> rows;
  if (!narrowed) {
    snapshot_.history.for_each_document([&](const StoredDocument& document) {
      rows.push_back(document.row);
      return true;
    });
    return rows;
  }
  for (auto row = narrowed->end() - 1; row >= 0; --row)
    if (narrowed->contains(row) && !snapshot_.is_dropped(row)) rows.push_back(row);
  return rows;
}

std::vector<Group> ExactSearch::answer(Outcome& outcome) {
  std::vector<Match> matches;
  TextScan scan(matcher_, matches);
  for (const auto row : rows_to_read(outcome)) {
    auto document = snapshot_.history.document(row);
    if (!document) continue;
    const auto candidate = snapshot_.conditions.candidate(std::move(*document));
    if (!Snapshot::hold(conditions_, candidate, outcome)) continue;
    Match match{.row = row,
                .conversation = candidate.document.conversation,
                .number = candidate.document.number,
                .score = 1};
    if (candidate.time) match.time = candidate.time->ms;
    scan.add(match, snapshot_.history.packed_text(row));
  }
  scan.finish();
  auto groups = grouped(matches);
  order_by_time(snapshot_.history, groups, request_.sort);
  if (request_.sort == Sort::relevance)
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
      return a.matches.size() > b.matches.size();
    });
  return groups;
}

std::string ExactSearch::explain() const {
  std::string text = fmt::format("regex:  {}\ncase:   {}\n", matcher_.printed(),
                                 matcher_.case_sensitive() ? "matters" : "does not matter");
  if (!snapshot_.runs) return text + "plan:   none; the texts are read\n";
  const auto narrowed = narrow(matcher_, *snapshot_.runs);
  for (const auto& literal : narrowed.literals)
    text +=
        fmt::format("needs:  {} ({})\n", literal.literal,
                    literal.usable ? fmt::format("in {} words", literal.words) : "may be anywhere");
  const auto all = snapshot_.history.document_count();
  if (!narrowed.rows) return text + fmt::format("plan:   all {} texts are read\n", all);
  return text + fmt::format("plan:   {} of {} texts are read\n", narrowed.rows->size(), all);
}

}  // namespace cgrep
