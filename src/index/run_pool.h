// RunPool: makes runs in threads of their own while their documents are still being read.
// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "index/runs.h"

namespace cgrep {

/// Threads start when there is enough for more than one run; a small one is made by the caller's
/// own thread.
class RunPool {
 public:
  /// `way` is asked for once, before the first run is made.
  RunPool(std::filesystem::path words, std::function<RunWay()> way);
  ~RunPool();
  RunPool(const RunPool&) = delete;
  RunPool& operator=(const RunPool&) = delete;

  /// Gathers the document; hands what has gathered to a thread when it is enough for a run.
  /// `name` gives the next run its name.
  template <typename Name>
  void add(RunDocument document, Name&& name) {
    bytes_ += document.text.size() + sizeof document;
    gathered_.push_back(std::move(document));
    if (bytes_ >= kRunBytes) start(name());
  }

  /// Leaves out what has gathered of these rows, sorted; returns those that are in a run already,
  /// or never were here.
  std::vector<std::int64_t> leave_out(const std::vector<std::int64_t>& rows);

  /// Whether so much was started that a commit is due.
  bool due() const { return started_ >= 2 * limit_; }

  /// Makes a run of what has gathered, waits for all, and returns them. Rethrows what failed.
  template <typename Name>
  std::vector<Run> finish(Name&& name) {
    if (!gathered_.empty()) make_here(name());
    return wait();
  }

 private:
  /// Fewer, bigger runs are smaller and merge faster, but all of it is kept in memory meanwhile.
  static constexpr std::size_t kRunBytes = 24u << 20;

  void start(std::string name);
  void make_here(std::string name);
  std::vector<Run> wait();
  void join_all();
  Run make(std::string name, const std::vector<RunDocument>& documents) const;
  void choose_way();

  std::filesystem::path words_;
  std::function<RunWay()> ask_way_;
  std::optional<RunWay> way_{};
  std::size_t limit_;
  std::size_t started_ = 0;
  std::size_t bytes_ = 0;
  std::vector<RunDocument> gathered_{};

  std::vector<std::thread> threads_{};
  std::mutex mutex_{};
  std::condition_variable one_done_{};
  std::size_t working_ = 0;      // guarded by mutex_
  std::vector<Run> done_{};      // guarded by mutex_
  std::exception_ptr failed_{};  // guarded by mutex_
};

}  // namespace cgrep
