// {"role":"system"|"user"|"assistant"|"tool", "content": "…" | [block…], "id": …,
//  "providerOptions":{"cursor":{"requestId","modelName","isSummary"}}}
// Blocks:
//   text {text}                          reasoning {text, signature}     thinking {thinking|text}
//   tool-call {toolCallId, toolName, args}    tool-result {toolCallId, toolName, result}
//   image, file                          redacted-reasoning {data}: encrypted, never looked at
// Names differ between providers: tool_use, tool_result, input, arguments, output, and OpenAI's
// "tool_calls":[{"id","function":{"name","arguments":"{…}"}}] beside the content.
#include "extract/model_message.h"

#include <algorithm>
#include <array>

#include "extract/utf8.h"

namespace cgrep {

namespace {

template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 3> kTexts = {"text", "input_text", "output_text"};
constexpr std::array<std::string_view, 2> kThoughts = {"reasoning", "thinking"};
constexpr std::array<std::string_view, 5> kCalls = {"tool-call", "tool_call", "tool_use",
                                                    "tool-use", "function"};
constexpr std::array<std::string_view, 2> kResults = {"tool-result", "tool_result"};
constexpr std::array<std::string_view, 4> kEncrypted = {"redacted-reasoning", "redacted_reasoning",
                                                        "redacted-thinking", "redacted_thinking"};
constexpr std::array<std::string_view, 5> kAttached = {"image", "image_url", "file", "document",
                                                       "attachment"};

std::optional<JsonElement> first_member(JsonElement value,
                                        std::initializer_list<std::string_view> keys) {
  for (const auto key : keys)
    if (const auto found = member(value, key)) return found;
  return std::nullopt;
}

// providerOptions.cursor; an empty element where there is none.
std::optional<JsonElement> cursor_options(JsonElement value) {
  const auto options = member(value, "providerOptions");
  return options ? member(*options, "cursor") : std::nullopt;
}

std::string_view option(JsonElement value, std::string_view key) {
  const auto options = cursor_options(value);
  return options ? text_of(*options, key) : std::string_view();
}

bool is_summary(JsonElement message) {
  const auto options = cursor_options(message);
  const auto flag = options ? member(*options, "isSummary") : std::nullopt;
  bool set = false;
  return flag && flag->get(set) == simdjson::SUCCESS && set;
}

std::optional<Role> role_of(JsonElement message) {
  const auto name = text_of(message, "role");
  if (name == "user") return is_summary(message) ? Role::summary : Role::user;
  if (name == "assistant") return Role::assistant;
  if (name == "system" || name == "developer") return Role::system;
  if (name == "tool" || name == "function") return Role::tool_result;
  return std::nullopt;
}

std::string_view call_of(JsonElement value) {
  return text_of(value, {"toolCallId", "tool_call_id", "tool_use_id", "callId", "id"});
}

void append_line(std::string& text, std::string_view line) {
  if (!text.empty() && !line.empty()) text += '\n';
  text += line;
}

bool is_list_of_blocks(JsonElement value) {
  if (!value.is_array()) return false;
  const auto items = value.get_array().value();
  return items.size() > 0 && std::all_of(items.begin(), items.end(), [](JsonElement item) {
           return !text_of(item, "type").empty();
         });
}

// A string, which is told as it stands, blocks of text, {type, value}, or any JSON: then it is
// `made`.
std::string_view result_text(JsonElement value, std::string& made) {
  std::string_view string;
  if (value.get(string) == simdjson::SUCCESS) return string;
  made.clear();
  if (is_list_of_blocks(value)) {
    for (const JsonElement block : value.get_array()) append_line(made, text_of(block, "text"));
    return made;
  }
  const auto inner = member(value, "value");
  const bool typed = inner && !text_of(value, "type").empty();
  return made = flattened_result(typed ? *inner : value);
}

// Where it came from; what is in it, nobody can search.
std::string_view attached_path(JsonElement block) {
  return text_of(block, {"path", "filePath", "file_path", "filename", "name"});
}

class Parts {
 public:
  Parts(Role role, JsonReader& arguments, MessageDelivery& to)
      : role_(role), arguments_(arguments), to_(to) {}

  void message(JsonElement message) {
    const auto content = member(message, "content");
    const auto calls = member(message, "tool_calls");
    message_call_ = call_of(message);
    if (content) this->content(*content);
    if (calls && calls->is_array())
      for (const JsonElement call : calls->get_array()) {
        to_.begin_part();
        tool_call(call);
      }
    if (!content && !calls) to_.problem("message without content");
  }

 private:
  void content(JsonElement content) {
    std::string_view string;
    if (content.get(string) == simdjson::SUCCESS) {
      to_.begin_part();
      return text(string);
    }
    if (!content.is_array()) return to_.problem("message without content");
    for (const JsonElement item : content.get_array()) {
      to_.begin_part();
      if (!block(item)) to_.problem("unknown block type");
    }
  }

  // False when it is of no known kind.
  bool block(JsonElement block) {
    std::string_view bare;
    const auto type = text_of(block, "type");
    if (block.get(bare) == simdjson::SUCCESS)
      text(bare);
    else if (is_one_of(type, kTexts))
      text(text_of(block, "text"));
    else if (is_one_of(type, kThoughts))
      to_.reply(Role::thinking, text_of(block, {"text", "thinking"}));
    else if (is_one_of(type, kCalls))
      tool_call(block);
    else if (is_one_of(type, kResults))
      tool_result(block);
    else if (is_one_of(type, kAttached))
      attachment(block);
    else
      return is_one_of(type, kEncrypted);
    to_.model(option(block, "modelName"));
    return true;
  }

  void text(std::string_view text) {
    if (role_ == Role::user)
      to_.user(text);
    else if (role_ == Role::assistant)
      to_.reply(role_, text);
    else if (role_ == Role::tool_result)
      to_.tool_result({}, text, message_call_);
    else
      to_.plain(role_, text);
  }

  void tool_call(JsonElement block) {
    const auto function = member(block, "function").value_or(block);
    const auto given = first_member(function, {"args", "input", "arguments"});
    const auto raw = option(block, "rawToolCallArgs");
    auto arguments = given ? arguments_of(*given) : Arguments();
    if (arguments.text.empty() && !raw.empty()) arguments = arguments_in(raw);
    to_.tool_call(text_of(function, {"toolName", "name"}), std::move(arguments), call_of(block));
  }

  Arguments arguments_of(JsonElement given) {
    std::string_view string;
    return given.get(string) == simdjson::SUCCESS ? arguments_in(string) : flattened(given);
  }

  Arguments arguments_in(std::string_view text) {
    const auto parsed = arguments_.parse(text);
    return parsed && parsed->is_object() ? flattened(*parsed) : flattened_text(text);
  }

  void tool_result(JsonElement block) {
    auto call = call_of(block);
    if (call.empty()) call = message_call_;
    const auto result = first_member(block, {"result", "output", "content"});
    std::string made;
    auto text = result ? result_text(*result, made) : std::string_view();
    const auto shown = member(block, "experimental_content");
    if (trimmed(text).empty() && shown) text = result_text(*shown, made);
    to_.tool_result(text_of(block, {"toolName", "name"}), text, call);
  }

  void attachment(JsonElement block) {
    auto path = attached_path(block);
    const auto source = first_member(block, {"source", "image", "file"});
    if (path.empty() && source) path = attached_path(*source);
    if (!path.empty()) to_.attachment(role_, path);
  }

  Role role_;
  JsonReader& arguments_;
  MessageDelivery& to_;
  std::string_view message_call_{};
};

bool is_message(JsonElement value) {
  return !text_of(value, "role").empty();
}

}  // namespace

MessageReader::Found MessageReader::read(std::string_view bytes, MessageDelivery& to) {
  const auto message = json_.parse(bytes);
  if (!message) return Found::not_json;
  if (!is_message(*message)) return Found::other;
  const auto role = role_of(*message);
  if (!role) {
    to.problem("unknown role");
    return Found::message;
  }
  if (const auto time = first_member(*message, {"createdAt", "timestamp"}))
    if (const auto ms = time_of(*time)) to.message_time(ms);
  to.request(option(*message, "requestId"));
  to.model(option(*message, "modelName"));
  Parts(*role, arguments_, to).message(*message);
  return Found::message;
}

std::optional<MessageHead> MessageReader::head(std::string_view bytes) {
  const auto message = json_.parse(bytes);
  if (!message || !is_message(*message)) return std::nullopt;
  return MessageHead{.role = std::string(text_of(*message, "role")),
                     .request = std::string(option(*message, "requestId"))};
}

}  // namespace cgrep
