#include "index/files.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

namespace cgrep {

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void throw_errno(std::string_view what, const std::filesystem::path& path) {
  const int error = errno;
  std::string hint;
  if (error == ENOSPC || error == EDQUOT)
    hint = "free some disk space, or use --index DIR";
  else if (error == EFBIG)
    hint = "raise the limit of file sizes (ulimit -f)";
  else if (error == EACCES || error == EPERM || error == EROFS)
    hint = "use --index DIR for a folder of your own";
  else
    hint = "look at the folder and its disk";
  throw Error("cannot " + std::string(what) + " " + path.string() + ": " + std::strerror(error),
              hint);
}

void make_private_folder(const std::filesystem::path& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) throw_errno("make", path);
}

void write_all(const FileDescriptor& file, std::string_view bytes,
               const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) throw_errno("make", path);
  write_all(file, bytes, path);
}

void sync_folder(const std::filesystem::path& path) {
  const FileDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) throw_errno("open", path);
  if (fsync(folder.get()) != 0) throw_errno("sync", path);
}

// They are all on their way before the first one is waited for: then a file system with a journal
// has written once what it has to say of them, and the others have nothing to wait for.
void sync_files_of(const std::filesystem::path& path) {
  std::vector<std::pair<std::filesystem::path, FileDescriptor>> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    FileDescriptor file(open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) throw_errno("open", entry.path());
    if (fchmod(file.get(), 0600) != 0) throw_errno("protect", entry.path());
    sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);  // fsync tells what fails
    files.emplace_back(entry.path(), std::move(file));
  }
  for (const auto& [name, file] : files)
    if (fsync(file.get()) != 0) throw_errno("sync", name);
  sync_folder(path);
}

}  // namespace cgrep
