// Runs a command to its end and tells what it cost.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cgrep::bench {

struct Cost {
  double seconds = 0;
  double cpu = 0;             // seconds, of all threads
  std::uint64_t memory = 0;   // most bytes in memory at once
  std::uint64_t read = 0;     // bytes asked for by read(2) and its kin, cached or not
  std::uint64_t written = 0;  // the same of write(2)
  int status = 0;
  std::string output{};
  std::string errors{};
};

using Command = std::vector<std::string>;

/// Commands see an empty home, no configuration, and nothing else of this user.
class Runner {
 public:
  explicit Runner(const std::filesystem::path& empty_home);

  /// Whatever its exit status is.
  Cost run(const Command& command) const;

  /// Throws when its exit status is not 0.
  Cost must(const Command& command) const;

 private:
  std::vector<std::string> environment_;
};

}  // namespace cgrep::bench
