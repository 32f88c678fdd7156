#include "index/checks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "index/files.h"

namespace cgrep {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::filesystem::path checked(const std::filesystem::path& folder) {
  return folder / "checked";
}

std::filesystem::path mark(const std::filesystem::path& folder) {
  return folder / "asked";
}

// Where that fails, the lock and the database say it better.
FileDescriptor open_empty(const std::filesystem::path& path, int flags = 0) {
  flags |= O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
  return FileDescriptor(open(path.c_str(), flags, 0600));
}

}  // namespace

std::optional<std::int64_t> last_check(const std::filesystem::path& folder) {
  struct stat status = {};
  if (stat(checked(folder).c_str(), &status) != 0) return std::nullopt;
  return static_cast<std::int64_t>(status.st_mtim.tv_sec) * kSecond + status.st_mtim.tv_nsec;
}

void note_check(const std::filesystem::path& folder, std::int64_t began) {
  const auto file = open_empty(checked(folder));
  const timespec time = {.tv_sec = began / kSecond, .tv_nsec = began % kSecond};
  const timespec times[] = {time, time};
  if (file.valid() && futimens(file.get(), times) != 0) unlink(checked(folder).c_str());
}

bool ask_for_check(const std::filesystem::path& folder) {
  return open_empty(mark(folder), O_EXCL).valid();
}

bool is_check_asked_for(const std::filesystem::path& folder) {
  return access(mark(folder).c_str(), F_OK) == 0;
}

bool take_request(const std::filesystem::path& folder) {
  return unlink(mark(folder).c_str()) == 0;
}

}  // namespace cgrep
