#include "cli/run_cgrep.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cgrep::test {
namespace {

// However slow the machine is, what a test changed is read.
constexpr std::pair<const char*, const char*> kBudget = {"CGREP_REFRESH_BUDGET", "60000"};

[[noreturn]] void become(const std::vector<std::string>& words, const RunOptions& options) {
  std::vector<std::string> variables;
  const char* path = std::getenv("PATH");
  variables.push_back(std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin"));
  for (const auto& [name, value] : options.environment)
    variables.push_back(fmt::format("{}={}", name, value));
  std::vector<char*> environment;
  environment.reserve(variables.size() + 1);
  for (auto& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);

  auto copies = words;
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (auto& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  if (!options.directory.empty() && chdir(options.directory.c_str()) != 0) _exit(125);
  std::signal(SIGINT, SIG_DFL);  // a job in the background ignores it, and so would what it starts
  execvpe(arguments[0], arguments.data(), environment.data());
  _exit(126);
}

// Reads what is there; false at the end. A terminal says EIO when its other side is closed.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 4096> piece{};
  const ssize_t count = read(descriptor, piece.data(), piece.size());
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  text.append(piece.data(), static_cast<std::size_t>(count));
  return true;
}

void wait_for(pid_t child, RunResult& result) {
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.peak_kb = used.ru_maxrss;
}

RunResult run_on_terminal(const std::vector<std::string>& words, const RunOptions& options) {
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child < 0) throw std::runtime_error("forkpty failed");
  if (child == 0) become(words, options);
  RunResult result;
  while (read_some(terminal, result.out)) {
  }
  close(terminal);
  wait_for(child, result);
  return result;
}

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_writer() {
    close(ends[1]);
    ends[1] = -1;
  }
  std::array<int, 2> ends{};
};

void read_both(int out, int err, RunResult& result) {
  std::array<pollfd, 2> waiting{pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return;
    if (waiting[0].revents != 0 && !read_some(out, result.out)) waiting[0].fd = -1;
    if (waiting[1].revents != 0 && !read_some(err, result.err)) waiting[1].fd = -1;
  }
}

RunResult run_in_pipes(const std::vector<std::string>& words, const RunOptions& options) {
  Pipe out;
  Pipe err;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out.ends[1], STDOUT_FILENO);
    dup2(err.ends[1], STDERR_FILENO);
    become(words, options);
  }
  out.close_writer();
  err.close_writer();
  RunResult result;
  read_both(out.ends[0], err.ends[0], result);
  wait_for(child, result);
  return result;
}

}  // namespace

RunResult run_program(const std::vector<std::string>& words, const RunOptions& options) {
  return options.terminal ? run_on_terminal(words, options) : run_in_pipes(words, options);
}

RunResult run_cgrep(std::vector<std::string> words, RunOptions options) {
  options.environment.try_emplace(kBudget.first, kBudget.second);
  words.insert(words.begin(), CGREP_BINARY);
  return run_program(words, options);
}

RunResult run_shell(const std::string& line, RunOptions options) {
  options.environment["CGREP"] = CGREP_BINARY;
  options.environment.try_emplace(kBudget.first, kBudget.second);
  return run_program({"bash", "-c", line}, options);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace cgrep::test
