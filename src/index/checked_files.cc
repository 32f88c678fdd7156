#include "index/checked_files.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <sqlite3.h>

#include "error.h"
#include "extract/sqlite.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr int kChecksumBytes = 8;
constexpr int kReserveAt = 20;  // in the file's header: how many bytes of a page are left free
constexpr int kHeaderBytes = 100;
constexpr int kSmallestPage = 512;
constexpr int kBiggestPage = 65536;

/// What SQLite gets for a file; the usual file lies behind it.
struct CheckedFile {
  sqlite3_file base;
  bool checks;  // as the header says
};

CheckedFile& checked(sqlite3_file* file) {
  return *reinterpret_cast<CheckedFile*>(file);
}

sqlite3_file* usual(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<CheckedFile*>(file) + 1);
}

bool is_page(int size, sqlite3_int64 at) {
  return size >= kSmallestPage && size <= kBiggestPage && (size & (size - 1)) == 0 &&
         at % size == 0;
}

std::uint64_t checksum(const char* page, int size, sqlite3_int64 at) {
  return hash64({page, static_cast<std::size_t>(size - kChecksumBytes)},
                static_cast<std::uint64_t>(at));
}

void look_at_header(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 at) {
  if (at == 0 && size >= kHeaderBytes)
    checked(file).checks = static_cast<const char*>(bytes)[kReserveAt] == kChecksumBytes;
}

int close_file(sqlite3_file* file) {
  return usual(file)->pMethods->xClose(usual(file));
}

// SQLite takes what is missing at the end of a file for zeros.
bool ends_within(sqlite3_file* file, sqlite3_int64 at) {
  sqlite3_int64 size = 0;
  return usual(file)->pMethods->xFileSize(usual(file), &size) == SQLITE_OK && size > at;
}

int read_file(sqlite3_file* file, void* bytes, int size, sqlite3_int64 at) {
  const int code = usual(file)->pMethods->xRead(usual(file), bytes, size, at);
  if (code == SQLITE_IOERR_SHORT_READ && checked(file).checks && is_page(size, at) &&
      ends_within(file, at))
    return SQLITE_IOERR_DATA;
  if (code != SQLITE_OK) return code;
  look_at_header(file, bytes, size, at);
  if (!checked(file).checks || !is_page(size, at)) return SQLITE_OK;
  const auto* page = static_cast<const char*>(bytes);
  const bool same = detail::load64(page + size - kChecksumBytes) == checksum(page, size, at);
  return same ? SQLITE_OK : SQLITE_IOERR_DATA;
}

int write_file(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 at) {
  look_at_header(file, bytes, size, at);
  if (!checked(file).checks || !is_page(size, at))
    return usual(file)->pMethods->xWrite(usual(file), bytes, size, at);
  std::array<char, kBiggestPage> page;  // NOLINT(*-member-init): most of it is never touched
  std::memcpy(page.data(), bytes, static_cast<std::size_t>(size));
  const auto sum = checksum(page.data(), size, at);
  std::memcpy(page.data() + size - kChecksumBytes, &sum, sizeof sum);
  return usual(file)->pMethods->xWrite(usual(file), page.data(), size, at);
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  return usual(file)->pMethods->xTruncate(usual(file), size);
}
int sync(sqlite3_file* file, int flags) {
  return usual(file)->pMethods->xSync(usual(file), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return usual(file)->pMethods->xFileSize(usual(file), size);
}
int lock(sqlite3_file* file, int level) {
  return usual(file)->pMethods->xLock(usual(file), level);
}
int unlock(sqlite3_file* file, int level) {
  return usual(file)->pMethods->xUnlock(usual(file), level);
}
int check_lock(sqlite3_file* file, int* taken) {
  return usual(file)->pMethods->xCheckReservedLock(usual(file), taken);
}
int control(sqlite3_file* file, int what, void* argument) {
  return usual(file)->pMethods->xFileControl(usual(file), what, argument);
}
int sector_size(sqlite3_file* file) {
  return usual(file)->pMethods->xSectorSize(usual(file));
}
int characteristics(sqlite3_file* file) {
  return usual(file)->pMethods->xDeviceCharacteristics(usual(file));
}
int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
  return usual(file)->pMethods->xShmMap(usual(file), region, size, extend, memory);
}
int lock_shared(sqlite3_file* file, int first, int count, int flags) {
  return usual(file)->pMethods->xShmLock(usual(file), first, count, flags);
}
void barrier_shared(sqlite3_file* file) {
  usual(file)->pMethods->xShmBarrier(usual(file));
}
int unmap_shared(sqlite3_file* file, int remove) {
  return usual(file)->pMethods->xShmUnmap(usual(file), remove);
}

// Version 2: without mapping the file, which would go past the checks.
constexpr sqlite3_io_methods kMethods = {.iVersion = 2,
                                         .xClose = close_file,
                                         .xRead = read_file,
                                         .xWrite = write_file,
                                         .xTruncate = truncate,
                                         .xSync = sync,
                                         .xFileSize = file_size,
                                         .xLock = lock,
                                         .xUnlock = unlock,
                                         .xCheckReservedLock = check_lock,
                                         .xFileControl = control,
                                         .xSectorSize = sector_size,
                                         .xDeviceCharacteristics = characteristics,
                                         .xShmMap = map_shared,
                                         .xShmLock = lock_shared,
                                         .xShmBarrier = barrier_shared,
                                         .xShmUnmap = unmap_shared,
                                         .xFetch = nullptr,
                                         .xUnfetch = nullptr};

int open_file(sqlite3_vfs* files, const char* name, sqlite3_file* file, int flags,
              int* flags_used) {
  auto* system = static_cast<sqlite3_vfs*>(files->pAppData);
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
    return system->xOpen(system, name, file, flags, flags_used);
  file->pMethods = nullptr;
  checked(file).checks = false;
  const int code = system->xOpen(system, name, usual(file), flags, flags_used);
  // Also when it failed: SQLite closes what has methods.
  if (usual(file)->pMethods != nullptr) file->pMethods = &kMethods;
  return code;
}

int reserve(Database& database, int bytes) {
  const int code =
      sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
  return code == SQLITE_OK ? bytes : -1;
}

}  // namespace

const char* checked_files() {
  static sqlite3_vfs files = [] {
    sqlite3_initialize();
    sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
    sqlite3_vfs changed = *system;
    changed.zName = "cgrep-checked";
    changed.szOsFile += static_cast<int>(sizeof(CheckedFile));
    changed.pAppData = system;
    changed.xOpen = open_file;
    return changed;
  }();
  static const int registered = sqlite3_vfs_register(&files, 0);
  if (registered != SQLITE_OK) throw Error("SQLite refuses");
  return files.zName;
}

void reserve_checksums(Database& database) {
  reserve(database, kChecksumBytes);
}

bool has_checksums(Database& database) {
  return reserve(database, -1) == kChecksumBytes;
}

}  // namespace cgrep
