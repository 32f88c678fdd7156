// Preloaded into a program under test: counts the calls that change files, kills the process or
// lets a disk be full at a chosen one, and shows it another file system, lock or clock. What it
// does is said by variables (faults.h); without them it only passes calls on.
//
// Calls go straight to the kernel, so that nothing has to be looked up.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>

// Functions that have a struct's name stand beside it, in C as well.
#pragma GCC diagnostic ignored "-Wshadow"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

std::int64_t number_in(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atoll(value) : 0;
}

struct Plan {
  std::int64_t kill_at = number_in("FAULTS_KILL_AT");
  std::int64_t kill_with = number_in("FAULTS_KILL_WITH");
  std::int64_t fail_at = number_in("FAULTS_FAIL_AT");
  std::int64_t fail_with = number_in("FAULTS_FAIL_WITH");
  std::int64_t file_system = number_in("FAULTS_FILE_SYSTEM");
  std::int64_t lock_error = number_in("FAULTS_LOCK_ERROR");
  std::int64_t clock = number_in("FAULTS_CLOCK");
};

const Plan& plan() {
  static const Plan plan;
  return plan;
}

std::atomic<std::int64_t>* mapped_counter() {
  static std::atomic<std::int64_t> own{0};
  const char* path = std::getenv("FAULTS_COUNTER");
  if (path == nullptr) return &own;
  const auto file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0));
  void* memory = mmap(nullptr, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  return memory == MAP_FAILED ? &own : static_cast<std::atomic<std::int64_t>*>(memory);
}

void die() {
  syscall(SYS_kill, getpid(), plan().kill_with != 0 ? plan().kill_with : SIGKILL);
  for (;;) pause();
}

enum class Turn { pass, fail, die };

Turn next_turn(bool grows) {
  static std::atomic<std::int64_t>* counter = mapped_counter();
  const auto turn = ++*counter;
  if (plan().kill_at != 0 && turn >= plan().kill_at) return Turn::die;
  // A full disk stays full, and lets files be removed.
  if (plan().fail_at != 0 && turn >= plan().fail_at && grows) {
    errno = static_cast<int>(plan().fail_with);
    return Turn::fail;
  }
  return Turn::pass;
}

/// A call that takes no other course than to happen or not.
bool stops(bool grows) {
  const Turn turn = next_turn(grows);
  if (turn == Turn::die) die();
  return turn == Turn::fail;
}

bool is_file(int fd) {
  struct stat status = {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

template <typename Write>
ssize_t counted_write(int fd, std::size_t size, Write&& write_some) {
  if (!is_file(fd)) return write_some(size);
  const Turn turn = next_turn(true);
  if (turn == Turn::pass) return write_some(size);
  if (turn == Turn::fail) return -1;
  write_some(size / 2);  // the power may go in the middle
  die();
  return -1;
}

int opened(int folder, const char* path, int flags, mode_t mode) {
  const bool makes = (flags & O_CREAT) != 0 && (flags & O_ACCMODE) != O_RDONLY;
  struct stat status = {};
  if (makes && fstatat(folder, path, &status, 0) != 0 && stops(true)) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

mode_t mode_in(int flags, va_list& arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, std::size_t size) {
  return counted_write(fd, size, [&](std::size_t some) {
    return static_cast<ssize_t>(syscall(SYS_write, fd, bytes, some));
  });
}

ssize_t pwrite64(int fd, const void* bytes, std::size_t size, off64_t at) {
  return counted_write(fd, size, [&](std::size_t some) {
    return static_cast<ssize_t>(syscall(SYS_pwrite64, fd, bytes, some, at));
  });
}
ssize_t pwrite(int fd, const void* bytes, std::size_t size, off_t at) {
  return pwrite64(fd, bytes, size, at);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return opened(AT_FDCWD, path, flags, mode);
}
int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return opened(AT_FDCWD, path, flags, mode);
}

int fsync(int fd) {
  return stops(false) ? -1 : static_cast<int>(syscall(SYS_fsync, fd));
}
int fdatasync(int fd) {
  return stops(false) ? -1 : static_cast<int>(syscall(SYS_fdatasync, fd));
}
int ftruncate64(int fd, off64_t size) noexcept {
  return stops(false) ? -1 : static_cast<int>(syscall(SYS_ftruncate, fd, size));
}
int ftruncate(int fd, off_t size) noexcept {
  return ftruncate64(fd, size);
}
int mkdir(const char* path, mode_t mode) noexcept {
  return stops(true) ? -1 : static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int rename(const char* from, const char* to) noexcept {
  if (stops(false)) return -1;
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int link(const char* from, const char* to) noexcept {
  if (stops(true)) return -1;
  return static_cast<int>(syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int unlink(const char* path) noexcept {
  return stops(false) ? -1 : static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
int rmdir(const char* path) noexcept {
  return stops(false) ? -1 : static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR));
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return stops(false) ? -1 : static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
}

int flock(int fd, int operation) noexcept {
  if (plan().lock_error != 0) {
    errno = static_cast<int>(plan().lock_error);
    return -1;
  }
  return static_cast<int>(syscall(SYS_flock, fd, operation));
}

int statfs(const char* path, struct statfs* status) noexcept {
  const auto result = static_cast<int>(syscall(SYS_statfs, path, status));
  if (plan().file_system != 0) status->f_type = plan().file_system;
  return result;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto result = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  if (clock == CLOCK_REALTIME) time->tv_sec += plan().clock;
  return result;
}

}  // extern "C"
