// Bringing the index up to date before a question is answered.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "cli/printer.h"
#include "extract/store.h"
#include "index/look.h"

namespace cgrep {

enum class Refresh : std::uint8_t { automatic, always, never };

/// `--refresh`, `--refresh-budget`.
struct RefreshOptions {
  Refresh when = Refresh::automatic;
  std::optional<std::size_t> budget{};  // ms

  /// For an index that is there: how long to read what changed; absent: to the end.
  std::optional<std::chrono::milliseconds> time() const;
};
void declare_refresh(OptionTable& table, RefreshOptions& options);

/// `3 sources are newer than this answer`.
std::string newer_text(std::size_t sources, std::string_view than);

/// Looks whether anything changed while the index is already being asked.
class LookBeside {
 public:
  LookBeside(const Places& places, const RefreshOptions& options,
             const std::vector<const Store*>& opt_in);

  /// Waits for it. Whether this state of the index has all that there is. Where nobody wants to
  /// know, any has.
  bool has_all(History& history);

  /// What there is to say of an answer from such a state.
  Coverage coverage() const;

  /// What it found, for refresh_index(); absent when it did not look.
  const Looked* looked();

 private:
  const std::vector<const Store*>& opt_in_;
  bool wanted_;
  std::optional<Look> look_{};
};

/// Builds the index when there is none, else reads what changed. An index that cannot be refreshed
/// now still answers: then it warns. Throws Error when there is nothing to answer from.
Coverage refresh_index(const Places& places, const RefreshOptions& options,
                       const std::vector<const Store*>& opt_in, const Looked* looked = nullptr);

}  // namespace cgrep
