#include "cli/hook_run.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string>

#include <poll.h>
#include <unistd.h>

#include "cli/detach.h"
#include "extract/json.h"

namespace cgrep {
namespace {

constexpr std::size_t kMaxInput = 16u << 20;

std::int64_t now_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

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

// As ids are: a name without anything that means something in a path or a key.
bool is_plain_id(std::string_view id) {
  constexpr std::size_t kLongest = 200;
  return !id.empty() && id.size() <= kLongest && id.front() != '.' &&
         std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '_' || c == '.';
         });
}

}  // namespace

std::optional<HookEvent> hook_event(std::string_view json, const Environment& environment) {
  const auto told = Json::parse(json);
  if (!told || told->object() == nullptr) return std::nullopt;
  HookEvent event{.name = std::string(told->text("hook_event_name")), .time = now_ms()};
  event.conversation = told->text("conversation_id");
  if (event.conversation.empty()) event.conversation = told->text("session_id");
  if (!is_plain_id(event.conversation)) return std::nullopt;
  if (is_plain_id(told->text("generation_id"))) event.generation = told->text("generation_id");
  event.transcript = told->text("transcript_path");
  if (event.transcript.empty())
    event.transcript = environment("CURSOR_TRANSCRIPT_PATH").value_or(std::string());
  event.subagent_transcript = told->text("agent_transcript_path");
  return event;
}

ExitCode hook_run(const Places& places, const Environment& environment) {
  const auto event = hook_event(standard_input(), environment);
  if (event && places.has_history() && detached()) run_hook_worker(places, *event);
  return ExitCode::ok;
}

}  // namespace cgrep
