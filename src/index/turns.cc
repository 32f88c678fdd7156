#include "index/turns.h"

#include <vector>

#include "document.h"
#include "extract/stores.h"
#include "index/copies.h"
#include "index/history.h"

namespace cgrep {

namespace {

std::int64_t single(Statement& statement) {
  return statement.step() ? statement.int64(0) : 0;
}

std::int64_t transcript_stores() {
  return static_cast<std::int64_t>(store_bit(*find_store("transcripts")) |
                                   store_bit(*find_store("subagents")));
}

// The number after those of what stood in the transcript's first bytes; 0: nothing did.
std::int64_t number_after(Database& database, std::int64_t conversation, std::int64_t bytes) {
  auto last = database.prepare(
      "SELECT coalesce(max(number) + 1, 0) FROM documents d WHERE conversation = ?1 AND ("
      "(coalesce(place, position) < ?2 AND EXISTS (SELECT 1 FROM sources s WHERE s.id = d.source "
      "AND 1 << s.store & ?3)) OR EXISTS (SELECT 1 FROM copies c WHERE c.document = d.id "
      "AND c.position < ?2 AND 1 << c.store & ?3))");
  last.bind(1, conversation);
  last.bind(2, bytes);
  last.bind(3, transcript_stores());
  return single(last);
}

// Where what is not dated by another turn begins.
std::int64_t first_number(Database& database, const Turn& turn, std::int64_t conversation,
                          std::int64_t end) {
  auto dated = database.prepare(
      "SELECT coalesce(max(next), 0) FROM turns WHERE conversation = ?1 AND time != ?2");
  dated.bind(1, turn.conversation);
  dated.bind(2, turn.time);
  if (const auto next = single(dated); next > 0) return next;
  auto prompt = database.prepare(
      "SELECT number FROM documents WHERE conversation = ?1 AND role = ?2 AND number < ?3 "
      "ORDER BY position DESC, number DESC LIMIT 1");
  prompt.bind(1, conversation);
  prompt.bind(2, static_cast<int>(Role::user));
  prompt.bind(3, end);
  return single(prompt);
}

// A later turn was told of before: what came since may be its.
bool is_late(Database& database, const Turn& turn) {
  auto later =
      database.prepare("SELECT EXISTS (SELECT 1 FROM turns WHERE conversation = ?1 AND time > ?2)");
  later.bind(1, turn.conversation);
  later.bind(2, turn.time);
  return single(later) != 0;
}

bool is_recorded(Database& database, const Turn& turn) {
  auto same =
      database.prepare("SELECT EXISTS (SELECT 1 FROM turns WHERE conversation = ?1 AND time = ?2)");
  same.bind(1, turn.conversation);
  same.bind(2, turn.time);
  return single(same) != 0;
}

// By what was told of it before.
bool is_generation_recorded(Database& database, const Turn& turn) {
  auto same = database.prepare(
      "SELECT EXISTS (SELECT 1 FROM turns WHERE conversation = ?1 AND generation = ?2 AND time != "
      "?3)");
  same.bind(1, turn.conversation);
  same.bind(2, turn.generation);
  same.bind(3, turn.time);
  return !turn.generation.empty() && single(same) != 0;
}

}  // namespace

std::optional<RecordedTurn> record_turn(Database& database, const Turn& turn) {
  auto found = database.prepare("SELECT id, next FROM conversations WHERE key = ?1");
  found.bind(1, turn.conversation);
  if (!found.step()) return std::nullopt;
  const auto conversation = found.int64(0);
  auto next = found.int64(1);
  found.reset();
  if (is_late(database, turn)) return RecordedTurn{.conversation = conversation};
  const auto told = turn.size ? number_after(database, conversation, *turn.size) : 0;
  const auto first = first_number(database, turn, conversation, told > 0 ? told : next);
  if (told > first) {
    if (turn.ended || !is_recorded(database, turn)) next = told;
  } else if (turn.ended && is_generation_recorded(database, turn)) {
    next = first;  // what comes now is of another
  }
  if (first >= next) return RecordedTurn{.conversation = conversation};
  auto add = database.prepare(
      "INSERT INTO turns (conversation, time, generation, first, next) VALUES (?1, ?2, ?3, ?4, ?5) "
      "ON CONFLICT (conversation, time) DO UPDATE SET next = max(next, excluded.next)");
  add.bind(1, turn.conversation);
  add.bind(2, turn.time);
  add.bind(3, turn.generation);
  add.bind(4, first);
  add.bind(5, next);
  add.run();
  return RecordedTurn{.conversation = conversation, .dates = true};
}

TurnTimes::TurnTimes(Database& database) : database_(database) {
  auto turns = database.prepare("SELECT EXISTS (SELECT 1 FROM turns)");
  any_ = single(turns) != 0;
}

// Only lines of transcripts: what another store adds later may be of any turn before.
bool TurnTimes::date(const std::string& key, std::int64_t conversation) {
  if (!any_) return false;
  struct Dated {
    std::int64_t row = 0;
    std::int64_t time = 0;
  };
  std::vector<Dated> found;
  auto undated = database_.prepare(
      "SELECT d.id, t.time FROM turns t JOIN documents d ON d.conversation = ?2 "
      "AND d.number >= t.first AND d.number < t.next WHERE t.conversation = ?1 "
      "AND d.stores & ?4 != 0 AND (d.time IS NULL OR d.origin > ?3)");
  undated.bind(1, key);
  undated.bind(2, conversation);
  undated.bind(3, static_cast<int>(TimeOrigin::tag));
  undated.bind(4, transcript_stores());
  while (undated.step()) found.push_back({.row = undated.int64(0), .time = undated.int64(1)});
  undated.reset();
  auto date = database_.prepare("UPDATE documents SET time = ?2, origin = ?3 WHERE id = ?1");
  for (const auto& [row, time] : found) {
    part_copy(database_, row);  // which says no such thing
    date.bind(1, row);
    date.bind(2, time);
    date.bind(3, static_cast<int>(TimeOrigin::tag));
    date.run();
  }
  return !found.empty();
}

}  // namespace cgrep
