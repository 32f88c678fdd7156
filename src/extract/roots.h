// Where Cursor keeps things: the folders that sources are looked for in.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cgrep {

/// Canonical, existing folders, without duplicates, in the order in which they are believed.
struct Roots {
  std::vector<std::filesystem::path> data{};    // ~/.cursor: projects, plans, chats
  std::vector<std::filesystem::path> ide{};     // ~/.config/Cursor: User/globalStorage …
  std::vector<std::filesystem::path> config{};  // ~/.config/cursor: prompt_history.json, chats

  /// All places that were looked at, existing or not: for "no history found".
  std::vector<std::filesystem::path> looked_at{};

  /// Where project paths may be looked up to resolve a slug; absent under --root.
  std::optional<std::filesystem::path> filesystem{};
};

using Environment = std::function<std::optional<std::string>(const char* name)>;

/// The process's own environment.
std::optional<std::string> process_environment(const char* name);

/// Roots of this user. With `root`, those of the home that was copied or mounted there, and
/// nothing outside it.
Roots find_roots(const Environment& environment,
                 const std::optional<std::filesystem::path>& root = std::nullopt);

}  // namespace cgrep
