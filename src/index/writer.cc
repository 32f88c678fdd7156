#include "index/writer.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "extract/sqlite.h"
#include "index/files.h"
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
  void may_commit(std::string_view mark) override;

  void open_transaction();
  void commit();
  void switch_runs(const std::vector<Run>& old_runs, const std::vector<Run>& new_runs);
  void save_counters();
  std::string next_run_name() { return fmt::format("run-{}", next_run++); }
  void note_read(const Fingerprint& file, const Fingerprint& wal, std::string_view mark);
  void remove_litter();

  History& history;
  Database& database;
  RunPool pool;
  bool in_transaction = false;
  std::int64_t next_document = 1;
  std::int64_t next_run = 1;
  Unjoined unjoined{};
  std::optional<std::int64_t> last_new_source{};
  Reading reading;
};

IndexWriter::Impl::Impl(History& opened)
    : history(opened),
      database(opened.database()),
      pool(opened.words()),
      reading(database, *this, unjoined) {
  auto counters = database.prepare("SELECT key, value FROM state");
  while (counters.step()) {
    if (counters.text(0) == "next_document") next_document = counters.int64(1);
    if (counters.text(0) == "next_run") next_run = counters.int64(1);
  }
  make_private_folder(history.words());
  remove_litter();
}

void IndexWriter::Impl::index_words(RunDocument document) {
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
  open_transaction();
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
  note.bind_blob(9, mark);
  note.run();
}

// No file looks like that, so the source is read on next time.
void IndexWriter::Impl::may_commit(std::string_view mark) {
  if (!pool.due()) return;
  note_read({}, {}, mark);
  commit();
  begin_transaction();
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
  impl_->reading.begin(source, store, impl_->last_new_source == source);
  impl_->last_new_source.reset();
  return impl_->reading;
}

ReadingCounts IndexWriter::end_reading(const Fingerprint& file, const Fingerprint& wal,
                                       const std::string& mark) {
  impl_->note_read(file, wal, mark);
  return impl_->reading.end();
}

ReadingCounts IndexWriter::abandon_reading() {
  return impl_->reading.abandon();
}

ReadingCounts IndexWriter::vanished(std::int64_t source) {
  const auto counts = impl_->reading.lose_source(source);
  auto note = impl_->database.prepare(
      "UPDATE sources SET missing = 1, inode = 0, size = 0, mtime = 0, mark = x'' WHERE id = ?1");
  note.bind(1, source);
  note.run();
  return counts;
}

void IndexWriter::opt_in(const Store& store) {
  impl_->begin_transaction();
  auto add = impl_->database.prepare("INSERT OR IGNORE INTO opted_in (store) VALUES (?1)");
  add.bind(1, store.id);
  add.run();
  auto found = impl_->database.prepare("DELETE FROM left_out WHERE store = ?1");
  found.bind(1, store.id);
  found.run();
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
  Frames frames;
  while (rows.step())
    impl_->pool.add({.row = rows.int64(0),
                     .conversation = rows.int64(1),
                     .role = static_cast<Role>(rows.int64(2)),
                     .tool = std::string(rows.text(3)),
                     .text = frames.unpack(rows.blob(4))},
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
