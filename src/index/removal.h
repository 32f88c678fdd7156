// Removal: takes documents and conversations out of history.db, as if they had never been read.
// Which words have to leave the runs, the table `dropped` says.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extract/sqlite.h"
#include "index/frames.h"
#include "index/join.h"
#include "index/kept_out.h"

namespace cgrep {

/// Inside the caller's transaction; what is left is joined anew by whoever has `unjoined`.
class Removal {
 public:
  /// `by`: what is removed goes on the list, too; absent: it may come back.
  Removal(Database& database, KeptOut& kept_out, Unjoined& unjoined, std::optional<KeptOutBy> by);

  /// All of a conversation: its documents, what is known of it, its row.
  void conversation(std::int64_t row);

  /// A document, by its row. Its conversation keeps its row, so that no number is used again.
  void document(std::int64_t row);

  /// What only this store holds, its copies of the rest, and its part of the ledger.
  void store(const Store& store);

  /// Counts the stores of every conversation anew, from what is left of its documents.
  void recount_all();

  /// Tidies the conversations that lost documents. To be called at the end.
  void finish();

  const std::vector<std::int64_t>& removed() const { return removed_; }

 private:
  void remove_row(std::int64_t row);
  void reset_marks(std::int64_t row);
  std::string text_in(const std::string& frame);
  void keep_out(std::int64_t row, const std::string& key, std::int64_t hash);
  void remove_titles_from(const std::string& key, std::string_view text);
  void remove_title(const std::string& key, const std::string& title);
  /// A claim that is made of what documents say.
  struct PathClaim {
    std::int64_t fact = 0;
    std::int64_t rung = 0;
    std::int64_t source = 0;
    std::string teller{};
    std::vector<std::string> paths{};
  };
  std::vector<PathClaim> path_claims(const std::string& key);
  void find_repeated(std::int64_t conversation, const std::string& key, std::string_view text,
                     std::string_view files);
  void keep_what_others_say(std::int64_t conversation, std::set<std::string>& paths);
  void remove_paths(const std::string& key, const std::set<std::string>& paths);
  void remove_claims_of_emptied(const std::string& key);
  void recount_stores(std::int64_t conversation);
  std::vector<std::int64_t> rows(const std::string& sql, std::int64_t value);

  Database& database_;
  KeptOut& kept_out_;
  Unjoined& unjoined_;
  std::optional<KeptOutBy> by_;
  Frames frames_{};
  std::set<std::int64_t> touched_{};  // conversations
  // By conversation, what claims say of files that a removed document named.
  std::map<std::int64_t, std::set<std::string>> repeated_{};
  std::vector<std::int64_t> removed_{};
};

/// Rows of all documents of these conversations.
std::vector<std::int64_t> documents_of(Database& database,
                                       const std::vector<std::int64_t>& conversations);

/// The documents that go with these, rows of documents: equal ones of their conversations, and
/// prompts in lists that repeat them. All of them, sorted.
std::vector<std::int64_t> with_equals(Database& database, const std::vector<std::int64_t>& rows);

/// The conversations that go with these: those that they started. All of them, sorted.
std::vector<std::int64_t> with_children(Database& database, const std::vector<std::int64_t>& rows);

}  // namespace cgrep
