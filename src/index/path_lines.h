// Lists of paths as history.db keeps them: one a line.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// What follows a line break in a path cannot be kept, and is most likely no path.
inline std::string joined_paths(const std::vector<std::string>& paths) {
  std::string joined;
  for (const auto& path : paths) {
    if (!joined.empty()) joined += '\n';
    joined.append(path, 0, path.find('\n'));
  }
  return joined;
}

inline std::vector<std::string> split_paths(std::string_view lines) {
  std::vector<std::string> paths;
  while (!lines.empty()) {
    paths.emplace_back(lines.substr(0, lines.find('\n')));
    lines.remove_prefix(std::min(lines.size(), paths.back().size() + 1));
  }
  return paths;
}

}  // namespace cgrep
