// A process that writes to a state.vscdb as Cursor does, for as long as it lives: commits,
// checkpoints, and the rewriting of one bubble while its text grows.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/types.h>

namespace cgrep::test {

class LiveWriter {
 public:
  /// What it saw; it waits for nobody, so a lock that another holds is an error at once.
  struct Report {
    std::uint64_t commits = 0;
    std::uint64_t busy = 0;      // statements that failed since somebody held a lock
    std::uint64_t failures = 0;  // for any other reason
    std::uint64_t refused = 0;   // TRUNCATE checkpoints that a reader made incomplete
  };

  /// Makes the database, with `rows` bubbles of the conversation "live", and begins to write.
  LiveWriter(const std::filesystem::path& database, std::uint64_t rows);
  ~LiveWriter();
  LiveWriter(const LiveWriter&) = delete;
  LiveWriter& operator=(const LiveWriter&) = delete;

  /// How many bubbles were committed by now: "bubble 1" to "bubble N".
  std::uint64_t committed() const;

  /// Waits until it has committed so many.
  void wait_for(std::uint64_t rows) const;

  /// Ends it.
  Report stop();

 private:
  struct Shared;
  Shared* shared_ = nullptr;
  pid_t process_ = -1;
};

}  // namespace cgrep::test
