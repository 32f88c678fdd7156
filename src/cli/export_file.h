// ExportFile: a file that is there when it is whole, or not at all. Private from the first byte.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "cli/output.h"
#include "index/files.h"

namespace cgrep {

/// Written beside its place and named at the end. What is not kept leaves nothing behind, also when
/// it is stopped by Ctrl-C. One at a time.
class ExportFile {
 public:
  /// Throws Error when the file exists (unless `overwrite`), is no plain file, or cannot be made.
  ExportFile(const std::filesystem::path& path, bool overwrite);
  ~ExportFile();
  ExportFile(const ExportFile&) = delete;
  ExportFile& operator=(const ExportFile&) = delete;

  Output& out() { return out_; }

  /// All is written: it takes its name.
  void keep();

 private:
  std::filesystem::path path_;
  bool overwrite_;
  std::string temporary_;
  FileDescriptor file_;
  Output out_;
};

}  // namespace cgrep
