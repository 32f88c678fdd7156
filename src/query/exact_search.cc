#include "query/exact_search.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
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

/// Unpacks and matches texts: the caller reads them, the other cores match, and the caller helps
/// when they fall behind. Few texts are matched by the caller alone.
class TextScan {
 public:
  /// `counts`: also how many lines match.
  TextScan(const ExactMatcher& matcher, bool counts) : matcher_(matcher), counts_(counts) {}

  ~TextScan() {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  TextScan(const TextScan&) = delete;
  TextScan& operator=(const TextScan&) = delete;

  void add(const Match& match, std::string_view packed) {
    if (batches_.empty() || batches_.back().packed.size() >= kBatchBytes) begin_batch();
    batches_.back().packed += packed;
    batches_.back().items.push_back({match, packed.size()});
  }

  /// Those that match, in the order in which they were added.
  std::vector<Match> finish() {
    hand_over();
    while (work_on_one(frames_)) {
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return working_ == 0; });
    if (failed_) std::rethrow_exception(failed_);
    std::vector<Match> matches;
    std::size_t count = 0;
    for (const auto& batch : batches_) count += batch.matches.size();
    matches.reserve(count);
    for (const auto& batch : batches_)
      matches.insert(matches.end(), batch.matches.begin(), batch.matches.end());
    return matches;
  }

 private:
  struct Item {
    Match match{};
    std::size_t bytes = 0;  // that are packed
  };
  struct Batch {
    std::vector<Item> items{};
    std::string packed{};  // one after the other
    std::vector<Match> matches{};
  };

  void begin_batch() {
    hand_over();
    if (threads_.empty() && !batches_.empty())
      for (unsigned i = 1; i < std::max(2u, std::thread::hardware_concurrency()); ++i)
        threads_.emplace_back([this] { run(); });
    batches_.emplace_back().packed.reserve(kBatchBytes + kUsualBytes);
  }

  // The last batch is whole. Texts wait in memory only as long as the others keep up.
  void hand_over() {
    if (batches_.empty()) return;
    std::size_t waiting = 0;
    {
      const std::scoped_lock lock(mutex_);
      waiting_.push_back(&batches_.back());
      waiting = waiting_.size();
    }
    changed_.notify_one();
    if (waiting > kWaiting) work_on_one(frames_);
  }

  void run() {
    Frames frames;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
        if (ended_) return;
      }
      work_on_one(frames);
    }
  }

  /// False when none waits.
  bool work_on_one(Frames& frames) {
    Batch* batch = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      if (waiting_.empty()) return false;
      batch = waiting_.front();
      waiting_.pop_front();
      ++working_;
    }
    std::exception_ptr failed;
    try {
      match(*batch, frames);
    } catch (...) {
      failed = std::current_exception();
    }
    {
      const std::scoped_lock lock(mutex_);
      --working_;
      if (failed) failed_ = failed;
    }
    changed_.notify_all();
    return true;
  }

  void match(Batch& batch, Frames& frames) const {
    const auto packed = std::exchange(batch.packed, {});
    std::string_view rest = packed;
    for (auto& item : std::exchange(batch.items, {})) {
      const auto text = frames.unpack_here(rest.substr(0, item.bytes));
      rest.remove_prefix(item.bytes);
      if (counts_) item.match.lines = matcher_.count(text);
      if (counts_ ? item.match.lines > 0 : matcher_.matches(text))
        batch.matches.push_back(item.match);
    }
  }

  static constexpr std::size_t kBatchBytes = 96u << 10;  // malloc has so much at hand
  static constexpr std::size_t kUsualBytes = 8u << 10;   // of the text that makes it whole
  static constexpr std::size_t kWaiting = 16;

  const ExactMatcher& matcher_;
  bool counts_;
  Frames frames_{};              // the caller's
  std::deque<Batch> batches_{};  // the last one belongs to the caller until it is handed over
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<Batch*> waiting_{};  // the rest is guarded by mutex_
  std::size_t working_ = 0;
  bool ended_ = false;
  std::exception_ptr failed_{};
  std::vector<std::thread> threads_{};  // the last: they use all of the above
};

}  // namespace

ExactSearch::ExactSearch(Snapshot& snapshot, const Request& request)
    : snapshot_(snapshot),
      request_(request),
      matcher_(*request.exact),
      conditions_(snapshot.conditions.of_filters(request.filters, false)) {}

// Visits the documents that the runs do not rule out, in the order of their rows.
void ExactSearch::each_to_read(Outcome& outcome, const Visit& visit) const {
  std::optional<RowSet> narrowed;
  if (snapshot_.runs) narrowed = narrow(matcher_, *snapshot_.runs).rows;
  outcome.scanned = snapshot_.damaged;
  if (!narrowed) {
    snapshot_.history.for_each_text(visit);
    return;
  }
  narrowed->for_each([&](std::int64_t row) {
    if (snapshot_.is_dropped(row)) return;
    if (auto document = snapshot_.history.document(row))
      visit(std::move(*document), [&] { return snapshot_.history.packed_text(row); });
  });
}

std::vector<Group> ExactSearch::answer(Outcome& outcome) {
  TextScan scan(matcher_, request_.detail == Detail::counts);
  each_to_read(outcome, [&](StoredDocument&& read, const History::PackedText& packed) {
    const auto candidate = snapshot_.conditions.candidate(std::move(read));
    if (!Snapshot::hold(conditions_, candidate, outcome)) return;
    const auto& document = candidate.document;
    Match match{.row = document.row,
                .conversation = document.conversation,
                .number = document.number,
                .score = 1};
    if (candidate.time) match.time = candidate.time->ms;
    scan.add(match, packed());
  });
  auto matches = scan.finish();
  std::reverse(matches.begin(), matches.end());  // newest first
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
