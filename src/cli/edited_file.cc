#include "cli/edited_file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "index/files.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 16u << 20;  // nobody wrote more by hand

// Where the file really is, or would be.
fs::path target_of(const fs::path& path) {
  std::error_code error;
  auto target = fs::weakly_canonical(path, error);
  if (error)
    throw Error(fmt::format("cannot open {}: {}", path.string(), error.message()),
                "look at the links and folders that lead to it");
  return target;
}

void write_all(int file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// A file of root's that another may write keeps its mode; its owner, if that is allowed.
void keep_mode_and_owner(int file, const fs::path& target) {
  struct stat before = {};
  if (stat(target.c_str(), &before) != 0) {
    const mode_t mask = umask(0);
    umask(mask);
    before.st_mode = 0666 & ~mask;
  } else if (fchown(file, before.st_uid, before.st_gid) != 0) {
    // somebody else's: now it is ours
  }
  if (fchmod(file, before.st_mode & 07777) != 0) throw_errno("write", target);
}

/// Removes itself unless it was put in its place.
class Temporary {
 public:
  explicit Temporary(const fs::path& target)
      : name_((target.parent_path() / fmt::format(".{}.XXXXXX", target.filename().string()))
                  .string()),
        file_(mkostemp(name_.data(), O_CLOEXEC)) {
    if (!file_.valid()) throw_errno("write", target);
  }
  ~Temporary() {
    if (!name_.empty()) unlink(name_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int file() const { return file_.get(); }

  void become(const fs::path& target) {
    if (fsync(file_.get()) != 0 && errno != EINVAL) throw_errno("write", target);
    if (rename(name_.c_str(), target.c_str()) != 0) throw_errno("write", target);
    name_.clear();
    sync_folder(target.parent_path());
  }

 private:
  std::string name_;
  FileDescriptor file_;
};

}  // namespace

std::optional<std::string> read_user_file(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid() && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!file.valid()) throw_errno("read", path);
  struct stat status = {};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw Error(fmt::format("{} is no plain file", path.string()), "move it away");
  std::string text;
  std::array<char, 1 << 16> piece{};
  for (;;) {
    const ssize_t count = read(file.get(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_errno("read", path);
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > kMaxBytes)
      throw Error(fmt::format("{} is over 16 MB", path.string()), "nobody wrote that by hand");
  }
}

void replace_user_file(const fs::path& path, std::string_view text) {
  const auto target = target_of(path);
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error)
    throw Error(fmt::format("cannot make {}: {}", target.parent_path().string(), error.message()),
                "look at the folder above it");
  Temporary temporary(target);
  write_all(temporary.file(), text, target);
  keep_mode_and_owner(temporary.file(), target);
  temporary.become(target);
}

void remove_user_file(const fs::path& path) {
  const auto target = target_of(path);
  for (const auto& name : {target, path})
    if (unlink(name.c_str()) != 0 && errno != ENOENT) throw_errno("remove", name);
}

}  // namespace cgrep
