// Figures from samples: what a task cost over several rounds, and ratios between tasks.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/process.h"

namespace cgrep::bench {

/// Of none: 0.
double median(std::vector<double> values);

/// The samples of one task: those of each round.
using Samples = std::vector<std::vector<Cost>>;

/// What is kept of a task in the results.
struct Figure {
  double seconds = 0;          // median of the rounds, each the median of its samples
  double cpu = 0;              // the same
  std::uint64_t memory = 0;    // most
  std::uint64_t read = 0;      // median
  std::uint64_t written = 0;   // median
  std::vector<double> rounds;  // seconds
};

Figure figure_of(const Samples& samples);

/// Runs tasks in turns, round by round, so that a noisy moment hits all of them.
class Rounds {
 public:
  using Task = std::function<Cost()>;

  void add(std::string name, Task task) { tasks_.emplace_back(std::move(name), std::move(task)); }

  /// Each task up to `repeats` times in this round, in turns. A task that has taken `most` seconds
  /// in it is not run again.
  void run(std::size_t repeats, double most = 3);

  /// Keeps what was measured, takes other tasks.
  void clear_tasks() { tasks_.clear(); }

  const std::map<std::string, Samples, std::less<>>& samples() const { return samples_; }

 private:
  std::vector<std::pair<std::string, Task>> tasks_{};
  std::map<std::string, Samples, std::less<>> samples_{};
};

}  // namespace cgrep::bench
