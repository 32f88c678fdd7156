// The folder of the index: where it is, who may see it, and who is writing.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "extract/roots.h"
#include "index/files.h"

namespace cgrep {

/// `given` (--index), else CGREP_INDEX, else $XDG_DATA_HOME/cgrep, else ~/.local/share/cgrep.
std::filesystem::path index_folder(const Environment& environment,
                                   const std::optional<std::filesystem::path>& given);

/// Whether there is an index to search.
bool index_exists(const std::filesystem::path& folder);

/// Throws Error when others may write there: what they put there would be read, and believed.
void refuse_shared_folder(const std::filesystem::path& folder);

/// Makes the folder, for its user only. Throws Error when others may write there.
void prepare_index_folder(const std::filesystem::path& folder);

/// Held by the one process that writes; the system releases it when the process ends.
class WriterLock {
 public:
  /// Absent when another process holds it.
  static std::optional<WriterLock> try_take(const std::filesystem::path& folder);

  /// Waits for it, but not longer, and not once it is of no more use.
  static std::optional<WriterLock> take_within(const std::filesystem::path& folder,
                                               std::chrono::milliseconds patience,
                                               const std::function<bool()>& of_no_use);

  /// Waits for it; calls `waiting` once before, if it has to.
  static WriterLock take(const std::filesystem::path& folder, const std::function<void()>& waiting);

 private:
  explicit WriterLock(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

}  // namespace cgrep
