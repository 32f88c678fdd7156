#include "index/run_pool.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

namespace cgrep {

namespace {

/// A run while its documents come.
class Making {
 public:
  Making(const std::filesystem::path& words, std::string name, RunWay way)
      : folder_(words / name), maker_(make_run(folder_, way)) {
    run_.name = std::move(name);
  }

  void add(const std::vector<RunDocument>& documents) {
    for (const auto& document : documents) maker_->add(document);
    if (documents.empty()) return;
    if (run_.documents == 0) run_.first = documents.front().row;
    run_.last = documents.back().row;
    run_.documents += static_cast<std::int64_t>(documents.size());
  }

  Run finish() {
    maker_->finish();
    run_.seal = seal_of(folder_);
    return std::move(run_);
  }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<RunMaker> maker_;
  Run run_{};
};

}  // namespace

RunPool::RunPool(std::filesystem::path words, std::function<RunWay()> way)
    : words_(std::move(words)), ask_way_(std::move(way)) {}

RunPool::~RunPool() {
  {
    const std::scoped_lock lock(mutex_);
    waiting_.clear();
  }
  join_thread();
}

void RunPool::choose_way() {
  if (!way_) way_ = ask_way_();
}

void RunPool::put(Piece piece) {
  choose_way();
  if (!thread_.joinable()) thread_ = std::thread([this] { make_runs(); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failed_ || waiting_bytes_ < kWaitingBytes; });
  if (failed_) return;  // wait() tells
  waiting_bytes_ += piece.bytes;
  waiting_.push_back(std::move(piece));
  changed_.notify_all();
}

std::optional<RunPool::Piece> RunPool::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return no_more_ || !waiting_.empty(); });
  if (waiting_.empty()) return std::nullopt;
  auto piece = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_bytes_ -= piece.bytes;
  changed_.notify_all();
  return piece;
}

void RunPool::make_runs() {
  try {
    std::optional<Making> making;
    while (auto piece = take()) {
      if (!making) making.emplace(words_, std::move(piece->run), *way_);
      making->add(piece->documents);
      if (!piece->last) continue;
      auto run = making->finish();
      making.reset();
      const std::scoped_lock lock(mutex_);
      done_.push_back(std::move(run));
    }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failed_ = std::current_exception();
    waiting_.clear();
    waiting_bytes_ = 0;
    changed_.notify_all();
  }
}

std::vector<std::int64_t> RunPool::leave_out(const std::vector<std::int64_t>& rows) {
  std::unordered_set<std::int64_t> left_out;
  std::erase_if(gathered_, [&](const RunDocument& document) {
    if (!std::binary_search(rows.begin(), rows.end(), document.row)) return false;
    left_out.insert(document.row);
    return true;
  });
  std::vector<std::int64_t> others;
  for (const auto row : rows)
    if (!left_out.contains(row)) others.push_back(row);
  return others;
}

void RunPool::make_here(std::string name) {
  choose_way();
  Making making(words_, std::move(name), *way_);
  making.add(gathered_);
  gathered_.clear();
  bytes_ = 0;
  auto run = making.finish();
  const std::scoped_lock lock(mutex_);
  done_.push_back(std::move(run));
}

std::vector<Run> RunPool::wait() {
  join_thread();
  started_ = 0;
  const std::scoped_lock lock(mutex_);
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  auto runs = std::exchange(done_, {});
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  return runs;
}

void RunPool::join_thread() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    no_more_ = true;
    changed_.notify_all();
  }
  thread_.join();
  no_more_ = false;
}

}  // namespace cgrep
