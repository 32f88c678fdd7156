// AtRest: keeps a database in WAL mode as it is while it is read without its journal.
//
// A reader of SQLite's own makes memory that it shares with others (-shm), and reads the journal
// into it. Where the journal is empty, nothing of that tells anything, but it takes longer than a
// search. What such a reader does for the others is all that is needed: it holds two locks, without
// which nobody moves a journal into the database, or changes it in another way
// (https://sqlite.org/walformat.html, "WAL locks").
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "index/files.h"

namespace cgrep {

class AtRest {
 public:
  /// Absent when there is something in the journal, or it cannot be told: then SQLite has to look.
  /// While it is there, the database may be opened as immutable.
  static std::optional<AtRest> hold(const std::filesystem::path& database);

  /// Makes the file that the locks are on; SQLite removes it with the journal.
  static void make_possible(const std::filesystem::path& database);

 private:
  AtRest(FileDescriptor database, FileDescriptor shared)
      : database_(std::move(database)), shared_(std::move(shared)) {}

  FileDescriptor database_;
  FileDescriptor shared_;
};

}  // namespace cgrep
