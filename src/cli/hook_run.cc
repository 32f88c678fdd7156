#include "cli/hook_run.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>

#include <poll.h>
#include <unistd.h>

#include "cli/detach.h"
#include "cli/hook_event.h"
#include "cli/hook_worker.h"
#include "index/noted_turns.h"

namespace cgrep {
namespace {

constexpr std::size_t kMaxInput = 16u << 20;

// All of it, or what came within a second: Cursor waits for us, so we do not wait for it.
std::string standard_input() {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(1);
  std::string input;
  std::array<char, 1 << 16> piece{};
  while (input.size() < kMaxInput) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd waiting{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const int ready = left.count() > 0 ? poll(&waiting, 1, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) break;
    const ssize_t count = read(STDIN_FILENO, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    input.append(piece.data(), static_cast<std::size_t>(count));
  }
  return input;
}

}  // namespace

ExitCode hook_run(const Places& places, const Environment& environment) {
  const auto event = hook_event(standard_input(), environment);
  if (!event || !places.has_history()) return ExitCode::ok;
  const auto turn = ended_turn(places, *event);
  const auto note = turn ? note_turn(places.index, *turn) : std::filesystem::path();
  if (detached()) run_hook_worker(places, *event, turn, note);
  return ExitCode::ok;
}

}  // namespace cgrep
