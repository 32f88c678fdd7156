#include "extract/read_counter.h"

#include <sqlite3.h>

namespace cgrep {

namespace {

thread_local ReadCounter* counting = nullptr;

int count_row(unsigned /*event*/, void* counter, void* /*statement*/, void* /*unused*/) {
  ++static_cast<ReadCounter*>(counter)->rows;
  return 0;
}

std::uint64_t page_size(sqlite3* database) {
  sqlite3_stmt* statement = nullptr;
  std::uint64_t size = 0;
  if (sqlite3_prepare_v2(database, "PRAGMA page_size", -1, &statement, nullptr) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    size = static_cast<std::uint64_t>(sqlite3_column_int64(statement, 0));
  sqlite3_finalize(statement);
  return size;
}

}  // namespace

ReadCounter::ReadCounter() {
  counting = this;
}

ReadCounter::~ReadCounter() {
  counting = nullptr;
}

ReadCounter* ReadCounter::current() {
  return counting;
}

void ReadCounter::share(ReadCounter* counter) {
  counting = counter;
}

void ReadCounter::watch(sqlite3* database) {
  sqlite3_trace_v2(database, SQLITE_TRACE_ROW, count_row, this);
}

void ReadCounter::count_pages(sqlite3* database) {
  sqlite3_trace_v2(database, 0, nullptr, nullptr);
  int misses = 0;
  int highest = 0;
  sqlite3_db_status(database, SQLITE_DBSTATUS_CACHE_MISS, &misses, &highest, 1);
  bytes += static_cast<std::uint64_t>(misses) * page_size(database);
}

}  // namespace cgrep
