#include "extract/state_changes.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "hash.h"

namespace cgrep {

namespace {

// Takes a number and the blank after it.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.empty()) text.remove_prefix(1);
  return true;
}

}  // namespace

std::string StateMark::text() const {
  auto text = fmt::format("{} {} {}", inode, schema, hour);
  for (const auto& row : rows) text += fmt::format(" {} {}", row.number, row.key);
  return text;
}

std::optional<StateMark> StateMark::parse(std::string_view text) {
  StateMark mark;
  if (!take_number(text, mark.inode) || !take_number(text, mark.schema) ||
      !take_number(text, mark.hour))
    return std::nullopt;
  while (!text.empty()) {
    auto& row = mark.rows.emplace_back();
    if (!take_number(text, row.number) || !take_number(text, row.key)) return std::nullopt;
  }
  return mark;
}

namespace {

std::uint32_t hash_of_key(std::string_view key) {
  return static_cast<std::uint32_t>(hash64(key));
}

struct Table {
  std::string_view name{};
  std::string_view key{};
};

// The last row, and those that are 1, 3, 7, 15, … before it.
std::vector<StateMark::Row> last_rows(Database& snapshot, const Table& table) {
  std::vector<StateMark::Row> rows;
  auto before = snapshot.prepare(
      fmt::format("SELECT rowid, {} FROM {} WHERE rowid <= ?1 ORDER BY rowid DESC LIMIT 1",
                  table.key, table.name));
  auto number = std::numeric_limits<std::int64_t>::max();
  for (unsigned doublings = 0; number > 0; ++doublings) {
    before.bind(1, number);
    if (!before.step()) break;
    rows.push_back({before.int64(0), hash_of_key(before.text(1))});
    require_advance(rows.back().number <= number);
    if (rows.back().number <= 0) break;
    number = rows.back().number - (std::int64_t{1} << doublings);
    before.reset();
  }
  return rows;
}

// The number from which on rows may have been written since; absent when that cannot be told.
std::optional<std::int64_t> changed_from(SourceDatabase& database, const StateMark& before,
                                         const Table& table) {
  if (before.rows.empty()) return std::numeric_limits<std::int64_t>::min();
  std::optional<std::int64_t> from;
  database.snapshot([&](Database& snapshot) {
    from.reset();
    auto now =
        snapshot.prepare(fmt::format("SELECT {} FROM {} WHERE rowid = ?1", table.key, table.name));
    for (const auto& row : before.rows) {
      now.bind(1, row.number);
      if (now.step()) {
        const bool there = hash_of_key(now.text(0)) == row.key;
        if (!there) from.reset();  // another took its number, and those after it are new as well
        if (there && !from) from = row.number;
      }
      now.reset();
    }
  });
  return from;
}

std::int64_t hour_now() {
  return std::chrono::duration_cast<std::chrono::hours>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The mark for a reading that begins now; absent when there is no such table.
std::optional<StateMark> mark_now(SourceDatabase& database, const Table& table,
                                  std::initializer_list<std::string_view> columns, bool numbered) {
  std::optional<StateMark> mark;
  database.snapshot([&](Database& snapshot) {
    mark.reset();
    const auto existing = columns_of(snapshot, table.name);
    if (!std::all_of(columns.begin(), columns.end(), [&](std::string_view column) {
          return std::find(existing.begin(), existing.end(), column) != existing.end();
        }))
      return;
    mark.emplace();
    auto schema = snapshot.prepare("PRAGMA schema_version");
    if (schema.step()) mark->schema = schema.int64(0);
    if (numbered) mark->rows = last_rows(snapshot, table);
  });
  if (!mark) return mark;
  mark->inode = database.inode();
  mark->hour = hour_now();
  return mark;
}

// Of rows from `first` on, those that begin with one of the prefixes.
std::vector<std::string> keys_from(SourceDatabase& database, std::int64_t first,
                                   const std::vector<std::string>& prefixes) {
  constexpr std::size_t kAtOnce = 10'000;
  std::vector<std::string> keys;
  std::int64_t from = first;
  for (bool more = true; more;) {
    std::vector<std::string> some;
    std::int64_t last = from;
    std::size_t rows = 0;
    database.snapshot([&](Database& snapshot) {
      some.clear();
      rows = 0;
      auto statement = snapshot.prepare(
          "SELECT rowid, key FROM cursorDiskKV WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2");
      statement.bind(1, from);
      statement.bind(2, kAtOnce);
      while (statement.step()) {
        ++rows;
        last = statement.int64(0);
        const auto key = statement.text(1);
        if (std::any_of(prefixes.begin(), prefixes.end(),
                        [&](const std::string& prefix) { return key.starts_with(prefix); }))
          some.emplace_back(key);
      }
      require_advance(last >= from);
    });
    more = rows == kAtOnce && last < std::numeric_limits<std::int64_t>::max();
    if (more) from = last + 1;
    keys.insert(keys.end(), some.begin(), some.end());
  }
  return keys;
}

}  // namespace

std::optional<RowsSince> rows_since(SourceDatabase& database, std::string_view mark,
                                    std::string_view name,
                                    std::initializer_list<std::string_view> columns) {
  const Table table{name, *columns.begin()};
  const bool numbered = has_rowids(database, name);
  auto now = mark_now(database, table, columns, numbered);
  if (!now) return std::nullopt;
  RowsSince since{.now = std::move(*now)};
  const auto before = StateMark::parse(mark);
  if (!numbered || !before || before->inode != since.now.inode ||
      before->schema != since.now.schema)
    return since;
  since.first = changed_from(database, *before, table);
  if (!since.first) return since;
  constexpr std::int64_t kHours = 24;
  const auto age = since.now.hour - before->hour;
  since.compare = age < 0 || age >= kHours;  // a clock that was set back is no reason to wait
  since.compared = before->hour;
  if (!since.compare) since.now.hour = before->hour;
  return since;
}

StateChanges::StateChanges(SourceDatabase& database, std::string_view since,
                           std::initializer_list<std::string_view> families)
    : since_(since) {
  auto rows = rows_since(database, since, "cursorDiskKV", {"key", "value"});
  if (!rows) return;
  now_ = std::move(rows->now);
  if (!rows->first) return;
  everything_ = false;
  compare_ = rows->compare;
  compared_ = rows->compared;
  std::vector<std::string> prefixes;
  for (const auto family : families) prefixes.push_back(fmt::format("{}:", family));
  keys_ = keys_from(database, *rows->first, prefixes);
  std::sort(keys_.begin(), keys_.end());
}

std::string StateChanges::before_look() const {
  if (!now_ || !compare_) return mark();
  auto mark = *now_;
  mark.hour = compared_;
  return mark.text();
}

bool StateChanges::has(std::string_view key) const {
  return std::binary_search(keys_.begin(), keys_.end(), key);
}

DailyLook::DailyLook(const StateChanges& changes, Sink& sink) : changes_(changes), sink_(sink) {
  if (const auto noted = sink.noted(kPart)) {
    if (changes.compare())
      after_ = *noted;
    else
      sink.forget_note(kPart);  // all was read anew meanwhile
  }
}

bool DailyLook::wants(std::string_view conversation) const {
  return changes_.compare() && (after_.empty() || conversation > after_);
}

void DailyLook::done(std::string_view conversation) {
  constexpr std::size_t kBytes = 1u << 20;
  if (bytes_ < kBytes) return;
  bytes_ = 0;
  // A new note tells that the reading came further.
  sink_.forget_note(kPart);
  sink_.note(kPart, conversation);
  sink_.so_far(changes_.before_look());
}

void DailyLook::end() {
  if (sink_.noted(kPart)) sink_.forget_note(kPart);
}

std::optional<StateKey> split_key(std::string_view key) {
  const auto first = key.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const auto second = key.find(':', first + 1);
  StateKey parts{.family = key.substr(0, first)};
  parts.conversation = key.substr(first + 1, second - first - 1);
  if (second != std::string_view::npos) parts.id = key.substr(second + 1);
  return parts;
}

std::vector<std::string> conversations_of(KeyedTable& table, std::string_view family) {
  const auto conversation_in = [](const std::string& key) {
    return std::string(split_key(key).value_or(StateKey{}).conversation);
  };
  const auto behind = [&](const std::string& key) {
    const auto its_keys = fmt::format("{}:{}:", family, conversation_in(key));
    // A key that ends with the id may be followed by ids that begin with it.
    return key.starts_with(its_keys) ? end_of_prefix(its_keys) : key + '\x01';
  };
  std::vector<std::string> found;
  for (const auto& key :
       table.keys_apart(fmt::format("{}:", family), fmt::format("{};", family), behind))
    if (auto conversation = conversation_in(key); !conversation.empty())
      found.push_back(std::move(conversation));
  // Keys are sorted with what follows the ids in them.
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace cgrep
