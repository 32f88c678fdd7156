#include "extract/ai_tracking.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "extract/conversation_id.h"
#include "extract/source_search.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kName = "ai-code-tracking.db";
constexpr std::size_t kBatchRows = 1000;
constexpr std::size_t kBatchBytes = 4u << 20;
// Names that are kept at a time: a hundred times what a busy year leaves.
constexpr std::size_t kNamesBytes = 64u << 20;

constexpr std::string_view kHashes = "ai_code_hashes";
constexpr std::string_view kBlockPart = "lines ";  // and the block's number
constexpr std::int64_t kBlockRows = 512;

// Below zero as above, the next lower one.
std::int64_t block_of(std::int64_t row) {
  return row >= 0 ? row / kBlockRows : (row + 1) / kBlockRows - 1;
}

RowRange rows_of(std::int64_t block) {
  return {.first = block * kBlockRows, .last = block * kBlockRows + (kBlockRows - 1)};
}

struct Read {
  Row row{};
  std::string_view problem{};  // why it has no values
};

// The columns that there are, with NULL for the others; empty without the first.
std::string selection(Database& database, std::string_view table, Columns columns) {
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

using NextRow = std::function<std::optional<std::int64_t>()>;

// Rows that are there, a few MB of them. `ids` begins anew when it is called with a snapshot.
std::vector<Read> read_some(SourceDatabase& database, std::string_view table, Columns columns,
                            const std::function<NextRow(Database& snapshot)>& ids) {
  std::vector<Read> rows;
  database.snapshot([&](Database& snapshot) {
    rows.clear();
    const auto list = selection(snapshot, table, columns);
    if (list.empty()) return;
    const auto next = ids(snapshot);
    auto values = snapshot.prepare(fmt::format("SELECT {} FROM {} WHERE rowid = ?1", list, table));
    std::size_t bytes = 0;
    while (bytes < kBatchBytes && rows.size() < kBatchRows) {
      const auto id = next();
      if (!id) break;
      rows.push_back(read_row(values, *id, columns.size()));
      for (const auto& value : rows.back().row.values) bytes += value.size();
    }
  });
  return rows;
}

// The next rows of the range.
std::vector<Read> next_rows(SourceDatabase& database, std::string_view table, Columns columns,
                            RowRange range) {
  return read_some(database, table, columns, [&](Database& snapshot) {
    auto ids = std::make_shared<Statement>(snapshot.prepare(
        fmt::format("SELECT rowid FROM {} WHERE rowid BETWEEN {} AND {} ORDER BY rowid", table,
                    range.first, range.last)));
    return [ids]() -> std::optional<std::int64_t> {
      return ids->step() ? std::optional(ids->int64(0)) : std::nullopt;
    };
  });
}

// The first of these rows.
std::vector<Read> next_rows(SourceDatabase& database, std::string_view table, Columns columns,
                            std::span<const std::int64_t> rows) {
  return read_some(database, table, columns, [&](Database& /*snapshot*/) {
    return [rest = rows]() mutable -> std::optional<std::int64_t> {
      if (rest.empty()) return std::nullopt;
      const auto id = rest.front();
      rest = rest.subspan(1);
      return id;
    };
  });
}

// Returns whether it could be read.
bool visit_row(const Read& read, std::string_view table, Sink& sink, const RowVisitor& visit) {
  if (read.problem.empty()) {
    visit(read.row);
    return true;
  }
  sink.problem({.what = std::string(read.problem),
                .example = fmt::format("{} row {}", table, read.row.id),
                .passing = true});
  return false;
}

}  // namespace

void discover_ai_tracking(const Store& store, const Roots& roots, Folders& folders,
                          std::vector<Source>& found) {
  SourceSearch search(store, folders, found);
  for (const auto& root : roots.data) search.add_file(root / "ai-tracking", kName, root);
}

bool for_each_row(SourceDatabase& database, std::string_view table, Columns columns, Sink& sink,
                  const RowVisitor& visit, RowRange range) {
  bool complete = true;
  while (true) {
    const auto rows = next_rows(database, table, columns, range);
    if (!rows.empty()) require_advance(rows.back().row.id >= range.first);
    for (const auto& read : rows) complete &= visit_row(read, table, sink, visit);
    if (rows.empty() || rows.back().row.id >= range.last) return complete;
    range.first = rows.back().row.id + 1;
  }
}

std::optional<RowGroups> group_rows(SourceDatabase& database, std::string_view table,
                                    Columns columns, Sink& sink,
                                    std::string (*name_of)(std::string_view text),
                                    std::string_view unnamed) {
  RowGroups groups;
  const auto visit = [&](const Row& row) {
    if (row[0].empty())
      return sink.problem({.what = std::string(unnamed),
                           .example = fmt::format("row {}", row.id),
                           .passing = true});
    auto& group = groups[name_of(row[0])];
    group.rows.push_back(row.id);
    group.written = hash64(fmt::to_string(row.id), group.written);
    for (const auto& value : row.values) group.written = hash64(value, group.written);
  };
  if (!for_each_row(database, table, columns, sink, visit)) return std::nullopt;
  return groups;
}

bool for_each_group(SourceDatabase& database, std::string_view table, Columns columns,
                    std::span<const RowGroups::value_type* const> groups, Sink& sink,
                    const std::function<void(const RowGroups::value_type& group,
                                             const std::vector<Row>& rows)>& visit) {
  std::vector<std::int64_t> ids;
  for (const auto* group : groups)
    ids.insert(ids.end(), group->second.rows.begin(), group->second.rows.end());
  bool complete = true;
  auto group = groups.begin();
  std::vector<Row> rows;
  std::size_t seen = 0;  // of the group
  for (std::span<const std::int64_t> rest = ids; !rest.empty();) {
    const auto some = next_rows(database, table, columns, rest);
    if (some.empty()) return false;  // there is no such table any more
    rest = rest.subspan(some.size());
    for (const auto& read : some) {
      visit_row(read, table, sink, [&](const Row& row) { rows.push_back(row); });
      if (++seen < (*group)->second.rows.size()) continue;
      if (rows.size() == seen)
        visit(**group, rows);
      else
        complete = false;
      ++group;
      rows.clear();
      seen = 0;
    }
  }
  return complete;
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

CodeHashes::CodeHashes(SourceDatabase& database, std::string_view since, Sink& sink)
    : database_(database), sink_(sink), since_(rows_since(database, since, kHashes, {"hash"})) {
  recall(/*all_again=*/since.empty());
  RowRange range;
  std::int64_t first_block = std::numeric_limits<std::int64_t>::min();
  if (!compare()) {
    first_block = block_of(*since_->first);
    range.first = rows_of(first_block).first;
  }
  scan(range, nullptr);
  find_changed(first_block);
}

std::string CodeHashes::part_of(std::int64_t block) {
  return fmt::format("{}{}", kBlockPart, block);
}

// A note has a conversation and a hash a line. Where all is to be told again, none counts.
void CodeHashes::recall(bool all_again) {
  for (const auto& part : sink_.noted_parts()) {
    if (!part.starts_with(kBlockPart)) continue;
    if (all_again) {
      sink_.forget_note(part);
      continue;
    }
    auto& block = before_[std::strtoll(part.c_str() + kBlockPart.size(), nullptr, 10)];
    const auto note = sink_.noted(part).value_or(std::string());
    for (std::string_view rest = note; !rest.empty();) {
      const auto line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const auto blank = std::min(line.find(' '), line.size() - 1);
      block[std::string(line.substr(0, blank))] =
          std::strtoull(std::string(line.substr(blank + 1)).c_str(), nullptr, 16);
    }
  }
}

// Only some conversations: of a block that was noted before.
void CodeHashes::scan(RowRange range, const std::set<std::string>* only) {
  const Columns columns = {"conversationId", "fileName", "model", "timestamp", "createdAt"};
  const auto visit = [&](const Row& row) {
    if (row[0].empty()) return;
    const auto id = conversation_id(row[0]);
    if (only != nullptr && !only->contains(id)) return;
    auto time = parse_time(row[3]);
    if (!time) time = parse_time(row[4]);
    const auto model = repaired_utf8(row[2]);
    const auto name = repaired_utf8(row[1]);
    if (only == nullptr) {
      auto& hash = now_[block_of(row.id)][id];
      hash = hash64(fmt::format("{}\n{}\n{}", name, model, time.value_or(-1)), hash);
    }
    auto& conversation = tracked_[id];
    conversation.lines.add(model, time);
    if (name.empty()) return;
    const auto known = conversation.files.find(name);
    if (known != conversation.files.end()) return known->second.add(model, time);
    name_bytes_ += name.size();
    if (name_bytes_ <= kNamesBytes) conversation.files[name].add(model, time);
  };
  if (!for_each_row(database_, kHashes, columns, sink_, visit, range)) complete_ = false;
}

// What could not be read is not gone.
void CodeHashes::find_changed(std::int64_t first_block) {
  static const Block kNone;
  const auto in = [](const std::map<std::int64_t, Block>& blocks,
                     std::int64_t number) -> const Block& {
    const auto found = blocks.find(number);
    return found != blocks.end() ? found->second : kNone;
  };
  for (const auto& [number, block] : now_) {
    const auto& noted = in(before_, number);
    for (const auto& [id, hash] : block)
      if (const auto known = noted.find(id); known == noted.end() || known->second != hash)
        changed_.insert(id);
  }
  if (!complete_) return;
  for (auto noted = before_.lower_bound(first_block); noted != before_.end(); ++noted)
    for (const auto& [id, hash] : noted->second)
      if (!in(now_, noted->first).contains(id)) changed_.insert(id);
}

TrackedConversations CodeHashes::take(const std::set<std::string>& others) {
  auto wanted = changed_;
  wanted.insert(others.begin(), others.end());
  const bool all_read = compare();
  for (const auto& [number, block] : before_) {
    if (all_read || number >= block_of(*since_->first)) continue;
    if (std::any_of(block.begin(), block.end(),
                    [&](const auto& each) { return wanted.contains(each.first); }))
      scan(rows_of(number), &wanted);
  }
  return std::move(tracked_);
}

std::string CodeHashes::finish() {
  for (const auto& [number, block] : before_) {
    const bool read = compare() || number >= block_of(*since_->first);
    if (!complete_ || (read && !now_.contains(number))) sink_.forget_note(part_of(number));
  }
  if (!complete_ || !since_) return {};
  for (const auto& [number, block] : now_) {
    std::string note;
    for (const auto& [id, hash] : block) note += fmt::format("{} {:x}\n", id, hash);
    sink_.note(part_of(number), note);
  }
  return since_->now.text();
}

}  // namespace cgrep
