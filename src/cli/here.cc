#include "cli/here.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>

namespace cgrep {
namespace {

namespace fs = std::filesystem;

// The first line of one of git's own small files, after a label.
std::optional<fs::path> path_in(const fs::path& file, std::string_view label) {
  std::ifstream in(file);
  std::string line;
  constexpr std::size_t kLongest = 4096;
  line.resize(kLongest);
  in.read(line.data(), static_cast<std::streamsize>(kLongest));
  line.resize(static_cast<std::size_t>(in.gcount()));
  line.resize(std::min(line.size(), line.find('\n')));
  if (!line.starts_with(label) || line.size() == label.size()) return std::nullopt;
  const fs::path path = line.substr(label.size());
  std::error_code error;
  const auto whole =
      fs::weakly_canonical(path.is_absolute() ? path : file.parent_path() / path, error);
  return error ? std::nullopt : std::optional(whole);
}

// Where the repository keeps what its worktrees share; `dot_git` is a folder, or a file in a
// worktree.
std::optional<fs::path> common_folder(const fs::path& dot_git) {
  std::error_code error;
  if (fs::is_directory(dot_git, error)) return dot_git;
  const auto own = path_in(dot_git, "gitdir: ");
  if (!own) return std::nullopt;
  const auto shared = path_in(*own / "commondir", "");
  return shared ? shared : own;
}

void add(std::vector<std::string>& roots, const fs::path& path) {
  if (std::find(roots.begin(), roots.end(), path.string()) == roots.end())
    roots.push_back(path.string());
}

void add_worktrees(std::vector<std::string>& roots, const fs::path& common) {
  std::error_code error;
  if (common.filename() == ".git") add(roots, common.parent_path());
  for (fs::directory_iterator entry(common / "worktrees", error), end; !error && entry != end;
       entry.increment(error))
    if (const auto dot_git = path_in(entry->path() / "gitdir", ""))
      add(roots, dot_git->parent_path());
}

std::optional<fs::path> repository_around(const fs::path& folder) {
  std::error_code error;
  for (auto path = folder; path.has_relative_path(); path = path.parent_path())
    if (fs::exists(path / ".git", error)) return path;
  return std::nullopt;
}

}  // namespace

Here find_here(const fs::path& folder) {
  Here here{.folder = folder.string()};
  const auto repository = repository_around(folder);
  add(here.roots, repository.value_or(folder));
  if (repository)
    if (const auto common = common_folder(*repository / ".git")) add_worktrees(here.roots, *common);
  return here;
}

Here find_here() {
  std::error_code error;
  const auto folder = fs::current_path(error);
  return error ? Here{} : find_here(folder);
}

std::string current_repository() {
  std::error_code error;
  const auto folder = fs::current_path(error);
  return error ? std::string() : repository_around(folder).value_or(folder).string();
}

}  // namespace cgrep
