// A private folder that is gone when the test is.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cgrep::test {

class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes a file below it, making the folders on the way. Returns its path.
  std::filesystem::path write(const std::filesystem::path& relative, std::string_view bytes) const;

  /// Appends to a file below it.
  void append(const std::filesystem::path& relative, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// The bytes of a file.
std::string read_file(const std::filesystem::path& path);

}  // namespace cgrep::test
