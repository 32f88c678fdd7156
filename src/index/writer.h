// IndexWriter: readings of sources in, runs and one commit out. The words of new rows go to runs,
// made in threads of their own while reading goes on; commit() waits for them and makes all of it
// visible at once.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "extract/store.h"
#include "index/history.h"
#include "index/ledger.h"
#include "index/reading.h"
#include "index/turns.h"

namespace cgrep {

/// Thrown through an extractor whose reading is carried on another time.
struct LeftOff {};

/// The caller holds the writer's lock. One reading at a time. Not for several threads.
class IndexWriter {
 public:
  explicit IndexWriter(History& history);
  ~IndexWriter();
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;

  /// The ledger's row of the source, made when it is new.
  std::int64_t source_row(const Source& source);

  /// Where the extractor of this source delivers, until end_reading(). `again`: it was read before,
  /// and all of it is read now.
  Sink& begin_reading(std::int64_t source, const Store& store, bool again = false);

  /// The source was read to its end: what it no longer has is gone, the ledger says so.
  ReadingCounts end_reading(const Fingerprint& file, const Fingerprint& wal,
                            const std::string& mark);

  /// The same for one conversation of a source that holds many. The ledger stays as it is, so that
  /// what changed elsewhere is still to be read.
  Sink& begin_part_reading(std::int64_t source, const Store& store);
  ReadingCounts end_part_reading();

  /// The source could not be read to its end: what it delivered stays, nothing is gone, and it is
  /// read again next time.
  ReadingCounts abandon_reading();

  /// Readings end where they can be carried on, once this says so: what delivers then throws
  /// LeftOff, and leave_off() is to be called.
  void leave_off_when(std::function<bool()> time_is_up);
  ReadingCounts leave_off();

  /// The source is no longer there: all that only it had is gone.
  ReadingCounts vanished(std::int64_t source);

  /// The store is read from now on, also if it was forgotten.
  void opt_in(const Store& store);

  /// Projects that are kept out: what turns out to belong to one is removed when it is committed.
  void exclude(std::vector<std::string> patterns);

  /// These patterns were others when the index was last written. What is no longer excluded is read
  /// again.
  void exclusions_changed(const std::vector<std::string>& before);

  /// Removes whole conversations and single documents, by row, and keeps them out; commits.
  void forget(const std::vector<std::int64_t>& conversations,
              const std::vector<std::int64_t>& documents);

  /// Removes what only this store holds, and reads it no more; commits.
  void forget_store(const Store& store);

  /// Removes documents that were gone before then, in ms; how many.
  std::size_t remove_gone(std::int64_t before);

  /// Removes from all files what removed documents left there: rewrites the runs with their words,
  /// unlinks the old ones, empties the journal; `all`: the free space of history.db, too. False
  /// when another process still reads; then the next writer has to do it.
  bool clean(bool all);

  /// A turn ended; it dates what was read since the last one (turns.h). Whether there was any.
  bool turn_ended(const Turn& turn);

  /// What was found of stores that are not read.
  void remember_left_out(const std::vector<LeftOut>& left_out);

  /// Remembers listings of folders for the next walk; `before` is what was known when it began.
  void remember(const Folders::Known& before, const Folders& folders);

  /// A first index is written beside the empty one, up to its first commit; any other as ever.
  void write_beside();

  /// Commits when enough has gathered, or so much time has passed, that losing it would hurt.
  void commit_when_due();
  void commit_after(std::chrono::milliseconds time);

  /// Called now and then while a source is read, with how many bytes of text it has delivered.
  void while_reading(std::function<void(std::uint64_t bytes)> tell);

  /// Joins what changed, waits for the runs, commits. Nothing changed: does nothing.
  void commit();
  /// The same, when most likely no more is to come: what merge() would do of a first index is done
  /// meanwhile.
  void commit_last();

  /// Merges runs as plan_merge() says, until it says none.
  void merge();

  /// The files of these runs are known to be whole, though their mtimes are others than before.
  void seal_again(const std::vector<std::string>& runs);

  /// Makes all runs again from the texts in history.db.
  void rebuild_words();

  /// Makes one run of all, without what is no longer current, and shrinks history.db if it is worth
  /// it.
  void compact();

  /// From now on nothing is committed until finish_rebuild(): until then, readers see what was
  /// there before, and so does the next writer if this one dies. Texts are compared with what is
  /// read.
  void begin_rebuild();
  void finish_rebuild();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
