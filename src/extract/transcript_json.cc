// Old transcripts, one array of messages per file:
//   [{"role":"user"|"assistant"|"tool", "text":"…", "thinking":"…",
//     "toolCalls":[{"toolName":"Read","args":{…}}], "toolResult":{"toolName":"Read","result":…}}]
// The only form that has results of tools.
#include "extract/json_reader.h"
#include "extract/transcript.h"

namespace cgrep {

namespace {

class ArrayReader {
 public:
  explicit ArrayReader(TranscriptDelivery& to) : to_(to) {}

  void read(JsonElement message, std::uint64_t index) {
    position_ = index * TranscriptDelivery::kParts;
    if (!message.is_object()) return to_.problem("not a JSON object", position_);
    if (!member(message, "text") && (member(message, "message") || member(message, "content")))
      return read_message(message, position_, to_);
    const auto role = text_of(message, "role");
    if (role != "user" && role != "assistant" && role != "tool")
      return to_.problem("unknown role", position_);
    to_.reply(Role::thinking, text_of(message, "thinking"), position_++);
    read_text(role, text_of(message, "text"));
    read_calls(message);
    if (const auto result = member(message, "toolResult")) read_result(*result);
    to_.message_ended();
  }

 private:
  void read_text(std::string_view role, std::string_view text) {
    if (role == "user")
      to_.user(text, position_++);
    else if (role == "tool")
      to_.tool_result({}, text, position_++);
    else
      to_.reply(Role::assistant, text, position_++);
  }

  void read_calls(JsonElement message) {
    const auto calls = member(message, "toolCalls");
    if (!calls || !calls->is_array()) return;
    for (const JsonElement call : calls->get_array()) {
      auto arguments = member(call, "args");
      if (!arguments) arguments = member(call, "input");
      to_.tool_call(text_of(call, {"toolName", "name"}),
                    arguments ? flattened(*arguments) : Arguments(), position_++);
    }
  }

  void read_result(JsonElement result) {
    const auto value = member(result, "result");
    if (value)
      to_.tool_result(text_of(result, {"toolName", "name"}), flattened_result(*value), position_++);
  }

  TranscriptDelivery& to_;
  std::uint64_t position_ = 0;
};

}  // namespace

void read_transcript_json(std::string_view bytes, TranscriptDelivery& to) {
  JsonReader json;
  const bool empty = is_blank(bytes);
  const auto messages = json.parse(empty ? "[]" : bytes);
  if (!messages) return to.problem("not JSON", 0);
  if (!messages->is_array()) return to.problem("not a JSON array", 0);
  to.whole();
  to.count_messages();
  ArrayReader reader(to);
  std::uint64_t index = 0;
  for (const JsonElement message : messages->get_array()) reader.read(message, index++);
}

}  // namespace cgrep
