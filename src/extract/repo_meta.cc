// repo-meta: files that hold no history, but tell which project it belongs to. Only claims.
//   projects/<slug>/.workspace-trusted   {"workspacePath": "/abs/path", …}
//   projects/<slug>/repo.json            undocumented; a field with a path, if there is one
//   projects/<slug>                      the slug itself, matched against the file system
//   chats/<hash>/<id>/meta.json          {"cwd", "title", "createdAtMs", "updatedAtMs", …}
//   acp-sessions/<id>/meta.json          the same
//   User/workspaceStorage/<hash>/workspace.json
//                                        {"folder": uri}, or {"workspace": uri of a
//                                        .code-workspace}; older ones call that "configuration"
#include <array>

#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/input_file.h"
#include "extract/json_reader.h"
#include "extract/paths.h"
#include "extract/slug_walk.h"
#include "extract/source_search.h"
#include "extract/stores.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrusted = ".workspace-trusted";
constexpr std::string_view kRepo = "repo.json";
constexpr std::string_view kMeta = "meta.json";
constexpr std::string_view kWorkspace = "workspace.json";
constexpr std::string_view kRead = "read";

void discover_projects(SourceSearch& search, const fs::path& root,
                       const std::optional<fs::path>& filesystem) {
  search.for_each_folder(root / "projects", root, [&](const fs::path& project) {
    const bool trusted = search.add_file(project, kTrusted, root);
    search.add_file(project, kRepo, root);
    // The walk reads nothing below the project's folder, only names below this root.
    if (!trusted && filesystem && is_path_slug(project.filename().string()))
      search.add(project, *filesystem);
  });
}

void discover_sessions(SourceSearch& search, const fs::path& root) {
  const auto add = [&](const fs::path& session) { search.add_file(session, kMeta, root); };
  search.for_each_folder(root / "chats", root,
                         [&](const fs::path& hash) { search.for_each_folder(hash, root, add); });
  search.for_each_folder(root / "acp-sessions", root, add);
}

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("repo-meta"), folders, found);
  for (const auto& root : roots.data) {
    discover_projects(search, root, roots.filesystem);
    discover_sessions(search, root);
  }
  for (const auto& root : roots.config) discover_sessions(search, root);
  for (const auto& root : roots.ide)
    search.for_each_folder(root / "User" / "workspaceStorage", root, [&](const fs::path& storage) {
      search.add_file(storage, kWorkspace, root);
    });
}

void read_chat(JsonElement meta, const fs::path& path, Sink& sink) {
  const auto chat = path.parent_path();
  const Claims claims(conversation_id(chat.filename().string()), sink);
  claims.add_path(rung::project::chat_meta, text_of(meta, "cwd"));
  const auto title = trimmed(text_of(meta, "title"));
  if (title != "New Agent") claims.add(Fact::title, rung::title::chat_meta, title);
  claims.add_time(Fact::created, member(meta, "createdAtMs"));
  claims.add_time(Fact::updated, member(meta, "updatedAtMs"));
  if (chat.parent_path().parent_path().filename() == "chats")
    claims.add(Fact::surface, rung::any::only, "cli");
}

void read_project(JsonElement json, const fs::path& path, Sink& sink) {
  const Claims claims(slug_subject(repaired_utf8(path.parent_path().filename().string())), sink);
  if (path.filename() == kTrusted)
    claims.add_path(rung::project::trusted, text_of(json, "workspacePath"));
  else
    claims.add_path(rung::project::repo,
                    text_of(json, {"workspacePath", "path", "rootPath", "repoPath", "repoRoot",
                                   "workspaceRoot", "root"}));
}

// A workspace of several folders is where the file that lists them is.
void read_workspace(JsonElement json, const fs::path& path, Sink& sink) {
  const Claims claims(workspace_subject(repaired_utf8(path.parent_path().filename().string())),
                      sink);
  auto folder = path_of_uri(text_of(json, "folder"));
  if (!is_absolute_path(folder))
    folder = parent_folder(path_of_uri(text_of(json, {"workspace", "configuration"})));
  claims.add_path(rung::project::header_workspace, folder);
}

void walk(const Source& source, Sink& sink) {
  const std::string slug = source.path.filename().string();
  sink.whole({});  // what it no longer says is withdrawn
  if (const auto folder = folder_of_slug(slug, source.root))
    Claims(slug_subject(slug), sink)
        .add(Fact::project, rung::project::walk, repaired_utf8(folder->string()));
}

void read_file(const Source& source, Sink& sink) {
  const auto bytes = InputFile(source).whole();
  if (!bytes)
    return sink.problem({.what = "file over 64 MB", .example = "byte 0", .passing = true});
  if (trimmed(*bytes).empty()) return sink.whole({});
  JsonReader json;
  const auto value = json.parse(*bytes);
  if (!value || !value->is_object())
    return sink.problem(
        {.what = value ? "not a JSON object" : "not JSON", .example = "byte 0", .passing = true});
  sink.whole({});  // damage withdraws nothing
  if (source.path.filename() == kMeta)
    read_chat(*value, source.path, sink);
  else if (source.path.filename() == kWorkspace)
    read_workspace(*value, source.path, sink);
  else
    read_project(*value, source.path, sink);
}

std::string extract(const Source& source, Sink& sink) {
  const auto name = source.path.filename();
  if (name == kTrusted || name == kRepo || name == kMeta || name == kWorkspace)
    read_file(source, sink);
  else
    walk(source, sink);
  return std::string(kRead);
}

}  // namespace

extern constinit const Store repo_meta;
constinit const Store repo_meta{.id = 22,
                                .name = "repo-meta",
                                .summary = "which project a conversation belongs to",
                                .searched = Searched::never,
                                .version = 3,
                                .discover = discover,
                                .extract = extract};

}  // namespace cgrep
