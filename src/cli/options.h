// Options that many commands have.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_table.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "extract/roots.h"

namespace cgrep {

/// Groups of options that mean the same in all commands that have them.
inline constexpr std::string_view kPlacesGroup = "Places";
inline constexpr std::string_view kHelpGroup = "Help";

/// The values of list options: what stands between the commas.
std::vector<std::string> split_lists(const std::vector<std::string>& values);

/// `--index`, `--root`.
struct PlaceOptions {
  std::optional<std::string> index{};
  std::optional<std::string> root{};
};
void declare_places(OptionTable& table, PlaceOptions& options);

/// `--color`.
void declare_color(OptionTable& table, ColorWhen& when);

/// Where the index and the history are.
struct Places {
  std::filesystem::path index{};
  Roots roots{};
  std::vector<std::string> exclude{};    // projects that are kept out
  std::optional<std::int64_t> retain{};  // ms for which what is gone is kept

  bool has_history() const {
    return !roots.data.empty() || !roots.ide.empty() || !roots.config.empty();
  }
  /// Throws Error that says where it was looked for.
  void require_history() const;
};
Places find_places(const PlaceOptions& options, const Environment& environment,
                   const Settings& settings);

/// Without the roots, for who looks at nothing but the index: to find them takes as long as to open
/// it.
Places find_index(const PlaceOptions& options, const Environment& environment,
                  const Settings& settings);

}  // namespace cgrep
