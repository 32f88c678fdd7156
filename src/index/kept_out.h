// What is kept out of the index, though its sources still have it: what was forgotten, and what
// belongs to an excluded project. It is known by salted hashes, so that the list does not tell what
// it hides.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "document.h"
#include "extract/sqlite.h"
#include "extract/store.h"

namespace cgrep {

/// Why something is kept out. The numbers are kept in history.db: append only.
enum class KeptOutBy : std::uint8_t {
  forget,
  exclude,
  place,  // it lies in a project that is excluded; where it lies in another, it is read
};

/// The entries of the list, before they are hashed.
namespace kept_out {
/// All of a conversation, also what is added to it later.
std::string conversation(std::string_view key);
/// A text in it, wherever it stands there: the hash of documents in history.db.
std::string text(std::string_view key, std::int64_t hash);
/// A document by the identity that its source gives it, whatever it says now.
std::string identity(std::string_view key, std::int64_t identity);
/// A text in the lists of prompts, which repeat what was said in conversations.
std::string prompt(std::int64_t hash);
/// A path that claims about the conversation repeat from its documents.
std::string path(std::string_view key, std::string_view path);
}  // namespace kept_out

/// Whether a claim about a conversation is made of what its documents say: of the files they name.
constexpr bool is_told_by_documents(Fact fact, int rung) {
  return fact == Fact::files ||
         (fact == Fact::project &&
          (rung == rung::project::workspace_line || rung == rung::project::tools ||
           rung == rung::project::hashes || rung == rung::project::attached));
}

/// The list in history.db. Not for several threads.
class KeptOut {
 public:
  explicit KeptOut(Database& database);

  /// False: nothing is kept out, so nothing needs to be looked up.
  bool any() const { return any_; }

  std::optional<KeptOutBy> find(std::string_view entry);
  bool has(std::string_view entry) { return find(entry).has_value(); }

  /// Inside the caller's transaction. What was forgotten stays so.
  void add(std::string_view entry, KeptOutBy by);

  /// What stands in the ledger for the path of a file that is gone: enough to know it again.
  std::string hidden_path(const std::filesystem::path& path) const;

  /// Takes everything off the list that an exclusion put there.
  void clear_excluded();

  /// A store that is read by default, and that somebody asked to forget.
  bool store(const Store& store) const { return (stores_ & (1u << store.id)) != 0; }
  void add_store(const Store& store);
  void remove_store(const Store& store);

 private:
  std::string hashed(std::string_view entry) const;
  void look();

  Database& database_;
  std::string salt_{};
  std::uint32_t stores_ = 0;
  bool any_ = false;
  LazyStatement find_;
};

}  // namespace cgrep
