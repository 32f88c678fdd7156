#include "extract/bubble.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "extract/arguments.h"
#include "extract/clean.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/paths.h"
#include "extract/rich_text.h"
#include "extract/tools.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

using simdjson::dom::element_type;

constexpr std::int64_t kNewestVersion = 3;

// One place for each kind of document that a bubble can hold.
constexpr std::uint64_t kParts = 1u << 12;

// Fields that hold what was said or done.
constexpr std::array<std::string_view, 7> kTextFields = {
    "text", "rawText", "content", "message", "finalText", "markdown", "textDescription"};
constexpr std::array<std::string_view, 2> kRichTextFields = {"richText", "initText"};
constexpr std::array<std::string_view, 4> kObjects = {"thinking", "toolFormerData",
                                                      "toolFormerdata", "errorDetails"};
constexpr std::array<std::string_view, 5> kLists = {"allThinkingBlocks", "codeBlocks",
                                                    "toolResults", "suggestedCodeBlocks",
                                                    "assistantSuggestedDiffs"};

// What a bubble may lose while it is written to.
constexpr std::array<std::string_view, 7> kLosable = {"text",   "code",       "thinking", "call",
                                                      "result", "references", "error"};

void add_paragraph(std::string& text, std::string_view paragraph) {
  if (trimmed(paragraph).empty()) return;
  if (!text.empty()) append_fitting(text, "\n\n");
  append_fitting(text, paragraph);
}

// A bubble without any field that is known is one of a kind that is not known yet.
bool is_known(const JsonMembers& bubble) {
  const auto has = [&](auto type) {
    return [&bubble, type](std::string_view key) {
      const auto value = member(bubble, key);
      return value && value->type() == type;
    };
  };
  const auto is_text = has(element_type::STRING);
  return std::any_of(kTextFields.begin(), kTextFields.end(), is_text) ||
         std::any_of(kRichTextFields.begin(), kRichTextFields.end(), is_text) ||
         std::any_of(kObjects.begin(), kObjects.end(), has(element_type::OBJECT)) ||
         std::any_of(kLists.begin(), kLists.end(), has(element_type::ARRAY)) ||
         is_text("thinking") || is_text("errorDetails");
}

bool is_user(const JsonMembers& bubble) {
  const auto type = member(bubble, "type");
  if (!type) return false;
  if (type->is_int64()) return type->get_int64().value() == 1;
  const auto name = string_of(*type);
  return name == "user" || name == "human" || name == "1";
}

}  // namespace

std::string path_in(JsonElement value) {
  if (value.is_string()) return path_of_uri(string_of(value));
  auto path = text_of(value, {"relativeWorkspacePath", "fsPath", "_fsPath", "path", "filePath"});
  const auto uri = member(value, "uri");
  if (!path.empty() || !uri) return path_of_uri(path);
  if (uri->is_string()) return path_of_uri(string_of(*uri));
  // On Windows, the fsPath of another machine has the wrong slashes.
  const auto scheme = text_of(*uri, "scheme");
  if (!scheme.empty() && scheme != "file")
    return path_of_uri(text_of(*uri, {"path", "fsPath", "_fsPath", "external"}));
  return path_of_uri(text_of(*uri, {"fsPath", "_fsPath", "path", "external"}));
}

namespace {

void add_file(std::vector<std::string>& files, std::string file) {
  constexpr std::size_t kMaxFiles = 1000;
  if (!file.empty() && files.size() < kMaxFiles &&
      std::find(files.begin(), files.end(), file) == files.end() && !file.starts_with("data:"))
    files.push_back(std::move(file));
}

std::vector<std::string> attached_files(const JsonMembers& bubble) {
  std::vector<std::string> files;
  const auto add = [&](JsonElement item) { add_file(files, path_in(item)); };
  for (const auto* key : {"relevantFiles", "attachedCodeChunks", "attachedFolders",
                          "attachedFoldersNew", "attachedFileCodeChunksUris", "images"})
    for_each_item(bubble, key, add);
  if (const auto context = member(bubble, "context"))
    for (const auto* key : {"fileSelections", "folderSelections", "selections"})
      for_each_item(*context, key, add);
  return files;
}

}  // namespace

void check_version(JsonElement record, std::string_view family, std::int64_t newest,
                   std::string_view key, Sink& sink) {
  const auto version = member(record, "_v");
  if (!version) return;
  if (version->is_int64() && version->get_int64().value() >= 0 &&
      version->get_int64().value() <= newest)
    return;
  const auto name =
      version->is_int64() ? fmt::to_string(version->get_int64().value()) : std::string("?");
  sink.problem(
      {.what = fmt::format("unknown version {} of {}", name, family), .example = std::string(key)});
}

std::optional<std::int64_t> BubbleReader::time_of_bubble(const JsonMembers& bubble) {
  constexpr std::int64_t kNoDuration = 1'000'000'000'000;
  for (const auto* key : {"createdAt", "timestamp"})
    if (const auto value = member(bubble, key))
      if (const auto time = time_of(*value)) return time;
  const auto timing = member(bubble, "timingInfo");
  if (!timing) return std::nullopt;
  for (const auto* key : {"clientRpcSendTime", "clientSettleTime", "clientEndTime"})
    if (const auto value = member(*timing, key))
      if (const auto time = time_of(*value); time && *time > kNoDuration) return time;
  return std::nullopt;
}

// The documents of one bubble, in the order in which they are read.
struct BubbleReader::Parts {
  BubbleReader& reader;
  const BubblePlace& place;
  const JsonMembers& bubble;
  BubbleFacts facts{};
  std::optional<Time> time{};
  std::vector<std::string> delivered{};  // names of parts, if any may be lost
  std::uint64_t next = 0;

  void deliver_part(std::string_view name, Document&& document) {
    document.store = place.store;
    document.conversation = place.conversation;
    document.time = time;
    auto& key = document.identity.key;
    key.reserve(place.key.size() + 1 + name.size());
    key.append(place.key).append("/").append(name);
    document.position = place.position * kParts + std::min(next++, kParts - 1);
    document.orphan = place.orphan;
    if (place.again) delivered.emplace_back(name);
    cgrep::deliver(std::move(document), reader.sink_);
  }

  std::string_view message_text(std::string& made);
  void message();
  void thinking();
  void code(std::string_view message);
  void tool();
  void tool_call(std::string_view name, JsonElement call, std::string_view suffix);
  void tool_result(std::string_view name, JsonElement call, std::string_view suffix);
  std::string result_text(JsonElement call);
  std::string text_of_value(JsonElement value);
  void children(JsonElement call, std::string_view name);
  void old_tools();
  void old_results();
  void references();
  void error();
  void tell();
  void lose_missing();
};

// Where it does not stand as it is, it is in `made`.
std::string_view BubbleReader::Parts::message_text(std::string& made) {
  for (const auto key : kTextFields) {
    const auto text = text_of(bubble, key);
    if (trimmed(text).empty()) continue;
    // Some edits were kept as if they had been said.
    if (trimmed(text).starts_with("{\"diff\""))
      if (const auto diff = reader.inner_.parse(text)) return made = flattened_result(*diff);
    return text;
  }
  for (const auto key : kRichTextFields) {
    made = text_of_rich_text(text_of(bubble, key), reader.inner_);
    if (!trimmed(made).empty()) return made;
  }
  return {};
}

void BubbleReader::Parts::message() {
  std::string made;
  const auto raw = message_text(made);
  Document document{.role = facts.user ? Role::user : Role::assistant};
  if (facts.user) {
    auto cleaned = clean_user(raw);
    if (cleaned.time && (!time || time->origin != TimeOrigin::native))
      time = Time{*cleaned.time, TimeOrigin::tag};
    facts.workspace_line = cleaned.workspace;
    if (cleaned.injected) document.role = Role::system;
    document.text = std::move(cleaned.text);
    document.delegated = place.delegated && !cleaned.injected;
    document.files = std::move(cleaned.images);
    for (auto& file : attached_files(bubble)) add_file(document.files, std::move(file));
  } else {
    document.text = clean_reply(raw);
    document.files = attached_files(bubble);
  }
  if (!trimmed(document.text).empty()) deliver_part("text", std::move(document));
  code(raw);
}

// Code that the message shows is part of its text already; old versions kept it apart.
void BubbleReader::Parts::code(std::string_view message) {
  Document document{.role = facts.user ? Role::user : Role::assistant};
  const auto add = [&](std::string_view code, std::string file) {
    if (trimmed(code).empty() || message.find(trimmed(code)) != std::string_view::npos ||
        document.text.find(trimmed(code)) != std::string::npos)
      return;
    add_paragraph(document.text, code);
    add_file(document.files, std::move(file));
  };
  for_each_item(bubble, "codeBlocks",
                [&](JsonElement block) { add(text_of(block, "content"), path_in(block)); });
  for_each_item(bubble, "suggestedCodeBlocks", [&](JsonElement block) {
    add(text_of(block, {"code", "content"}), path_in(block));
  });
  for_each_item(bubble, "assistantSuggestedDiffs", [&](JsonElement diff) {
    add(text_of(diff, "newContent"), path_in(diff));
    add(text_of(diff, "oldContent"), path_in(diff));
  });
  if (!document.text.empty()) deliver_part("code", std::move(document));
}

void BubbleReader::Parts::thinking() {
  std::string text;
  if (const auto thought = member(bubble, "thinking"))
    text = fitting(thought->is_string() ? string_of(*thought)
                                        : text_of(*thought, {"text", "thinking"}));
  for_each_item(bubble, "allThinkingBlocks", [&](JsonElement block) {
    add_paragraph(text,
                  block.is_string() ? string_of(block) : text_of(block, {"text", "thinking"}));
  });
  text = clean_reply(text);
  if (!text.empty()) deliver_part("thinking", {.role = Role::thinking, .text = std::move(text)});
}

// Names that only a number stands for, as far as they are known.
std::string_view tool_of_number(JsonElement call) {
  constexpr std::array<std::pair<int, std::string_view>, 7> kNames = {
      {{7, "edit_file"},
       {15, "run_terminal_command_v2"},
       {40, "read_file_v2"},
       {41, "ripgrep_raw_search"},
       {42, "glob_file_search"},
       {48, "task_v2"},
       {51, "ask_question"}}};
  const auto number = member(call, "tool");
  if (!number || !number->is_int64()) return {};
  for (const auto& [id, name] : kNames)
    if (id == number->get_int64().value()) return name;
  return {};
}

bool says_anything(JsonElement call) {
  return !text_of(call, {"params", "rawArgs", "result", "error"}).empty() ||
         (member(call, "params") && member(call, "params")->is_object()) ||
         (member(call, "rawArgs") && member(call, "rawArgs")->is_object());
}

void BubbleReader::Parts::tool() {
  const auto call = member(bubble, "toolFormerData");
  if (!call || !call->is_object()) return;
  auto name = text_of(*call, "name");
  if (name.empty()) {
    // A third of all rows are the remains of calls that never happened.
    if (!says_anything(*call)) return;
    name = tool_of_number(*call);
  }
  tool_call(name, *call, {});
  tool_result(name, *call, {});
  children(*call, name);
}

void BubbleReader::Parts::tool_call(std::string_view name, JsonElement call,
                                    std::string_view suffix) {
  Arguments arguments;
  for (const auto* key : {"params", "rawArgs", "arguments", "args"}) {
    const auto value = member(call, key);
    if (!value) continue;
    if (!value->is_string()) {
      arguments = flattened(*value);
    } else if (const auto text = string_of(*value); !trimmed(text).empty()) {
      const auto parsed = reader.inner_.parse(text);
      arguments = parsed ? flattened(*parsed) : flattened_text(text);
    }
    if (!arguments.text.empty()) break;
  }
  Document document{.role = Role::tool_call, .tool = std::string(name)};
  document.alike = alike_call(name, arguments);
  document.text = std::move(arguments.text);
  document.files = std::move(arguments.files);
  deliver_part(fmt::format("call{}", suffix), std::move(document));
}

std::string BubbleReader::Parts::text_of_value(JsonElement value) {
  if (!value.is_string()) return flattened_result(value);
  const auto text = string_of(value);
  const auto first = trimmed(text).substr(0, 1);
  if (first == "{" || first == "[")
    if (const auto parsed = reader.inner_.parse(text)) return flattened_result(*parsed);
  return std::string(fitting(text));
}

std::string BubbleReader::Parts::result_text(JsonElement call) {
  std::string text;
  if (const auto result = member(call, "result")) text = text_of_value(*result);
  if (const auto error = member(call, "error")) add_paragraph(text, text_of_value(*error));
  auto decision = text_of(call, "userDecision");
  if (const auto more = member(call, "additionalData"); more && decision.empty())
    decision = text_of(*more, "userDecision");
  if (decision == "rejected" && text.find("rejected") == std::string::npos)
    add_paragraph(text, "rejected");
  return text;
}

void BubbleReader::Parts::tool_result(std::string_view name, JsonElement call,
                                      std::string_view suffix) {
  auto text = result_text(call);
  if (trimmed(text).empty() || is_redacted(text)) return;
  deliver_part(fmt::format("result{}", suffix),
               {.role = Role::tool_result, .text = std::move(text), .tool = std::string(name)});
}

// The conversations of agents that this call started.
void BubbleReader::Parts::children(JsonElement call, std::string_view name) {
  if (normalised_tool(name) != "Task") return;
  const auto id = text_of(call, "toolCallId");
  if (!id.empty()) facts.children.push_back(conversation_id(fmt::format("task-{}", id)));
  auto result = member(call, "result");
  if (result && result->is_string()) result = reader.inner_.parse(string_of(*result));
  const auto agent = result ? text_of(*result, "agentId") : std::string_view();
  if (!agent.empty()) facts.children.push_back(conversation_id(agent));
  const auto more = member(call, "additionalData");
  if (!more) return;
  if (!text_of(*more, "composerData").empty() && !id.empty())
    facts.child_id = conversation_id(fmt::format("task-{}", id));
}

// `toolFormerdata`, of one version only.
void BubbleReader::Parts::old_tools() {
  const auto old = member(bubble, "toolFormerdata");
  if (!old) return;
  std::size_t number = 0;
  for_each_item(*old, "toolCalls", [&](JsonElement call) {
    const auto suffix = fmt::format("-{}", ++number);
    const auto name = text_of(call, {"type", "name"});
    tool_call(name, call, suffix);
    tool_result(name, call, suffix);
  });
}

void BubbleReader::Parts::old_results() {
  std::size_t number = 0;
  for_each_item(bubble, "toolResults", [&](JsonElement result) {
    tool_result(text_of(result, {"toolName", "name"}), result, fmt::format("-old-{}", ++number));
  });
}

void BubbleReader::Parts::references() {
  std::string text;
  for (const auto* key : {"webReferences", "docsReferences", "aiWebSearchResults"})
    for_each_item(bubble, key, [&](JsonElement reference) {
      for (const auto* field : {"title", "name", "url"})
        if (const auto value = text_of(reference, field); !value.empty()) {
          if (!text.empty()) text += '\n';
          text += value;
        }
    });
  if (!text.empty())
    deliver_part("references", {.role = Role::tool_result, .text = std::move(text)});
}

void BubbleReader::Parts::error() {
  const auto details = member(bubble, "errorDetails");
  if (!details) return;
  auto text = details->is_string() ? std::string(string_of(*details))
                                   : std::string(text_of(*details, {"message", "error"}));
  if (text.empty() && details->is_object()) text = flattened_result(*details);
  if (!trimmed(text).empty())
    deliver_part("error", {.role = Role::system, .text = std::move(text)});
}

void BubbleReader::Parts::tell() {
  if (const auto info = member(bubble, "modelInfo")) facts.model = text_of(*info, "modelName");
  if (facts.model.empty()) facts.model = text_of(bubble, {"modelType", "model"});
  if (const auto old = member(bubble, "aiStreamingSettings"); old && facts.model.empty())
    facts.model = text_of(*old, "model");
  facts.project = path_of_uri(text_of(bubble, {"workspaceProjectDir", "agentWorkspace"}));
  for_each_item(bubble, "workspaceUris", [&](JsonElement uri) {
    if (facts.workspace_uri.empty()) facts.workspace_uri = path_in(uri);
  });
  facts.request = text_of(bubble, "requestId");
  if (const auto count = member(bubble, "tokenCount"))
    for (const auto* key : {"inputTokens", "outputTokens"})
      if (const auto tokens = member(*count, key); tokens && tokens->is_int64())
        facts.tokens += std::max<std::int64_t>(0, tokens->get_int64().value());
}

void BubbleReader::Parts::lose_missing() {
  for (const auto name : kLosable)
    if (std::find(delivered.begin(), delivered.end(), name) == delivered.end())
      reader.sink_.vanished(fmt::format("{}/{}", place.key, name));
}

void lose_bubble(const std::string& key, Sink& sink) {
  for (const auto name : kLosable) sink.vanished(fmt::format("{}/{}", key, name));
}

BubbleFacts BubbleReader::read(JsonElement value, const BubblePlace& place) {
  if (!value.is_object()) {
    sink_.problem({.what = "bubble is no object", .example = std::string(place.key)});
    return {};
  }
  members_.read(value);
  const JsonMembers& bubble = members_;
  check_version(value, "bubbleId", kNewestVersion, place.key, sink_);
  if (!is_known(bubble))
    sink_.problem(
        {.what = "bubble without a field that is known", .example = std::string(place.key)});
  Parts parts{.reader = *this, .place = place, .bubble = bubble};
  parts.facts.user = is_user(bubble);
  parts.facts.time = time_of_bubble(bubble);
  if (parts.facts.time)
    parts.time = Time{*parts.facts.time, TimeOrigin::native};
  else
    parts.time = place.time;
  parts.thinking();
  parts.message();
  parts.tool();
  parts.old_tools();
  parts.old_results();
  parts.references();
  parts.error();
  parts.tell();
  if (place.again) parts.lose_missing();
  return std::move(parts.facts);
}

}  // namespace cgrep
