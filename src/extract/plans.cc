// plans: what the agent intends to do, as Markdown
//   plans/<name>.plan.md of ~/.cursor, User/plans/ of the IDE, and <workspace>/.cursor/plans/
//   with front matter: name, overview, todos: [{id, content, status}], older ones {title, done}
//   composer.planRegistry in the ItemTable of all windows tells whose they are: {<id>: {"name",
//   "uri": {"fsPath"}, "createdBy", "editedBy", "createdAt", "lastUpdatedAt"}}, or an array;
//   composer.planRedirects: {<old uri>: <new uri>}. They give claims only.
// Each plan is a conversation of its own; the one that made it is its parent.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/front_matter.h"
#include "extract/input_file.h"
#include "extract/json_reader.h"
#include "extract/paths.h"
#include "extract/source_search.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/utf8.h"
#include "extract/whole_mark.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".plan.md";
constexpr std::array<std::string_view, 2> kKeys = {"composer.planRegistry",
                                                   "composer.planRedirects"};

bool is_plan(std::string_view name) {
  return name.ends_with(kSuffix) && name.size() > kSuffix.size();
}

// The folder that was open in the IDE, on this machine; empty when there was none.
fs::path folder_of_workspace(const fs::path& storage, const fs::path& root) {
  try {
    JsonReader reader;
    const auto bytes = InputFile(storage / "workspace.json", root).whole();
    const auto json = bytes ? reader.parse(*bytes) : std::nullopt;
    const auto uri = json ? text_of(*json, "folder") : std::string_view();
    if (!uri.starts_with("file://")) return {};
    const auto folder = fs::path(path_of_uri(uri)).lexically_normal();
    if (!folder.is_absolute() || folder.native().find('\0') != std::string::npos) return {};
    return folder.has_filename() ? folder : folder.parent_path();  // without a slash at its end
  } catch (const Unreadable&) {
    return {};
  }
}

std::set<fs::path, PathOrder> workspaces(SourceSearch& search, const Roots& roots) {
  std::set<fs::path, PathOrder> known;
  for (const auto& root : roots.ide)
    search.for_each_folder(root / "User" / "workspaceStorage", root, [&](const auto& storage) {
      if (!search.has_file(storage, "workspace.json", root)) return;
      search.looks_into(storage / "workspace.json", root);
      known.insert(folder_of_workspace(storage, root));
    });
  known.erase(fs::path());
  return known;
}

// Checkouts of agents, and the home folder, whose .cursor is a root of its own.
bool is_left_out(const fs::path& workspace, const Roots& roots) {
  return std::any_of(roots.data.begin(), roots.data.end(), [&](const fs::path& root) {
    return workspace / ".cursor" == root || is_inside(workspace, root / "worktrees");
  });
}

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  const Store& store = *find_store("plans");
  SourceSearch search(store, folders, found);
  for (const auto& root : roots.data) search.add_files(root / "plans", root, {kSuffix});
  for (const auto& root : roots.ide) search.add_files(root / "User" / "plans", root, {kSuffix});
  if (roots.filesystem)
    for (const auto& workspace : workspaces(search, roots))
      if (!is_left_out(workspace, roots))
        search.add_files(workspace / ".cursor" / "plans", workspace, {kSuffix});
  discover_state_databases(store, roots, folders, found, Where::global);
}

void add_paragraph(std::string& text, std::string_view paragraph) {
  paragraph = trimmed(paragraph);
  if (paragraph.empty()) return;
  if (!text.empty()) text += "\n\n";
  text += paragraph;
}

// `- [x] add free() to gizmo_new`, a line each.
std::string todos_of(const FrontMatter& plan) {
  struct Todo {
    std::string content{};
    bool done = false;
  };
  std::vector<Todo> todos;
  bool inside = false;
  for (const auto& field : plan.fields) {
    if (field.indent == 0) inside = field.key == "todos";
    if (!inside || field.indent == 0) continue;
    if (field.item || todos.empty()) todos.emplace_back();
    Todo& todo = todos.back();
    if (field.key == "content" || field.key == "title" || field.key.empty())
      todo.content = field.value;
    if (field.key == "status") todo.done = field.value == "completed";
    if (field.key == "done") todo.done = field.value == "true";
  }
  std::string text;
  for (const auto& todo : todos) {
    if (todo.content.empty()) continue;
    text += text.empty() ? "" : "\n";
    text += (todo.done ? "- [x] " : "- [ ] ") + todo.content;
  }
  return text;
}

// `# Fix the leak`, if the body begins with it.
std::string_view heading_of(std::string_view body) {
  body = trimmed(body);
  if (!body.starts_with("# ")) return {};
  return trimmed(body.substr(2, body.find('\n') - 2));
}

std::string conversation_of(std::string_view file_name) {
  if (is_plan(file_name)) file_name.remove_suffix(kSuffix.size());
  return conversation_id(file_name);
}

std::string extract_plan(const Source& source, Sink& sink) {
  const InputFile file(source);
  const auto bytes = file.whole();
  if (!bytes) {
    sink.problem({.what = "file over 64 MB", .example = "file", .passing = true});
    return source.mark;
  }
  if (!is_text(*bytes)) {
    sink.problem({.what = "not text", .example = "file", .passing = true});
    return source.mark;
  }
  const auto plan = parse_front_matter(*bytes);
  const auto name = source.path.filename().string();
  Document document{.store = source.store->name, .role = Role::plan};
  document.conversation = conversation_of(name);
  document.identity.key = repaired_utf8(name);
  document.position = 1;
  add_paragraph(document.text, plan.value("name"));
  add_paragraph(document.text, plan.value("overview"));
  add_paragraph(document.text, todos_of(plan));
  add_paragraph(document.text, plan.body);

  WholeMark mark(source.mark);
  if (!document.text.empty()) {
    auto title = std::string(trimmed(plan.value("name")));
    if (title.empty()) title = heading_of(plan.body);
    std::replace(title.begin(), title.end(), '\n', ' ');
    const Claims claims(document.conversation, sink);
    mark.begin(document.conversation, sink);
    deliver(std::move(document), sink);
    claims.add(Fact::title, rung::title::plan, title);
    claims.add_time(Fact::seen, file.mtime_ms());
    if (source.path.parent_path() == source.root / ".cursor" / "plans")
      claims.add_path(rung::project::workspace_list, source.root.string());
  }
  return mark.end(0, sink);
}

// What the IDE knows about plans. A uri is an object with a path, or a text.
class Registry {
 public:
  explicit Registry(Sink& sink) : sink_(sink) {}

  void read_redirects(std::string_view bytes) {
    const auto json = parse(bytes, kKeys[1]);
    if (!json || !json->is_object()) return;
    for (const auto& [from, to] : simdjson::dom::object(*json))
      redirects_.insert_or_assign(path_of_uri(from), path_of(to));
  }

  void read_plans(std::string_view bytes) {
    const auto json = parse(bytes, kKeys[0]);
    if (json && json->is_object())
      for (const auto& [id, entry] : simdjson::dom::object(*json)) read_plan(entry, id);
    if (json && json->is_array())
      for (const JsonElement entry : simdjson::dom::array(*json)) read_plan(entry, {});
  }

  bool complete() const { return complete_; }

 private:
  std::optional<JsonElement> parse(std::string_view bytes, std::string_view key) {
    if (trimmed(bytes).empty()) return std::nullopt;
    const auto json = json_.parse(bytes);
    if (!json) {
      complete_ = false;
      sink_.problem({.what = "not JSON", .example = std::string(key), .passing = true});
    }
    return json;
  }

  static std::string path_of(JsonElement uri) {
    std::string_view text;
    if (uri.get(text) != simdjson::SUCCESS) text = text_of(uri, {"fsPath", "path", "external"});
    return path_of_uri(text);
  }

  // Where a plan is now, after it was moved, perhaps more than once.
  std::string followed(std::string path) const {
    constexpr int kMostMoves = 16;
    for (int moves = 0; moves < kMostMoves; ++moves) {
      const auto next = redirects_.find(path);
      if (next == redirects_.end() || next->second.empty()) break;
      path = next->second;
    }
    return path;
  }

  // An array may hold just names, which tell nothing.
  void read_plan(JsonElement entry, std::string_view id) const {
    if (!entry.is_object()) return;
    const auto uri = member(entry, "uri");
    const auto path = uri ? followed(path_of(*uri)) : std::string();
    auto name = std::string_view(path).substr(path.find_last_of("/\\") + 1);
    if (name.empty()) name = text_of(entry, "id");
    if (name.empty()) name = id;
    if (name.empty()) return;
    const Claims claims(conversation_of(name), sink_);
    claims.add(Fact::parent, rung::any::only, conversation_id(maker_of(entry)));
    claims.add(Fact::title, rung::title::plan, text_of(entry, "name"));
    claims.add_time(Fact::created, member(entry, "createdAt"));
    claims.add_time(Fact::updated, member(entry, "lastUpdatedAt"));
  }

  static std::string_view maker_of(JsonElement entry) {
    if (const auto maker = text_of(entry, "createdBy"); !maker.empty()) return maker;
    const auto editors = member(entry, "editedBy");
    if (!editors || !editors->is_array()) return {};
    std::string_view first;
    for (const JsonElement editor : simdjson::dom::array(*editors))
      if (editor.get(first) == simdjson::SUCCESS) break;
    return first;
  }

  Sink& sink_;
  JsonReader json_{};
  std::map<std::string, std::string> redirects_{};
  bool complete_ = true;
};

std::string extract_registry(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    const auto items = read_items(database, kKeys, sink);
    WholeMark mark(source.mark);
    if (mark.was_read(items.hash)) return source.mark;
    Registry registry(sink);
    const auto readable = [](std::string_view bytes) {
      JsonReader json;
      return trimmed(bytes).empty() || json.parse(bytes);
    };
    // Damage withdraws nothing.
    if (items.complete && readable(items.values[0]) && readable(items.values[1])) sink.whole({});
    registry.read_redirects(items.values[1]);
    registry.read_plans(items.values[0]);
    if (!items.complete || !registry.complete()) mark.incomplete();
    return mark.end(items.hash, sink);
  });
}

std::string extract(const Source& source, Sink& sink) {
  return is_plan(source.path.filename().string()) ? extract_plan(source, sink)
                                                  : extract_registry(source, sink);
}

constexpr std::array<std::string_view, 1> kAliases = {"plan"};

}  // namespace

extern constinit const Store plans;
constinit const Store plans{.id = 8,
                            .name = "plans",
                            .summary = "plans that the agent made",
                            .searched = Searched::by_default,
                            .aliases = kAliases,
                            .version = 2,
                            .database = true,
                            .discover = discover,
                            .extract = extract};

}  // namespace cgrep
