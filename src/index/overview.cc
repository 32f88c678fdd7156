#include "index/overview.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "address.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/flags.h"
#include "index/frames.h"

namespace cgrep {

namespace {

std::size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

std::optional<Time> time_from(const Statement& row, int time, int origin) {
  if (row.is_null(time)) return std::nullopt;
  return Time{.ms = row.int64(time), .origin = static_cast<TimeOrigin>(row.int64(origin))};
}

Conversation conversation_from(const Statement& row) {
  Conversation conversation{.row = row.int64(0),
                            .key = std::string(row.text(1)),
                            .project = std::string(row.text(2)),
                            .slug = std::string(row.text(3)),
                            .title = std::string(row.text(4)),
                            .parent = std::string(row.text(5)),
                            .model = std::string(row.text(6)),
                            .mode = std::string(row.text(7)),
                            .branch = std::string(row.text(8)),
                            .surface = std::string(row.text(9)),
                            .fallback = time_from(row, 12, 13),
                            .stores = store_names(static_cast<std::uint32_t>(row.int64(14))),
                            .archived = row.int64(15) != 0};
  conversation.first = conversation.last = conversation.fallback;
  if (!row.is_null(10)) conversation.first = Time{.ms = row.int64(10)};
  if (!row.is_null(11)) conversation.last = Time{.ms = row.int64(11)};
  if (!row.is_null(16)) conversation.tokens = row.int64(16);
  return conversation;
}

// The usual documents as a condition of SQL. Numbers only: nothing that was typed gets in here.
std::string condition_of(const UsualDocuments& usual) {
  std::string condition = fmt::format("role != {}", static_cast<int>(Role::system));
  if (usual.wanted != 0) condition += fmt::format(" AND (stores & {}) != 0", usual.wanted);
  if (usual.unwanted != 0) condition += fmt::format(" AND (stores & ~{}) != 0", usual.unwanted);
  if (!usual.repeated) condition += fmt::format(" AND (flags & {}) = 0", flag::repeated);
  return condition;
}

// Counts by conversation in the order of an index, so that nothing is sorted.
std::string counting_sql(const UsualDocuments& usual, std::string_view more) {
  return fmt::format(
      "SELECT conversation, count(*), sum(role = {}), sum((flags & {}) != 0) "
      "FROM documents INDEXED BY documents_number WHERE {}{} GROUP BY conversation",
      static_cast<int>(Role::user), flag::gone, condition_of(usual), more);
}

DocumentCounts counts_from(const Statement& row) {
  return {.documents = static_cast<std::size_t>(row.int64(1)),
          .user = static_cast<std::size_t>(row.int64(2)),
          .gone = static_cast<std::size_t>(row.int64(3))};
}

}  // namespace

Conversations::Conversations(History& history) {
  auto rows = history.database().prepare(
      "SELECT id, key, project, slug, title, parent, model, mode, branch, surface, first, last, "
      "fallback, fallback_origin, stores, archived, tokens FROM conversations ORDER BY key");
  while (rows.step()) {
    all_.push_back(conversation_from(rows));
    places_.emplace(all_.back().row, all_.size() - 1);
    if (is_subagent(all_.back())) ++children_[all_.back().parent];
  }
  // Neighbours in the order of keys decide how long an address has to be.
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const std::string& key = all_[i].key;
    std::size_t length = kMinAddressLength;
    if (i > 0) length = std::max(length, common_prefix(key, all_[i - 1].key) + 1);
    if (i + 1 < all_.size()) length = std::max(length, common_prefix(key, all_[i + 1].key) + 1);
    all_[i].address = key.substr(0, length);
  }
}

const Conversation* Conversations::find(std::int64_t row) const {
  const auto place = places_.find(row);
  return place == places_.end() ? nullptr : &all_[place->second];
}

std::size_t Conversations::started_by(const Conversation& conversation) const {
  const auto children = children_.find(conversation.key);
  return children == children_.end() ? 0 : children->second;
}

bool is_subagent(std::string_view parent, std::uint32_t stores) {
  return (!parent.empty() && stores != store_bit(*find_store("plans"))) ||
         stores == store_bit(*find_store("subagents"));
}

bool is_subagent(const Conversation& conversation) {
  std::uint32_t stores = 0;
  for (const auto name : conversation.stores) stores |= store_bit(*find_store(name));
  return is_subagent(conversation.parent, stores);
}

void DocumentCounts::add(const StoredDocument& document) {
  ++documents;
  if (document.role == Role::user) ++user;
  if (document.gone) ++gone;
}

std::vector<std::int64_t> conversations_with(History& history, const UsualDocuments& usual) {
  // Mostly the first document will do.
  auto rows =
      history.database().prepare(fmt::format("SELECT id FROM conversations c WHERE EXISTS "
                                             "(SELECT 1 FROM documents INDEXED BY documents_number "
                                             "WHERE conversation = c.id AND {})",
                                             condition_of(usual)));
  std::vector<std::int64_t> found;
  while (rows.step()) found.push_back(rows.int64(0));
  return found;
}

std::unordered_map<std::int64_t, DocumentCounts> count_documents(History& history,
                                                                 const UsualDocuments& usual) {
  std::unordered_map<std::int64_t, DocumentCounts> counts;
  auto rows = history.database().prepare(counting_sql(usual, ""));
  while (rows.step()) counts.emplace(rows.int64(0), counts_from(rows));
  return counts;
}

DocumentCounts count_documents(History& history, const UsualDocuments& usual,
                               std::int64_t conversation) {
  auto rows = history.database().prepare(counting_sql(usual, " AND conversation = ?1"));
  rows.bind(1, conversation);
  return rows.step() ? counts_from(rows) : DocumentCounts{};
}

std::string source_of_conversation(History& history, std::int64_t conversation) {
  auto found = history.database().prepare(
      "SELECT s.path FROM documents d LEFT JOIN copies c ON c.document = d.id "
      "JOIN sources s ON s.id = coalesce(d.source, c.source) WHERE d.conversation = ?1 "
      "ORDER BY d.number, s.id LIMIT 1");
  found.bind(1, conversation);
  return found.step() ? std::string(found.blob(0)) : std::string();
}

std::optional<TimeOrigin> newest_origin(History& history, const Conversation& conversation) {
  if (!conversation.last) return std::nullopt;
  auto found = history.database().prepare(
      "SELECT origin FROM documents WHERE conversation = ?1 AND time = ?2 LIMIT 1");
  found.bind(1, conversation.row);
  found.bind(2, conversation.last->ms);
  if (!found.step()) return std::nullopt;
  return static_cast<TimeOrigin>(found.int64(0));
}

std::size_t count_conversations(History& history) {
  auto found = history.database().prepare("SELECT count(*) FROM conversations");
  return found.step() ? static_cast<std::size_t>(found.int64(0)) : 0;
}

std::optional<std::int64_t> newest_document(History& history) {
  auto found =
      history.database().prepare("SELECT max(coalesce(last, fallback)) FROM conversations");
  if (!found.step() || found.is_null(0)) return std::nullopt;
  return found.int64(0);
}

std::uint64_t text_bytes(History& history, const std::vector<std::int64_t>& documents) {
  constexpr std::string_view kColumns = "id, length(frame), substr(frame, 1, 18)";
  const auto size_of = [](const Statement& row) {
    return unpacked_size(row.blob(2), static_cast<std::size_t>(row.int64(1)));
  };
  std::uint64_t bytes = 0;
  // To go through all of them costs a fifth of what it costs to look each of them up.
  if (documents.size() > history.document_count() / 5) {
    auto rows = history.database().prepare(fmt::format("SELECT {} FROM texts", kColumns));
    while (rows.step())
      if (std::binary_search(documents.begin(), documents.end(), rows.int64(0)))
        bytes += size_of(rows);
    return bytes;
  }
  auto row =
      history.database().prepare(fmt::format("SELECT {} FROM texts WHERE id = ?1", kColumns));
  for (const auto document : documents) {
    row.reset();
    row.bind(1, document);
    if (row.step()) bytes += size_of(row);
  }
  return bytes;
}

std::uint64_t index_bytes(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    std::error_code vanished;  // a run may be merged away meanwhile
    if (!entry->is_regular_file(vanished)) continue;
    const auto size = entry->file_size(vanished);
    if (!vanished) bytes += size;
  }
  return bytes;
}

}  // namespace cgrep
