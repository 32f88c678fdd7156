// Texts that Cursor keeps beside the conversations of a project, and the skills it can load
//   terminals    projects/<slug>/terminals/<n>.txt: a header (`pid:`, `cwd:`, `command:`, `title:`,
//                `status:`, `started_at:`), output, a footer (`exit_code:`, `ended_at:`), each
//                between `---`; those of the IDE have `active_command:` and `last_command:`
//   agent-tools  projects/<slug>/agent-tools/<uuid>.txt: what a tool returned, without a header
//   uploads      projects/<slug>/uploads/<name>.md
//   notes        projects/<slug>/agent-notes/{shared,<agent>}/<name>
//   skills       {skills,skills-cursor}/<name>/SKILL.md
// Nothing in them tells which conversation they belong to: each store has one per project or skill.
#include <algorithm>
#include <array>
#include <utility>

#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/front_matter.h"
#include "extract/input_file.h"
#include "extract/source_search.h"
#include "extract/stores.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "extract/whole_mark.h"

namespace cgrep {

namespace {

void discover_terminals(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("terminals"), folders, found);
  search.for_each_project_folder(roots, "terminals", [&](const auto& folder, const auto& root) {
    search.add_files(folder, root, {".txt"});
  });
}

void discover_agent_tools(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("agent-tools"), folders, found);
  search.for_each_project_folder(roots, "agent-tools", [&](const auto& folder, const auto& root) {
    search.add_files(folder, root, {".txt"});
  });
}

void discover_uploads(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("uploads"), folders, found);
  search.for_each_project_folder(roots, "uploads", [&](const auto& folder, const auto& root) {
    search.add_files(folder, root, {".md", ".txt"});
  });
}

void discover_notes(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("notes"), folders, found);
  search.for_each_project_folder(roots, "agent-notes", [&](const auto& notes, const auto& root) {
    search.for_each_folder(notes, root, [&](const auto& agent) { search.add_files(agent, root); });
  });
}

void discover_skills(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("skills"), folders, found);
  for (const auto& root : roots.data)
    for (const char* name : {"skills", "skills-cursor"})
      search.for_each_folder(root / name, root,
                             [&](const auto& skill) { search.add_file(skill, "SKILL.md", root); });
}

struct Text {
  std::string bytes{};
  bool truncated = false;
};

// The file; of a large one its start and its end, without the line that the cut went through.
Text read_text(const InputFile& file) {
  constexpr std::size_t kPart = kMaxTextBytes / 2 - 8;
  constexpr std::string_view kLeftOut = "\n\u2026\n";
  if (file.size() <= kMaxTextBytes)
    return {.bytes = file.bytes(0, static_cast<std::size_t>(file.size()))};
  auto start = file.bytes(0, kPart);
  auto end = file.bytes(file.size() - kPart, kPart);
  constexpr std::size_t kLine = 4096;  // a longer one is rather cut than lost
  if (const auto last = start.rfind('\n'); last != std::string::npos && start.size() - last < kLine)
    start.resize(last);
  if (const auto first = end.find('\n'); first < kLine) end.erase(0, first + 1);
  return {.bytes = start.append(kLeftOut).append(end), .truncated = true};
}

std::string_view without_bom(std::string_view text) {
  constexpr std::string_view kBom = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(kBom) ? kBom.size() : 0);
}

std::string_view without_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

// projects/<slug>/…; empty for others.
std::string slug_of(const Source& source) {
  const auto relative = source.path.lexically_relative(source.root / "projects");
  if (relative.empty() || *relative.begin() == "..") return {};
  return repaired_utf8(relative.begin()->string());
}

// What makes one kind of file different from the others.
struct Kind {
  std::string group{};  // slug or skill
  Role role = Role::summary;
  std::string title{};
  void (*shape)(Document& document) = nullptr;
};

std::string extract_text(const Source& source, Sink& sink, const Kind& kind) {
  const InputFile file(source);
  auto text = read_text(file);
  WholeMark mark(source.mark);
  if (!is_text(text.bytes)) {
    sink.problem({.what = "not text", .example = "file", .passing = true});
    return source.mark;
  }
  // Further down they are dirt in an output.
  std::replace(text.bytes.begin(), text.bytes.end(), '\0', ' ');
  Document document{.store = source.store->name, .role = kind.role};
  document.conversation = conversation_id(std::string(source.store->name) + "-" + kind.group);
  document.text = repaired_utf8(without_end(without_bom(text.bytes)));
  document.truncated = text.truncated;
  document.identity.key = repaired_utf8(source.path.filename().string());
  document.position = 1;
  if (kind.shape != nullptr) kind.shape(document);
  if (trimmed(document.text).empty()) return mark.end(0, sink);

  const Claims claims(document.conversation, sink);
  mark.begin(document.conversation, sink);
  deliver(std::move(document), sink);
  claims.add(Fact::title, rung::title::plan, kind.title);
  claims.add(Fact::slug, rung::any::only, slug_of(source));
  claims.add_time(Fact::seen, file.mtime_ms());
  return mark.end(0, sink);
}

std::string_view value_of(const std::vector<HeaderField>& fields,
                          std::initializer_list<std::string_view> keys) {
  for (const auto key : keys)
    for (const auto& field : fields)
      if (field.key == key && !field.value.empty()) return field.value;
  return {};
}

// Takes the footer off the output, and returns its fields.
std::vector<HeaderField> take_footer(std::string_view& output) {
  constexpr std::string_view kFence = "---";
  const auto text = without_end(output);
  if (!text.ends_with(kFence)) return {};
  const auto inner = text.substr(0, text.size() - kFence.size());
  const auto start = inner.rfind("\n---\n");
  const bool alone = start == std::string_view::npos && inner.starts_with("---\n");
  if (start == std::string_view::npos && !alone) return {};
  auto fields = parse_fields(inner.substr((alone ? 0 : start + 1) + kFence.size()));
  if (value_of(fields, {"exit_code", "elapsed_ms", "ended_at"}).empty()) return {};
  output = alone ? std::string_view() : inner.substr(0, start);
  return fields;
}

// Fields of the header that only say how it went.
bool is_circumstance(std::string_view key) {
  constexpr std::array<std::string_view, 6> kKeys = {
      "pid", "cwd", "status", "started_at", "running_for_ms", "last_exit_code"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

// The command, its description, and what it printed.
void shape_terminal(Document& document) {
  document.tool = "Shell";
  const auto parsed = parse_front_matter(document.text);
  auto output = parsed.body;
  const auto footer = take_footer(output);
  std::string text;
  for (const auto& field : parsed.fields)
    if (!is_circumstance(field.key) && !field.value.empty()) text += field.value + "\n";
  for (const auto value : {value_of(parsed.fields, {"started_at"}), value_of(footer, {"ended_at"})})
    if (const auto time = parse_time(value); time && !document.time) document.time = Time{*time};
  text += without_end(output);
  document.text = without_end(text);
}

std::string extract_terminal(const Source& source, Sink& sink) {
  return extract_text(source, sink,
                      {slug_of(source), Role::tool_result, "terminals", shape_terminal});
}

std::string extract_agent_tool(const Source& source, Sink& sink) {
  return extract_text(source, sink, {slug_of(source), Role::tool_result, "results of tools"});
}

std::string extract_upload(const Source& source, Sink& sink) {
  return extract_text(source, sink, {slug_of(source), Role::summary, "uploads"});
}

std::string extract_note(const Source& source, Sink& sink) {
  return extract_text(source, sink, {slug_of(source), Role::summary, "notes of agents"});
}

std::string extract_skill(const Source& source, Sink& sink) {
  const auto name = repaired_utf8(source.path.parent_path().filename().string());
  return extract_text(source, sink, {name, Role::summary, name});
}

constexpr int kVersion = 1;
constexpr std::array<std::string_view, 1> kTerminals = {"terminal"};
constexpr std::array<std::string_view, 1> kAgentTools = {"agent-tool"};
constexpr std::array<std::string_view, 1> kUploads = {"upload"};
constexpr std::array<std::string_view, 1> kNotes = {"note"};
constexpr std::array<std::string_view, 1> kSkills = {"skill"};

}  // namespace

extern constinit const Store terminals;
constinit const Store terminals{.id = 15,
                                .name = "terminals",
                                .summary = "output of terminals",
                                .searched = Searched::when_named,
                                .aliases = kTerminals,
                                .version = kVersion,
                                .discover = discover_terminals,
                                .extract = extract_terminal};

extern constinit const Store agent_tools;
constinit const Store agent_tools{.id = 16,
                                  .name = "agent-tools",
                                  .summary = "results of tools that were too large to keep inline",
                                  .searched = Searched::when_named,
                                  .aliases = kAgentTools,
                                  .version = kVersion,
                                  .discover = discover_agent_tools,
                                  .extract = extract_agent_tool};

extern constinit const Store uploads;
constinit const Store uploads{.id = 17,
                              .name = "uploads",
                              .summary = "files that were attached",
                              .searched = Searched::when_named,
                              .aliases = kUploads,
                              .version = kVersion,
                              .discover = discover_uploads,
                              .extract = extract_upload};

extern constinit const Store notes;
constinit const Store notes{.id = 18,
                            .name = "notes",
                            .summary = "notes that the agent keeps",
                            .searched = Searched::when_named,
                            .aliases = kNotes,
                            .version = kVersion,
                            .discover = discover_notes,
                            .extract = extract_note};

extern constinit const Store skills;
constinit const Store skills{.id = 19,
                             .name = "skills",
                             .summary = "instructions that the agent can load",
                             .searched = Searched::when_named,
                             .aliases = kSkills,
                             .version = kVersion,
                             .discover = discover_skills,
                             .extract = extract_skill};

}  // namespace cgrep
