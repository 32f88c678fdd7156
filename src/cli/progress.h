// The progress of an update on standard error: a bar on a terminal, a line per store elsewhere.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "index/update.h"

namespace cgrep {

enum class ProgressStyle : std::uint8_t { none, lines, bar };

/// A bar when standard error is a terminal; `elsewhere` when it is not.
ProgressStyle progress_style(ProgressStyle elsewhere);

class ProgressReport {
 public:
  explicit ProgressReport(ProgressStyle style);
  ~ProgressReport();
  ProgressReport(const ProgressReport&) = delete;
  ProgressReport& operator=(const ProgressReport&) = delete;

  void show(const Progress& progress);

  /// Another process is writing.
  void waiting();

  /// Removes the bar.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  ProgressStyle style_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point drawn_{};
  std::string store_{};
};

/// The bar as text, at most `width` columns; for tests, and for show().
std::string progress_bar(const Progress& progress, double seconds, std::size_t width);

/// Whether a bar stands on the terminal: Ctrl-C removes it.
bool progress_is_drawn();

}  // namespace cgrep
