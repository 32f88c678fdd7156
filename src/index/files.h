// Files of the index: private from the first byte, and on disk before they are named.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

namespace cgrep {

/// Closes itself.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

/// Throws Error with what errno says: `cannot WHAT PATH: No space left on device`.
[[noreturn]] void throw_errno(std::string_view what, const std::filesystem::path& path);

/// Makes the folder with mode 0700 if it is not there.
void make_private_folder(const std::filesystem::path& path);

/// `path` is for the error.
void write_all(const FileDescriptor& file, std::string_view bytes,
               const std::filesystem::path& path);

/// Writes a new file with mode 0600, and leaves it to sync_files_of to sync it.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Syncs a folder, so that the names in it last.
void sync_folder(const std::filesystem::path& path);

/// Syncs every file of a folder, makes each 0600, then syncs the folder. All of them at once cost
/// little more than one of them.
void sync_files_of(const std::filesystem::path& path);

}  // namespace cgrep
