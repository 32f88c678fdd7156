// history.db: the truth. Conversations, documents with their texts, the ledger of what was read,
// the names of the current runs. The tables are described in history.cc.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document.h"
#include "extract/folders.h"
#include "extract/store.h"

namespace cgrep {

class Database;
struct Run;

/// A conversation, as history.db joined it.
struct Conversation {
  std::int64_t row = 0;
  std::string key{};      // the agent's own id
  std::string address{};  // the shortest unique prefix of it
  std::string project{};  // absolute path; empty when unknown
  std::string slug{};
  std::string title{};
  std::string parent{};  // key of the conversation that started it
  std::string model{};
  std::string mode{};
  std::string branch{};
  std::string surface{};
  std::optional<Time> first{};  // of its documents, else what is known of the whole
  std::optional<Time> last{};
  std::optional<Time> fallback{};          // for documents without a time of their own
  std::vector<std::string_view> stores{};  // names, registry order
  std::vector<std::string> files{};        // touched, beside those of its documents
  std::optional<std::int64_t> tokens{};    // that the model was given
  bool archived = false;
};

/// A document as it stands in history.db, without its text.
struct StoredDocument {
  std::int64_t row = 0;
  std::int64_t conversation = 0;
  std::uint32_t number = 0;
  Role role = Role::user;
  std::optional<Time> time{};  // its own; see Conversation::fallback
  std::string tool{};
  std::vector<std::string> files{};
  std::uint32_t stores = 0;  // bits by Store::id
  bool gone = false;
  bool delegated = false;
  bool orphan = false;
  bool truncated = false;
  bool repeated = false;  // a prompt that stands in a conversation as well
};

/// What the index holds of one store.
struct StoreCounts {
  const Store* store = nullptr;
  std::size_t sources = 0;
  std::size_t documents = 0;
  std::size_t gone = 0;
  std::size_t truncated = 0;
  std::size_t problems = 0;
  std::optional<std::int64_t> newest{};  // ms, of its documents
};

/// Records of one kind that were skipped in the sources of one store.
struct StoredProblem {
  const Store* store = nullptr;
  std::string what{};
  std::size_t count = 0;
  std::string example{};    // where one of them is: a key, an offset
  std::string source{};     // path of a source that has such
  std::size_t sources = 0;  // how many have
};

/// A store that was found and nobody opted into, or named.
struct LeftOut {
  const Store* store = nullptr;
  std::size_t sources = 0;
  std::size_t only = 0;  // conversations that no other store has, as far as it is known
  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

constexpr std::uint32_t store_bit(const Store& store) {
  return 1u << store.id;
}

/// Names of the stores in a set of bits, in registry order.
std::vector<std::string_view> store_names(std::uint32_t bits);

/// Reads from one snapshot, taken when it is opened. Not for several threads.
class History {
 public:
  enum class Mode : std::uint8_t { read, write };

  /// Mode::write makes it when it is not there and migrates an older one. Throws Error when there
  /// is none to read, or it is of a newer schema, or damaged.
  History(const std::filesystem::path& folder, Mode mode);
  ~History();
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  /// Nothing was ever read into it.
  bool is_new();
  /// Of a new one: what is written now goes into a file beside it, without a journal, until it is
  /// moved into its place after the first commit. Until then, readers find nothing, and so does who
  /// comes after a crash. Nothing happens when somebody is in the way.
  void write_beside();
  bool is_beside() const;
  void move_into_place();

  /// Writes it anew, without the gaps that changes leave in it. Takes twice its room meanwhile.
  void vacuum();

  /// For a process that is about to end: what is open is left to the system, which is quicker.
  /// Nothing may be asked any more.
  void leave_open();

  const std::filesystem::path& folder() const;
  std::filesystem::path words() const;  // where the runs are
  Database& database();                 // for the other modules of index/

  std::vector<Run> runs();              // sorted by row
  bool makes_runs_slowly();             // as Xapian did not read what we wrote directly
  std::vector<std::int64_t> dropped();  // rows that runs still have and are no longer current

  std::optional<StoredDocument> document(std::int64_t row);
  std::string text(std::int64_t row);

  /// The text as it is kept, for other threads to unpack (frames.h). Valid until the next call.
  std::string_view packed_text(std::int64_t row);

  /// Path of the best source that has, or had, the document; empty when none is known.
  std::string source_of(std::int64_t row);

  /// Many rows will be asked for, here and there: more memory is worth its while.
  void expect_many();

  Conversation conversation(std::int64_t row);
  /// Without its address, which takes longer to find than all else.
  Conversation unaddressed(std::int64_t row);
  Conversation addressed(Conversation conversation);

  /// The time of its documents that have none of their own.
  std::optional<Time> fallback_time(std::int64_t conversation);

  /// Rows of the conversations whose key begins with the prefix, sorted by key, at most `limit`.
  std::vector<std::int64_t> conversations_with_prefix(std::string_view prefix, std::size_t limit);

  std::optional<std::int64_t> row_of_conversation(std::string_view key);

  /// Whether any store has what was said in the conversation, and not only something about it.
  bool holds_messages(std::string_view key);

  /// Its documents in reading order; false stops.
  void for_each_document(std::int64_t conversation,
                         const std::function<bool(const StoredDocument&)>& visit);

  /// Every current document, newest row first; false stops.
  void for_each_document(const std::function<bool(const StoredDocument&)>& visit);

  /// Every current document with its text as it is kept, oldest row first: the way of SQLite's
  /// pages. `packed` may be asked for during the visit.
  using PackedText = std::function<std::string_view()>;
  void for_each_text(const std::function<void(StoredDocument&&, const PackedText&)>& visit);

  /// What filters on conversations look at; false stops.
  struct Attribution {
    std::int64_t row = 0;
    std::string_view project{};
    std::string_view slug{};
    std::string_view title{};
    std::string_view parent{};
    std::string_view model{};
    std::string_view mode{};
    std::string_view branch{};
    std::string_view surface{};
    std::string_view files{};  // one path a line
    std::uint32_t stores = 0;  // bits by Store::id
    bool archived = false;
  };
  void for_each_conversation(const std::function<bool(const Attribution&)>& visit);

  std::size_t document_count();

  /// Stores that somebody asked for, beside those that are read by default.
  std::vector<const Store*> opted_in();
  std::vector<LeftOut> left_out();

  /// The same of those that were opted into: what a search leaves out that does not name them.
  std::vector<LeftOut> opted_in_only();

  /// By store and kind.
  std::vector<StoredProblem> problems();

  /// One entry per store of the registry, in its order.
  std::vector<StoreCounts> store_counts();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
