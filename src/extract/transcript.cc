#include "extract/transcript.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "extract/clean.h"
#include "extract/delivery.h"
#include "extract/json.h"
#include "extract/paths.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

// A day alone is the weakest word on when a conversation was.
constexpr int kDayRung = rung::any::only + 10;

void print_text(std::string& out, std::string_view key, std::string_view value) {
  if (!value.empty()) out += fmt::format("\"{}\":{},", key, json_quote(value));
}

void print_time(std::string& out, std::string_view key, std::optional<std::int64_t> time) {
  if (time) out += fmt::format("\"{}\":{},", key, *time);
}

std::optional<std::int64_t> integer_of(const Json& json, std::string_view key) {
  const Json* value = json.find(key);
  return value != nullptr ? value->integer() : std::nullopt;
}

}  // namespace

std::string TranscriptState::text() const {
  std::string out = "{";
  print_time(out, "time", time);
  print_time(out, "day", day);
  print_text(out, "workspace", workspace);
  print_text(out, "project", project);
  print_text(out, "folder", folder);
  return out + fmt::format("\"prompted\":{},\"scattered\":{}}}", prompted, scattered);
}

TranscriptState TranscriptState::parse(std::string_view text) {
  const auto json = Json::parse(text).value_or(Json());
  const auto flag = [&](std::string_view key) {
    const Json* value = json.find(key);
    return value != nullptr && value->boolean().value_or(false);
  };
  return {.time = integer_of(json, "time"),
          .day = integer_of(json, "day"),
          .prompted = flag("prompted"),
          .workspace = std::string(json.text("workspace")),
          .project = std::string(json.text("project")),
          .folder = std::string(json.text("folder")),
          .scattered = flag("scattered")};
}

TranscriptDelivery::TranscriptDelivery(TranscriptId id, TranscriptState state, Sink& sink)
    : id_(std::move(id)), state_(std::move(state)), sink_(sink) {}

void TranscriptDelivery::document(Role role, std::string text, Document document) {
  document.store = id_.store;
  document.conversation = id_.conversation;
  document.role = role;
  document.text = std::move(text);
  if (state_.time) document.time = Time{*state_.time, TimeOrigin::tag};
  deliver(std::move(document), sink_);
}

void TranscriptDelivery::user(std::string_view raw, std::uint64_t position) {
  auto cleaned = clean_user(raw);
  if (cleaned.time) state_.time = cleaned.time;
  if (!state_.day) state_.day = cleaned.day;
  if (!cleaned.workspace.empty()) state_.workspace = cleaned.workspace;
  if (cleaned.text.empty()) return;
  if (cleaned.injected) return system(cleaned.text, position);
  user_in_message_ = true;
  document(Role::user, std::move(cleaned.text),
           {.files = std::move(cleaned.images),
            .position = position,
            .delegated = !id_.parent.empty() && !state_.prompted});
}

void TranscriptDelivery::reply(Role role, std::string_view raw, std::uint64_t position) {
  auto text = clean_reply(raw);
  if (!text.empty()) document(role, std::move(text), {.position = position});
}

void TranscriptDelivery::tool_call(std::string_view name, Arguments arguments,
                                   std::uint64_t position) {
  note_paths(arguments);
  Document call{.tool = std::string(name), .position = position};
  call.alike = alike_call(name, arguments);
  call.files = std::move(arguments.files);
  document(Role::tool_call, std::move(arguments.text), std::move(call));
}

void TranscriptDelivery::tool_result(std::string_view name, std::string_view text,
                                     std::uint64_t position) {
  if (is_blank(text) || is_redacted(text)) return;
  document(Role::tool_result, std::string(fitting(text)),
           {.tool = std::string(name), .position = position});
}

void TranscriptDelivery::system(std::string_view text, std::uint64_t position) {
  if (!is_blank(text))
    document(Role::system, std::string(fitting(trimmed(text))), {.position = position});
}

void TranscriptDelivery::attachment(Role role, std::string_view path, std::uint64_t position) {
  if (role == Role::user) user_in_message_ = true;
  document(role, std::string(path),
           {.files = {std::string(path)},
            .position = position,
            .delegated = role == Role::user && !id_.parent.empty() && !state_.prompted});
}

void TranscriptDelivery::message_ended() {
  state_.prompted = state_.prompted || user_in_message_;
  user_in_message_ = false;
}

void TranscriptDelivery::problem(std::string_view what, std::uint64_t position, bool passing) {
  const auto where =
      counting_ ? fmt::format("message {}", position / kParts) : fmt::format("byte {}", position);
  sink_.problem({std::string(what), where, passing});
}

void TranscriptDelivery::note_folder(std::string_view folder) {
  if (state_.scattered || !is_absolute_path(folder)) return;
  state_.folder = common_folder(state_.folder.empty() ? folder : state_.folder, folder);
  state_.scattered = state_.folder.empty();
}

void TranscriptDelivery::note_paths(const Arguments& arguments) {
  const auto& folders = arguments.folders;
  for (const auto& path : arguments.files) {
    if (state_.project.empty()) state_.project = folder_with_slug(path, id_.slug);
    if (std::find(folders.begin(), folders.end(), path) == folders.end())
      note_folder(parent_folder(path));
  }
  for (const auto& path : folders) {
    if (state_.project.empty()) state_.project = folder_with_slug(path, id_.slug);
    note_folder(path);
  }
}

void TranscriptDelivery::claim(Fact fact, int rung, std::string_view value) {
  if (!value.empty()) sink_.claim({id_.conversation, fact, rung, repaired_utf8(value)});
}

void TranscriptDelivery::claims(std::int64_t mtime_ms) {
  claim(Fact::slug, rung::any::only, id_.slug);
  claim(Fact::parent, rung::any::only, id_.parent);
  claim(Fact::seen, rung::any::only, fmt::to_string(mtime_ms));
  if (state_.day) claim(Fact::created, kDayRung, fmt::to_string(*state_.day));
  claim(Fact::project, rung::project::workspace_line, state_.workspace);
  claim(Fact::project, rung::project::tools, state_.project);
  // A slug that names another folder is better than one that the agent happened to work in.
  if (!is_path_slug(id_.slug)) claim(Fact::project, rung::project::tools, state_.folder);
}

}  // namespace cgrep
