// Counts what extractors read, for tests that bound it: a change costs what changed.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

struct sqlite3;

namespace cgrep {

/// While one lives, all files and databases that are read count here. One at a time, and only in
/// the thread that made it.
class ReadCounter {
 public:
  ReadCounter();
  ~ReadCounter();
  ReadCounter(const ReadCounter&) = delete;
  ReadCounter& operator=(const ReadCounter&) = delete;

  std::uint64_t rows = 0;   // of databases, that a statement returned
  std::uint64_t bytes = 0;  // of files; of databases, whole pages

  /// Null when nobody counts.
  static ReadCounter* current();

  /// Rows of this connection count from now on; its pages when count_pages() is called.
  void watch(sqlite3* database);
  void count_pages(sqlite3* database);
};

}  // namespace cgrep
