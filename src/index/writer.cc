#include "index/writer.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "extract/append_mark.h"
#include "extract/sqlite.h"
#include "index/damaged.h"
#include "index/excluded_projects.h"
#include "index/files.h"
#include "index/frames.h"
#include "index/join.h"
#include "index/kept_out.h"
#include "index/project_pattern.h"
#include "index/removal.h"
#include "index/run_pool.h"

namespace cgrep {

namespace {

// What a removal has still to do: 1 is the runs and the journal.
constexpr std::int64_t kCleanAll = 2;  // and the free space of history.db

constexpr std::int64_t kLastRow = std::numeric_limits<std::int64_t>::max();

// A reader names its runs in one snapshot and opens them at once; this is ample.
constexpr std::int64_t kRetiredForMs = 10'000;

std::int64_t now_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t as_signed(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

}  // namespace

struct IndexWriter::Impl : ReadingHost {
  explicit Impl(History& opened);

  // ReadingHost
  void begin_transaction() override { open_transaction(); }
  std::int64_t next_document_row() override { return next_document++; }
  void index_words(RunDocument document) override;
  void may_commit(std::string_view mark, bool advanced) override;

  void open_transaction();
  bool due() const { return pool.due() || Clock::now() - last_commit >= longest; }
  enum class More : std::uint8_t { follows, none };
  void commit(More more = More::follows);
  std::vector<Run> make_merged(std::string last_name, const std::string& merged_name);
  void switch_runs(const std::vector<Run>& old_runs, const std::vector<Run>& new_runs);
  void save_counters();
  std::string next_run_name() { return fmt::format("run-{}", next_run++); }
  std::optional<std::int64_t> known_source(const Store& store, std::string_view path);
  void name_source(std::int64_t source, std::string_view path);
  void note_read(const Fingerprint& file, const Fingerprint& wal, std::string_view mark);
  void remove_litter();
  void remove_runs_but(const std::unordered_set<std::string>& named) const;
  void close_transaction();
  void join();
  void keep_out(std::vector<std::int64_t> joined);
  void exclude(const std::vector<std::int64_t>& conversations, std::vector<std::int64_t> joined);
  struct Transcripts {
    std::vector<std::int64_t> excluded{};  // sources
    bool others = false;                   // in other projects
  };
  Transcripts transcripts_of(std::int64_t conversation, ExcludedProjects& projects);
  void withdraw(std::int64_t conversation, const std::vector<std::int64_t>& sources);
  void remove_all(const std::vector<std::int64_t>& conversations, KeptOutBy by);
  void removed(const Removal& removal);
  RunWay run_way();
  std::int64_t state(std::string_view key);
  void set_state(std::string_view key, std::int64_t value);
  template <typename Visit>
  void for_each_run_document(std::int64_t first, std::int64_t last, const Visit& visit);
  std::vector<Run> make_words(std::int64_t first, std::int64_t last);
  void replace_words();
  bool merge_into_one(const std::vector<Run>& runs);  // false: one of them is damaged
  std::vector<Run> worth_making_anew(const std::vector<Run>& runs);
  bool make_anew(const std::vector<Run>& runs);  // false: a text is damaged
  void remove_unreadable();
  void remove_told_again();
  void rewrite_runs_to_purge();
  void pack();
  bool empty_journal();

  using Clock = std::chrono::steady_clock;

  History& history;
  Database& database;
  RunPool pool;
  Clock::time_point last_commit = Clock::now();
  std::chrono::milliseconds longest = std::chrono::seconds(10);
  std::function<void(std::uint64_t bytes)> tell_reading{};
  std::uint64_t read_bytes = 0;  // by this reading
  std::uint64_t read_documents = 0;
  KeptOut kept_out;
  std::vector<std::string> excluded{};
  std::function<bool()> time_is_up{};
  bool in_transaction = false;
  bool rebuilding = false;
  std::int64_t next_document = 1;
  std::int64_t next_run = 1;
  Unjoined unjoined{};
  std::optional<std::int64_t> last_new_source{};
  Reading reading;
};

IndexWriter::Impl::Impl(History& opened)
    : history(opened),
      database(opened.database()),
      pool(opened.words(), [this] { return run_way(); }),
      kept_out(database),
      reading(database, *this, unjoined, kept_out) {
  auto counters = database.prepare("SELECT key, value FROM state");
  while (counters.step()) {
    if (counters.text(0) == "next_document") next_document = counters.int64(1);
    if (counters.text(0) == "next_run") next_run = counters.int64(1);
  }
  make_private_folder(history.words());
  remove_litter();
}

void IndexWriter::Impl::index_words(RunDocument document) {
  read_bytes += document.text.size();
  constexpr std::uint64_t kTellEvery = 64;
  if (tell_reading && ++read_documents % kTellEvery == 0) tell_reading(read_bytes);
  if (rebuilding) return;  // all words are made at its end
  pool.add(std::move(document), [&] { return next_run_name(); });
}

void IndexWriter::Impl::open_transaction() {
  if (in_transaction) return;
  database.exec("BEGIN IMMEDIATE");
  in_transaction = true;
}

// What no committed transaction names was left by a writer that died; what was retired long ago,
// no reader is about to open any more.
void IndexWriter::Impl::remove_litter() {
  for (const char* name : {"history.new.db", "history.new.db-journal", "history.new.db-wal",
                           "history.new.db-shm", "salvage"})
    std::filesystem::remove_all(history.folder() / name);
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
  remove_runs_but(named);
  if (expired.empty()) return;
  open_transaction();
  for (const auto& name : expired) {
    auto forget = database.prepare("DELETE FROM retired WHERE name = ?1");
    forget.bind(1, name);
    forget.run();
  }
}

void IndexWriter::Impl::remove_runs_but(const std::unordered_set<std::string>& named) const {
  for (const auto& entry : std::filesystem::directory_iterator(history.words()))
    if (!named.contains(entry.path().filename().string()))
      std::filesystem::remove_all(entry.path());
}

std::int64_t IndexWriter::Impl::state(std::string_view key) {
  auto found = database.prepare("SELECT value FROM state WHERE key = ?1");
  found.bind(1, key);
  return found.step() ? found.int64(0) : 0;
}

void IndexWriter::Impl::set_state(std::string_view key, std::int64_t value) {
  auto save = database.prepare("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)");
  save.bind(1, key);
  save.bind(2, value);
  save.run();
}

// One probe is good for as long as this Xapian is in use.
RunWay IndexWriter::Impl::run_way() {
  const auto version = direct_runs_version();
  const auto known = state("direct_runs");
  if (known == version) return RunWay::direct;
  if (known == -version) return RunWay::add_document;
  const bool works = reads_back(history.words() / "probe", [](const std::filesystem::path& folder) {
    return make_run(folder, RunWay::direct);
  });
  set_state("direct_runs", works ? version : -version);
  return works ? RunWay::direct : RunWay::add_document;
}

void IndexWriter::Impl::save_counters() {
  set_state("next_document", next_document);
  set_state("next_run", next_run);
  // So that what is derived from the ledger is known to be of this state (seen.h).
  database.exec("INSERT OR REPLACE INTO state (key, value) VALUES ('generation', random())");
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
    auto add = database.prepare(
        "INSERT INTO runs (name, first, last, documents, seal) "
        "VALUES (?1, ?2, ?3, ?4, ?5)");
    add.bind(1, run.name);
    add.bind(2, run.first);
    add.bind(3, run.last);
    add.bind(4, run.documents);
    add.bind(5, run.seal);
    add.run();
  }
}

void IndexWriter::Impl::close_transaction() {
  save_counters();
  database.exec("COMMIT");
  in_transaction = false;
  if (history.is_beside()) history.move_into_place();
  last_commit = Clock::now();
}

// What is kept out may be known only now that all stores have had their say.
void IndexWriter::Impl::join() {
  reading.pair_again();
  std::vector<std::int64_t> joined;
  for (const auto& [row, from_start] : unjoined.conversations) joined.push_back(row);
  join_conversations(history, std::exchange(unjoined, {}));
  keep_out(std::move(joined));
}

void IndexWriter::Impl::keep_out(std::vector<std::int64_t> joined) {
  std::vector<std::int64_t> forgotten;
  std::vector<std::int64_t> others;
  ExcludedProjects projects(database, excluded);
  auto parent = database.prepare("SELECT parent FROM conversations WHERE id = ?1");
  for (const auto row : joined) {
    if (!kept_out.any()) break;
    parent.bind(1, row);
    if (parent.step() && !parent.is_null(0))
      if (const auto by = kept_out.find(kept_out::conversation(parent.text(0))))
        if (*by != KeptOutBy::place || !transcripts_of(row, projects).others)
          (*by == KeptOutBy::forget ? forgotten : others).push_back(row);
    parent.reset();
  }
  if (!excluded.empty())
    history.for_each_conversation([&](const History::Attribution& of) {
      if (std::any_of(excluded.begin(), excluded.end(), [&](const std::string& pattern) {
            return project_matches(pattern, of.project, of.slug);
          }))
        others.push_back(of.row);
      return true;
    });
  remove_all(with_children(database, forgotten), KeptOutBy::forget);
  exclude(with_children(database, others), std::move(joined));
}

// One that lies in other projects, too, has only what it has in those; then it may be one of them.
void IndexWriter::Impl::exclude(const std::vector<std::int64_t>& conversations,
                                std::vector<std::int64_t> joined) {
  std::vector<std::int64_t> lying_there;
  std::vector<std::int64_t> others;
  ExcludedProjects projects(database, excluded);
  const auto joined_before = joined.size();
  for (const auto row : conversations) {
    const auto transcripts = transcripts_of(row, projects);
    if (transcripts.excluded.empty()) {
      others.push_back(row);
    } else if (!transcripts.others) {
      lying_there.push_back(row);
    } else {
      withdraw(row, transcripts.excluded);
      joined.push_back(row);
    }
  }
  if (joined.size() > joined_before) {
    reading.pair_again();
    join_conversations(history, std::exchange(unjoined, {}));
    return keep_out(std::move(joined));
  }
  remove_all(lying_there, KeptOutBy::place);
  remove_all(others, KeptOutBy::exclude);
}

IndexWriter::Impl::Transcripts IndexWriter::Impl::transcripts_of(std::int64_t conversation,
                                                                 ExcludedProjects& projects) {
  Transcripts found;
  auto sources = database.prepare(
      "SELECT id, path FROM sources WHERE id IN (SELECT source FROM documents WHERE conversation = "
      "?1 UNION SELECT c.source FROM documents d JOIN copies c ON c.document = d.id WHERE "
      "d.conversation = ?1)");
  sources.bind(1, conversation);
  while (sources.step()) {
    const auto slug = slug_of_transcript(sources.blob(1));
    if (slug.empty()) continue;
    if (projects.has(slug))
      found.excluded.push_back(sources.int64(0));
    else
      found.others = true;
  }
  return found;
}

void IndexWriter::Impl::withdraw(std::int64_t conversation,
                                 const std::vector<std::int64_t>& sources) {
  Removal removal(database, kept_out, unjoined, std::nullopt);
  for (const auto source : sources)
    for (const auto row : reading.withdraw(source, conversation)) removal.document(row);
  removal.finish();
  removed(removal);
  unjoined.conversations[conversation] = true;
}

void IndexWriter::Impl::remove_all(const std::vector<std::int64_t>& conversations, KeptOutBy by) {
  if (conversations.empty()) return;
  Removal removal(database, kept_out, unjoined, by);
  const auto documents = documents_of(database, conversations);
  const auto equals = with_equals(database, documents);
  for (const auto row : conversations) removal.conversation(row);
  for (const auto row : equals) removal.document(row);
  removal.finish();
  removed(removal);
  join_conversations(history, std::exchange(unjoined, {}));
}

void IndexWriter::Impl::removed(const Removal& removal) {
  auto rows = removal.removed();
  if (rows.empty()) return;
  std::sort(rows.begin(), rows.end());
  const auto in_runs = pool.leave_out(rows);
  auto never = database.prepare("DELETE FROM dropped WHERE id = ?1");
  for (const auto row : rows)
    if (!std::binary_search(in_runs.begin(), in_runs.end(), row)) {
      never.bind(1, row);
      never.run();
    }
  set_state("cleaning", 1);
}

// Runs that would be merged next are so before anybody sees them.
std::vector<Run> IndexWriter::Impl::make_merged(std::string last_name,
                                                const std::string& merged_name) {
  auto runs = pool.finish([&] { return std::move(last_name); });
  const auto plan = plan_merge(runs, 0);
  if (plan.rewrite || plan.runs.size() < 2 || plan.runs.size() != runs.size()) return runs;
  try {
    const auto merged = merge_runs(history.words(), runs, merged_name);
    for (const auto& run : runs) std::filesystem::remove_all(history.words() / run.name);
    return {merged};
  } catch (const Damaged&) {
    return runs;  // merge() finds it, too, and makes all anew
  }
}

void IndexWriter::Impl::commit(More more) {
  if (!in_transaction || rebuilding) return;
  // What joining keeps out would have to be taken out of the runs again; else they are made, and
  // those of a first index merged, beside it.
  const bool all_stay = excluded.empty() && !kept_out.any();
  if (all_stay) pool.finish_soon([&] { return next_run_name(); });
  reading.flush_texts();
  std::future<std::vector<Run>> making;
  if (all_stay && more == More::none && pool.makes_several() && history.runs().empty())
    making = std::async(std::launch::async,
                        [this, last_name = next_run_name(), merged_name = next_run_name()] {
                          return make_merged(last_name, merged_name);
                        });
  join();
  // Else it would be written only when they are made, with nothing else to do meanwhile.
  if (making.valid()) sqlite3_db_cacheflush(database.handle());
  const auto runs = making.valid() ? making.get() : pool.finish([&] { return next_run_name(); });
  if (!runs.empty()) sync_folder(history.words());
  switch_runs({}, runs);
  close_transaction();
}

void IndexWriter::Impl::note_read(const Fingerprint& file, const Fingerprint& wal,
                                  std::string_view mark) {
  auto note = database.prepare(
      "UPDATE sources SET version = ?2, inode = ?3, size = ?4, mtime = ?5, wal_inode = ?6, "
      "wal_size = ?7, wal_mtime = ?8, mark = ?9, missing = 0 WHERE id = ?1");
  note.bind(1, reading.source());
  note.bind(2, reading.store().version);
  note.bind(3, as_signed(file.inode));
  note.bind(4, file.size);
  note.bind(5, file.mtime_ns);
  note.bind(6, as_signed(wal.inode));
  note.bind(7, wal.size);
  note.bind(8, wal.mtime_ns);
  // No mark tells of what is kept out: then, all is read again next time.
  const bool telling = reading.kept_any_out() && AppendMark::is_one(mark);
  note.bind_blob(9, telling ? std::string_view() : mark);
  note.run();
}

// No file looks like that, so the source is read on next time.
void IndexWriter::Impl::may_commit(std::string_view mark, bool advanced) {
  if (rebuilding) return;
  const bool leave_off = advanced && time_is_up && time_is_up();
  if (!leave_off && !due()) return;
  note_read({}, {}, mark);
  if (leave_off) throw LeftOff();
  commit();
  begin_transaction();
}

IndexWriter::IndexWriter(History& history) : impl_(std::make_unique<Impl>(history)) {}
IndexWriter::~IndexWriter() = default;

std::optional<std::int64_t> IndexWriter::Impl::known_source(const Store& store,
                                                            std::string_view path) {
  auto found = database.prepare("SELECT id FROM sources WHERE store = ?1 AND path = ?2");
  found.bind(1, store.id);
  found.bind_blob(2, path);
  if (!found.step()) return std::nullopt;
  return found.int64(0);
}

void IndexWriter::Impl::name_source(std::int64_t source, std::string_view path) {
  auto name = database.prepare("UPDATE sources SET path = ?2 WHERE id = ?1");
  name.bind(1, source);
  name.bind_blob(2, path);
  name.run();
}

std::int64_t IndexWriter::source_row(const Source& source) {
  auto& database = impl_->database;
  if (const auto row = impl_->known_source(*source.store, source.path.native())) return *row;
  impl_->begin_transaction();
  if (const auto row =
          impl_->known_source(*source.store, impl_->kept_out.hidden_path(source.path))) {
    impl_->name_source(*row, source.path.native());  // it is back
    return *row;
  }
  auto add = database.prepare(
      "INSERT INTO sources (store, path, version, inode, size, mtime, wal_inode, wal_size, "
      "wal_mtime, mark) VALUES (?1, ?2, 0, 0, 0, 0, 0, 0, 0, x'')");
  add.bind(1, source.store->id);
  add.bind_blob(2, source.path.native());
  add.run();
  impl_->last_new_source = database.last_insert_rowid();
  return *impl_->last_new_source;
}

Sink& IndexWriter::begin_reading(std::int64_t source, const Store& store, bool again) {
  auto start = again ? Reading::Start::again : Reading::Start::on;
  if (impl_->last_new_source == source) start = Reading::Start::fresh;
  impl_->reading.begin(source, store, start);
  impl_->last_new_source.reset();
  return impl_->reading;
}

ReadingCounts IndexWriter::end_reading(const Fingerprint& file, const Fingerprint& wal,
                                       const std::string& mark) {
  impl_->note_read(file, wal, mark);
  return impl_->reading.end();
}

Sink& IndexWriter::begin_part_reading(std::int64_t source, const Store& store) {
  impl_->reading.begin(source, store, Reading::Start::part);
  impl_->last_new_source.reset();
  return impl_->reading;
}

ReadingCounts IndexWriter::end_part_reading() {
  return impl_->reading.end();
}

ReadingCounts IndexWriter::abandon_reading() {
  return impl_->reading.abandon();
}

void IndexWriter::leave_off_when(std::function<bool()> time_is_up) {
  impl_->time_is_up = std::move(time_is_up);
}

ReadingCounts IndexWriter::leave_off() {
  return impl_->reading.leave_off();
}

ReadingCounts IndexWriter::vanished(std::int64_t source) {
  auto held = impl_->database.prepare(
      "SELECT EXISTS (SELECT 1 FROM copies WHERE source = ?1) OR EXISTS (SELECT 1 FROM held h "
      "JOIN documents d ON d.conversation = h.conversation AND d.source = h.source "
      "WHERE h.source = ?1)");
  held.bind(1, source);
  const bool forgotten = held.step() && held.int64(0) == 0;
  held.reset();
  const auto counts = impl_->reading.lose_source(source);
  auto note = impl_->database.prepare(
      "UPDATE sources SET missing = 1, inode = 0, size = 0, mtime = 0, mark = x'' WHERE id = ?1");
  note.bind(1, source);
  note.run();
  // What only the index knows now is not told by the name of a file.
  auto path = impl_->database.prepare("SELECT path FROM sources WHERE id = ?1");
  path.bind(1, source);
  if (path.step()) {
    const std::string name(path.blob(0));
    path.reset();
    impl_->name_source(source, impl_->kept_out.hidden_path(name));
    if (forgotten) impl_->set_state("cleaning", 1);  // nor does the journal tell it
  }
  return counts;
}

// What else its documents come in was read without them.
void IndexWriter::opt_in(const Store& store) {
  impl_->begin_transaction();
  if (impl_->kept_out.store(store)) {
    impl_->kept_out.remove_store(store);
    impl_->database.exec("UPDATE sources SET version = 0");
  }
  if (store.searched != Searched::when_named) return;
  auto add = impl_->database.prepare("INSERT OR IGNORE INTO opted_in (store) VALUES (?1)");
  add.bind(1, store.id);
  add.run();
  auto found = impl_->database.prepare("DELETE FROM left_out WHERE store = ?1");
  found.bind(1, store.id);
  found.run();
}

bool IndexWriter::turn_ended(const Turn& turn) {
  if (impl_->kept_out.any() && impl_->kept_out.has(kept_out::conversation(turn.conversation)))
    return false;
  impl_->begin_transaction();
  const auto recorded = record_turn(impl_->database, turn);
  if (recorded) impl_->unjoined.conversations.try_emplace(recorded->conversation, false);
  return recorded && recorded->dates;
}

void IndexWriter::remember_left_out(const std::vector<LeftOut>& left_out) {
  impl_->begin_transaction();
  impl_->database.exec("DELETE FROM left_out");
  auto add =
      impl_->database.prepare("INSERT INTO left_out (store, sources, only) VALUES (?1, ?2, ?3)");
  for (const auto& each : left_out) {
    add.bind(1, each.store->id);
    add.bind(2, each.sources);
    add.bind(3, each.only);
    add.run();
  }
}

void IndexWriter::remember(const Folders::Known& before, const Folders& folders) {
  if (!folders.changed()) return;
  impl_->begin_transaction();
  save_folders(impl_->database, before, folders.seen());
}

void IndexWriter::write_beside() {
  if (!impl_->history.is_new()) return;
  impl_->commit();
  impl_->history.write_beside();
}

void IndexWriter::commit_when_due() {
  if (impl_->due()) impl_->commit();
}

void IndexWriter::commit_after(std::chrono::milliseconds time) {
  impl_->longest = time;
}

void IndexWriter::while_reading(std::function<void(std::uint64_t bytes)> tell) {
  impl_->tell_reading = std::move(tell);
  impl_->read_bytes = 0;
}

void IndexWriter::commit() {
  impl_->commit();
}

void IndexWriter::commit_last() {
  impl_->commit(Impl::More::none);
}

void IndexWriter::exclude(std::vector<std::string> patterns) {
  impl_->excluded = std::move(patterns);
  impl_->pool.gather_whole_runs(!impl_->excluded.empty());
}

void IndexWriter::exclusions_changed(const std::vector<std::string>& before) {
  impl_->begin_transaction();
  const auto& now = impl_->excluded;
  const bool fewer = std::any_of(before.begin(), before.end(), [&](const std::string& pattern) {
    return std::find(now.begin(), now.end(), pattern) == now.end();
  });
  if (fewer) {
    impl_->kept_out.clear_excluded();
    impl_->database.exec("UPDATE sources SET version = 0, skipped = 0 WHERE skipped");
  }
  std::string lines;
  for (const auto& pattern : now) lines += pattern + '\n';
  auto save = impl_->database.prepare("INSERT OR REPLACE INTO state VALUES ('exclude', ?1)");
  save.bind(1, lines);
  save.run();
}

void IndexWriter::forget(const std::vector<std::int64_t>& conversations,
                         const std::vector<std::int64_t>& documents) {
  impl_->begin_transaction();
  Removal removal(impl_->database, impl_->kept_out, impl_->unjoined, KeptOutBy::forget);
  for (const auto row : conversations) removal.conversation(row);
  for (const auto row : documents) removal.document(row);
  removal.finish();
  impl_->removed(removal);
  impl_->set_state("cleaning", kCleanAll);
  impl_->commit();
}

void IndexWriter::forget_store(const Store& store) {
  impl_->begin_transaction();
  Removal removal(impl_->database, impl_->kept_out, impl_->unjoined, std::nullopt);
  removal.store(store);
  removal.finish();
  impl_->removed(removal);
  impl_->set_state("cleaning", kCleanAll);
  impl_->commit();
}

std::size_t IndexWriter::remove_gone(std::int64_t before) {
  impl_->begin_transaction();
  impl_->reading.flush_texts();
  std::vector<std::int64_t> rows;
  auto gone = impl_->database.prepare("SELECT id FROM documents WHERE gone < ?1");
  gone.bind(1, before);
  while (gone.step()) rows.push_back(gone.int64(0));
  gone.reset();
  Removal removal(impl_->database, impl_->kept_out, impl_->unjoined, std::nullopt);
  for (const auto row : rows) removal.document(row);
  removal.finish();
  impl_->removed(removal);
  return rows.size();
}

bool IndexWriter::clean(bool all) {
  impl_->commit();
  impl_->rewrite_runs_to_purge();
  if (all || impl_->state("cleaning") == kCleanAll) impl_->history.vacuum();
  if (!impl_->empty_journal()) return false;
  impl_->begin_transaction();
  impl_->set_state("cleaning", 0);
  impl_->close_transaction();
  return true;
}

// A reader that is just about to open an old one reads the texts instead.
void IndexWriter::Impl::rewrite_runs_to_purge() {
  begin_transaction();
  std::vector<Run> old_runs;
  std::vector<Run> new_runs;
  auto touched = database.prepare(
      "SELECT EXISTS (SELECT 1 FROM dropped WHERE id BETWEEN ?1 AND ?2 AND purge)");
  for (const auto& run : history.runs()) {
    touched.bind(1, run.first);
    touched.bind(2, run.last);
    const bool has = touched.step() && touched.int64(0) != 0;
    touched.reset();
    if (!has) continue;
    old_runs.push_back(run);
    const auto made = make_words(run.first, run.last);
    new_runs.insert(new_runs.end(), made.begin(), made.end());
    auto clear = database.prepare("DELETE FROM dropped WHERE id BETWEEN ?1 AND ?2");
    clear.bind(1, run.first);
    clear.bind(2, run.last);
    clear.run();
  }
  if (!new_runs.empty()) sync_folder(history.words());
  switch_runs(old_runs, new_runs);
  database.exec("DELETE FROM dropped WHERE purge; DELETE FROM retired");
  close_transaction();
  std::unordered_set<std::string> named;
  for (const auto& run : history.runs()) named.insert(run.name);
  remove_runs_but(named);
}

// Changes leave gaps in all trees. What was not changed since it was packed, has none. Without room
// it is left as it is.
void IndexWriter::Impl::pack() {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(history.folder() / "history.db", error);
  const auto room = std::filesystem::space(history.folder(), error).available;
  if (error || room < 3 * bytes || state("packed") == state("generation")) return;
  history.vacuum();
  database.exec(
      "INSERT OR REPLACE INTO state (key, value) SELECT 'packed', value FROM state WHERE key = "
      "'generation'");
}

bool IndexWriter::Impl::empty_journal() {
  auto checkpoint = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  return checkpoint.step() && checkpoint.int64(0) == 0;
}

// Of the rows in this range, in the order of their ids.
template <typename Visit>
void IndexWriter::Impl::for_each_run_document(std::int64_t first, std::int64_t last,
                                              const Visit& visit) {
  auto rows = database.prepare(
      "SELECT d.id, d.conversation, d.role, d.tool, t.frame FROM documents d JOIN texts t "
      "ON t.id = d.id WHERE d.id BETWEEN ?1 AND ?2 ORDER BY d.id");
  rows.bind(1, first);
  rows.bind(2, last);
  Frames frames;
  while (rows.step())
    visit(RunDocument{.row = rows.int64(0),
                      .conversation = rows.int64(1),
                      .role = static_cast<Role>(rows.int64(2)),
                      .tool = std::string(rows.text(3)),
                      .text = frames.unpack(rows.blob(4))});
}

void IndexWriter::merge() {
  impl_->commit();
  for (;;) {
    const auto dropped = impl_->history.dropped();
    const auto plan = plan_merge(impl_->history.runs(), static_cast<std::int64_t>(dropped.size()));
    if (plan.rewrite) return rebuild_words();
    if (plan.runs.size() < 2) return;
    if (const auto few = impl_->worth_making_anew(plan.runs);
        few.size() > 1 && impl_->make_anew(few))
      continue;
    if (!impl_->merge_into_one(plan.runs)) return rebuild_words();
  }
}

// The youngest of runs that are to be merged, as long as they are small. Xapian puts their posting
// lists one after the other, each with a head of its own: of a thousand runs of one document, each
// posting keeps one for ever, and takes ten times its room. Texts of this size are cut again in
// less time.
std::vector<Run> IndexWriter::Impl::worth_making_anew(const std::vector<Run>& runs) {
  constexpr std::int64_t kDocuments = 2'000;
  constexpr std::int64_t kPackedBytes = 8 << 20;
  std::int64_t documents = 0;
  const auto too_many = std::find_if(runs.rbegin(), runs.rend(), [&](const Run& run) {
    return (documents += run.documents) > kDocuments;
  });
  std::vector<Run> few(too_many.base(), runs.end());
  if (few.size() < 2) return {};
  auto packed =
      database.prepare("SELECT total(length(frame)) FROM texts WHERE id BETWEEN ?1 AND ?2");
  packed.bind(1, few.front().first);
  packed.bind(2, few.back().last);
  if (!packed.step() || packed.int64(0) > kPackedBytes) few.clear();
  return few;
}

bool IndexWriter::Impl::make_anew(const std::vector<Run>& runs) {
  const auto first = runs.front().first;
  const auto last = runs.back().last;
  std::vector<RunDocument> documents;
  try {
    for_each_run_document(first, last,
                          [&](RunDocument document) { documents.push_back(std::move(document)); });
  } catch (const Error&) {
    return false;
  }
  const auto name = [&] { return next_run_name(); };
  for (auto& document : documents) pool.add(std::move(document), name);
  const auto made = pool.finish(name);
  if (made.size() >= runs.size()) return false;  // what is not named is removed by the next writer
  sync_folder(history.words());
  begin_transaction();
  switch_runs(runs, made);
  auto clear = database.prepare("DELETE FROM dropped WHERE id BETWEEN ?1 AND ?2 AND NOT purge");
  clear.bind(1, first);
  clear.bind(2, last);
  clear.run();
  close_transaction();
  return true;
}

bool IndexWriter::Impl::merge_into_one(const std::vector<Run>& runs) {
  Run merged;
  try {
    merged = merge_runs(history.words(), runs, next_run_name());
  } catch (const Damaged&) {
    return false;  // what is not named is removed by the next writer
  }
  sync_folder(history.words());
  begin_transaction();
  switch_runs(runs, {merged});
  close_transaction();
  return true;
}

void IndexWriter::seal_again(const std::vector<std::string>& runs) {
  impl_->begin_transaction();
  auto seal = impl_->database.prepare("UPDATE runs SET seal = ?2 WHERE name = ?1");
  for (const auto& name : runs) {
    seal.bind(1, name);
    seal.bind(2, seal_of(impl_->history.words() / name));
    seal.run();
  }
}

std::vector<Run> IndexWriter::Impl::make_words(std::int64_t first, std::int64_t last) {
  const auto name = [&] { return next_run_name(); };
  for_each_run_document(first, last,
                        [&](RunDocument document) { pool.add(std::move(document), name); });
  return pool.finish(name);
}

void IndexWriter::Impl::replace_words() {
  const auto made = make_words(0, kLastRow);
  sync_folder(history.words());
  switch_runs(history.runs(), made);
  database.exec("DELETE FROM dropped");
  close_transaction();
}

void IndexWriter::rebuild_words() {
  impl_->commit();
  impl_->begin_transaction();
  impl_->replace_words();
  merge();
}

void IndexWriter::compact() {
  impl_->commit();
  if (!impl_->history.dropped().empty()) rebuild_words();
  if (const auto runs = impl_->history.runs(); runs.size() > 1 && !impl_->merge_into_one(runs))
    rebuild_words();
  impl_->pack();
  impl_->empty_journal();  // if somebody reads, it is emptied later
}

void IndexWriter::begin_rebuild() {
  impl_->commit();
  impl_->begin_transaction();
  impl_->rebuilding = true;
  impl_->reading.check_texts(true);
}

void IndexWriter::finish_rebuild() {
  impl_->reading.flush_texts();
  impl_->remove_unreadable();
  impl_->remove_told_again();
  impl_->join();
  impl_->replace_words();
  impl_->rebuilding = false;
  impl_->reading.check_texts(false);
  merge();
}

// Texts that no source could give back, and of damaged pages what no source told again
// (salvage.cc).
void IndexWriter::Impl::remove_unreadable() {
  std::vector<std::int64_t> unreadable;
  auto rows = database.prepare(
      "SELECT d.id, iif(d.stores, t.frame, NULL) FROM documents d LEFT JOIN texts t ON t.id = d.id "
      "ORDER BY d.id");
  Frames frames;
  while (rows.step()) {
    try {
      if (rows.is_null(1)) throw Error("no text");
      frames.unpack(rows.blob(1));
    } catch (const Error&) {
      unreadable.push_back(rows.int64(0));
    }
  }
  rows.reset();
  Removal removal(database, kept_out, unjoined, std::nullopt);
  for (const auto row : unreadable) removal.document(row);
  removal.recount_all();
  removal.finish();
}

// What was saved of conversations without their names (salvage.cc), as far as sources told it again
// under these.
void IndexWriter::Impl::remove_told_again() {
  std::map<std::int64_t, std::vector<std::int64_t>> told;
  auto rows = database.prepare(
      "SELECT d.conversation, d.id FROM conversations k JOIN documents d ON d.conversation = k.id "
      "WHERE k.key = 'salvaged-' || k.id AND d.hash IN (SELECT o.hash FROM documents o JOIN "
      "conversations p ON p.id = o.conversation WHERE p.key != 'salvaged-' || p.id)");
  while (rows.step()) told[rows.int64(0)].push_back(rows.int64(1));
  rows.reset();
  if (told.empty()) return;
  Removal removal(database, kept_out, unjoined, std::nullopt);
  for (const auto& [conversation, documents] : told) {
    if (documents.size() == documents_of(database, {conversation}).size())
      removal.conversation(conversation);
    else
      for (const auto row : documents) removal.document(row);
  }
  removal.finish();
}

}  // namespace cgrep
