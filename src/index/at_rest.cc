#include "index/at_rest.h"

#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cgrep {

namespace {

// What SQLite's readers lock, in its own terms: SHARED of the database, WAL_READ_LOCK(0) of the
// -shm.
constexpr off_t kShared = 0x40000002;
constexpr off_t kSharedBytes = 510;
constexpr off_t kReadsDatabaseOnly = 123;

/// Of the descriptor, not of the process: what else this process opens and closes does not end it.
bool lock_for_reading(const FileDescriptor& file, off_t start, off_t bytes) {
#ifdef F_OFD_SETLK
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = bytes;
  return fcntl(file.get(), F_OFD_SETLK, &lock) == 0;
#else
  static_cast<void>(file), static_cast<void>(start), static_cast<void>(bytes);
  return false;
#endif
}

bool is_in_wal_mode(const FileDescriptor& database) {
  constexpr off_t kVersions = 18;  // that are needed to write and to read it
  constexpr char kWal = 2;
  char versions[2] = {};
  return pread(database.get(), versions, sizeof versions, kVersions) == sizeof versions &&
         versions[0] == kWal && versions[1] == kWal;
}

std::filesystem::path beside(const std::filesystem::path& database, const char* suffix) {
  auto path = database;
  path += suffix;
  return path;
}

bool has_empty_journal(const std::filesystem::path& database) {
  struct stat status = {};
  return stat(beside(database, "-wal").c_str(), &status) != 0 || status.st_size == 0;
}

}  // namespace

// The journal is looked at last: what comes into it from now on stays there.
std::optional<AtRest> AtRest::hold(const std::filesystem::path& database) {
  FileDescriptor file(open(database.c_str(), O_RDONLY | O_CLOEXEC));
  FileDescriptor shared(open(beside(database, "-shm").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid() || !shared.valid() || !lock_for_reading(file, kShared, kSharedBytes) ||
      !lock_for_reading(shared, kReadsDatabaseOnly, 1) || !is_in_wal_mode(file) ||
      !has_empty_journal(database))
    return std::nullopt;
  return AtRest(std::move(file), std::move(shared));
}

void AtRest::make_possible(const std::filesystem::path& database) {
  const FileDescriptor file(
      open(beside(database, "-shm").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

}  // namespace cgrep
