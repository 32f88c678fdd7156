#include "cli/detach.h"

#include <algorithm>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace cgrep {
namespace {

// Whoever waits for the end of a pipe must not wait for the worker.
void close_descriptors() {
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
#ifdef CLOSE_RANGE_CLOEXEC
  if (close_range(STDERR_FILENO + 1, ~0U, 0) == 0) return;
#endif
  const long most = std::min(sysconf(_SC_OPEN_MAX), 65536L);
  for (int other = STDERR_FILENO + 1; other < most; ++other) close(other);
}

}  // namespace

bool detached() {
  if (fork() != 0) return false;
  setsid();
  std::signal(SIGHUP, SIG_IGN);
  close_descriptors();
  constexpr int kLater = 10;  // after whatever the user waits for
  if (chdir("/") != 0 || nice(kLater) < 0) {
    // it works as well where it is
  }
  return true;
}

}  // namespace cgrep
