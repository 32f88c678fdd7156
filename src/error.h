// How cgrep fails: one exception for "the command cannot go on", and grep's exit codes.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace cgrep {

enum class ExitCode : int { ok = 0, no_match = 1, trouble = 2, interrupted = 130 };

/// The command cannot go on. Caught once, in main(): `cgrep: what`, then `hint: hint`.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, std::string hint = {})
      : std::runtime_error(what), hint_(std::move(hint)) {}

  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

}  // namespace cgrep
