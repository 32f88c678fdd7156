#include "index/reading.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "extract/stores.h"
#include "hash.h"
#include "index/excluded_projects.h"
#include "index/flags.h"
#include "index/history.h"
#include "index/order.h"
#include "index/path_lines.h"
#include "index/text_hash.h"

namespace cgrep {

namespace {

std::uint32_t flags_of(const Document& document) {
  return (document.delegated ? flag::delegated : 0) | (document.orphan ? flag::orphan : 0) |
         (document.truncated ? flag::truncated : 0);
}

std::uint64_t claim_identity(const Claim& claim) {
  return hash64(
      fmt::format("{}\n{}\n{}", static_cast<int>(claim.fact), claim.rung, claim.conversation));
}

/// Most conversations tell of themselves: so their id is kept once.
constexpr std::string_view kItself = "=";

/// Under which a reading that was left off keeps what it told of.
std::string told_key(std::int64_t source) {
  return fmt::format("told:{}", source);
}

constexpr const char* kExistingColumns =
    "d.id, d.hash, d.number, d.stores, d.flags, d.position, d.time, d.origin, d.role, d.source IS "
    "NOT NULL, d.conversation";
constexpr int kOwn = 9;
constexpr int kConversation = 10;
constexpr int kCopy = 11;  // what follows of a copy

// What a copy that is part of its document's row says.
const auto kOwnColumns =
    fmt::format("coalesce(d.place, d.position), d.flags & {}, d.time, d.origin", flag::told);

}  // namespace

Reading::Reading(Database& database, ReadingHost& host, Unjoined& unjoined, KeptOut& kept_out)
    : database_(database),
      host_(host),
      unjoined_(unjoined),
      kept_out_(kept_out),
      texts_(database),
      find_conversation_(database, "SELECT id FROM conversations WHERE key = ?1"),
      new_conversation_(database, "INSERT INTO conversations (key) VALUES (?1)"),
      new_document_(
          database,
          "INSERT INTO documents (id, conversation, number, role, stores, hash, position, flags, "
          "time, origin, tool, files, source, identity, nth) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
          "?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"),
      new_copy_(
          database,
          "INSERT OR REPLACE INTO copies (source, identity, document, store, position, flags, "
          "time, origin) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
      move_copy_(database,
                 "UPDATE copies SET position = ?3, flags = ?4, time = ?5, origin = ?6 "
                 "WHERE source = ?1 AND identity = ?2"),
      copy_by_identity_(
          database,
          fmt::format(
              "SELECT {}, c.position, c.flags, c.time, c.origin FROM copies c JOIN documents d "
              "ON d.id = c.document WHERE c.source = ?1 AND c.identity = ?2",
              kExistingColumns)),
      own_by_identity_(database, fmt::format("SELECT {}, {} FROM documents d WHERE d.source = ?1 "
                                             "AND d.identity = ?2",
                                             kExistingColumns, kOwnColumns)),
      own_by_text_(database,
                   fmt::format("SELECT {}, {} FROM documents d WHERE d.conversation = ?1 AND "
                               "d.hash = ?2 AND d.source = ?3 AND d.nth = ?4",
                               kExistingColumns, kOwnColumns)),
      new_held_(database, "INSERT OR IGNORE INTO held (source, conversation) VALUES (?1, ?2)"),
      copies_of_document_(
          database,
          "SELECT 1 << store, position, flags, time, origin FROM copies WHERE document = ?1"),
      document_by_row_(database,
                       fmt::format("SELECT {} FROM documents d WHERE d.id = ?1", kExistingColumns)),
      // By the hash, not through all numbers. The first in the order in which its source says it:
      // an index made anew would number them so. What is gone would not be there.
      twin_(
          database,
          fmt::format("SELECT {} FROM documents d WHERE d.conversation = ?1 AND d.hash = ?2 AND "
                      "d.source IS NOT ?3 AND NOT EXISTS (SELECT 1 FROM copies c WHERE "
                      "c.document = d.id AND c.source = ?3) ORDER BY d.flags & {}, "
                      "iif(d.source IS NOT NULL, coalesce(d.place, d.position), (SELECT "
                      "min(c.position) FROM copies c WHERE c.document = d.id)), +d.number LIMIT 1",
                      kExistingColumns, flag::gone)),
      alike_(
          database,
          fmt::format("SELECT id, number, role FROM documents WHERE conversation = ?1 AND hash = "
                      "?2 AND NOT flags & {}",
                      flag::gone)),
      touch_document_(
          database,
          "UPDATE documents SET stores = ?2, flags = ?3, position = ?4, time = ?5, origin = ?6, "
          "gone = NULL, place = ?7 WHERE id = ?1"),
      touch_conversation_(
          database,
          "UPDATE conversations SET stores = stores | ?2, first = min(coalesce(first, ?3), "
          "coalesce(?3, first)), last = max(coalesce(last, ?3), coalesce(?3, last)) "
          "WHERE id = ?1"),
      number_of_conversation_(
          database, "UPDATE conversations SET next = next + 1 WHERE id = ?1 RETURNING next - 1"),
      save_conversation_(
          database,
          "UPDATE conversations SET stores = stores | ?2, first = min(coalesce(first, ?3), "
          "coalesce(?3, first)), last = max(coalesce(last, ?4), coalesce(?4, last)), "
          "next = max(next, ?5) WHERE id = ?1"),
      text_size_(database, "SELECT substr(frame, 1, 18), length(frame) FROM texts WHERE id = ?1"),
      known_claim_(database,
                   "SELECT value FROM claims WHERE subject = ?1 AND fact = ?2 "
                   "AND rung = ?3 AND source = ?4 AND teller = ?5"),
      new_claim_(database,
                 "INSERT OR REPLACE INTO claims (subject, fact, rung, source, teller, value) "
                 "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
      new_problem_(database,
                   "INSERT INTO problems (source, teller, what, count, example, passing) "
                   "VALUES (?1, ?2, ?3, 1, ?4, ?5) "
                   "ON CONFLICT (source, teller, what) DO UPDATE SET count = count + 1"),
      find_note_(database, "SELECT note FROM notes WHERE source = ?1 AND part = ?2"),
      new_note_(database, "INSERT OR REPLACE INTO notes (source, part, note) VALUES (?1, ?2, ?3)") {
}

void Reading::begin(std::int64_t source, const Store& store, Start start) {
  host_.begin_transaction();
  source_ = source;
  store_ = &store;
  fresh_ = start == Start::fresh;
  again_ = start == Start::again;
  if (start == Start::part) return;
  if (!fresh_) recall_told(start);
  // Read from its start, its problems are counted anew; else only those that may have passed.
  auto forget = database_.prepare(
      "DELETE FROM problems WHERE source = ?1 AND (passing OR EXISTS (SELECT 1 FROM sources "
      "WHERE id = ?1 AND mark = x''))");
  forget.bind(1, source);
  forget.run();
}

ReadingCounts Reading::end() {
  end_part();
  if (again_ && counts_.problems == 0) lose_untold();
  if (skipped_) {
    auto note = database_.prepare("UPDATE sources SET skipped = 1 WHERE id = ?1");
    note.bind(1, source_);
    note.run();
  }
  return close();
}

// All was read again from its start, and understood: conversations that were not told of are no
// longer there. (What an extractor noted of them may have been noted by another version.)
void Reading::lose_untold() {
  std::vector<std::string> untold;
  auto before = database_.prepare(
      "SELECT k.key FROM held h JOIN conversations k ON k.id = h.conversation WHERE h.source = ?1 "
      "UNION "
      "SELECT DISTINCT iif(teller = '=', subject, teller) FROM claims WHERE source = ?1 AND "
      "teller != ''");
  before.bind(1, source_);
  while (before.step())
    if (std::string key(before.text(0)); !told_.contains(key)) untold.push_back(std::move(key));
  before.reset();
  for (const auto& key : untold) whole(key);
  end_part();
}

ReadingCounts Reading::abandon() {
  return close();
}

// What was told of is remembered for the one who reads to the end.
ReadingCounts Reading::leave_off() {
  if (again_ && counts_.problems == 0) {
    std::string lines;
    for (const auto& key : told_) lines += key + '\n';
    auto save = database_.prepare("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)");
    save.bind(1, told_key(source_));
    save.bind(2, lines);
    save.run();
  }
  return close();
}

void Reading::recall_told(Start start) {
  auto before = database_.prepare("DELETE FROM state WHERE key = ?1 RETURNING CAST(value AS TEXT)");
  before.bind(1, told_key(source_));
  if (!before.step() || start != Start::on) return;
  again_ = true;
  for (std::string_view rest = before.text(0); !rest.empty();) {
    const auto end = rest.find('\n');
    told_.emplace(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
}

ReadingCounts Reading::lose_source(std::int64_t source) {
  host_.begin_transaction();
  source_ = source;
  std::vector<std::int64_t> conversations;
  auto held = database_.prepare("DELETE FROM held WHERE source = ?1 RETURNING conversation");
  held.bind(1, source);
  while (held.step()) conversations.push_back(held.int64(0));
  held.reset();
  for (const auto conversation : conversations)
    for (const auto& [identity, row] : copies_in(conversation)) lose_copy(identity, row);
  auto claims = database_.prepare("SELECT DISTINCT subject FROM claims WHERE source = ?1");
  claims.bind(1, source);
  while (claims.step()) unjoin(claims.text(0));
  claims.reset();
  for (const auto* sql :
       {"DELETE FROM notes WHERE source = ?1", "DELETE FROM problems WHERE source = ?1",
        // Nobody says it any more: it counts where nobody else says anything.
        "UPDATE OR REPLACE claims SET source = -source WHERE source = ?1"}) {
    auto statement = database_.prepare(sql);
    statement.bind(1, source);
    statement.run();
  }
  return close();
}

std::vector<std::int64_t> Reading::withdraw(std::int64_t source, std::int64_t conversation) {
  const auto reading = std::exchange(source_, source);
  std::vector<std::int64_t> only;
  auto copies = database_.prepare("SELECT count(*) FROM copies WHERE document = ?1");
  for (const auto& [identity, row] : copies_in(conversation)) {
    copies.bind(1, row);
    const bool shared = copies.step() && copies.int64(0) > 1;
    copies.reset();
    if (shared)
      lose_copy(identity, row);
    else
      only.push_back(row);
  }
  auto claims = database_.prepare("DELETE FROM claims WHERE abs(source) = ?1 RETURNING subject");
  claims.bind(1, source);
  while (claims.step()) unjoin(claims.text(0));
  claims.reset();
  for (const auto* sql :
       {"DELETE FROM held WHERE source = ?1", "DELETE FROM problems WHERE source = ?1",
        "UPDATE sources SET skipped = 1, mark = x'' WHERE id = ?1"}) {
    auto statement = database_.prepare(sql);
    statement.bind(1, source);
    statement.run();
  }
  source_ = reading;
  return only;
}

ReadingCounts Reading::close() {
  save_parts();
  teller_.clear();
  teller_whole_ = false;
  claimed_.clear();
  source_ = 0;
  store_ = nullptr;
  fresh_ = false;
  again_ = false;
  advanced_ = false;
  skipped_ = false;
  kept_any_out_ = false;
  told_.clear();
  hidden_.clear();
  return std::exchange(counts_, {});
}

Reading::Part& Reading::part_of(std::string_view conversation) {
  const auto [found, added] = parts_.try_emplace(std::string(conversation));
  auto& part = found->second;
  if (!added) return part;
  host_.begin_transaction();
  find_conversation_->bind(1, conversation);
  if (find_conversation_->step()) {
    part.row = find_conversation_->int64(0);
  } else {
    new_conversation_->bind(1, conversation);
    new_conversation_->run();
    part.row = database_.last_insert_rowid();
    part.created = true;
  }
  find_conversation_->reset();
  if (part.created) return part;
  note_sources(part);
  part.had = !fresh_ && has_held(part);
  return part;
}

bool Reading::has_held(const Part& part) {
  auto held = database_.prepare("SELECT 1 FROM held WHERE source = ?1 AND conversation = ?2");
  held.bind(1, source_);
  held.bind(2, part.row);
  return held.step();
}

// Where another source has messages of the conversation, and this one has none yet, they are put in
// order from now on.
void Reading::note_sources(const Part& part) {
  if (!any_messages(store_bit(*store_))) return;
  const auto exists = [&](const char* own, const char* copy) {
    auto found = database_.prepare(
        fmt::format("SELECT 1 FROM documents d WHERE d.conversation = ?1 AND ({} OR EXISTS "
                    "(SELECT 1 FROM copies c WHERE c.document = d.id AND {})) LIMIT 1",
                    own, copy));
    found.bind(1, part.row);
    found.bind(2, source_);
    return found.step();
  };
  if (!fresh_ && exists("d.source = ?2", "c.source = ?2")) return;
  if (!exists("(d.source != ?2 AND coalesce(d.place, d.position) >= 0)",
              "c.source != ?2 AND c.position >= 0"))
    return;
  auto note = database_.prepare("UPDATE conversations SET stores = stores | ?2 WHERE id = ?1");
  note.bind(1, part.row);
  note.bind(2, kSeveralSources);
  note.run();
}

void Reading::whole(std::string_view subject) {
  host_.begin_transaction();
  end_part();
  teller_ = subject;
  teller_whole_ = true;
  if (again_) told_.emplace(subject);
  auto forget = database_.prepare("DELETE FROM problems WHERE source = ?1 AND teller = ?2");
  forget.bind(1, source_);
  forget.bind(2, teller_);
  forget.run();
  if (subject.empty()) return;
  // A conversation that never had a document does not become one by losing them.
  find_conversation_->bind(1, subject);
  const bool known = find_conversation_->step();
  find_conversation_->reset();
  if (!known) return;
  auto& part = part_of(subject);
  part.whole = true;
  unjoined_.conversations[part.row] = true;
}

void Reading::more(std::string_view conversation) {
  end_part();
  teller_ = conversation;
  if (again_) told_.emplace(conversation);
}

// Of the conversation itself; asked once.
bool Reading::is_hidden(std::string_view conversation) {
  if (!kept_out_.any()) return false;
  const auto [known, added] = hidden_.try_emplace(std::string(conversation), false);
  if (!added) return known->second;
  const auto by = kept_out_.find(kept_out::conversation(conversation));
  if (!by || (by == KeptOutBy::place && lies_in_project())) return false;
  if (by != KeptOutBy::forget) skipped_ = true;
  return known->second = true;
}

// In one of its own, which is not excluded: of those, nothing is read.
bool Reading::lies_in_project() {
  auto found = database_.prepare("SELECT path FROM sources WHERE id = ?1");
  found.bind(1, source_);
  return found.step() && !slug_of_transcript(found.blob(0)).empty();
}

bool Reading::is_kept_out(const Document& document, std::int64_t hash) {
  const Store& store = store_of(document);
  if (kept_out_.store(store)) return true;
  if (!kept_out_.any()) return false;
  if (is_hidden(document.conversation)) return true;
  std::vector<std::string> entries = {kept_out::text(document.conversation, hash)};
  if (!document.identity.key.empty())
    entries.push_back(
        kept_out::identity(document.conversation, copy_by_key(document.identity.key).identity));
  if (store.name == "prompts") entries.push_back(kept_out::prompt(hash));
  for (const auto& entry : entries)
    if (const auto by = kept_out_.find(entry)) {
      if (by != KeptOutBy::forget) skipped_ = true;
      return true;
    }
  return false;
}

// Of paths, those that are kept out are left out.
bool Reading::is_kept_out(Claim& claim) {
  if (is_hidden(claim.conversation)) return true;
  if (!kept_out_.any()) return false;
  if (claim.fact == Fact::title)
    return kept_out_.has(
        kept_out::text(claim.conversation, text_hash(claim.value, Role::title, buffer_)));
  if (!is_told_by_documents(claim.fact, claim.rung)) return false;
  auto paths = split_paths(claim.value);
  std::erase_if(paths, [&](const std::string& path) {
    return kept_out_.has(kept_out::path(claim.conversation, path));
  });
  claim.value = joined_paths(paths);
  return paths.empty();
}

void Reading::end_part() {
  if (!teller_whole_) return teller_.clear();
  const auto part = parts_.find(teller_);
  if (part != parts_.end()) {
    if (part->second.whole && !part->second.created) lose_unseen(part->second);
    save(part->second);
    parts_.erase(part);
  }
  withdraw_claims();
  teller_.clear();
  teller_whole_ = false;
  claimed_.clear();
}

// All that it had is gone. It keeps its name and its place, though nobody tells them any more.
bool Reading::is_gone(std::string_view conversation) {
  auto found = database_.prepare(
      "SELECT min(d.flags & ?2) FROM conversations k JOIN documents d ON d.conversation = k.id "
      "WHERE k.key = ?1");
  found.bind(1, conversation);
  found.bind(2, flag::gone);
  return found.step() && !found.is_null(0) && found.int64(0) != 0;
}

// What the teller said before and has not said again. Sources of claims about what is gone are
// negative: they count where no source says anything.
void Reading::withdraw_claims() {
  if (fresh_) return;
  struct Old {
    Claim claim{};
    bool lost = false;
  };
  std::vector<Old> withdrawn;
  auto claims = database_.prepare(
      "SELECT subject, fact, rung, source FROM claims WHERE source IN (?1, -?1) AND teller = ?2 "
      "UNION ALL SELECT subject, fact, rung, source FROM claims WHERE subject = ?2 AND "
      "source IN (?1, -?1) AND teller = '='");
  claims.bind(1, source_);
  claims.bind(2, teller_);
  while (claims.step()) {
    Old old{.claim = {.conversation = std::string(claims.text(0)),
                      .fact = static_cast<Fact>(claims.int64(1)),
                      .rung = static_cast<int>(claims.int64(2))},
            .lost = claims.int64(3) < 0};
    if (old.lost || !claimed_.contains(claim_identity(old.claim)))
      withdrawn.push_back(std::move(old));
  }
  claims.reset();
  for (const auto& [claim, lost] : withdrawn) {
    const bool keep = is_gone(claim.conversation);
    if (keep && lost) continue;
    auto statement = database_.prepare(fmt::format(
        "{} WHERE subject = ?1 AND fact = ?2 AND rung = ?3 AND source = ?4 AND teller = ?5",
        keep ? "UPDATE OR REPLACE claims SET source = -source" : "DELETE FROM claims"));
    statement.bind(1, claim.conversation);
    statement.bind(2, static_cast<int>(claim.fact));
    statement.bind(3, claim.rung);
    statement.bind(4, lost ? -source_ : source_);
    statement.bind(5, teller_of(claim));
    statement.run();
    unjoin(claim.conversation);
  }
}

std::string_view Reading::teller_of(const Claim& claim) const {
  return claim.conversation == teller_ ? kItself : std::string_view(teller_);
}

// A claim about a conversation that no document belongs to waits for one.
void Reading::unjoin(std::string_view subject) {
  for (const auto& prefix : {slug_subject({}), workspace_subject({})})
    if (subject.starts_with(prefix)) {
      unjoined_.groups.emplace(subject);
      return;
    }
  find_conversation_->bind(1, subject);
  if (find_conversation_->step())
    unjoined_.conversations.try_emplace(find_conversation_->int64(0), false);
  find_conversation_->reset();
}

void Reading::claim(Claim claim) {
  if (is_kept_out(claim)) return;
  host_.begin_transaction();
  if (teller_whole_) claimed_.insert(claim_identity(claim));
  known_claim_->bind(1, claim.conversation);
  known_claim_->bind(2, static_cast<int>(claim.fact));
  known_claim_->bind(3, claim.rung);
  known_claim_->bind(4, source_);
  known_claim_->bind(5, teller_of(claim));
  const bool known = known_claim_->step() && known_claim_->text(0) == claim.value;
  known_claim_->reset();
  if (known) return;
  new_claim_->bind(1, claim.conversation);
  new_claim_->bind(2, static_cast<int>(claim.fact));
  new_claim_->bind(3, claim.rung);
  new_claim_->bind(4, source_);
  new_claim_->bind(5, teller_of(claim));
  new_claim_->bind(6, claim.value);
  new_claim_->run();
  unjoin(claim.conversation);
}

void Reading::problem(Problem problem) {
  host_.begin_transaction();
  ++counts_.problems;
  if (is_hidden(teller_)) return;
  new_problem_->bind(1, source_);
  new_problem_->bind(2, teller_);
  new_problem_->bind(3, problem.what);
  new_problem_->bind(4, problem.example);
  new_problem_->bind(5, problem.passing ? 1 : 0);
  new_problem_->run();
}

std::optional<std::string> Reading::noted(std::string_view part) {
  find_note_->bind(1, source_);
  find_note_->bind(2, part);
  std::optional<std::string> note;
  if (find_note_->step()) note = std::string(find_note_->blob(0));
  find_note_->reset();
  return note;
}

void Reading::note(std::string_view part, std::string_view text) {
  const auto before = noted(part);
  if (before == text) return;
  if (!before) advanced_ = true;
  host_.begin_transaction();
  new_note_->bind(1, source_);
  new_note_->bind(2, part);
  new_note_->bind_blob(3, text);
  new_note_->run();
}

void Reading::forget_note(std::string_view part) {
  host_.begin_transaction();
  auto forget = database_.prepare("DELETE FROM notes WHERE source = ?1 AND part = ?2");
  forget.bind(1, source_);
  forget.bind(2, part);
  forget.run();
}

std::vector<std::string> Reading::noted_parts() {
  std::vector<std::string> parts;
  auto rows = database_.prepare("SELECT part FROM notes WHERE source = ?1 ORDER BY part");
  rows.bind(1, source_);
  while (rows.step()) parts.emplace_back(rows.text(0));
  return parts;
}

void Reading::so_far(std::string_view mark) {
  end_part();
  save_parts();
  host_.may_commit(mark, advanced_);
}

std::int64_t Reading::hash_of(const Document& document) {
  return text_hash(document.alike.empty() ? document.text : document.alike, document.role, buffer_);
}

// Copies by text are numbered without gaps, so their end can be found by halving.
std::uint32_t Reading::copies_by_text(std::int64_t conversation, std::int64_t hash) {
  const auto has = [&](std::uint32_t k) {
    return find_copy(copy_by_text(conversation, hash, k), conversation, hash).has_value();
  };
  std::uint32_t none = 1;
  while (has(none)) none *= 2;
  std::uint32_t some = none / 2;
  while (none - some > 1) {
    const std::uint32_t middle = some + (none - some) / 2;
    (has(middle) ? some : none) = middle;
  }
  return some;
}

CopyKey Reading::key_of(const Document& document, Part& part, std::int64_t hash) {
  if (!document.identity.key.empty()) return copy_by_key(document.identity.key);
  const auto [count, added] = part.counts.try_emplace(hash, 0);
  if (added && !part.whole && !part.created && !fresh_)
    count->second = copies_by_text(part.row, hash);
  return copy_by_text(part.row, hash, ++count->second);
}

Reading::Copy Reading::copy_from(const Statement& found, int at) {
  Copy copy{.position = found.int64(at), .flags = static_cast<std::uint32_t>(found.int64(at + 1))};
  if (!found.is_null(at + 2))
    copy.time = Time{found.int64(at + 2), static_cast<TimeOrigin>(found.int64(at + 3))};
  return copy;
}

void Reading::bind_time(Statement& statement, int at, const std::optional<Time>& time) {
  if (!time) return;
  statement.bind(at, time->ms);
  statement.bind(at + 1, static_cast<int>(time->origin));
}

std::optional<Reading::Existing> Reading::existing_from(Statement& found, bool copy) {
  std::optional<Existing> existing;
  if (found.step()) {
    existing = {.row = found.int64(0),
                .hash = found.int64(1),
                .number = static_cast<std::uint32_t>(found.int64(2)),
                .stores = static_cast<std::uint32_t>(found.int64(3)),
                .flags = static_cast<std::uint32_t>(found.int64(4)),
                .position = found.int64(5),
                .role = static_cast<Role>(found.int64(8)),
                .own = found.int64(kOwn) != 0,
                .conversation = found.int64(kConversation)};
    if (!found.is_null(6))
      existing->time = Time{found.int64(6), static_cast<TimeOrigin>(found.int64(7))};
    if (copy) existing->copy = copy_from(found, kCopy);
  }
  found.reset();
  return existing;
}

// In the row of its document, or in one of its own.
std::optional<Reading::Existing> Reading::find_copy(const CopyKey& key, std::int64_t conversation,
                                                    std::int64_t hash) {
  if (fresh_) return std::nullopt;
  auto& own = key.nth ? *own_by_text_ : *own_by_identity_;
  if (key.nth) {
    own.bind(1, conversation);
    own.bind(2, hash);
    own.bind(3, source_);
    own.bind(4, *key.nth);
  } else {
    own.bind(1, source_);
    own.bind(2, key.identity);
  }
  auto existing = existing_from(own, true);
  if (!existing) {
    copy_by_identity_->bind(1, source_);
    copy_by_identity_->bind(2, key.identity);
    existing = existing_from(*copy_by_identity_, true);
  }
  // What was saved of a damaged index may say so; then its document is another's.
  if (check_texts_ && existing && conversation != 0 && existing->conversation != conversation) {
    lose_copy(key.identity, existing->row);
    existing.reset();
  }
  return existing;
}

std::optional<Reading::Existing> Reading::find_twin(std::int64_t conversation, std::int64_t hash) {
  twin_->bind(1, conversation);
  twin_->bind(2, hash);
  twin_->bind(3, source_);
  return existing_from(*twin_, false);
}

void Reading::document(Document&& document) {
  if (again_) told_.insert(document.conversation);
  const auto hash = hash_of(document);
  if (is_kept_out(document, hash)) {
    kept_any_out_ = true;
    return;
  }
  auto& part = part_of(document.conversation);
  if (part.created && teller_whole_ && document.conversation == teller_) part.whole = true;
  unjoined_.conversations.try_emplace(part.row, part.created);
  if (document.role == Role::user || document.role == Role::prompt) unjoined_.prompts.insert(hash);
  const auto key = key_of(document, part, hash);
  if (part.whole && !part.created) part.seen.insert(key.identity);

  if (const auto existing = find_copy(key, part.row, hash))
    return reread(*existing, document, part, hash, key);
  // It may stand before equal words that it had.
  if (part.had) unpaired_.emplace(part.row, hash);
  if (!part.created) {
    if (const auto twin = find_twin(part.row, hash)) return join(*twin, document, part, key);
  }
  insert(std::move(document), part, hash, std::nullopt, &key);
}

// What is known by another mark than its text may have other words now. Where several sources have
// it, nobody knows whose words they are: the richest are kept.
void Reading::reread(const Existing& existing, const Document& document, Part& part,
                     std::int64_t hash, const CopyKey& key) {
  if (check_texts_ && existing.hash == hash) repair(existing, document);
  const bool reworded =
      existing.hash == hash && !document.alike.empty() && text_of(existing.row) != document.text;
  if (existing.hash != hash || (reworded && copies_of(existing) == 1))
    replace(existing, document, part, hash, key);
  else if (reworded && says_more(document, existing))
    take_over(existing, document, part, hash, key);
  else
    touch(existing, document, key, part.row);
}

bool Reading::note_repaired(std::int64_t of) {
  const auto row = static_cast<std::size_t>(of);
  if (repaired_.size() <= row) repaired_.resize(2 * row + 1);
  const bool before = repaired_[row];
  repaired_[row] = true;
  return !before;
}

// Of what else is kept of it, nothing tells whether it is damaged. What the first source says that
// has it was kept, or what the richest does; between equals, see says_more(). One in no store has
// only its number (salvage.cc).
void Reading::repair(const Existing& existing, const Document& document) {
  repair_text(existing, document);
  if (!document.alike.empty() &&
      (copies_of(existing) > 1 || store_of(document).id > std::countr_zero(existing.stores)))
    return;
  if (!note_repaired(existing.row)) return;
  auto rest = database_.prepare(
      "UPDATE documents SET tool = ?2, files = ?3, role = ?4 WHERE id = ?1 AND (tool IS NOT ?2 OR "
      "files IS NOT ?3 OR role != ?4)");
  rest.bind(1, existing.row);
  rest.bind(4, static_cast<int>(existing.stores == 0 ? document.role : existing.role));
  if (!document.tool.empty()) rest.bind(2, document.tool);
  if (!document.files.empty()) rest.bind(3, joined_paths(document.files));
  rest.run();
}

// What was kept is not what the hash says, or cannot be read.
void Reading::repair_text(const Existing& existing, const Document& document) {
  try {
    const auto kept = text_of(existing.row);
    const bool by_text = document.alike.empty();
    if (by_text ? text_hash(kept, document.role, buffer_) == existing.hash : !kept.empty()) return;
  } catch (const Error&) {
    // told by what follows
  }
  texts_.flush(existing.row);
  auto repair = database_.prepare("INSERT OR REPLACE INTO texts (id, frame) VALUES (?1, ?2)");
  repair.bind(1, existing.row);
  repair.bind_blob(2, frames_.pack(document.text));
  repair.run();
}

// Another source has it as well.
void Reading::join(const Existing& twin, const Document& document, Part& part, const CopyKey& key) {
  if (check_texts_ || twin.stores == 0) repair(twin, document);
  if (says_more(document, twin)) return take_over(twin, document, part, twin.hash, key);
  add_copy(key, twin.row, document, part);
  auto parted = twin;
  parted.own = false;
  touch(parted, document, key, part.row);
}

void Reading::vanished(std::string_view key) {
  const auto copy = copy_by_key(key);
  if (const auto existing = find_copy(copy, 0, 0)) {
    host_.begin_transaction();
    lose_copy(copy.identity, existing->row);
  }
}

const Store& Reading::store_of(const Document& document) const {
  if (document.store.empty() || document.store == store_->name) return *store_;
  const Store* other = find_store(document.store);
  return other != nullptr ? *other : *store_;
}

void Reading::touch_conversation(std::int64_t conversation, const Document& document,
                                 const std::optional<Time>& time) {
  touch_conversation_->bind(1, conversation);
  touch_conversation_->bind(2, store_bit(store_of(document)));
  if (time) touch_conversation_->bind(3, time->ms);
  touch_conversation_->run();
}

// Nobody else has a conversation that was created now: its row is written when all is told.
void Reading::tell_conversation(Part& part, const Document& document) {
  if (!part.created) return touch_conversation(part.row, document, document.time);
  part.stores |= store_bit(store_of(document));
  if (!document.time) return;
  part.first = std::min(part.first.value_or(document.time->ms), document.time->ms);
  part.last = std::max(part.last.value_or(document.time->ms), document.time->ms);
}

void Reading::save(Part& part) {
  if (part.stores == 0) return;
  save_conversation_->bind(1, part.row);
  save_conversation_->bind(2, part.stores);
  if (part.first) save_conversation_->bind(3, *part.first);
  if (part.last) save_conversation_->bind(4, *part.last);
  save_conversation_->bind(5, part.next);
  save_conversation_->run();
  part.stores = 0;
}

void Reading::save_parts() {
  for (auto& [key, part] : parts_) save(part);
  parts_.clear();
}

std::uint32_t Reading::take_number(Part& part) {
  if (part.created) return part.next++;
  number_of_conversation_->bind(1, part.row);
  number_of_conversation_->step();
  const auto number = static_cast<std::uint32_t>(number_of_conversation_->int64(0));
  number_of_conversation_->run();
  return number;
}

void Reading::hold(Part& part) {
  if (std::exchange(part.held, true)) return;
  new_held_->bind(1, source_);
  new_held_->bind(2, part.row);
  new_held_->run();
}

void Reading::add_copy(const CopyKey& key, std::int64_t row, const Document& document, Part& part) {
  part_copy(database_, row);
  const auto copy = copy_of(document);
  new_copy_->bind(1, source_);
  new_copy_->bind(2, key.identity);
  new_copy_->bind(3, row);
  new_copy_->bind(4, store_of(document).id);
  new_copy_->bind(5, copy.position);
  new_copy_->bind(6, copy.flags);
  bind_time(*new_copy_, 7, copy.time);
  new_copy_->run();
  hold(part);
}

Reading::Copy Reading::copy_of(const Document& document) const {
  return {.position = reading_position(store_of(document), document.position),
          .flags = flags_of(document),
          .time = document.time};
}

std::int64_t Reading::insert(Document document, Part& part, std::int64_t hash,
                             std::optional<std::uint32_t> number, const CopyKey* own) {
  const auto row = host_.next_document_row();
  const Store& store = store_of(document);
  ++counts_.documents;
  new_document_->bind(1, row);
  new_document_->bind(2, part.row);
  new_document_->bind(3, number ? *number : take_number(part));
  new_document_->bind(4, static_cast<int>(document.role));
  new_document_->bind(5, store_bit(store));
  new_document_->bind(6, hash);
  new_document_->bind(7, reading_position(store, document.position));
  new_document_->bind(8, flags_of(document));
  bind_time(*new_document_, 9, document.time);
  if (!document.tool.empty()) new_document_->bind(11, document.tool);
  if (!document.files.empty()) new_document_->bind(12, joined_paths(document.files));
  if (own != nullptr) {
    new_document_->bind(13, source_);
    if (own->nth)
      new_document_->bind(15, *own->nth);
    else
      new_document_->bind(14, own->identity);
    hold(part);
  }
  new_document_->run();
  if (check_texts_) note_repaired(row);  // it is new
  texts_.add(row, document.text);
  tell_conversation(part, document);
  host_.index_words({.row = row,
                     .conversation = part.row,
                     .role = document.role,
                     .tool = std::move(document.tool),
                     .text = std::move(document.text)});
  return row;
}

// Same text: it is there again if it was gone.
void Reading::touch(const Existing& existing, const Document& document, const CopyKey& key,
                    std::int64_t conversation) {
  const auto copy = copy_of(document);
  const bool same = existing.copy == copy;
  if (same && !check_texts_) return;
  if (existing.copy && existing.copy->position != copy.position)
    unpaired_.emplace(conversation, existing.hash);
  if (existing.copy && !existing.own && !same) {
    move_copy_->bind(1, source_);
    move_copy_->bind(2, key.identity);
    move_copy_->bind(3, copy.position);
    move_copy_->bind(4, copy.flags);
    bind_time(*move_copy_, 5, copy.time);
    move_copy_->run();
  }
  settle(existing, conversation,
         existing.own ? std::vector<Said>{{.stores = store_bit(store_of(document)), .copy = copy}}
                      : said_of(existing.row));
  if (!same) touch_conversation(conversation, document, document.time);
}

// The place is decided when all are known (order.h): where several stores were put in order, it
// keeps its place among the others.
std::int64_t Reading::place_of(const Existing& existing, std::vector<std::int64_t> places) {
  std::sort(places.begin(), places.end());
  const auto messages = std::lower_bound(places.begin(), places.end(), std::int64_t{0});
  if (messages == places.end()) return places.empty() ? existing.position : places.front();
  const bool ordered =
      existing.copy ? existing.copy->position != existing.position : existing.position >= 0;
  const bool only = places.end() - messages == 1;
  const bool gone = (existing.flags & flag::gone) != 0;
  return existing.position >= 0 && (!only || (ordered && !gone)) ? existing.position : *messages;
}

// By the rows of its copies.
std::vector<Reading::Said> Reading::said_of(std::int64_t row) {
  std::vector<Said> said;
  copies_of_document_->bind(1, row);
  while (copies_of_document_->step())
    said.push_back({.stores = static_cast<std::uint32_t>(copies_of_document_->int64(0)),
                    .copy = copy_from(*copies_of_document_, 1)});
  copies_of_document_->reset();
  return said;
}

// What all copies together say, whichever came first: the best time; an orphan in one store may be
// a part of the conversation in another.
void Reading::settle(const Existing& existing, std::int64_t conversation,
                     const std::vector<Said>& said) {
  Existing now = existing;
  now.stores = 0;
  now.time.reset();
  std::uint32_t all = ~0u;
  std::uint32_t any = 0;
  std::vector<std::int64_t> places;
  for (const auto& [stores, copy] : said) {
    now.stores |= stores;
    places.push_back(copy.position);
    all &= copy.flags;
    any |= copy.flags;
    const auto& time = copy.time;
    if (time && (!now.time ||
                 std::pair(time->origin, time->ms) < std::pair(now.time->origin, now.time->ms)))
      now.time = time;
  }
  now.position = place_of(existing, std::move(places));
  now.flags = (any & ~flag::orphan) | (all & flag::orphan) | (existing.flags & flag::repeated);
  if (existing.own) now.copy = said.front().copy;
  if (now == existing) return;
  if (now.time != existing.time) unjoined_.conversations[conversation] = true;
  touch_document_->bind(1, now.row);
  touch_document_->bind(2, now.stores);
  touch_document_->bind(3, now.flags);
  touch_document_->bind(4, now.position);
  bind_time(*touch_document_, 5, now.time);
  if (now.own && now.copy->position != now.position) touch_document_->bind(7, now.copy->position);
  touch_document_->run();
}

// Same identity, new text. The old text stays where another source still has it; else the new one
// takes its number, unless another source has had the new one before.
void Reading::replace(const Existing& old, const Document& document, Part& part, std::int64_t hash,
                      const CopyKey& key) {
  if (old.role == Role::user) unjoined_.prompts.insert(old.hash);
  unjoined_.conversations[part.row] = true;
  const bool shared = copies_of(old) > 1;
  if (shared)
    lose_copy(key.identity, old.row);
  else
    drop_row(old.row);
  if (old.hash != hash) unpaired_.emplace(part.row, hash);
  if (old.hash != hash)
    if (const auto twin = find_twin(part.row, hash)) return join(*twin, document, part, key);
  insert(document, part, hash, shared ? std::nullopt : std::optional(old.number), &key);
}

std::int64_t Reading::copies_of(const Existing& existing) {
  if (existing.own) return 1;
  auto copies = database_.prepare("SELECT count(*) FROM copies WHERE document = ?1");
  copies.bind(1, existing.row);
  copies.step();
  return copies.int64(0);
}

std::string Reading::text_of(std::int64_t row) {
  texts_.flush(row);
  auto text = database_.prepare("SELECT frame FROM texts WHERE id = ?1");
  text.bind(1, row);
  return text.step() ? frames_.unpack(text.blob(0)) : std::string();
}

// Without unpacking it.
std::size_t Reading::text_size(std::int64_t row) {
  texts_.flush(row);
  text_size_->bind(1, row);
  const std::size_t size =
      text_size_->step()
          ? unpacked_size(text_size_->blob(0), static_cast<std::size_t>(text_size_->int64(1)))
          : 0;
  text_size_->reset();
  return size;
}

// A prompt turns out to be a message of the conversation, or a store has more of the arguments of
// a tool than another. Between equals it does not matter which was read first.
bool Reading::says_more(const Document& document, const Existing& existing) {
  if (document.role == Role::user) return existing.role == Role::prompt;
  if (document.role != Role::tool_call) return false;
  constexpr std::size_t kOtherNames = 32;  // arguments are called path here and targetFile there
  const auto before = text_size(existing.row);
  const auto now = document.text.size();
  if (before + kOtherNames < now || now + kOtherNames < before) return before < now;
  return store_of(document).id < std::countr_zero(existing.stores);
}

// It takes the place of the other, under its number, with its copies.
void Reading::take_over(const Existing& old, const Document& document, Part& part,
                        std::int64_t hash, const CopyKey& key) {
  part_copy(database_, old.row);
  auto move = database_.prepare("UPDATE copies SET document = ?2 WHERE document = ?1");
  const auto move_copies = [&](std::int64_t from, std::int64_t to) {
    move.bind(1, from);
    move.bind(2, to);
    move.run();
  };
  constexpr std::int64_t kNobody = 0;
  move_copies(old.row, kNobody);
  drop_row(old.row);
  const auto row = insert(document, part, hash, old.number, nullptr);
  move_copies(kNobody, row);
  add_copy(key, row, document, part);
  document_by_row_->bind(1, row);
  if (const auto now = existing_from(*document_by_row_, false))
    settle(*now, part.row, said_of(row));
}

void Reading::drop_row(std::int64_t row) {
  texts_.flush(row);
  for (const auto* sql : {"DELETE FROM documents WHERE id = ?1", "DELETE FROM texts WHERE id = ?1",
                          "DELETE FROM copies WHERE document = ?1",
                          "INSERT OR IGNORE INTO dropped (id) VALUES (?1)"}) {
    auto statement = database_.prepare(sql);
    statement.bind(1, row);
    statement.run();
  }
}

void Reading::lose_copy(std::int64_t identity, std::int64_t row) {
  document_by_row_->bind(1, row);
  if (!document_by_row_->step()) return document_by_row_->reset();
  const auto conversation = document_by_row_->int64(kConversation);
  document_by_row_->reset();
  part_copy(database_, row);
  auto remove = database_.prepare("DELETE FROM copies WHERE source = ?1 AND identity = ?2");
  remove.bind(1, source_);
  remove.bind(2, identity);
  remove.run();
  document_by_row_->bind(1, row);
  const auto now = existing_from(*document_by_row_, false);
  if (now->role == Role::user) unjoined_.prompts.insert(now->hash);
  unjoined_.conversations[conversation] = true;
  const auto said = said_of(row);
  if (said.empty()) {
    ++counts_.gone;
    return note_gone(row);
  }
  unpaired_.emplace(conversation, now->hash);
  settle(*now, conversation, said);
}

namespace {

/// A document that says the same as others of its conversation.
struct Alike {
  std::int64_t row = 0;
  std::int64_t number = 0;
  bool prompt = false;
};

struct AlikeCopy {
  std::int64_t position = 0;
  std::size_t of = 0;  // which of the documents
  friend bool operator<(const AlikeCopy& a, const AlikeCopy& b) {
    return std::pair(a.position, a.of) < std::pair(b.position, b.of);
  }
};

/// The documents of the source that has the most of them, in its order; between equals messages
/// before prompts, and those with the lowest numbers.
std::vector<std::size_t> leading(const std::map<std::int64_t, std::vector<AlikeCopy>>& sources,
                                 const std::vector<Alike>& documents) {
  std::vector<std::size_t> best;
  const auto rank = [&](const std::vector<std::size_t>& chosen) {
    const auto prompts = std::count_if(chosen.begin(), chosen.end(),
                                       [&](std::size_t each) { return documents[each].prompt; });
    auto sorted = chosen;
    std::sort(sorted.begin(), sorted.end());  // as documents are sorted by their numbers
    return std::tuple(-std::ssize(chosen), prompts, std::move(sorted), chosen);
  };
  for (const auto& [source, copies] : sources) {
    std::vector<std::size_t> chosen;
    for (const auto& copy : copies) chosen.push_back(copy.of);
    if (best.empty() || rank(chosen) < rank(best)) best = std::move(chosen);
  }
  return best;
}

}  // namespace

void Reading::pair_again() {
  for (const auto& [conversation, hash] : std::exchange(unpaired_, {}))
    pair_again(conversation, hash);
}

void Reading::pair_again(std::int64_t conversation, std::int64_t hash) {
  std::vector<Alike> documents;
  alike_->bind(1, conversation);
  alike_->bind(2, hash);
  while (alike_->step())
    documents.push_back({.row = alike_->int64(0),
                         .number = alike_->int64(1),
                         .prompt = alike_->int64(2) == static_cast<int>(Role::prompt)});
  alike_->reset();
  if (documents.size() < 2) return;
  std::sort(documents.begin(), documents.end(),
            [](const Alike& a, const Alike& b) { return a.number < b.number; });

  std::map<std::int64_t, std::vector<AlikeCopy>> sources;
  auto copies = database_.prepare(
      "SELECT source, coalesce(place, position) FROM documents WHERE id = ?1 AND source IS NOT "
      "NULL "
      "UNION ALL SELECT source, position FROM copies WHERE document = ?1");
  for (std::size_t i = 0; i < documents.size(); ++i) {
    copies.bind(1, documents[i].row);
    while (copies.step())
      sources[copies.int64(0)].push_back({.position = copies.int64(1), .of = i});
    copies.reset();
  }
  for (auto& [source, all] : sources) std::sort(all.begin(), all.end());
  const auto leads = leading(sources, documents);
  const bool paired = std::all_of(sources.begin(), sources.end(), [&](const auto& source) {
    return std::equal(source.second.begin(), source.second.end(), leads.begin(),
                      [](const AlikeCopy& copy, std::size_t of) { return copy.of == of; });
  });
  if (paired) return;

  // No document has two copies of a source. Until all have moved, the new one is negative.
  for (const auto& document : documents) part_copy(database_, document.row);
  auto move = database_.prepare(
      "UPDATE copies SET document = -?3 WHERE source = ?1 AND "
      "document = ?2");
  for (const auto& [source, all] : sources)
    for (std::size_t k = 0; k < all.size(); ++k) {
      move.bind(1, source);
      move.bind(2, documents[all[k].of].row);
      move.bind(3, documents[leads[k]].row);
      move.run();
    }
  auto moved = database_.prepare("UPDATE copies SET document = ?1 WHERE document = -?1");
  for (const auto& document : documents) {
    moved.bind(1, document.row);
    moved.run();
  }
  unjoined_.conversations[conversation] = true;
  for (const auto& document : documents) {
    const auto said = said_of(document.row);
    document_by_row_->bind(1, document.row);
    const auto now = existing_from(*document_by_row_, false);
    if (said.empty())
      note_gone(document.row);
    else
      settle(*now, conversation, said);
  }
}

void Reading::note_gone(std::int64_t row) {
  auto gone = database_.prepare(
      "UPDATE documents SET flags = flags | ?2, gone = unixepoch() * 1000 WHERE id = ?1");
  gone.bind(1, row);
  gone.bind(2, flag::gone);
  gone.run();
}

// Identity and document of what the source has of the conversation.
std::vector<std::pair<std::int64_t, std::int64_t>> Reading::copies_in(std::int64_t conversation) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  auto own = database_.prepare(
      "SELECT id, hash, identity, nth FROM documents WHERE conversation = ?1 AND source = ?2");
  own.bind(1, conversation);
  own.bind(2, source_);
  while (own.step())
    found.emplace_back(own.is_null(2) ? copy_by_text(conversation, own.int64(1),
                                                     static_cast<std::uint32_t>(own.int64(3)))
                                            .identity
                                      : own.int64(2),
                       own.int64(0));
  auto copies = database_.prepare(
      "SELECT c.identity, c.document FROM documents d JOIN copies c ON c.document = d.id "
      "WHERE d.conversation = ?1 AND c.source = ?2");
  copies.bind(1, conversation);
  copies.bind(2, source_);
  while (copies.step()) found.emplace_back(copies.int64(0), copies.int64(1));
  return found;
}

void Reading::lose_unseen(const Part& part) {
  for (const auto& [identity, row] : copies_in(part.row))
    if (!part.seen.contains(identity)) lose_copy(identity, row);
}

}  // namespace cgrep
