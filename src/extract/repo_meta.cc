// repo-meta: files that hold no history, but tell which project it belongs to. Only claims.
//   projects/<slug>/.workspace-trusted   {"workspacePath": "/abs/path", …}
//   projects/<slug>/repo.json            undocumented; a field with a path, if there is one
//   projects/<slug>                      the slug itself, matched against the file system
//   chats/<hash>/<id>/meta.json          {"cwd", "title", "createdAtMs", "updatedAtMs", …}
//   acp-sessions/<id>/meta.json          the same
#include <array>

#include "extract/delivery.h"
#include "extract/folders.h"
#include "extract/input_file.h"
#include "extract/json_reader.h"
#include "extract/paths.h"
#include "extract/roots.h"
#include "extract/slug_walk.h"
#include "extract/stores.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTrusted = ".workspace-trusted";
constexpr std::string_view kRepo = "repo.json";
constexpr std::string_view kMeta = "meta.json";
constexpr std::string_view kRead = "read";

struct Search {
  Folders& folders;
  std::vector<Source>& found;
  const Store& store;

  // Adds folder/name if it is there. Returns whether it is.
  bool add_file(const fs::path& folder, std::string_view name, const fs::path& root) const {
    for (const Entry& entry : folders.list(folder, root))
      if (entry.name == name && entry.kind == Entry::Kind::file) {
        found.push_back({.store = &store, .path = folder / entry.name, .root = root});
        return true;
      }
    return false;
  }

  template <typename Visit>
  void for_each_folder(const fs::path& folder, const fs::path& root, const Visit& visit) const {
    for (const Entry& entry : folders.list(folder, root))
      if (entry.kind == Entry::Kind::folder) visit(folder / entry.name);
  }
};

void discover_projects(const Search& search, const fs::path& root,
                       const std::optional<fs::path>& filesystem) {
  search.for_each_folder(root / "projects", root, [&](const fs::path& project) {
    const bool trusted = search.add_file(project, kTrusted, root);
    search.add_file(project, kRepo, root);
    // The walk reads nothing below the project's folder, only names below this root.
    if (!trusted && filesystem && is_path_slug(project.filename().string()))
      search.found.push_back({.store = &search.store, .path = project, .root = *filesystem});
  });
}

void discover_sessions(const Search& search, const fs::path& root) {
  search.for_each_folder(root / "chats", root, [&](const fs::path& hash) {
    search.for_each_folder(hash, root,
                           [&](const fs::path& chat) { search.add_file(chat, kMeta, root); });
  });
  search.for_each_folder(root / "acp-sessions", root,
                         [&](const fs::path& session) { search.add_file(session, kMeta, root); });
}

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  const Search search{folders, found, *find_store("repo-meta")};
  for (const auto& root : roots.data) {
    discover_projects(search, root, roots.filesystem);
    discover_sessions(search, root);
  }
  for (const auto& root : roots.config) discover_sessions(search, root);
}

void read_chat(JsonElement meta, const fs::path& path, Sink& sink) {
  const auto chat = path.parent_path();
  const Claims claims(repaired_utf8(chat.filename().string()), sink);
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

void walk(const Source& source, Sink& sink) {
  const std::string slug = source.path.filename().string();
  if (const auto folder = folder_of_slug(slug, source.root))
    Claims(slug_subject(slug), sink)
        .add(Fact::project, rung::project::walk, repaired_utf8(folder->string()));
}

void read_file(const Source& source, Sink& sink) {
  const auto bytes = InputFile(source).whole();
  if (!bytes) return sink.problem({.what = "file over 64 MB", .example = "byte 0"});
  if (trimmed(*bytes).empty()) return;
  JsonReader json;
  const auto value = json.parse(*bytes);
  if (!value || !value->is_object())
    return sink.problem({.what = value ? "not a JSON object" : "not JSON", .example = "byte 0"});
  if (source.path.filename() == kMeta)
    read_chat(*value, source.path, sink);
  else
    read_project(*value, source.path, sink);
}

std::string extract(const Source& source, Sink& sink) {
  const auto name = source.path.filename();
  if (name == kTrusted || name == kRepo || name == kMeta)
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
                                .version = 1,
                                .discover = discover,
                                .extract = extract};

}  // namespace cgrep
