// Counts what extractors read, for tests that bound it: a change costs what changed.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

struct sqlite3;

namespace cgrep {

/// While one lives, all files and databases that are read count here: by the thread that made it,
/// and by those that share it. One at a time.
class ReadCounter {
 public:
  ReadCounter();
  ~ReadCounter();
  ReadCounter(const ReadCounter&) = delete;
  ReadCounter& operator=(const ReadCounter&) = delete;

  std::atomic<std::uint64_t> rows = 0;   // of databases, that a statement returned
  std::atomic<std::uint64_t> bytes = 0;  // of files; of databases, whole pages

  /// Null when nobody counts.
  static ReadCounter* current();
  /// What this thread reads counts there, too; it must live as long as the thread. Null: nowhere.
  static void share(ReadCounter* counter);

  /// Rows of this connection count from now on; its pages when count_pages() is called.
  void watch(sqlite3* database);
  void count_pages(sqlite3* database);
};

}  // namespace cgrep
