#include "extract/input_file.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract/read_counter.h"
#include "extract/store.h"

namespace cgrep {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why) {
  throw Unreadable(path.string() + ": " + why);
}

int open_once(const std::filesystem::path& path) {
  // O_NONBLOCK: opening a FIFO must not wait for its writer.
  return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int open_inside(const std::filesystem::path& path, const std::filesystem::path& root) {
  int descriptor = open_once(path);
  if (descriptor < 0 && errno == ELOOP) {
    std::error_code error;
    const auto target = std::filesystem::canonical(path, error);
    if (error) fail(path, error.message());
    if (!is_inside(target, root)) fail(path, "leads out of its root");
    descriptor = open_once(target);
  }
  if (descriptor < 0) fail(path, std::generic_category().message(errno));
  return descriptor;
}

}  // namespace

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& root) {
  const auto [root_end, path_end] =
      std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end();
}

ReadAt reading(std::string_view bytes) {
  return [bytes](std::uint64_t offset, char* into, std::size_t size) -> std::size_t {
    if (offset >= bytes.size()) return 0;
    return bytes.copy(into, size, static_cast<std::size_t>(offset));
  };
}

void put_padded(std::string_view bytes, std::string& to) {
  to.clear();
  to.reserve(bytes.size() + kPadding);
  to.append(bytes).append(kPadding, ' ');
  to.resize(bytes.size());
}

InputFile::InputFile(const Source& source) : InputFile(source.path, source.root) {}

InputFile::InputFile(const std::filesystem::path& path, const std::filesystem::path& root)
    : descriptor_(open_inside(path, root)) {
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  if (!known || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    fail(path, known ? "not a regular file" : "cannot be examined");
  }
  inode_ = status.st_ino;
  size_ = static_cast<std::uint64_t>(status.st_size);
  mtime_ms_ = status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000;
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

std::size_t InputFile::read_at(std::uint64_t offset, char* into, std::size_t size) const {
  std::size_t done = 0;
  while (done < size) {
    const auto count =
        ::pread(descriptor_, into + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Unreadable("read: " + std::generic_category().message(errno));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  if (auto* counter = ReadCounter::current()) counter->bytes += done;
  return done;
}

ReadAt InputFile::reading() const {
  return [this](std::uint64_t offset, char* into, std::size_t size) {
    return read_at(offset, into, size);
  };
}

std::string InputFile::bytes(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  bytes.resize(read_at(offset, bytes.data(), size));
  return bytes;
}

std::optional<std::string> InputFile::whole() const {
  if (size_ > kMaxRecordBytes) return std::nullopt;
  auto all = bytes(0, static_cast<std::size_t>(size_) + kPadding);
  all.resize(std::min(all.size(), static_cast<std::size_t>(size_)));
  return all;
}

}  // namespace cgrep
