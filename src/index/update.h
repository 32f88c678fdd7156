// update(): discover → extract → write, only what changed.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/roots.h"
#include "extract/store.h"
#include "index/turns.h"

namespace cgrep {

/// How far an update is; called often, from the writer's thread.
struct Progress {
  std::string_view store{};
  std::size_t sources_done = 0;
  std::size_t sources_to_do = 0;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_to_do = 0;
  std::size_t documents = 0;
  std::string_view phase{};  // "reading", "merging"
};

struct UpdateOptions {
  std::vector<const Store*> stores{};          // empty: those read by default and those opted in
  std::vector<const Store*> without{};         // not these
  std::vector<const Store*> opt_in{};          // these from now on
  std::vector<std::filesystem::path> paths{};  // only sources under these; empty: all
  std::string conversation{};                  // only this one, of sources that hold many
  std::optional<Turn> turn{};            // that ended; what was read of its conversation is dated
  std::filesystem::path note{};          // of it (noted_turns.h): once gone, another has read all
  std::vector<std::string> exclude{};    // projects that are kept out (project_pattern.h)
  std::optional<std::int64_t> retain{};  // ms: remove what has been gone for longer
  bool full = false;                     // read everything again, compare by content
  bool rebuild = false;  // the same, make all words anew, and show nothing before all is done
  bool compact = false;  // one run, no free space
  bool wait = true;      // for another writer; else leave at once
  std::optional<std::chrono::milliseconds> patience{};  // wait only so long, and have it look again
  bool lazy = false;  // leave at once, also when the last check is young; a writer checks again
  std::chrono::milliseconds commit_after =
      std::chrono::seconds(10);                       // what is lost if it is killed
  std::optional<std::chrono::milliseconds> budget{};  // then read no more, newest sources first
  std::uint64_t read_ahead_from = 1u << 20;  // bytes of new sources that are worth a thread
  std::function<void(const Progress&)> progress{};
  std::function<void()> waiting{};  // called once when another process is writing
};

struct StoreSummary {
  const Store* store = nullptr;
  std::size_t sources = 0;    // found
  std::size_t read = 0;       // of them, read now
  std::size_t documents = 0;  // added or changed
  std::size_t gone = 0;       // documents that vanished from their source
  std::size_t problems = 0;   // found in what was read now
  std::size_t unreadable = 0;
};

struct UpdateSummary {
  std::vector<StoreSummary> stores{};
  std::size_t expired = 0;  // documents that were removed because of `retain`
  std::optional<std::pair<std::uintmax_t, std::uintmax_t>> compacted{};  // bytes before and after
  bool busy = false;          // another process is writing, and `wait` was not set
  bool by_another = false;    // process, which took the `note`, all was read
  bool dated = false;         // the turn dates something
  bool young = false;         // `lazy`, and the last check is too young for another
  bool first_to_ask = false;  // `young`, and nobody else asked for one since
  std::size_t left = 0;       // sources that changed and are still to be read, as time was up
  std::vector<std::string> warnings{};
};

struct Looked;

/// Brings the index at `folder` up to date, and goes on when somebody lazy asks for it meanwhile.
/// `looked`: a look (look.h) that was made just now; else it looks itself, if that can do.
UpdateSummary update(const std::filesystem::path& folder, const Roots& roots,
                     const UpdateOptions& options, const Looked* looked = nullptr);

}  // namespace cgrep
