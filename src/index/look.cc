#include "index/look.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

#include "index/files.h"

namespace cgrep {

namespace {

bool is_absent(int error) {
  return error == ENOENT || error == ENOTDIR;
}

// What others may write is not believed.
bool is_private(const std::filesystem::path& folder) {
  struct stat status = {};
  return stat(folder.c_str(), &status) == 0 && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Of a folder only inode and mtime are noted. Absent: it cannot be told.
std::optional<Fingerprint> state_of(int base, const char* name, bool is_folder) {
  struct stat status = {};
  if (fstatat(base, name, &status, 0) != 0)
    return is_absent(errno) ? std::optional<Fingerprint>(Fingerprint{}) : std::nullopt;
  return Fingerprint{.inode = status.st_ino,
                     .size = is_folder ? 0 : status.st_size,
                     .mtime_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace

bool Looked::reads(const std::vector<const Store*>& stores) const {
  return std::all_of(stores.begin(), stores.end(), [&](const Store* store) {
    return store->searched != Searched::when_named || file->reads(*store);
  });
}

std::size_t Looked::count(const Store& store) const {
  const auto all = file->sources();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const SeenFile::SourceItems& source) {
        return source.store == static_cast<std::uint32_t>(store.id);
      }));
}

Look::Look(const std::filesystem::path& index, const Roots& roots,
           const std::vector<std::string>& exclude)
    : index_(index), settings_(settings_hash(roots, exclude)) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  looked_.began = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    read_file();  // then finish() does it all
  }
}

Look::~Look() {
  next_ = SIZE_MAX / 2;  // what is left to do is not wanted any more
  if (thread_.joinable()) thread_.join();
}

void Look::run() {
  read_file();
  work();
}

void Look::read_file() {
  try {
    if (is_private(index_)) looked_.file = SeenFile::read(index_, settings_);
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
  read_ = true;
  read_.notify_all();
}

void Look::work() {
  if (!looked_.file) return;
  try {
    std::vector<Difference> differences;
    const auto groups = looked_.file->groups();
    for (auto at = next_++; at < groups.size(); at = next_++) look_at(groups[at], differences);
    const std::lock_guard lock(gathering_);
    differences_.insert(differences_.end(), differences.begin(), differences.end());
  } catch (const std::bad_alloc&) {
    failed_ = true;
  }
}

void Look::look_at(const SeenFile::Group& group, std::vector<Difference>& differences) const {
  const SeenFile& file = *looked_.file;
  const char* base = file.text(group.base);
  const bool has_base = *base != '\0';
  const FileDescriptor folder(has_base ? open(base, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1);
  const bool none = has_base && !folder.valid();
  const bool untold = none && !is_absent(errno);
  for (auto item = group.first; item < group.first + group.count; ++item) {
    const bool is_folder = file.items()[item].source == SeenFile::kFolder;
    auto state = none ? std::optional<Fingerprint>(Fingerprint{})
                      : state_of(has_base ? folder.get() : AT_FDCWD,
                                 file.text(file.items()[item].name), is_folder);
    if (untold) state.reset();
    if (state != file.states()[item]) differences.push_back({.item = item, .state = state});
  }
}

// A file that is no longer there may have moved: discovery tells.
void Look::gather() {
  const SeenFile& file = *looked_.file;
  std::map<std::uint32_t, SeenSource> sources;
  for (const Difference& difference : differences_) {
    const auto number = file.items()[difference.item].source;
    if (number == SeenFile::kFolder || !difference.state) {
      looked_.elsewhere = true;
      return;
    }
    auto [source, added] = sources.try_emplace(number);
    if (added) source->second = file.source(number);
    const bool is_wal = file.sources()[number].wal == difference.item;
    (is_wal ? source->second.wal : source->second.file) = *difference.state;
  }
  for (auto& [number, source] : sources) {
    if (source.file == Fingerprint{}) looked_.elsewhere = true;
    looked_.sources.emplace_back(number, std::move(source));
  }
}

Looked& Look::finish() {
  if (finished_) return looked_;
  read_.wait(false);
  work();
  if (thread_.joinable()) thread_.join();
  finished_ = true;
  if (failed_) looked_.file.reset();
  if (looked_.file) gather();
  return looked_;
}

}  // namespace cgrep
