#include "index/writer.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "extract/sqlite.h"
#include "extract/stores.h"
#include "hash.h"
#include "index/files.h"
#include "index/flags.h"
#include "index/frames.h"
#include "index/join.h"
#include "index/run_pool.h"

namespace cgrep {

namespace {

// A reader names its runs in one snapshot and opens them at once; this is ample.
constexpr std::int64_t kRetiredForMs = 10'000;

std::int64_t now_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// White space folded and trimmed: the stores differ in it.
std::string_view normalise(std::string_view text, std::string& buffer) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  buffer.clear();
  for (std::size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(kSpace, at), text.size());
    if (!buffer.empty()) buffer += ' ';
    buffer.append(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return buffer;
}

std::int64_t as_signed(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

/// Identity of the k-th document with this hash in its source.
std::int64_t identity_by_text(std::int64_t conversation, std::int64_t hash, std::uint32_t k) {
  const std::int64_t parts[] = {conversation, hash, k};
  return as_signed(
      hash64({reinterpret_cast<const char*>(parts), sizeof parts}, /*seed=*/0x74657874));
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string joined;
  for (const auto& line : lines) {
    if (!joined.empty()) joined += '\n';
    joined += line;
  }
  return joined;
}

std::uint32_t flags_of(const Document& document) {
  return (document.delegated ? flag::delegated : 0) | (document.orphan ? flag::orphan : 0) |
         (document.truncated ? flag::truncated : 0);
}

/// What a reading knows of one conversation.
struct ConversationReading {
  std::int64_t row = 0;
  bool created = false;  // by this reading: no other source has it
  bool whole = false;
  std::unordered_map<std::int64_t, std::uint32_t> counts{};  // hash → documents so far
  std::unordered_set<std::int64_t> seen{};                   // identities, when whole
};

/// A document's row as it stands, for comparing.
struct Existing {
  std::int64_t row = 0;
  std::int64_t hash = 0;
  std::uint32_t number = 0;
  std::uint32_t stores = 0;
  std::uint32_t flags = 0;
  std::int64_t position = 0;
  std::optional<Time> time{};
  friend bool operator==(const Existing&, const Existing&) = default;
};

}  // namespace

struct IndexWriter::Impl : Sink {
  explicit Impl(History& opened);

  // Sink
  void document(Document document) override;
  void claim(Claim claim) override;
  void problem(Problem problem) override;
  void whole(std::string_view subject) override;

  void begin_transaction();
  void commit();
  void switch_runs(const std::vector<Run>& old_runs, const std::vector<Run>& new_runs);
  void save_counters();
  std::string next_run_name() { return fmt::format("run-{}", next_run++); }

  ConversationReading& conversation_of(std::string_view key);
  std::int64_t identity_of(const Document& document, ConversationReading& conversation,
                           std::int64_t hash);
  std::uint32_t copies_by_text(std::int64_t conversation, std::int64_t hash);
  bool has_copy(std::int64_t identity);
  std::optional<Existing> find_copy(std::int64_t identity);
  std::optional<Existing> find_twin(std::int64_t conversation, std::int64_t hash);
  void insert(const Document& document, std::int64_t conversation, std::int64_t hash,
              std::int64_t identity, std::optional<std::uint32_t> number);
  void touch(const Existing& existing, const Document& document);
  void touch_conversation_of(const Document& document, const std::optional<Time>& time);
  void add_copy(std::int64_t identity, std::int64_t row, const Store& of);
  const Store& store_of(const Document& document) const;
  void replace(const Existing& old, const Document& document, std::int64_t conversation,
               std::int64_t hash, std::int64_t identity);
  void drop_row(std::int64_t row);
  void lose_copy(std::int64_t identity, std::int64_t row);
  void lose_unseen(const ConversationReading& conversation);
  std::uint32_t take_number(std::int64_t conversation);
  ReadingCounts close_reading();
  void remove_litter();

  History& history;
  Database& database;
  Frames frames{};
  RunPool pool;
  bool in_transaction = false;
  std::int64_t next_document = 1;
  std::int64_t next_run = 1;
  Unjoined unjoined{};

  // The reading under way
  std::int64_t source = 0;
  const Store* store = nullptr;
  bool source_is_new = false;
  ReadingCounts counts{};
  std::unordered_map<std::string, ConversationReading> conversations{};
  std::string buffer{};
  std::optional<std::int64_t> last_new_source{};

  Statement find_conversation;
  Statement new_conversation;
  Statement new_document;
  Statement new_text;
  Statement new_copy;
  Statement copy_by_identity;
  Statement twin;
  Statement touch_document;
  Statement touch_conversation;
  Statement number_of_conversation;
  Statement new_claim;
  Statement new_problem;
};

IndexWriter::Impl::Impl(History& opened)
    : history(opened),
      database(opened.database()),
      pool(opened.words()),
      find_conversation(database.prepare("SELECT id FROM conversations WHERE key = ?1")),
      new_conversation(database.prepare("INSERT INTO conversations (key) VALUES (?1)")),
      new_document(database.prepare(
          "INSERT INTO documents (id, conversation, number, role, stores, hash, position, flags, "
          "time, origin, tool, files) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")),
      new_text(database.prepare("INSERT INTO texts (id, frame) VALUES (?1, ?2)")),
      new_copy(database.prepare("INSERT OR REPLACE INTO copies (source, identity, document, store) "
                                "VALUES (?1, ?2, ?3, ?4)")),
      copy_by_identity(
          database.prepare("SELECT d.id, d.hash, d.number, d.stores, d.flags, d.position, d.time, "
                           "d.origin FROM copies c JOIN documents d "
                           "ON d.id = c.document WHERE c.source = ?1 AND c.identity = ?2")),
      twin(database.prepare(
          "SELECT d.id, d.hash, d.number, d.stores, d.flags, d.position, d.time, "
          "d.origin FROM documents d "
          "WHERE d.conversation = ?1 AND d.hash = ?2 AND NOT EXISTS (SELECT 1 FROM copies c "
          "WHERE c.document = d.id AND c.source = ?3) ORDER BY d.number LIMIT 1")),
      touch_document(database.prepare(
          "UPDATE documents SET stores = ?2, flags = ?3, position = ?4, time = ?5, origin = ?6 "
          "WHERE id = ?1")),
      touch_conversation(database.prepare(
          "UPDATE conversations SET stores = stores | ?2, first = min(coalesce(first, ?3), "
          "coalesce(?3, first)), last = max(coalesce(last, ?3), coalesce(?3, last)) "
          "WHERE id = ?1")),
      number_of_conversation(database.prepare(
          "UPDATE conversations SET next = next + 1 WHERE id = ?1 RETURNING next - 1")),
      new_claim(
          database.prepare("INSERT OR REPLACE INTO claims (subject, fact, rung, source, value) "
                           "VALUES (?1, ?2, ?3, ?4, ?5)")),
      new_problem(database.prepare(
          "INSERT INTO problems (source, what, count, example, passing) VALUES (?1, ?2, 1, ?3, ?4) "
          "ON CONFLICT (source, what) DO UPDATE SET count = count + 1")) {
  auto counters = database.prepare("SELECT key, value FROM state");
  while (counters.step()) {
    if (counters.text(0) == "next_document") next_document = counters.int64(1);
    if (counters.text(0) == "next_run") next_run = counters.int64(1);
  }
  make_private_folder(history.words());
  remove_litter();
}

void IndexWriter::Impl::begin_transaction() {
  if (in_transaction) return;
  database.exec("BEGIN IMMEDIATE");
  in_transaction = true;
}

// What no committed transaction names was left by a writer that died; what was retired long ago,
// no reader is about to open any more.
void IndexWriter::Impl::remove_litter() {
  std::unordered_set<std::string> named;
  for (const auto& run : history.runs()) named.insert(run.name);
  std::vector<std::string> expired;
  auto retired = database.prepare("SELECT name, at FROM retired");
  while (retired.step()) {
    const auto age = now_ms() - retired.int64(1);
    if (age >= 0 && age < kRetiredForMs)
      named.insert(std::string(retired.text(0)));
    else
      expired.emplace_back(retired.text(0));
  }
  retired.reset();
  for (const auto& entry : std::filesystem::directory_iterator(history.words()))
    if (!named.contains(entry.path().filename().string()))
      std::filesystem::remove_all(entry.path());
  if (expired.empty()) return;
  begin_transaction();
  for (const auto& name : expired) {
    auto forget = database.prepare("DELETE FROM retired WHERE name = ?1");
    forget.bind(1, name);
    forget.run();
  }
}

void IndexWriter::Impl::save_counters() {
  auto save = database.prepare("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)");
  save.bind(1, "next_document");
  save.bind(2, next_document);
  save.run();
  save.bind(1, "next_run");
  save.bind(2, next_run);
  save.run();
}

void IndexWriter::Impl::switch_runs(const std::vector<Run>& old_runs,
                                    const std::vector<Run>& new_runs) {
  for (const auto& run : old_runs) {
    auto remove = database.prepare("DELETE FROM runs WHERE name = ?1");
    remove.bind(1, run.name);
    remove.run();
    auto retire = database.prepare("INSERT OR REPLACE INTO retired (name, at) VALUES (?1, ?2)");
    retire.bind(1, run.name);
    retire.bind(2, now_ms());
    retire.run();
  }
  for (const auto& run : new_runs) {
    auto add =
        database.prepare("INSERT INTO runs (name, first, last, documents) VALUES (?1, ?2, ?3, ?4)");
    add.bind(1, run.name);
    add.bind(2, run.first);
    add.bind(3, run.last);
    add.bind(4, run.documents);
    add.run();
  }
}

void IndexWriter::Impl::commit() {
  if (!in_transaction) return;
  join_conversations(history, std::exchange(unjoined, {}));
  const auto runs = pool.finish([&] { return next_run_name(); });
  if (!runs.empty()) sync_folder(history.words());
  switch_runs({}, runs);
  save_counters();
  database.exec("COMMIT");
  in_transaction = false;
}

ConversationReading& IndexWriter::Impl::conversation_of(std::string_view key) {
  const auto [found, fresh] = conversations.try_emplace(std::string(key));
  auto& conversation = found->second;
  if (!fresh) return conversation;
  begin_transaction();
  find_conversation.bind(1, key);
  if (find_conversation.step()) {
    conversation.row = find_conversation.int64(0);
  } else {
    new_conversation.bind(1, key);
    new_conversation.run();
    conversation.row = database.last_insert_rowid();
    conversation.created = true;
  }
  find_conversation.reset();
  return conversation;
}

void IndexWriter::Impl::whole(std::string_view subject) {
  begin_transaction();
  auto withdraw = database.prepare("DELETE FROM claims WHERE subject = ?1 AND source = ?2");
  withdraw.bind(1, subject);
  withdraw.bind(2, source);
  withdraw.run();
  if (subject.starts_with(slug_subject({}))) {
    unjoined.slugs.emplace(subject.substr(slug_subject({}).size()));
    return;
  }
  auto& conversation = conversation_of(subject);
  conversation.whole = true;
  unjoined.conversations[conversation.row] = true;
}

bool IndexWriter::Impl::has_copy(std::int64_t identity) {
  return find_copy(identity).has_value();
}

// Copies by text are numbered without gaps, so their end can be found by halving.
std::uint32_t IndexWriter::Impl::copies_by_text(std::int64_t conversation, std::int64_t hash) {
  std::uint32_t none = 1;
  while (has_copy(identity_by_text(conversation, hash, none))) none *= 2;
  std::uint32_t some = none / 2;
  while (none - some > 1) {
    const std::uint32_t middle = some + (none - some) / 2;
    if (has_copy(identity_by_text(conversation, hash, middle)))
      some = middle;
    else
      none = middle;
  }
  return some;
}

std::int64_t IndexWriter::Impl::identity_of(const Document& document,
                                            ConversationReading& conversation, std::int64_t hash) {
  if (!document.identity.key.empty()) return as_signed(hash64(document.identity.key));
  const auto [count, fresh] = conversation.counts.try_emplace(hash, 0);
  if (fresh && !conversation.whole && !conversation.created && !source_is_new)
    count->second = copies_by_text(conversation.row, hash);
  return identity_by_text(conversation.row, hash, ++count->second);
}

std::optional<Existing> existing_from(Statement& found) {
  std::optional<Existing> existing;
  if (found.step())
    existing = {.row = found.int64(0),
                .hash = found.int64(1),
                .number = static_cast<std::uint32_t>(found.int64(2)),
                .stores = static_cast<std::uint32_t>(found.int64(3)),
                .flags = static_cast<std::uint32_t>(found.int64(4)),
                .position = found.int64(5)};
  if (existing && !found.is_null(6))
    existing->time = Time{found.int64(6), static_cast<TimeOrigin>(found.int64(7))};
  found.reset();
  return existing;
}

std::optional<Existing> IndexWriter::Impl::find_copy(std::int64_t identity) {
  if (source_is_new) return std::nullopt;
  copy_by_identity.bind(1, source);
  copy_by_identity.bind(2, identity);
  return existing_from(copy_by_identity);
}

std::optional<Existing> IndexWriter::Impl::find_twin(std::int64_t conversation, std::int64_t hash) {
  twin.bind(1, conversation);
  twin.bind(2, hash);
  twin.bind(3, source);
  return existing_from(twin);
}

void IndexWriter::Impl::document(Document document) {
  auto& conversation = conversation_of(document.conversation);
  unjoined.conversations.try_emplace(conversation.row, conversation.created);
  const auto hash =
      as_signed(hash64(normalise(document.alike.empty() ? document.text : document.alike, buffer),
                       static_cast<std::uint64_t>(document.role)));
  const auto identity = identity_of(document, conversation, hash);
  if (conversation.whole && !conversation.created) conversation.seen.insert(identity);

  if (const auto existing = find_copy(identity)) {
    if (existing->hash == hash)
      touch(*existing, document);
    else
      replace(*existing, document, conversation.row, hash, identity);
    return;
  }
  if (!conversation.created) {
    if (const auto existing = find_twin(conversation.row, hash)) {
      add_copy(identity, existing->row, store_of(document));
      touch(*existing, document);
      return;
    }
  }
  insert(document, conversation.row, hash, identity, std::nullopt);
}

const Store& IndexWriter::Impl::store_of(const Document& document) const {
  if (document.store.empty() || document.store == store->name) return *store;
  const Store* other = find_store(document.store);
  return other != nullptr ? *other : *store;
}

void IndexWriter::Impl::touch_conversation_of(const Document& document,
                                              const std::optional<Time>& time) {
  touch_conversation.bind(1, conversation_of(document.conversation).row);
  touch_conversation.bind(2, store_bit(store_of(document)));
  if (time) touch_conversation.bind(3, time->ms);
  touch_conversation.run();
}

std::uint32_t IndexWriter::Impl::take_number(std::int64_t conversation) {
  number_of_conversation.bind(1, conversation);
  number_of_conversation.step();
  const auto number = static_cast<std::uint32_t>(number_of_conversation.int64(0));
  number_of_conversation.run();
  return number;
}

void IndexWriter::Impl::add_copy(std::int64_t identity, std::int64_t row, const Store& of) {
  new_copy.bind(1, source);
  new_copy.bind(2, identity);
  new_copy.bind(3, row);
  new_copy.bind(4, of.id);
  new_copy.run();
}

void IndexWriter::Impl::insert(const Document& document, std::int64_t conversation,
                               std::int64_t hash, std::int64_t identity,
                               std::optional<std::uint32_t> number) {
  const auto row = next_document++;
  ++counts.documents;
  new_document.bind(1, row);
  new_document.bind(2, conversation);
  new_document.bind(3, number ? *number : take_number(conversation));
  new_document.bind(4, static_cast<int>(document.role));
  new_document.bind(5, store_bit(store_of(document)));
  new_document.bind(6, hash);
  new_document.bind(7, as_signed(document.position));
  new_document.bind(8, flags_of(document));
  if (document.time) {
    new_document.bind(9, document.time->ms);
    new_document.bind(10, static_cast<int>(document.time->origin));
  }
  if (!document.tool.empty()) new_document.bind(11, document.tool);
  if (!document.files.empty()) new_document.bind(12, joined_lines(document.files));
  new_document.run();
  new_text.bind(1, row);
  new_text.bind_blob(2, frames.pack(document.text));
  new_text.run();
  add_copy(identity, row, store_of(document));

  touch_conversation_of(document, document.time);

  pool.add({.row = row,
            .conversation = conversation,
            .role = document.role,
            .tool = document.tool,
            .text = document.text},
           [&] { return next_run_name(); });
}

// Same text: it is there again if it was gone. Of several stores, the one with the better time is
// believed about the time, and the first about the place.
void IndexWriter::Impl::touch(const Existing& existing, const Document& document) {
  Existing now = existing;
  const bool mine = existing.stores == store_bit(store_of(document));
  now.stores |= store_bit(store_of(document));
  now.flags = flags_of(document);
  if (mine) now.position = as_signed(document.position);
  if (document.time && (!existing.time || document.time->origin <= existing.time->origin))
    now.time = document.time;
  if (now == existing) return;
  touch_document.bind(1, now.row);
  touch_document.bind(2, now.stores);
  touch_document.bind(3, now.flags);
  touch_document.bind(4, now.position);
  if (now.time) {
    touch_document.bind(5, now.time->ms);
    touch_document.bind(6, static_cast<int>(now.time->origin));
  }
  touch_document.run();
  touch_conversation_of(document, now.time);
}

// Same identity, new text. The old text stays where another source still has it; else the new one
// takes its number.
void IndexWriter::Impl::replace(const Existing& old, const Document& document,
                                std::int64_t conversation, std::int64_t hash,
                                std::int64_t identity) {
  auto others = database.prepare("SELECT count(*) FROM copies WHERE document = ?1");
  others.bind(1, old.row);
  others.step();
  if (others.int64(0) > 1) {
    lose_copy(identity, old.row);
    insert(document, conversation, hash, identity, std::nullopt);
    return;
  }
  drop_row(old.row);
  insert(document, conversation, hash, identity, old.number);
}

void IndexWriter::Impl::drop_row(std::int64_t row) {
  for (const auto* sql : {"DELETE FROM documents WHERE id = ?1", "DELETE FROM texts WHERE id = ?1",
                          "DELETE FROM copies WHERE document = ?1",
                          "INSERT OR IGNORE INTO dropped (id) VALUES (?1)"}) {
    auto statement = database.prepare(sql);
    statement.bind(1, row);
    statement.run();
  }
}

void IndexWriter::Impl::lose_copy(std::int64_t identity, std::int64_t row) {
  auto remove = database.prepare("DELETE FROM copies WHERE source = ?1 AND identity = ?2");
  remove.bind(1, source);
  remove.bind(2, identity);
  remove.run();
  auto left = database.prepare(
      "UPDATE documents SET stores = (SELECT sum(DISTINCT 1 << store) FROM copies "
      "WHERE document = ?1) WHERE id = ?1 AND EXISTS (SELECT 1 FROM copies WHERE document = ?1)");
  left.bind(1, row);
  left.run();
  if (database.changes() > 0) return;
  auto gone = database.prepare("UPDATE documents SET flags = flags | ?2 WHERE id = ?1");
  gone.bind(1, row);
  gone.bind(2, flag::gone);
  gone.run();
  ++counts.gone;
}

void IndexWriter::Impl::lose_unseen(const ConversationReading& conversation) {
  std::vector<std::pair<std::int64_t, std::int64_t>> lost;
  auto copies = database.prepare(
      "SELECT c.identity, c.document FROM documents d JOIN copies c ON c.document = d.id "
      "WHERE d.conversation = ?1 AND c.source = ?2");
  copies.bind(1, conversation.row);
  copies.bind(2, source);
  while (copies.step())
    if (!conversation.seen.contains(copies.int64(0)))
      lost.emplace_back(copies.int64(0), copies.int64(1));
  copies.reset();
  for (const auto& [identity, row] : lost) lose_copy(identity, row);
}

void IndexWriter::Impl::claim(Claim claim) {
  begin_transaction();
  new_claim.bind(1, claim.conversation);
  new_claim.bind(2, static_cast<int>(claim.fact));
  new_claim.bind(3, claim.rung);
  new_claim.bind(4, source);
  new_claim.bind(5, claim.value);
  new_claim.run();
  const auto slug_prefix = slug_subject({});
  if (claim.conversation.starts_with(slug_prefix)) {
    unjoined.slugs.insert(claim.conversation.substr(slug_prefix.size()));
    return;
  }
  // A claim about a conversation that no document belongs to waits for one.
  find_conversation.bind(1, claim.conversation);
  if (find_conversation.step())
    unjoined.conversations.try_emplace(find_conversation.int64(0), false);
  find_conversation.reset();
}

void IndexWriter::Impl::problem(Problem problem) {
  begin_transaction();
  ++counts.problems;
  new_problem.bind(1, source);
  new_problem.bind(2, problem.what);
  new_problem.bind(3, problem.example);
  new_problem.bind(4, problem.passing ? 1 : 0);
  new_problem.run();
}

ReadingCounts IndexWriter::Impl::close_reading() {
  conversations.clear();
  source = 0;
  store = nullptr;
  source_is_new = false;
  last_new_source.reset();
  return std::exchange(counts, {});
}

IndexWriter::IndexWriter(History& history) : impl_(std::make_unique<Impl>(history)) {}
IndexWriter::~IndexWriter() = default;

std::int64_t IndexWriter::source_row(const Source& source) {
  auto& database = impl_->database;
  auto found = database.prepare("SELECT id FROM sources WHERE store = ?1 AND path = ?2");
  found.bind(1, source.store->id);
  found.bind_blob(2, source.path.native());
  if (found.step()) return found.int64(0);
  impl_->begin_transaction();
  auto add = database.prepare(
      "INSERT INTO sources (store, path, version, inode, size, mtime, wal_inode, wal_size, "
      "wal_mtime, mark) VALUES (?1, ?2, 0, 0, 0, 0, 0, 0, 0, x'')");
  add.bind(1, source.store->id);
  add.bind_blob(2, source.path.native());
  add.run();
  impl_->last_new_source = database.last_insert_rowid();
  return *impl_->last_new_source;
}

Sink& IndexWriter::begin_reading(std::int64_t source, const Store& store) {
  impl_->begin_transaction();
  impl_->source = source;
  impl_->store = &store;
  impl_->source_is_new = impl_->last_new_source == source;
  // Read from its start, its problems are counted anew; else only those that may have passed.
  auto forget = impl_->database.prepare(
      "DELETE FROM problems WHERE source = ?1 AND (passing OR EXISTS (SELECT 1 FROM sources "
      "WHERE id = ?1 AND mark = x''))");
  forget.bind(1, source);
  forget.run();
  return *impl_;
}

ReadingCounts IndexWriter::end_reading(const Fingerprint& file, const Fingerprint& wal,
                                       const std::string& mark) {
  for (const auto& [key, conversation] : impl_->conversations)
    if (conversation.whole && !conversation.created) impl_->lose_unseen(conversation);
  auto note = impl_->database.prepare(
      "UPDATE sources SET version = ?2, inode = ?3, size = ?4, mtime = ?5, wal_inode = ?6, "
      "wal_size = ?7, wal_mtime = ?8, mark = ?9, missing = 0 WHERE id = ?1");
  note.bind(1, impl_->source);
  note.bind(2, impl_->store->version);
  note.bind(3, as_signed(file.inode));
  note.bind(4, file.size);
  note.bind(5, file.mtime_ns);
  note.bind(6, as_signed(wal.inode));
  note.bind(7, wal.size);
  note.bind(8, wal.mtime_ns);
  note.bind_blob(9, mark);
  note.run();
  return impl_->close_reading();
}

ReadingCounts IndexWriter::abandon_reading() {
  return impl_->close_reading();
}

ReadingCounts IndexWriter::vanished(std::int64_t source) {
  impl_->begin_transaction();
  impl_->source = source;
  std::vector<std::pair<std::int64_t, std::int64_t>> copies;
  auto rows = impl_->database.prepare("SELECT identity, document FROM copies WHERE source = ?1");
  rows.bind(1, source);
  while (rows.step()) copies.emplace_back(rows.int64(0), rows.int64(1));
  rows.reset();
  for (const auto& [identity, row] : copies) impl_->lose_copy(identity, row);
  auto note = impl_->database.prepare(
      "UPDATE sources SET missing = 1, inode = 0, size = 0, mtime = 0, mark = x'' WHERE id = ?1");
  note.bind(1, source);
  note.run();
  return impl_->close_reading();
}

void IndexWriter::remember(const Folders::Known& before, const Folders& folders) {
  if (!folders.changed()) return;
  impl_->begin_transaction();
  save_folders(impl_->database, before, folders.seen());
}

void IndexWriter::commit_when_due() {
  if (impl_->pool.due()) impl_->commit();
}

void IndexWriter::commit() {
  impl_->commit();
}

void IndexWriter::merge() {
  impl_->commit();
  for (;;) {
    const auto dropped = impl_->history.dropped();
    const auto plan = plan_merge(impl_->history.runs(), static_cast<std::int64_t>(dropped.size()));
    if (plan.rewrite) return rebuild_words();
    if (plan.runs.size() < 2) return;
    const auto merged = merge_runs(impl_->history.words(), plan.runs, impl_->next_run_name());
    sync_folder(impl_->history.words());
    impl_->begin_transaction();
    impl_->switch_runs(plan.runs, {merged});
    impl_->save_counters();
    impl_->database.exec("COMMIT");
    impl_->in_transaction = false;
  }
}

void IndexWriter::rebuild_words() {
  impl_->commit();
  impl_->begin_transaction();
  auto rows = impl_->database.prepare(
      "SELECT d.id, d.conversation, d.role, d.tool, t.frame FROM documents d JOIN texts t "
      "ON t.id = d.id ORDER BY d.id");
  const auto name = [&] { return impl_->next_run_name(); };
  while (rows.step())
    impl_->pool.add({.row = rows.int64(0),
                     .conversation = rows.int64(1),
                     .role = static_cast<Role>(rows.int64(2)),
                     .tool = std::string(rows.text(3)),
                     .text = impl_->frames.unpack(rows.blob(4))},
                    name);
  rows.reset();
  const auto made = impl_->pool.finish(name);
  sync_folder(impl_->history.words());
  impl_->switch_runs(impl_->history.runs(), made);
  impl_->database.exec("DELETE FROM dropped");
  impl_->save_counters();
  impl_->database.exec("COMMIT");
  impl_->in_transaction = false;
  if (made.size() > 1) merge();
}

}  // namespace cgrep
