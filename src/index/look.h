// A look at all sources and folders that were seen before (seen.h): which of them changed, told by
// stat alone. Opens no source, takes no lock, writes nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "extract/roots.h"
#include "extract/store.h"
#include "index/seen.h"

namespace cgrep {

/// What a look found.
struct Looked {
  std::optional<SeenFile> file{};  // absent: nothing is known
  std::int64_t began = 0;          // ns
  bool elsewhere = false;          // folders changed, or a source is gone: discovery has to tell

  /// Sources that changed, by their numbers in the file, with their states of now.
  std::vector<std::pair<std::uint32_t, SeenSource>> sources{};

  /// Whether `sources` is all that changed since that generation of the history.
  bool knows_all(std::int64_t generation) const {
    return file && !elsewhere && generation != 0 && file->generation() == generation;
  }
  bool nothing_changed(std::int64_t generation) const {
    return knows_all(generation) && sources.empty();
  }

  /// Whether those of them that have to be asked for are read.
  bool reads(const std::vector<const Store*>& stores) const;

  /// How many sources of the store there are.
  std::size_t count(const Store& store) const;
};

/// Begins at once, in a thread of its own, to which finish() adds the caller's.
class Look {
 public:
  Look(const std::filesystem::path& index, const Roots& roots,
       const std::vector<std::string>& exclude);
  ~Look();
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

  /// May be called again.
  Looked& finish();

 private:
  struct Difference {
    std::uint32_t item = 0;
    std::optional<Fingerprint> state{};  // absent: it could not be told
  };

  void run();
  void work();
  void look_at(const SeenFile::Group& group, std::vector<Difference>& differences) const;
  void gather();
  void read_file();

  std::filesystem::path index_;
  std::uint64_t settings_;
  Looked looked_{};
  std::atomic<bool> read_ = false;
  std::atomic<bool> failed_ = false;
  std::atomic<std::size_t> next_ = 0;
  std::mutex gathering_{};
  std::vector<Difference> differences_{};
  bool finished_ = false;
  std::thread thread_{};
};

}  // namespace cgrep
