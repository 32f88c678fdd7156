#include "support/live_writer.h"

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>

#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cgrep::test {

struct LiveWriter::Shared {
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> rows = 0;
  std::atomic<std::uint64_t> commits = 0;
  std::atomic<std::uint64_t> busy = 0;
  std::atomic<std::uint64_t> failures = 0;
  std::atomic<std::uint64_t> refused = 0;
};

namespace {

constexpr const char* kTables =
    "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
    "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
    "INSERT INTO cursorDiskKV VALUES ('composerData:live', '{\"_v\":17,\"name\":\"Live\"}');";

std::string insert_of(std::uint64_t row) {
  const auto number = std::to_string(row);
  return "INSERT INTO cursorDiskKV VALUES ('bubbleId:live:" + number +
         "', '{\"_v\":3,\"type\":2,\"text\":\"bubble " + number +
         "\",\"pad\":\"' || hex(zeroblob(300)) || '\"}');";
}

std::string growing(std::uint64_t words) {
  std::string text = "growing";
  for (std::uint64_t i = 0; i < words % 500; ++i) text += " word";
  return "INSERT INTO cursorDiskKV VALUES ('bubbleId:live:streaming', "
         "'{\"_v\":3,\"type\":2,\"text\":\"" +
         text + "\"}');";
}

}  // namespace

// Runs in the child: no allocation of the test framework is touched, and it leaves by _exit.
static void write_until_told(sqlite3* database, auto& shared) {
  const auto run = [&](const std::string& sql) {
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
      ++shared.busy;
    else if (code != SQLITE_OK)
      ++shared.failures;
    return code == SQLITE_OK;
  };
  for (std::uint64_t turn = 1; !shared.stop; ++turn) {
    const auto next = shared.rows + 1;
    if (run("BEGIN IMMEDIATE;" + insert_of(next) + growing(turn) + "COMMIT;")) {
      shared.rows = next;
      ++shared.commits;
    } else {
      sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
    }
    if (turn % 20 == 0)
      sqlite3_wal_checkpoint_v2(database, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    if (turn % 100 == 0) {
      const int code = sqlite3_wal_checkpoint_v2(database, nullptr, SQLITE_CHECKPOINT_TRUNCATE,
                                                 nullptr, nullptr);
      if (code != SQLITE_OK) ++shared.refused;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

LiveWriter::LiveWriter(const std::filesystem::path& path, std::uint64_t rows) {
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap");
  shared_ = new (memory) Shared;
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("fork");
  if (process_ > 0) {
    wait_for(rows);
    return;
  }
  sqlite3* database = nullptr;
  if (sqlite3_open(path.c_str(), &database) != SQLITE_OK) ::_exit(1);
  sqlite3_exec(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;", nullptr, nullptr,
               nullptr);
  std::string sql = std::string("BEGIN;") + kTables;
  for (std::uint64_t row = 1; row <= rows; ++row) sql += insert_of(row);
  if (sqlite3_exec(database, (sql + "COMMIT;").c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    ::_exit(1);
  shared_->rows = rows;
  write_until_told(database, *shared_);
  sqlite3_close(database);
  ::_exit(0);
}

std::uint64_t LiveWriter::committed() const {
  return shared_->rows;
}

void LiveWriter::wait_for(std::uint64_t rows) const {
  while (shared_->rows < rows) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

LiveWriter::Report LiveWriter::stop() {
  shared_->stop = true;
  if (process_ > 0) ::waitpid(process_, nullptr, 0);
  process_ = -1;
  return {.commits = shared_->commits,
          .busy = shared_->busy,
          .failures = shared_->failures,
          .refused = shared_->refused};
}

LiveWriter::~LiveWriter() {
  stop();
  ::munmap(shared_, sizeof(Shared));
}

}  // namespace cgrep::test
