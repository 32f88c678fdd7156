#include "index/folder.h"

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "error.h"

namespace cgrep {

namespace {

FileDescriptor open_lock(const std::filesystem::path& folder) {
  const auto path = folder / "lock";
  FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.valid()) throw_errno("open", path);
  return file;
}

// Parents that have to be made, such as ~/.local/share, are private too: nobody asked for more.
void make_parents(const std::filesystem::path& folder) {
  if (folder.empty() || std::filesystem::exists(folder)) return;
  make_parents(folder.parent_path());
  make_private_folder(folder);
}

void refuse_shared(const std::filesystem::path& folder, const struct stat& status) {
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw Error(fmt::format("others may write to {}", folder.string()),
                fmt::format("chmod go-rwx {}", folder.string()));
}

}  // namespace

std::filesystem::path index_folder(const Environment& environment,
                                   const std::optional<std::filesystem::path>& given) {
  if (given) return std::filesystem::absolute(*given).lexically_normal();
  if (const auto variable = environment("CGREP_INDEX"); variable && !variable->empty())
    return std::filesystem::absolute(*variable).lexically_normal();
  // The base directory specification: a relative path there is to be ignored.
  if (const auto data = environment("XDG_DATA_HOME"); data && data->starts_with('/'))
    return std::filesystem::path(*data) / "cgrep";
  if (const auto home = environment("HOME"); home && !home->empty())
    return std::filesystem::path(*home) / ".local/share/cgrep";
  throw Error("no place for the index: HOME is not set", "use --index DIR");
}

bool index_exists(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::file_size(folder / "history.db", ignored) > 0 && !ignored;
}

void refuse_shared_folder(const std::filesystem::path& folder) {
  struct stat status = {};
  if (stat(folder.c_str(), &status) == 0) refuse_shared(folder, status);
}

void prepare_index_folder(const std::filesystem::path& folder) {
  make_parents(folder);
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) throw_errno("open", folder);
  if (!S_ISDIR(status.st_mode))
    throw Error(folder.string() + " is not a folder", "use --index DIR");
  refuse_shared(folder, status);
  if ((status.st_mode & 077) != 0 && chmod(folder.c_str(), 0700) != 0)
    throw_errno("protect", folder);
}

std::optional<WriterLock> WriterLock::try_take(const std::filesystem::path& folder) {
  auto file = open_lock(folder);
  while (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    if (errno != EINTR)
      throw Error(fmt::format("cannot lock {}", (folder / "lock").string()),
                  "use --index DIR on a local disk");
  }
  return WriterLock(std::move(file));
}

std::optional<WriterLock> WriterLock::take_within(const std::filesystem::path& folder,
                                                  std::chrono::milliseconds patience,
                                                  const std::function<bool()>& of_no_use) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    auto lock = try_take(folder);
    if (lock || of_no_use() || std::chrono::steady_clock::now() >= end) return lock;
    std::this_thread::sleep_for(kPause);
  }
}

// Asks again and again rather than sleep in the lock: so it also ends where a lock, once asked for,
// is not interrupted by Ctrl-C.
WriterLock WriterLock::take(const std::filesystem::path& folder,
                            const std::function<void()>& waiting) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (bool waited = false;; waited = true) {
    if (auto lock = try_take(folder)) return std::move(*lock);
    if (!waited && waiting) waiting();
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace cgrep
