// Runs the real binary, as a user would, in an environment of its own.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep::test {

struct RunResult {
  int code = -1;      // exit code; 128 + signal when killed
  std::string out{};  // on a terminal: all that reached it
  std::string err{};
  std::int64_t peak_kb = 0;  // the most memory that was resident at once
};

struct RunOptions {
  std::map<std::string, std::string> environment{};
  std::string directory{};  // where it runs; empty: where the test runs
  bool terminal = false;    // standard output and error are a terminal of 80 columns
};

/// Runs any program; PATH is kept, the rest of the environment is only what `options` says.
RunResult run_program(const std::vector<std::string>& words, const RunOptions& options = {});

RunResult run_cgrep(std::vector<std::string> words, RunOptions options = {});

/// Runs a line of shell in which $CGREP is the binary.
RunResult run_shell(const std::string& line, RunOptions options = {});

std::vector<std::string> lines_of(std::string_view text);

}  // namespace cgrep::test
