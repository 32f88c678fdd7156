#include "bench/measure/process.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cgrep::bench {
namespace {

/// A file in memory that a command writes to: no pipe to be emptied while it is timed.
class Capture {
 public:
  Capture() : file_(memfd_create("output", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  ~Capture() { close(file_); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int file() const { return file_; }

  std::string text() const {
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t got = pread(file_, text.data(), text.size(), 0);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  int file_;
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const auto& string : strings) result.push_back(const_cast<char*>(string.c_str()));
  result.push_back(nullptr);
  return result;
}

pid_t start(const Command& command, const std::vector<std::string>& environment, int out, int err) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, command.front().c_str(), &files, nullptr,
                                  pointers(command).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) throw std::system_error(failed, std::generic_category(), command.front());
  return child;
}

/// What it read and wrote, as long as it has not been reaped.
void note_bytes(pid_t child, Cost& cost) {
  std::ifstream io(fmt::format("/proc/{}/io", child));
  std::string name;
  for (std::uint64_t value = 0; io >> name >> value;) {
    if (name == "rchar:") cost.read = value;
    if (name == "wchar:") cost.written = value;
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

Runner::Runner(const std::filesystem::path& empty_home)
    : environment_{"HOME=" + empty_home.string(), "LC_ALL=C.UTF-8"} {
  if (const char* path = std::getenv("PATH")) environment_.push_back(std::string("PATH=") + path);
}

Cost Runner::run(const Command& command) const {
  const Capture out;
  const Capture err;
  Cost cost;
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = start(command, environment_, out.file(), err.file());
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  note_bytes(child, cost);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  cost.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  cost.cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  cost.memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  cost.output = out.text();
  cost.errors = err.text();
  return cost;
}

Cost Runner::must(const Command& command) const {
  Cost cost = run(command);
  if (cost.status != 0)
    throw std::runtime_error(
        fmt::format("{}: exit {}\n{}", fmt::join(command, " "), cost.status, cost.errors));
  return cost;
}

}  // namespace cgrep::bench
