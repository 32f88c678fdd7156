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
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/source_database.h"
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

/// Visits all rows of a table that has the first of the columns. Reads a few at a time; no
/// transaction is open while `visit` runs. False when a row had to be left out.
bool for_each_row(SourceDatabase& database, std::string_view table,
                  std::initializer_list<std::string_view> columns, Sink& sink,
                  const std::function<void(const Row& row)>& visit);

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

/// All of ai_code_hashes, by conversation. Lines that a person typed have none.
TrackedConversations read_code_hashes(SourceDatabase& database, Sink& sink);

}  // namespace cgrep
