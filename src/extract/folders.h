// Listings of folders, remembered: a folder whose mtime did not change is not listed again.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cgrep {

struct Entry {
  enum class Kind : std::uint8_t { file, folder, other };
  std::string name{};
  Kind kind = Kind::other;  // links are followed while they stay inside the root
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// A listing and the state of the folder when it was made.
struct Listing {
  std::uint64_t inode = 0;
  std::int64_t mtime_ns = 0;     // 0: too young to be trusted, list again
  std::vector<Entry> entries{};  // sorted by name
};

/// By bytes: std::filesystem compares paths component by component, which took most of the time of
/// an update that found nothing to do.
struct PathOrder {
  bool operator()(const std::filesystem::path& a, const std::filesystem::path& b) const {
    return a.native() < b.native();
  }
};

/// Lists folders below one or more roots. Not for several threads.
class Folders {
 public:
  using Known = std::map<std::filesystem::path, Listing, PathOrder>;

  explicit Folders(Known known = {}) : known_(std::move(known)) {}

  /// Entries of the folder, sorted; empty when it does not exist or cannot be read. A link whose
  /// target lies outside `root` is left out and remembered in left_out().
  const std::vector<Entry>& list(const std::filesystem::path& folder,
                                 const std::filesystem::path& root);

  /// What this walk saw, to be remembered for the next one.
  const Known& seen() const { return seen_; }

  /// Folders that were listed anew, or are no longer there: what must be written to remember.
  bool changed() const { return changed_; }

  /// Folders that exist but could not be read: what is below them is not gone.
  const std::vector<std::filesystem::path>& unreadable() const { return unreadable_; }

  /// Links that lead out of their root.
  const std::vector<std::filesystem::path>& left_out() const { return left_out_; }

 private:
  Known known_;
  Known seen_{};
  bool changed_ = false;
  std::vector<std::filesystem::path> unreadable_{};
  std::vector<std::filesystem::path> left_out_{};
};

}  // namespace cgrep
