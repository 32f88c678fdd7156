#include "extract/source_search.h"

#include <algorithm>

namespace cgrep {

namespace fs = std::filesystem;

void SourceSearch::add(const fs::path& path, const fs::path& root) {
  found_.push_back({.store = &store_, .path = path, .root = root});
}

bool SourceSearch::has_file(const fs::path& folder, std::string_view name, const fs::path& root) {
  const auto& entries = folders_.list(folder, root);
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.name == name && entry.kind == Entry::Kind::file;
  });
}

bool SourceSearch::add_file(const fs::path& folder, std::string_view name, const fs::path& root) {
  if (!has_file(folder, name, root)) return false;
  add(folder / name, root);
  return true;
}

void SourceSearch::add_files(const fs::path& folder, const fs::path& root,
                             std::initializer_list<std::string_view> endings) {
  for (const Entry& entry : folders_.list(folder, root)) {
    const bool wanted = std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
      return entry.name.ends_with(ending) && entry.name.size() > ending.size();
    });
    if (entry.kind == Entry::Kind::file && (wanted || endings.size() == 0))
      add(folder / entry.name, root);
  }
}

void SourceSearch::looks_into(const fs::path& file, const fs::path& root) {
  folders_.list(file, root);
}

void SourceSearch::for_each_folder(const fs::path& folder, const fs::path& root,
                                   const Visit& visit) {
  for (const Entry& entry : folders_.list(folder, root))
    if (entry.kind == Entry::Kind::folder) visit(folder / entry.name);
}

void SourceSearch::for_each_project_folder(
    const Roots& roots, std::string_view name,
    const std::function<void(const fs::path& folder, const fs::path& root)>& visit) {
  for (const auto& root : roots.data)
    for_each_folder(root / "projects", root, [&](const fs::path& project) {
      for (const Entry& entry : folders_.list(project, root))
        if (entry.name == name && entry.kind == Entry::Kind::folder) visit(project / name, root);
    });
}

}  // namespace cgrep
