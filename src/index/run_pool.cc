#include "index/run_pool.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace cgrep {

RunPool::RunPool(std::filesystem::path words, std::function<RunWay()> way)
    : words_(std::move(words)),
      ask_way_(std::move(way)),
      limit_(std::max(1u, std::thread::hardware_concurrency())) {}

RunPool::~RunPool() {
  join_all();
}

void RunPool::choose_way() {
  if (!way_) way_ = ask_way_();
}

void RunPool::start(std::string name) {
  choose_way();
  std::unique_lock lock(mutex_);
  one_done_.wait(lock, [&] { return working_ < limit_; });
  ++working_;
  ++started_;
  bytes_ = 0;
  threads_.emplace_back(
      [this, name = std::move(name), documents = std::exchange(gathered_, {})]() mutable {
        Run run;
        std::exception_ptr failed;
        try {
          run = make(std::move(name), documents);
        } catch (...) {
          failed = std::current_exception();
        }
        documents = {};
        const std::scoped_lock done(mutex_);
        --working_;
        if (failed)
          failed_ = failed;
        else
          done_.push_back(std::move(run));
        one_done_.notify_one();
      });
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
  auto run = make(std::move(name), gathered_);
  gathered_.clear();
  bytes_ = 0;
  const std::scoped_lock lock(mutex_);
  done_.push_back(std::move(run));
}

std::vector<Run> RunPool::wait() {
  join_all();
  started_ = 0;
  if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  auto runs = std::exchange(done_, {});
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  return runs;
}

void RunPool::join_all() {
  for (auto& thread : threads_) thread.join();
  threads_.clear();
}

Run RunPool::make(std::string name, const std::vector<RunDocument>& documents) const {
  const auto maker = make_run(words_ / name, *way_);
  for (const auto& document : documents) maker->add(document);
  maker->finish();
  auto seal = seal_of(words_ / name);
  return {.name = std::move(name),
          .first = documents.front().row,
          .last = documents.back().row,
          .documents = static_cast<std::int64_t>(documents.size()),
          .seal = std::move(seal)};
}

}  // namespace cgrep
