// Order matters: files, then what make.txt adds, then times, as making a file changes its folder.

#include "corpus/make_home.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "corpus/database.h"
#include "corpus/manifest.h"
#include "corpus/times.h"
#include "error.h"

namespace cgrep::corpus {
namespace {

namespace fs = std::filesystem;

// What has no time of its own was last changed then: 2026-06-01T00:00:00Z.
constexpr Seconds kUsualTime{std::chrono::sys_days(std::chrono::year(2026) / 6 / 1)};

constexpr std::string_view kManifest = "make.txt";

void require_empty(const fs::path& destination) {
  if (!fs::exists(destination)) return;
  if (!fs::is_directory(destination) || !fs::is_empty(destination))
    throw Error(fmt::format("{}: exists and is not an empty folder", destination.string()),
                "name a new folder");
}

bool is_database_source(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".db.sql") || name.ends_with(".vscdb.sql");
}

/// Everything below the folder, parents before children, in one order on every machine.
std::vector<fs::path> entries_below(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    entries.push_back(entry.path().lexically_relative(folder));
  std::sort(entries.begin(), entries.end());
  return entries;
}

void make_entry(const fs::path& from, const fs::path& to) {
  if (fs::is_symlink(from)) return fs::copy_symlink(from, to);
  if (fs::is_directory(from)) return void(fs::create_directory(to));
  if (is_database_source(from)) return make_database(from, fs::path(to).replace_extension());
  fs::copy_file(from, to);
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_transcript(const fs::path& path) {
  return path.string().find("/agent-transcripts/") != std::string::npos &&
         fs::is_regular_file(fs::symlink_status(path));
}

/// A transcript was last written when its last turn began; nothing else tells its time.
Seconds time_of(const fs::path& path) {
  if (!is_transcript(path)) return kUsualTime;
  return last_time_tag(read(path)).value_or(kUsualTime);
}

/// Children before parents: a folder's time would change with its files.
void set_times(const fs::path& home) {
  auto entries = entries_below(home);
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    set_time(home / *entry, time_of(home / *entry));
}

}  // namespace

void make_home(const fs::path& source_home, const fs::path& destination) {
  if (!fs::is_directory(source_home))
    throw Error(fmt::format("{}: no such folder", source_home.string()));
  require_empty(destination);
  fs::create_directories(destination);
  for (const fs::path& entry : entries_below(source_home))
    if (entry != kManifest) make_entry(source_home / entry, destination / entry);
  const auto manifest = read_manifest(source_home / kManifest);
  apply_contents(manifest, destination);
  set_times(destination);
  apply_attributes(manifest, destination);
}

}  // namespace cgrep::corpus
