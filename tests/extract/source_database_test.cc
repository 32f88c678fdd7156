// Databases that others write to: what is found in them, and that nobody notices.
#include "extract/source_database.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "extract/stores.h"
#include "support/live_writer.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTable =
    "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);";

/// Names, bytes and times of all that lies in a folder.
using Contents = std::map<std::string, std::pair<std::string, fs::file_time_type>>;

Contents contents_of(const fs::path& folder) {
  Contents contents;
  for (const auto& entry : fs::directory_iterator(folder))
    contents[entry.path().filename().string()] = {read_file(entry.path()),
                                                  fs::last_write_time(entry.path())};
  return contents;
}

class CollectingSink : public Sink {
 public:
  void document(Document&& document) override { texts.insert(std::move(document.text)); }
  void claim(Claim) override {}
  void problem(Problem problem) override { problems.push_back(problem.what); }
  void whole(std::string_view) override {}

  std::set<std::string> texts{};
  std::vector<std::string> problems{};
};

/// Does something step by step in a process of its own, as Cursor is one.
class OtherProcess {
 public:
  using Step = std::function<void()>;

  explicit OtherProcess(const std::function<void(const Step&)>& work) {
    EXPECT_EQ(pipe(told_.data()) + pipe(done_.data()), 0);
    process_ = fork();
    if (process_ != 0) return;
    work([&] {
      char byte = 'd';
      if (write(done_[1], &byte, 1) != 1 || read(told_[0], &byte, 1) != 1) _exit(1);
    });
    _exit(0);
  }
  ~OtherProcess() {
    if (process_ > 0) end();
    for (const int end : {told_[0], told_[1], done_[0], done_[1]}) close(end);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  /// Waits until it has come to the next step.
  void next() {
    char byte = 0;
    EXPECT_EQ(read(done_[0], &byte, 1), 1);
  }

  /// Lets it do the rest.
  void end() {
    const char byte = 'g';
    if (write(told_[1], &byte, 1) != 1) kill(process_, SIGKILL);
    int status = 0;
    waitpid(std::exchange(process_, -1), &status, 0);
    EXPECT_EQ(status, 0);
  }

 private:
  std::array<int, 2> told_{};
  std::array<int, 2> done_{};
  pid_t process_ = -1;
};

class SourceDatabaseTest : public testing::Test {
 protected:
  SourceDatabaseTest() {
    fs::create_directory(folder_);
    source_.store = find_store("bubbles");
    source_.path = folder_ / "state.vscdb";
    source_.root = temp_.path();
  }

  /// A connection that keeps the database open, as Cursor would.
  Database& writer(const std::string& sql, const char* mode = "WAL") {
    if (!writer_) {
      writer_.emplace(source_.path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
      writer_->exec(std::string("PRAGMA journal_mode=") + mode + ";" + kTable);
    }
    writer_->exec(sql);
    return *writer_;
  }
  void close() { writer_.reset(); }

  std::vector<std::string> keys() {
    SourceDatabase database(source_);
    return KeyedTable(database).keys_with("");
  }

  TempDir temp_{};
  fs::path folder_ = temp_.path() / "globalStorage";
  Source source_{};
  std::optional<Database> writer_{};
};

using Keys = std::vector<std::string>;

TEST_F(SourceDatabaseTest, AtRestNothingIsMadeBesideIt) {
  writer("INSERT INTO cursorDiskKV VALUES ('a', '1'), ('b', '2')");
  close();
  const auto before = contents_of(folder_);
  ASSERT_EQ(before.size(), 1U) << "no -wal is left";
  EXPECT_EQ(keys(), (Keys{"a", "b"}));
  EXPECT_EQ(contents_of(folder_), before);
}

TEST_F(SourceDatabaseTest, FindsWhatIsOnlyInTheWal) {
  writer("PRAGMA wal_autocheckpoint=0; INSERT INTO cursorDiskKV VALUES ('a', '1')");
  EXPECT_EQ(keys(), Keys{"a"});
  writer("INSERT INTO cursorDiskKV VALUES ('b', '2')");
  EXPECT_EQ(keys(), (Keys{"a", "b"}));
}

/// A database with a -wal and nobody who has it open, as after a crash.
class LeftBehindTest : public SourceDatabaseTest {
 protected:
  LeftBehindTest() {
    writer("PRAGMA wal_autocheckpoint=0; INSERT INTO cursorDiskKV VALUES ('a', '1')");
    for (const char* name : {"state.vscdb", "state.vscdb-wal"})
      fs::copy_file(folder_ / name, crashed_.path() / name);
    source_.path = crashed_.path() / "state.vscdb";
    source_.root = crashed_.path();
  }

  TempDir crashed_{};
};

TEST_F(LeftBehindTest, IsReadWhereItIsAndNothingIsMadeBesideIt) {
  const auto before = contents_of(crashed_.path());
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(keys(), Keys{"a"});
  EXPECT_EQ(contents_of(crashed_.path()), before);
}

TEST_F(LeftBehindTest, IsReadAgainWhenItMoves) {
  SourceDatabase database(source_);
  int calls = 0;
  std::size_t rows = 0;
  database.snapshot([&](Database& snapshot) {
    auto count = snapshot.prepare("SELECT count(*) FROM cursorDiskKV");
    count.step();
    rows = static_cast<std::size_t>(count.int64(0));
    if (++calls == 1)
      Database(source_.path, SQLITE_OPEN_READWRITE)
          .exec("INSERT INTO cursorDiskKV VALUES ('b', '2')");
  });
  EXPECT_GE(calls, 2);
  EXPECT_EQ(rows, 2U);
}

TEST_F(LeftBehindTest, ALinkInPlaceOfItsWalIsNotFollowed) {
  const TempDir outside;
  const auto wal = crashed_.path() / "state.vscdb-wal";
  fs::rename(wal, outside.path() / "wal");
  fs::create_symlink(outside.path() / "wal", wal);
  EXPECT_THROW(keys(), Unreadable);
}

TEST_F(SourceDatabaseTest, ReadsAgainWhatMovedUnderIt) {
  writer("INSERT INTO cursorDiskKV VALUES ('a', '1')");
  close();
  SourceDatabase database(source_);
  int calls = 0;
  std::size_t rows = 0;
  database.snapshot([&](Database& snapshot) {
    auto count = snapshot.prepare("SELECT count(*) FROM cursorDiskKV");
    count.step();
    rows = static_cast<std::size_t>(count.int64(0));
    if (++calls == 1) {
      Database other(source_.path, SQLITE_OPEN_READWRITE);
      other.exec("INSERT INTO cursorDiskKV VALUES ('b', '2')");
    }
  });
  EXPECT_GE(calls, 2);
  EXPECT_EQ(rows, 2U);
}

TEST_F(SourceDatabaseTest, NeverLocksADatabaseWithoutAWal) {
  writer("INSERT INTO cursorDiskKV VALUES ('a', '1')", "DELETE");
  close();
  SourceDatabase database(source_);
  int calls = 0;
  database.snapshot([&](Database& snapshot) {
    auto all = snapshot.prepare("SELECT key FROM cursorDiskKV");
    all.step();  // the snapshot is being read
    if (++calls > 1) return;
    Database other(source_.path, SQLITE_OPEN_READWRITE);
    EXPECT_NO_THROW(other.exec("INSERT INTO cursorDiskKV VALUES ('b', '2')"));
  });
}

TEST_F(SourceDatabaseTest, WhatIsNoDatabaseIsAProblem) {
  temp_.write("globalStorage/state.vscdb", std::string(5000, 'x'));
  CollectingSink sink;
  EXPECT_EQ(source_.store->extract(source_, sink), "");
  EXPECT_EQ(sink.problems, Keys{"not a database"});
}

TEST_F(SourceDatabaseTest, AFifoOrALinkOutOfTheRootIsUnreadable) {
  const TempDir outside;
  Database(outside.path() / "x.db", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE).exec(kTable);
  fs::create_symlink(outside.path() / "x.db", source_.path);
  EXPECT_THROW(SourceDatabase{source_}, Unreadable);
  fs::remove(source_.path);
  ASSERT_EQ(::mkfifo(source_.path.c_str(), 0600), 0);
  EXPECT_THROW(SourceDatabase{source_}, Unreadable);
}

// It would run what its maker wrote; without the limit, for ever.
TEST_F(SourceDatabaseTest, AViewOrAVirtualTableIsNone) {
  writer(
      "DROP TABLE cursorDiskKV; CREATE VIEW cursorDiskKV(key, value) AS WITH RECURSIVE n(i) AS "
      "(SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 20000) "
      "SELECT printf('bubbleId:c:%09d', i), '{}' FROM n");
  EXPECT_EQ(keys(), Keys{});
  CollectingSink sink;
  source_.store->extract(source_, sink);
  EXPECT_EQ(sink.problems, Keys{});
  writer(
      "DROP VIEW cursorDiskKV; CREATE VIRTUAL TABLE cursorDiskKV USING fts5(key, value); "
      "INSERT INTO cursorDiskKV VALUES ('a', '1')");
  EXPECT_EQ(keys(), Keys{});
}

TEST_F(SourceDatabaseTest, TellsValuesApart) {
  writer(
      "INSERT INTO cursorDiskKV VALUES ('null', NULL), ('text', 'x'), ('blob', x'7b00'), "
      "('empty', ''), ('huge', zeroblob(70000000))");
  SourceDatabase database(source_);
  KeyedTable table(database);
  using State = KeyedValue::State;
  EXPECT_EQ(table.value("null").state, State::null);
  EXPECT_EQ(table.value("none").state, State::missing);
  EXPECT_EQ(table.value("huge").state, State::too_big);
  EXPECT_EQ(table.value("text").bytes, "x");
  EXPECT_EQ(table.value("blob").bytes, std::string("{\0", 2));
  EXPECT_EQ(table.value("empty").state, State::present);
}

TEST_F(SourceDatabaseTest, DeliversManyValuesInTheirOrder) {
  std::string sql = "BEGIN;";
  std::vector<std::string> wanted;
  for (int i = 0; i < 3000; ++i) {
    sql += "INSERT INTO cursorDiskKV VALUES ('k" + std::to_string(i) + "', '" + std::to_string(i) +
           "');";
    wanted.push_back("k" + std::to_string(2999 - i));
  }
  writer(sql + "COMMIT");
  SourceDatabase database(source_);
  KeyedTable table(database);
  std::size_t at = 0;
  table.values(wanted, [&](const std::string& key, const KeyedValue& value) {
    ASSERT_EQ(key, wanted[at++]);
    ASSERT_EQ("k" + value.bytes, key);
  });
  EXPECT_EQ(at, wanted.size());
  EXPECT_EQ(table.keys_with("k29").size(), 111U);
  EXPECT_EQ(table.keys("k1", "k11", 2), (Keys{"k1", "k10"}));
}

// Keys and states of all rows from `first` on; "not at once" when they have to be read one by one.
std::string rows_from(const Source& source, const std::string& first) {
  SourceDatabase database(source);
  KeyedTable table(database);
  const auto rows = table.rows(first, first + "~");
  if (!rows) return "not at once";
  std::string text;
  for (const auto& row : *rows) {
    const auto alone = table.value(row.key);
    EXPECT_EQ(row.value.state, alone.state) << row.key;
    EXPECT_EQ(row.value.bytes, alone.bytes) << row.key;
    text += row.key + ' ';
  }
  return text;
}

TEST_F(SourceDatabaseTest, ReadsRowsAtOnceIfTheyFit) {
  std::string sql = "BEGIN;";
  for (int i = 0; i < 501; ++i)
    sql += fmt::format("INSERT INTO cursorDiskKV VALUES ('m{}', '');", i);
  for (int i = 0; i < 40; ++i)
    sql += fmt::format("INSERT INTO cursorDiskKV VALUES ('l{}', zeroblob(150000));", i);
  writer(sql +
         "INSERT INTO cursorDiskKV VALUES ('a2', x'7b00'), ('a1', NULL), ('a3', ''), ('a0', 'x'), "
         "('h1', 'x'), ('h2', zeroblob(70000000)), ('w1', zeroblob(6000000)), ('w2', 'x'); COMMIT");
  EXPECT_EQ(rows_from(source_, "a"), "a0 a1 a2 a3 ");
  EXPECT_EQ(rows_from(source_, "none"), "");
  for (const auto* too_much : {"m", "l", "h", "w"})
    EXPECT_EQ(rows_from(source_, too_much), "not at once") << too_much;
}

TEST_F(SourceDatabaseTest, LargeValuesMayBeLeftToOthers) {
  writer("INSERT INTO cursorDiskKV VALUES ('large', zeroblob(5000000)), ('small', 'x')");
  SourceDatabase database(source_, SourceDatabase::Values::small);
  KeyedTable table(database);
  EXPECT_EQ(table.value("small").bytes, "x");
  EXPECT_THROW(table.value("large"), Unreadable);
  EXPECT_EQ(table.value("small").bytes, "x");
}

// The last one writes the -wal back and removes it, also while it is being read: who reads it must
// not notice too late, and must not be noticed.
TEST_F(SourceDatabaseTest, AWriterThatLeavesIsNotHeldUp) {
  OtherProcess writer([&](const auto& step) {
    Database database(source_.path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    database.exec(std::string("PRAGMA journal_mode=WAL;") + kTable);
    database.exec("INSERT INTO cursorDiskKV VALUES ('a', '1')");
    step();
    database.exec("INSERT INTO cursorDiskKV VALUES ('b', '2')");
  });
  writer.next();
  SourceDatabase database(source_);
  int calls = 0;
  std::size_t rows = 0;
  database.snapshot([&](Database& snapshot) {
    auto count = snapshot.prepare("SELECT count(*) FROM cursorDiskKV");
    count.step();
    rows = static_cast<std::size_t>(count.int64(0));
    if (++calls == 1) {
      EXPECT_EQ(rows, 1U);
      writer.end();
      EXPECT_EQ(contents_of(folder_).size(), 1U) << "its -wal was left behind";
    }
  });
  EXPECT_EQ(rows, 2U);
  EXPECT_EQ(calls, 2);
}

TEST_F(SourceDatabaseTest, ALiveWriterIsNeverLockedOut) {
  LiveWriter live(source_.path, 500);
  for (int round = 0; round < 15; ++round) {
    const auto committed = live.committed();
    CollectingSink sink;
    source_.mark = {};
    source_.store->extract(source_, sink);
    EXPECT_TRUE(sink.problems.empty()) << sink.problems.front();
    for (std::uint64_t row = 1; row <= committed; ++row)
      ASSERT_TRUE(sink.texts.contains("bubble " + std::to_string(row)))
          << row << " of " << committed << " in round " << round;
  }
  const auto report = live.stop();
  EXPECT_GT(report.commits, 50U);
  EXPECT_EQ(report.busy, 0U);
  EXPECT_EQ(report.failures, 0U);
}

}  // namespace
}  // namespace cgrep::test
