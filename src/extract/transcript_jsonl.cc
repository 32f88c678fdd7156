// Transcripts of one message per line:
//   {"role":"user"|"assistant","message":{"content":[block…]}}    content may be a string
//   {"type":"turn_ended","status":…}                              nothing to find
//   {"type":"error","error":"…"}                                  said by the provider
// Blocks: text, tool_use {name, input}, thinking, tool_result {content}, image.
#include "extract/clean.h"
#include "extract/json_reader.h"
#include "extract/transcript.h"

namespace cgrep {

namespace {

std::optional<Role> message_role(std::string_view name) {
  if (name == "user") return Role::user;
  if (name == "assistant") return Role::assistant;
  if (name == "system") return Role::system;
  if (name == "tool") return Role::tool_result;
  return std::nullopt;
}

void read_text(Role role, std::string_view text, std::uint64_t position, TranscriptDelivery& to) {
  if (role == Role::user) return to.user(text, position);
  if (role == Role::system) return to.system(text, position);
  if (role == Role::tool_result) return to.tool_result({}, text, position);
  to.reply(role, text, position);
}

// A string, or blocks of text.
std::string result_text(JsonElement content) {
  std::string_view string;
  if (content.get(string) == simdjson::SUCCESS) return std::string(fitting(string));
  if (!content.is_array()) return flattened_result(content);
  std::string text;
  for (const JsonElement part : content.get_array()) {
    const auto piece = text_of(part, "text");
    if (!text.empty() && !piece.empty()) append_fitting(text, "\n");
    append_fitting(text, piece);
  }
  return text;
}

// Where an image came from; what is in it, nobody can search.
std::string_view attached_path(JsonElement block) {
  const auto path = text_of(block, {"path", "filePath", "file_path", "filename", "name"});
  const auto source = member(block, "source");
  return path.empty() && source ? text_of(*source, {"path", "filename", "name"}) : path;
}

bool is_attachment(std::string_view type) {
  return type == "image" || type == "image_url" || type == "file" || type == "document" ||
         type == "attachment";
}

void read_tool_use(JsonElement block, std::uint64_t position, TranscriptDelivery& to) {
  const auto input = member(block, "input");
  to.tool_call(text_of(block, {"name", "toolName"}), input ? flattened(*input) : Arguments(),
               position);
}

// False when the block is of no known kind.
bool read_block(JsonElement block, Role role, std::uint64_t position, TranscriptDelivery& to) {
  std::string_view bare;
  if (block.get(bare) == simdjson::SUCCESS) {
    read_text(role, bare, position, to);
    return true;
  }
  const auto type = text_of(block, "type");
  if (type == "text") {
    read_text(role, text_of(block, "text"), position, to);
  } else if (type == "tool_use") {
    read_tool_use(block, position, to);
  } else if (type == "thinking") {
    to.reply(Role::thinking, text_of(block, {"thinking", "text"}), position);
  } else if (type == "tool_result") {
    if (const auto content = member(block, "content"))
      to.tool_result(text_of(block, {"name", "toolName"}), result_text(*content), position);
  } else if (is_attachment(type)) {
    if (const auto path = attached_path(block); !path.empty()) to.attachment(role, path, position);
  } else {
    return type == "redacted_thinking";  // encrypted: known, and nothing to find
  }
  return true;
}

void read_content(JsonElement content, Role role, std::uint64_t position, TranscriptDelivery& to) {
  std::string_view text;
  if (content.get(text) == simdjson::SUCCESS) {
    read_text(role, text, position, to);
  } else if (content.is_array()) {
    std::uint64_t index = 0;
    for (const JsonElement block : content.get_array())
      if (!read_block(block, role, position + index++, to))
        to.problem("unknown block type", position);
  } else {
    to.problem("message without content", position);
  }
}

void read_error(JsonElement record, std::uint64_t position, TranscriptDelivery& to) {
  auto text = text_of(record, {"error", "message"});
  const auto error = member(record, "error");
  if (text.empty() && error) text = text_of(*error, {"message", "error"});
  to.system(text, position);
}

void read_untold(JsonElement record, std::uint64_t position, TranscriptDelivery& to) {
  const auto type = text_of(record, "type");
  if (type == "error") return read_error(record, position, to);
  if (type != "turn_ended") to.problem("unknown record type", position);
}

void read_line(const Line& line, JsonReader& json, TranscriptDelivery& to) {
  const auto record = json.parse_padded(line.bytes);
  if (!record) return to.problem("not JSON", line.offset);
  if (!record->is_object()) return to.problem("not a JSON object", line.offset);
  read_message(*record, line.offset, to);
}

// A line that its writer has not finished. One that is a whole record only lacks its newline.
bool is_half_written(const Line& line, JsonReader& json) {
  if (line.ended) return false;
  if (line.overlong) return true;
  const auto record = json.parse_padded(line.bytes);
  return !record || !record->is_object();
}

}  // namespace

void read_message(JsonElement record, std::uint64_t position, TranscriptDelivery& to) {
  const auto name = text_of(record, "role");
  if (name.empty()) return read_untold(record, position, to);
  const auto role = message_role(name);
  if (!role) return to.problem("unknown role", position);
  const auto message = member(record, "message");
  auto content = message && message->is_object() ? member(*message, "content") : message;
  if (!content) content = member(record, "content");
  if (!content) return to.problem("message without content", position);
  read_content(*content, *role, position, to);
  to.message_ended();
}

void read_transcript_jsonl(const ReadAt& read, AppendTrail& trail, TranscriptDelivery& to) {
  JsonReader json;
  LineReader lines(read, trail.offset());
  for (Line line; lines.next(line);) {
    if (is_blank(line.bytes) && !line.overlong) {
      trail.passed(line.raw);
    } else if (is_half_written(line, json)) {
      to.problem("half-written last line", line.offset, true);
      break;
    } else if (line.overlong) {
      to.problem("line over 64 MB", line.offset);
      trail.skipped(line.end, read);
    } else {
      read_line(line, json, to);
      trail.passed(line.raw);
    }
  }
}

}  // namespace cgrep
