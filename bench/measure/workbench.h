// Where a run has its programs, histories and indexes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "bench/measure/process.h"

namespace cgrep::bench {

class Workbench {
 public:
  /// `build`: where everything is built. Histories are kept in `data`, the rest is made anew.
  Workbench(const std::filesystem::path& build, const std::filesystem::path& data,
            std::uint64_t seed);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  const Runner& runner() const { return runner_; }

  /// A folder or file for this run only.
  std::filesystem::path scratch(std::string_view name) const { return scratch_ / name; }

  /// The home with the history of this name; generated with these options when it is not there.
  std::filesystem::path history(const std::string& name, const Command& options) const;

  Command cgrep(const std::filesystem::path& home, const std::filesystem::path& index,
                const Command& arguments) const;
  Command baseline(const std::string& name, const Command& arguments) const;

  /// The first index of the home; what was at `index` is removed before the clock starts.
  Cost first_index(const std::filesystem::path& home, const std::filesystem::path& index) const;

 private:
  std::filesystem::path build_;
  std::filesystem::path data_;
  std::filesystem::path scratch_;
  std::filesystem::path programs_;  // that are measured
  std::uint64_t seed_;
  Runner runner_;
};

/// Tells the user what is going on.
void say(std::string_view what);

/// Of the current runs of an index. Those that were merged away may still be there.
std::uintmax_t bytes_of_runs(const std::filesystem::path& index);

/// Of all files below.
std::uintmax_t bytes_below(const std::filesystem::path& folder);

}  // namespace cgrep::bench
