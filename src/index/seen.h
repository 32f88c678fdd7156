// seen: what discovery saw of the sources and folders, in one flat file, so that "nothing changed"
// is decided by stat alone and not by way of history.db. It is derived: when it is absent, damaged,
// or of another state of the history, it is ignored, and the next update writes it anew.
//
// It names the generation of the history that it belongs to. When a few sources were read, their
// states are written in place, as the whole would be megabytes: first the generation becomes 0,
// then the states are changed, then the generation is the new one. What is left half done is known
// by its generation, and a state that is wrong never equals that of a file, so that it is looked
// at.
//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/store.h"
#include "index/ledger.h"

namespace cgrep {

class History;

/// Another after each commit; 0: none yet.
std::int64_t generation_of(History& history);

/// Of all that decides what is found, beside the files and the history: the roots, what is kept
/// out, the versions of the extractors.
std::uint64_t settings_hash(const Roots& roots, const std::vector<std::string>& exclude);

/// No file has such a state.
inline constexpr Fingerprint kNeverEqual{.inode = 0, .size = -1, .mtime_ns = -1};

/// The states that were noted of it; a default one: nothing is there.
struct SeenSource {
  const Store* store = nullptr;
  std::filesystem::path path{};
  std::filesystem::path root{};
  Fingerprint file{};
  Fingerprint wal{};
};

struct Seen {
  std::uint64_t settings = 0;
  std::vector<const Store*> stores{};  // that are read
  bool left_some = false;              // sources that are kept out
  std::vector<SeenSource> sources{};
  std::vector<std::pair<std::string, Fingerprint>> folders{};  // without sizes
};

/// Replaces the file. That it cannot be written is no trouble: then there is none.
void write_seen(const std::filesystem::path& index, const Seen& seen, std::int64_t generation);
void remove_seen(const std::filesystem::path& index);

/// The file, read and checked.
class SeenFile {
 public:
  /// One thing to stat.
  struct Item {
    std::uint32_t name = 0;    // where it begins in the texts
    std::uint32_t source = 0;  // its number, or kFolder
  };
  static constexpr std::uint32_t kFolder = 0xffffffff;

  /// Items whose names are relative to one folder; without a base they are whole paths.
  struct Group {
    std::uint32_t base = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  struct SourceItems {
    std::uint32_t group = 0;
    std::uint32_t file = 0;       // number of the item
    std::uint32_t wal = kFolder;  // the same; kFolder: none is looked for
    std::uint32_t root = 0;       // where it begins in the texts
    std::uint32_t store = 0;
  };

  /// Absent when there is none that fits.
  static std::optional<SeenFile> read(const std::filesystem::path& index, std::uint64_t settings);

  std::int64_t generation() const;
  bool left_some() const;
  bool reads(const Store& store) const;

  std::span<const Group> groups() const { return groups_; }
  std::span<const Item> items() const { return items_; }
  std::span<const Fingerprint> states() const { return states_; }
  std::span<const SourceItems> sources() const { return sources_; }
  const char* text(std::uint32_t at) const { return texts_ + at; }
  std::string path_of(const Group& group, std::uint32_t item) const;
  SeenSource source(std::uint32_t number) const;
  std::size_t offset_of_state(std::uint32_t item) const;

 private:
  explicit SeenFile(std::vector<char> bytes);

  std::vector<char> bytes_;
  std::span<const Group> groups_{};
  std::span<const Item> items_{};
  std::span<const SourceItems> sources_{};
  std::span<const Fingerprint> states_{};
  const char* texts_ = nullptr;
};

/// The sources with these numbers in `file` have other states in the generation `now`. When the
/// file on disk is no longer that one, or cannot be written, it is removed.
void change_seen(const std::filesystem::path& index, const SeenFile& file, std::int64_t now,
                 std::span<const std::uint32_t> numbers, std::span<const SeenSource> sources);

}  // namespace cgrep
