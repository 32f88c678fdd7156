#include "cli/pager.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"

namespace cgrep {
namespace {

constexpr auto kWhen = std::to_array<Named<PagerWhen>>(
    {{"auto", PagerWhen::automatic}, {"always", PagerWhen::always}, {"never", PagerWhen::never}});

// Read by the handler of a signal.
std::atomic<pid_t> running_pager{0};
std::atomic<int> pager_input{-1};

bool is_program(const std::string& word, const Environment& environment) {
  if (word.find('/') != std::string::npos) return access(word.c_str(), X_OK) == 0;
  const std::string path = environment("PATH").value_or("/usr/bin:/bin");
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    const auto file = std::filesystem::path(path.substr(begin, end - begin)) / word;
    if (access(file.c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

Pager::Screen screen_size() {
  Pager::Screen screen;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return screen;
  if (size.ws_row > 0) screen.rows = size.ws_row;
  if (size.ws_col > 0) screen.columns = size.ws_col;
  return screen;
}

// The environment of the pager: less and lv are told to pass colours on, unless the user told them
// something else. F: leave at once when all fits; X: leave the screen as it is.
std::vector<std::string> pager_environment() {
  std::vector<std::string> variables;
  bool less = false;
  bool lv = false;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    less = less || text.starts_with("LESS=");
    lv = lv || text.starts_with("LV=");
    variables.emplace_back(text);
  }
  if (!less) variables.emplace_back("LESS=FRX");
  if (!lv) variables.emplace_back("LV=-c");
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// 0 when it cannot be started.
pid_t spawn(const std::string& command, int input) {
  std::vector<std::string> words{"sh", "-c", command};
  auto variables = pager_environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);  // which cgrep ignores
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/bin/sh", &actions, &attributes,
                                 pointers_to(words).data(), pointers_to(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed != 0 ? 0 : child;
}

}  // namespace

void declare_pager(OptionTable& table, PagerWhen& when) {
  table.add_choice("--pager", when, kWhen,
                   "Show the output in a pager; auto: on a terminal, when it is longer than that; "
                   "default never");
}

std::string pager_command(const Environment& environment) {
  std::string command = "less";
  for (const char* variable : {"CGREP_PAGER", "PAGER"})
    if (auto value = environment(variable)) {
      command = *std::move(value);
      break;
    }
  const auto begin = command.find_first_not_of(" \t");
  if (begin == std::string::npos || command == "cat") return {};
  const auto word = command.substr(begin, command.find_first_of(" \t", begin) - begin);
  return is_program(word, environment) ? command : std::string();
}

bool Pager::overflows(std::string_view text) {
  if (!screen_) return true;
  for (const char c : text) {
    ++column_;
    if (c == '\n' || column_ > screen_->columns) {
      ++rows_;
      column_ = 0;
    }
  }
  return rows_ >= screen_->rows;  // one is left for the prompt
}

int Pager::start() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
  const pid_t child = spawn(command_, ends[0]);
  close(ends[0]);
  if (child == 0) {
    close(ends[1]);
    return -1;
  }
  input_ = ends[1];
  pager_input = input_;
  running_pager = child;
  if (isatty(STDERR_FILENO) == 1) {
    errors_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(input_, STDERR_FILENO);
  }
  return input_;
}

void Pager::finish() {
  if (input_ < 0) return;
  if (errors_ >= 0) {
    dup2(errors_, STDERR_FILENO);
    close(errors_);
  }
  close(input_);
  input_ = -1;
  pager_input = -1;
  const pid_t child = running_pager;
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  running_pager = 0;
}

std::optional<Pager> make_pager(PagerWhen when, const Environment& environment) {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  if (when == PagerWhen::never || (when == PagerWhen::automatic && !terminal)) return std::nullopt;
  auto command = pager_command(environment);
  if (command.empty()) return std::nullopt;
  const bool always = when == PagerWhen::always;
  return Pager(std::move(command), always ? std::nullopt : std::optional(screen_size()));
}

void wait_for_pager_in_signal() {
  const pid_t child = running_pager;
  if (child == 0) return;
  close(pager_input);
  close(STDERR_FILENO);  // may be the same pipe
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace cgrep
