// ToolCall: one field by tool, 57 = id of the call. In each tool's message 1 = arguments, 2 =
// result.
//   shell   arguments 1 command, 2 working directory, 15 description
//           result    1 success | 2 failure {5 stdout, 6 stderr}
//   read    arguments 1 path                   result 1 success {1 content} | 2 error {1}
//   edit    arguments 1 path, 6 new content    result 1 success {5 diff, 8 message} | 7 error
// Of the others, the texts.
#include "extract/agent_tool.h"

#include <algorithm>
#include <array>
#include <utility>

#include "extract/paths.h"
#include "extract/protobuf.h"
#include "extract/wire_texts.h"

namespace cgrep {

namespace {

constexpr std::uint32_t kCallId = 57;
constexpr std::uint32_t kShell = 1;
constexpr std::uint32_t kDelete = 3;
constexpr std::uint32_t kRead = 8;
constexpr std::uint32_t kEdit = 12;
constexpr std::uint32_t kLs = 13;

struct Tool {
  std::uint32_t number;
  std::string_view name;
};

// By the names that transcripts have for them.
constexpr std::array kTools = std::to_array<Tool>({
    {kShell, "Shell"},
    {kDelete, "Delete"},
    {4, "Glob"},
    {5, "Grep"},
    {kRead, "Read"},
    {9, "TodoWrite"},
    {10, "TodoRead"},
    {kEdit, "Edit"},
    {kLs, "LS"},
    {14, "ReadLints"},
    {15, "CallMcpTool"},
    {16, "SemanticSearch"},
    {17, "CreatePlan"},
    {18, "WebSearch"},
    {19, "Task"},
    {20, "ListMcpResources"},
    {21, "ReadMcpResource"},
    {22, "ApplyAgentDiff"},
    {23, "AskQuestion"},
    {24, "WebFetch"},
    {25, "SwitchMode"},
    {26, "ExaSearch"},
    {27, "ExaFetch"},
});

std::string_view name_of_tool(std::uint32_t number) {
  const auto* const found = std::find_if(kTools.begin(), kTools.end(),
                                         [&](const Tool& tool) { return tool.number == number; });
  return found != kTools.end() ? found->name : std::string_view();
}

void append_line(std::string& text, std::string_view line) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

class ArgumentList {
 public:
  void add(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    append_line(arguments_.text, std::string(key) + (key.empty() ? "" : ": "));
    arguments_.text += value;
    arguments_.strings.add(value);
  }
  void add_path(std::string_view value) {
    add("path", value);
    if (!value.empty()) arguments_.files.push_back(path_of_uri(value));
  }
  void add_folder(std::string_view key, std::string_view value) {
    add(key, value);
    if (!value.empty()) arguments_.folders.push_back(path_of_uri(value));
  }
  Arguments take() { return std::move(arguments_); }

 private:
  Arguments arguments_{};
};

std::string all_texts(std::string_view message, std::string_view call) {
  std::string text;
  for (const auto piece : wire_texts(message))
    if (piece != call) append_line(text, piece);
  return text;
}

Arguments shell_arguments(std::string_view message) {
  ArgumentList list;
  list.add("command", wire_text(message, 1));
  list.add_folder("working_directory", wire_text(message, 2));
  list.add("description", wire_text(message, 15));
  return list.take();
}

Arguments edit_arguments(std::string_view message) {
  ArgumentList list;
  list.add_path(wire_text(message, 1));
  list.add("contents", wire_text(message, 6));
  return list.take();
}

Arguments other_arguments(std::uint32_t tool, std::string_view message, std::string_view call) {
  ArgumentList list;
  const bool by_path = tool == kRead || tool == kDelete || tool == kLs;
  const auto path = by_path ? wire_text(message, 1) : std::string_view();
  list.add_path(path);
  for (const auto text : wire_texts(message))
    if (text != call && text != path) list.add({}, text);
  return list.take();
}

// What it printed. What it was called with is repeated in the result, and left out.
std::string shell_result(std::string_view result, std::string_view call) {
  auto ended = wire_bytes(result, 1);
  if (!ended) ended = wire_bytes(result, 2);
  if (!ended) return all_texts(result, call);  // refused, or timed out
  std::string text(wire_text(*ended, 5));
  append_line(text, wire_text(*ended, 6));
  return text;
}

// The file before and after it is in there, too: only what changed is worth a search.
std::string edit_result(std::string_view result, std::string_view call) {
  const auto success = wire_bytes(result, 1);
  if (!success) return all_texts(result, call);
  std::string text(wire_text(*success, 5));
  append_line(text, wire_text(*success, 8));
  return text;
}

std::string read_result(std::string_view result, std::string_view call) {
  const auto success = wire_bytes(result, 1);
  return success ? std::string(wire_text(*success, 1)) : all_texts(result, call);
}

void read_tool(std::uint32_t tool, std::string_view message, AgentToolCall& call) {
  const auto arguments = wire_text(message, 1);
  const auto result = wire_text(message, 2);
  call.name = name_of_tool(tool);
  switch (tool) {
    case kShell:
      call.arguments = shell_arguments(arguments);
      call.result = shell_result(result, call.id);
      break;
    case kEdit:
      call.arguments = edit_arguments(arguments);
      call.result = edit_result(result, call.id);
      break;
    case kRead:
      call.arguments = other_arguments(tool, arguments, call.id);
      call.result = read_result(result, call.id);
      break;
    default:
      call.arguments = other_arguments(tool, arguments, call.id);
      call.result = all_texts(result, call.id);
  }
}

}  // namespace

AgentToolCall read_agent_tool(std::string_view message) {
  AgentToolCall call{.id = std::string(wire_text(message, kCallId))};
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (!field->is_bytes() || field->number == kCallId) continue;
    read_tool(field->number, field->bytes, call);
    break;
  }
  return call;
}

AgentToolCall read_user_shell(std::string_view command, std::string_view output) {
  AgentToolCall call{.name = name_of_tool(kShell)};
  ArgumentList list;
  const auto texts = wire_texts(command);
  for (const auto text : texts) list.add(text == texts.front() ? "command" : "", text);
  call.arguments = list.take();
  call.result = all_texts(output, {});
  return call;
}

}  // namespace cgrep
