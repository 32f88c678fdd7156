#include "extract/roots.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <pwd.h>
#include <unistd.h>

#include "error.h"
#include "extract/input_file.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

class Finder {
 public:
  void data(const fs::path& folder) { add(roots_.data, folder); }
  void ide(const fs::path& folder) { add(roots_.ide, folder); }
  void config(const fs::path& folder) { add(roots_.config, folder); }

  // What may be in any home, on any platform; `.cursor` may have been moved elsewhere.
  void home(const fs::path& home, bool with_data = true) {
    if (with_data) data(home / ".cursor");
    ides(home / ".config");
    ides(home / "Library" / "Application Support");
    ides(home / "AppData" / "Roaming");
    ide(home / ".cursor-server" / "data");
    config(home / ".config" / "cursor");
  }

  void ides(const fs::path& folder) {
    ide(folder / "Cursor");
    ide(folder / "Cursor Nightly");
  }

  // A folder for data that is one for settings as well is looked through as the first.
  Roots take() {
    std::erase_if(roots_.config,
                  [&](const fs::path& folder) { return contains(roots_.data, folder); });
    return std::move(roots_);
  }

 private:
  static bool contains(const std::vector<fs::path>& folders, const fs::path& folder) {
    return std::find(folders.begin(), folders.end(), folder) != folders.end();
  }

  // Canonical; absent when there is no such folder.
  std::optional<fs::path> look_at(const fs::path& folder) {
    if (!contains(roots_.looked_at, folder)) roots_.looked_at.push_back(folder);
    std::error_code error;
    if (!fs::is_directory(folder, error)) return std::nullopt;  // most of them: one call
    auto place = fs::canonical(folder, error);
    if (error) return std::nullopt;
    return place;
  }

  void add(std::vector<fs::path>& folders, const fs::path& folder) {
    if (const auto place = look_at(folder); place && !contains(folders, *place))
      folders.push_back(*place);
  }

  Roots roots_{};
};

// Set to a folder: relative ones would depend on where cgrep was started.
std::optional<fs::path> folder_in(const Environment& environment, const char* name) {
  const auto value = environment(name);
  if (!value || !fs::path(*value).is_absolute()) return std::nullopt;
  return fs::path(*value);
}

std::optional<fs::path> home_folder(const Environment& environment) {
  if (auto home = folder_in(environment, "HOME")) return home;
  std::array<char, 16384> buffer{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 ||
      found == nullptr || found->pw_dir == nullptr)
    return std::nullopt;
  return fs::path(found->pw_dir);
}

bool under_wsl() {
  std::ifstream in("/proc/version");
  std::string version{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (char& c : version) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return version.find("microsoft") != std::string::npos;
}

// Where Windows keeps its users, seen from WSL. Setting the variable to nothing turns it off.
std::optional<fs::path> windows_users(const Environment& environment) {
  if (const auto value = environment("CGREP_WSL_USERS_ROOT"))
    return value->empty() ? std::nullopt : std::optional<fs::path>(*value);
  return under_wsl() ? std::optional<fs::path>("/mnt/c/Users") : std::nullopt;
}

void add_windows_users(const fs::path& users, Finder& finder) {
  constexpr std::array<std::string_view, 4> kNobody = {"Default", "Default User", "Public",
                                                       "All Users"};
  std::vector<fs::path> homes;
  std::error_code error;
  for (fs::directory_iterator entries(users, error), end; !error && entries != end;
       entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    if (!name.starts_with('.') && std::find(kNobody.begin(), kNobody.end(), name) == kNobody.end())
      homes.push_back(entries->path());
  }
  std::sort(homes.begin(), homes.end());
  for (const auto& home : homes) {
    finder.ides(home / "AppData" / "Roaming");
    finder.data(home / ".cursor");
  }
}

Roots roots_of_copy(const fs::path& root) {
  std::error_code error;
  const auto home = fs::canonical(root, error);
  if (error || !fs::is_directory(home, error))
    throw Error(root.string() + ": no such folder", "--root takes the copy of a home folder");
  Finder finder;
  finder.home(home);
  auto roots = finder.take();
  // A link in the copy may lead to the real home.
  const auto outside = [&](const fs::path& folder) { return !is_inside(folder, home); };
  for (auto* folders : {&roots.data, &roots.ide, &roots.config}) std::erase_if(*folders, outside);
  return roots;
}

}  // namespace

std::optional<std::string> process_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

Roots find_roots(const Environment& environment, const std::optional<fs::path>& root) {
  if (root) return roots_of_copy(*root);
  Finder finder;
  const auto agent_home = folder_in(environment, "CURSOR_AGENT_HOME");
  if (const auto folder = folder_in(environment, "CURSOR_DATA_DIR")) finder.data(*folder);
  if (agent_home) finder.data(*agent_home);
  if (const auto folder = folder_in(environment, "CURSOR_CONFIG_DIR")) finder.config(*folder);
  if (const auto folder = folder_in(environment, "XDG_CONFIG_HOME")) {
    finder.ides(*folder);
    finder.config(*folder / "cursor");
  }
  if (const auto home = home_folder(environment)) finder.home(*home, !agent_home);
  if (const auto users = windows_users(environment)) add_windows_users(*users, finder);
  auto roots = finder.take();
  roots.filesystem = "/";
  return roots;
}

}  // namespace cgrep
