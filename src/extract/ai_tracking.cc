#include "extract/ai_tracking.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "extract/conversation_id.h"
#include "extract/source_search.h"
#include "extract/times.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

constexpr std::string_view kName = "ai-code-tracking.db";
constexpr std::size_t kBatchRows = 1000;
constexpr std::size_t kBatchBytes = 4u << 20;
// Names that are kept at a time: a hundred times what a busy year leaves.
constexpr std::size_t kNamesBytes = 64u << 20;

struct Read {
  Row row{};
  std::string_view problem{};  // why it has no values
};

// The columns that there are, with NULL for the others; empty without the first.
std::string selection(Database& database, std::string_view table,
                      std::initializer_list<std::string_view> columns) {
  const auto existing = columns_of(database, table);
  const auto has = [&](std::string_view name) {
    return std::find(existing.begin(), existing.end(), name) != existing.end();
  };
  if (!has(*columns.begin())) return {};
  std::string list;
  for (const auto column : columns) {
    list += list.empty() ? "" : ", ";
    list += has(column) ? column : "NULL";
  }
  return list;
}

Read read_row(Statement& statement, std::int64_t id, std::size_t columns) {
  Read read{.row = {.id = id, .values = std::vector<std::string>(columns)}};
  statement.reset();
  statement.bind(1, id);
  try {
    if (!statement.step()) return read;
    for (std::size_t i = 0; i < columns; ++i)
      read.row.values[i] = statement.text(static_cast<int>(i));
  } catch (const SqliteError& error) {
    if (error.primary() != SQLITE_TOOBIG && error.primary() != SQLITE_CORRUPT) throw;
    read.problem = error.primary() == SQLITE_TOOBIG ? "value over 64 MB" : "damaged page";
  }
  return read;
}

// The next rows after `last`, a few MB of them.
std::vector<Read> next_rows(SourceDatabase& database, std::string_view table,
                            std::initializer_list<std::string_view> columns,
                            std::optional<std::int64_t> last) {
  std::vector<Read> rows;
  database.snapshot([&](Database& snapshot) {
    rows.clear();
    const auto list = selection(snapshot, table, columns);
    if (list.empty()) return;
    auto ids = snapshot.prepare(
        fmt::format("SELECT rowid FROM {} {} ORDER BY rowid LIMIT {}", table,
                    last ? fmt::format("WHERE rowid > {}", *last) : "", kBatchRows));
    auto values = snapshot.prepare(fmt::format("SELECT {} FROM {} WHERE rowid = ?1", list, table));
    std::size_t bytes = 0;
    while (bytes < kBatchBytes && ids.step()) {
      rows.push_back(read_row(values, ids.int64(0), columns.size()));
      for (const auto& value : rows.back().row.values) bytes += value.size();
    }
  });
  return rows;
}

}  // namespace

void discover_ai_tracking(const Store& store, const Roots& roots, Folders& folders,
                          std::vector<Source>& found) {
  SourceSearch search(store, folders, found);
  for (const auto& root : roots.data) search.add_file(root / "ai-tracking", kName, root);
}

bool for_each_row(SourceDatabase& database, std::string_view table,
                  std::initializer_list<std::string_view> columns, Sink& sink,
                  const std::function<void(const Row& row)>& visit) {
  bool complete = true;
  std::optional<std::int64_t> last;
  while (true) {
    const auto rows = next_rows(database, table, columns, last);
    if (rows.empty()) return complete;
    for (const auto& read : rows) {
      if (read.problem.empty()) {
        visit(read.row);
        continue;
      }
      complete = false;
      sink.problem({.what = std::string(read.problem),
                    .example = fmt::format("{} row {}", table, read.row.id),
                    .passing = true});
    }
    last = rows.back().row.id;
  }
}

void Lines::add(const std::string& model, std::optional<std::int64_t> time) {
  if (!model.empty()) ++models[model];
  if (!time) return;
  first = std::min(first.value_or(*time), *time);
  last = std::max(last.value_or(*time), *time);
}

std::string Lines::model() const {
  // The first of the largest is the first by name.
  const auto most =
      std::max_element(models.begin(), models.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most != models.end() ? most->first : std::string();
}

TrackedConversations read_code_hashes(SourceDatabase& database, Sink& sink) {
  TrackedConversations conversations;
  std::size_t bytes = 0;
  for_each_row(database, "ai_code_hashes",
               {"conversationId", "fileName", "model", "timestamp", "createdAt"}, sink,
               [&](const Row& row) {
                 if (row[0].empty()) return;
                 auto time = parse_time(row[3]);
                 if (!time) time = parse_time(row[4]);
                 const auto model = repaired_utf8(row[2]);
                 auto& conversation = conversations[conversation_id(row[0])];
                 conversation.lines.add(model, time);
                 const auto name = repaired_utf8(row[1]);
                 if (name.empty()) return;
                 const auto known = conversation.files.find(name);
                 if (known != conversation.files.end()) return known->second.add(model, time);
                 bytes += name.size();
                 if (bytes <= kNamesBytes) conversation.files[name].add(model, time);
               });
  return conversations;
}

}  // namespace cgrep
