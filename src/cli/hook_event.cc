#include "cli/hook_event.h"

#include <algorithm>
#include <chrono>

#include "extract/json.h"

namespace cgrep {
namespace {

std::int64_t now_ms() {
  using std::chrono::milliseconds;
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
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

}  // namespace cgrep
