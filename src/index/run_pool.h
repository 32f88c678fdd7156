// RunPool: makes runs in a thread of its own while their documents are still being read.
// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "index/runs.h"

namespace cgrep {

/// The thread starts when there is enough to do; a small run is made by the caller's own.
class RunPool {
 public:
  /// `way` is asked for once, before the first run is made.
  RunPool(std::filesystem::path words, std::function<RunWay()> way);
  ~RunPool();
  RunPool(const RunPool&) = delete;
  RunPool& operator=(const RunPool&) = delete;

  /// Gathers all documents of a run before they are handed over, for those who may leave some out.
  void gather_whole_runs(bool whole) { handed_over_at_ = whole ? kRunBytes : kPieceBytes; }

  /// `name` gives the next run its name.
  template <typename Name>
  void add(RunDocument document, Name&& name) {
    bytes_ += document.text.size() + sizeof document;
    gathered_.push_back(std::move(document));
    if (bytes_ >= handed_over_at_) hand_over(name, run_bytes_ + bytes_ >= kRunBytes);
  }

  /// Leaves out what has gathered of these rows, sorted; returns those that are in a run already,
  /// or never were here.
  std::vector<std::int64_t> leave_out(const std::vector<std::int64_t>& rows);

  /// Whether so much was started that a commit is due.
  bool due() const { return started_ >= kRunsOfACommit; }

  /// Whether more than one is being made.
  bool makes_several() const { return started_ > 1; }

  /// Goes on with what has gathered, if that takes long enough for something else to be done beside
  /// it.
  template <typename Name>
  void finish_soon(Name&& name) {
    if (!run_.empty() || bytes_ >= kPieceBytes) hand_over(name, true);
  }

  /// Makes a run of what has gathered, waits for all, and returns them. Rethrows what failed.
  template <typename Name>
  std::vector<Run> finish(Name&& name) {
    if (!run_.empty())
      hand_over(name, true);
    else if (!gathered_.empty())
      make_here(name());
    return wait();
  }

 private:
  /// Fewer, bigger runs are smaller and merge faster, but all of it is kept in memory meanwhile.
  static constexpr std::size_t kRunBytes = 24u << 20;
  static constexpr std::size_t kPieceBytes = 1u << 20;
  static constexpr std::size_t kWaitingBytes = 12u << 20;

  /// A commit waits for all runs, and so do those who read ahead for it.
  static constexpr std::size_t kRunsOfACommit = 12;

  /// Some documents of a run.
  struct Piece {
    std::string run{};
    std::vector<RunDocument> documents{};
    std::size_t bytes = 0;
    bool last = false;
  };

  template <typename Name>
  void hand_over(Name&& name, bool last) {
    if (run_.empty()) {
      run_ = name();
      ++started_;
    }
    run_bytes_ = last ? 0 : run_bytes_ + bytes_;
    put({.run = last ? std::exchange(run_, {}) : run_,
         .documents = std::exchange(gathered_, {}),
         .bytes = std::exchange(bytes_, 0),
         .last = last});
  }

  void put(Piece piece);
  std::optional<Piece> take();
  void make_runs();
  void make_here(std::string name);
  std::vector<Run> wait();
  void join_thread();
  void choose_way();

  std::filesystem::path words_;
  std::function<RunWay()> ask_way_;
  std::optional<RunWay> way_{};
  std::size_t handed_over_at_ = kPieceBytes;
  std::size_t started_ = 0;
  std::string run_{};          // that is open; empty: none
  std::size_t run_bytes_ = 0;  // that were handed over of it
  std::size_t bytes_ = 0;      // that have gathered
  std::vector<RunDocument> gathered_{};

  std::thread thread_{};
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::deque<Piece> waiting_{};    // guarded by mutex_
  std::size_t waiting_bytes_ = 0;  // guarded by mutex_
  bool no_more_ = false;           // guarded by mutex_
  std::vector<Run> done_{};        // guarded by mutex_
  std::exception_ptr failed_{};    // guarded by mutex_
};

}  // namespace cgrep
