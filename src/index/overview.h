// Overview: conversations and counts of documents, by plain looks at the tables of history.db; what
// lists and numbers are made of. Texts are not read.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/history.h"

namespace cgrep {

/// All conversations, read at once: much cheaper than one by one when many are wanted.
class Conversations {
 public:
  explicit Conversations(History& history);

  const std::vector<Conversation>& all() const { return all_; }  // sorted by key

  /// nullptr when there is none with that row.
  const Conversation* find(std::int64_t row) const;

  /// How many agents the conversation started.
  std::size_t started_by(const Conversation& conversation) const;

 private:
  std::vector<Conversation> all_{};
  std::unordered_map<std::int64_t, std::size_t> places_{};
  std::unordered_map<std::string, std::size_t> children_{};
};

/// Whether an agent started it. A plan has a parent, too: the conversation that made it.
bool is_subagent(std::string_view parent, std::uint32_t stores);
bool is_subagent(const Conversation& conversation);

/// How many documents, of a conversation or of all.
struct DocumentCounts {
  std::size_t documents = 0;
  std::size_t user = 0;  // of role user
  std::size_t gone = 0;

  void add(const StoredDocument& document);
};

/// What every search asks of a document, by what one row of a table says.
struct UsualDocuments {
  std::uint32_t wanted = 0;  // bits of stores; 0: all
  std::uint32_t unwanted = 0;
  bool repeated = false;  // also prompts that stand in a conversation as well
};

/// Rows of the conversations that have such a document; role system never counts.
std::vector<std::int64_t> conversations_with(History& history, const UsualDocuments& usual);

/// How many of them, by the row of the conversation.
std::unordered_map<std::int64_t, DocumentCounts> count_documents(History& history,
                                                                 const UsualDocuments& usual);
DocumentCounts count_documents(History& history, const UsualDocuments& usual,
                               std::int64_t conversation);

/// Path of a source that has, or had, the conversation; empty when none is known.
std::string source_of_conversation(History& history, std::int64_t conversation);

/// Where the time of its newest document comes from; absent when no document has one.
std::optional<TimeOrigin> newest_origin(History& history, const Conversation& conversation);

std::size_t count_conversations(History& history);

/// When the newest document was written.
std::optional<std::int64_t> newest_document(History& history);

/// Bytes of the texts of these documents, sorted by row.
std::uint64_t text_bytes(History& history, const std::vector<std::int64_t>& documents);

/// Bytes of all files of the index.
std::uint64_t index_bytes(const std::filesystem::path& folder);

}  // namespace cgrep
