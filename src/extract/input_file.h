// Opens foreign files harmlessly: read-only, regular files only, never waiting, no link followed
// that leads out of the root.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cgrep {

struct Source;

/// Fills `into` with up to `size` bytes from `offset`; returns how many there were, 0 at the end.
using ReadAt = std::function<std::size_t(std::uint64_t offset, char* into, std::size_t size)>;

/// Reads from memory, which must live longer.
ReadAt reading(std::string_view bytes);

/// So many bytes behind a line, a file or a value may be read: its parser needs no copy of it.
inline constexpr std::size_t kPadding = 64;

/// A copy of the bytes, with padding, in memory that is used again.
void put_padded(std::string_view bytes, std::string& to);

class InputFile {
 public:
  /// Throws Unreadable when it is no readable regular file below the root.
  InputFile(const std::filesystem::path& path, const std::filesystem::path& root);
  explicit InputFile(const Source& source);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::uint64_t inode() const { return inode_; }
  /// When it was opened.
  std::uint64_t size() const { return size_; }
  std::int64_t mtime_ms() const { return mtime_ms_; }

  /// As ReadAt. Throws Unreadable when the medium fails.
  std::size_t read_at(std::uint64_t offset, char* into, std::size_t size) const;

  /// The same, for as long as the file is open.
  ReadAt reading() const;

  /// Up to `size` bytes from `offset`.
  std::string bytes(std::uint64_t offset, std::size_t size) const;

  /// All of it, with padding; absent when that is more than a record may have (kMaxRecordBytes).
  std::optional<std::string> whole() const;

 private:
  int descriptor_ = -1;
  std::uint64_t inode_ = 0;
  std::uint64_t size_ = 0;
  std::int64_t mtime_ms_ = 0;
};

/// Whether the path is `root` or below it, by its components alone.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& root);

}  // namespace cgrep
