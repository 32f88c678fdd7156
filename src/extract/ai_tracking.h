// ai-code-tracking.db, in which Cursor counts what code is the agent's: three stores read it.
//   ai_code_hashes          a row per line of code: hash, source, fileName, conversationId,
//                           timestamp, model, createdAt
//   conversation_summaries  conversationId, title, tldr, overview, summaryBullets, model, mode,
//                           updatedAt
//   scored_commits          commitHash, branchName, commitMessage, commitDate, scoredAt
// Versions differ in their columns, and any table may be missing. Two more tables hold the contents
// of files; nobody reads them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/source_database.h"
#include "extract/state_changes.h"
#include "extract/store.h"

namespace cgrep {

void discover_ai_tracking(const Store& store, const Roots& roots, Folders& folders,
                          std::vector<Source>& found);

struct Row {
  std::int64_t id = 0;
  std::vector<std::string> values{};

  /// By the place of its column among those that were asked for; empty where there is none, or no
  /// such column.
  const std::string& operator[](std::size_t column) const { return values[column]; }
};

using Columns = std::initializer_list<std::string_view>;
using RowVisitor = std::function<void(const Row& row)>;

/// Numbers of rows, with both ends.
struct RowRange {
  std::int64_t first = std::numeric_limits<std::int64_t>::min();
  std::int64_t last = std::numeric_limits<std::int64_t>::max();
};

/// Visits the rows of a table that has the first of the columns. Reads a few at a time; no
/// transaction is open while `visit` runs. False when a row had to be left out, which is a problem.
bool for_each_row(SourceDatabase& database, std::string_view table, Columns columns, Sink& sink,
                  const RowVisitor& visit, RowRange range = {});

/// Rows of a small table that belong together.
struct RowGroup {
  std::vector<std::int64_t> rows{};  // their numbers, sorted
  std::uint64_t written = 0;         // a hash: another one when any of them was written anew
};
using RowGroups = std::map<std::string, RowGroup>;

/// All rows by the text in the first column, made a name by `name_of`; the other columns tell
/// whether a row was written anew. Absent when not all could be read. A row without a name is a
/// problem.
std::optional<RowGroups> group_rows(SourceDatabase& database, std::string_view table,
                                    Columns columns, Sink& sink,
                                    std::string (*name_of)(std::string_view text),
                                    std::string_view unnamed);

/// Reads groups, one after the other. Those that cannot be read as a whole are problems, and left
/// out: then it returns false.
bool for_each_group(SourceDatabase& database, std::string_view table, Columns columns,
                    std::span<const RowGroups::value_type* const> groups, Sink& sink,
                    const std::function<void(const RowGroups::value_type& group,
                                             const std::vector<Row>& rows)>& visit);

/// What ai_code_hashes tells about a set of lines.
struct Lines {
  std::map<std::string, std::size_t> models{};  // how many lines each wrote
  std::optional<std::int64_t> first{};          // ms
  std::optional<std::int64_t> last{};

  void add(const std::string& model, std::optional<std::int64_t> time);
  /// The one that wrote most; of equals, the first by name. Empty when none is named.
  std::string model() const;
};

struct TrackedConversation {
  Lines lines{};
  std::map<std::string, Lines> files{};  // by name; absolute or not
};

using TrackedConversations = std::map<std::string, TrackedConversation>;

/// ai_code_hashes by conversation, as far as it is other than when it was last read. Lines that a
/// person typed belong to none.
///
/// Rows are looked at in blocks of numbers. Of each block it is noted which conversations have
/// lines there, with a hash of these. New lines stand in the last blocks, which are read again; a
/// conversation whose hash is another there is read from all blocks that it has lines in. Once a
/// day all blocks are read, since a row that is deleted or updated in its place leaves no trace.
/// (Names of files are not noted: they would outlast `cgrep forget`.)
class CodeHashes {
 public:
  /// Since the reading that returned this mark. The database and the sink must live longer.
  CodeHashes(SourceDatabase& database, std::string_view since, Sink& sink);

  /// Conversations that have other lines than before, or none any more.
  const std::set<std::string>& changed() const { return changed_; }

  /// It cannot be told what changed, also in other tables.
  bool everything() const { return !since_ || !since_->first; }
  /// A day has passed: all is compared with what was noted.
  bool compare() const { return everything() || since_->compare; }

  /// The lines of those that changed, and of these.
  TrackedConversations take(const std::set<std::string>& others = {});

  /// Notes what was seen; all that changed was delivered. Returns the next mark; empty when not all
  /// could be read.
  std::string finish();

 private:
  using Block = std::map<std::string, std::uint64_t>;  // conversation → hash of its lines

  static std::string part_of(std::int64_t block);
  void recall(bool all_again);
  void scan(RowRange range, const std::set<std::string>* only);
  void find_changed(std::int64_t first_block);

  SourceDatabase& database_;
  Sink& sink_;
  std::optional<RowsSince> since_;
  bool complete_ = true;
  std::size_t name_bytes_ = 0;
  std::map<std::int64_t, Block> before_{};
  std::map<std::int64_t, Block> now_{};  // those that were read
  std::set<std::string> changed_{};
  TrackedConversations tracked_{};
};

}  // namespace cgrep
