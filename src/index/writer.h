// IndexWriter: readings of sources in, runs and one commit out. The words of new rows go to runs,
// made in threads of their own while reading goes on; commit() waits for them and makes all of it
// visible at once.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "extract/store.h"
#include "index/history.h"
#include "index/ledger.h"
#include "index/reading.h"

namespace cgrep {

/// The caller holds the writer's lock. One reading at a time. Not for several threads.
class IndexWriter {
 public:
  explicit IndexWriter(History& history);
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  /// The ledger's row of the source, made when it is new.
  std::int64_t source_row(const Source& source);

  /// Where the extractor of this source delivers, until end_reading().
  Sink& begin_reading(std::int64_t source, const Store& store);

  /// The source was read to its end: what it no longer has is gone, the ledger says so.
  ReadingCounts end_reading(const Fingerprint& file, const Fingerprint& wal,
                            const std::string& mark);

  /// The source could not be read to its end: what it delivered stays, nothing is gone, and it is
  /// read again next time.
  ReadingCounts abandon_reading();

  /// The source is no longer there: all that only it had is gone.
  ReadingCounts vanished(std::int64_t source);

  /// The store is read from now on.
  void opt_in(const Store& store);

  /// What was found of stores that are not read.
  void remember_left_out(const std::vector<LeftOut>& left_out);

  /// Remembers listings of folders for the next walk; `before` is what was known when it began.
  void remember(const Folders::Known& before, const Folders& folders);

  /// Commits when enough has gathered that losing it would hurt.
  void commit_when_due();

  /// Joins what changed, waits for the runs, commits. Nothing changed: does nothing.
  void commit();

  /// Merges runs as plan_merge() says, until it says none.
  void merge();

  /// Makes all runs again from the texts in history.db.
  void rebuild_words();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
