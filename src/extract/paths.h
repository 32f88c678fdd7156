// Paths as they stand in history: texts of this or another machine, not files.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// `file:///home/ada/my%20app` → `/home/ada/my app`, `vscode-remote://wsl+ubuntu/home/ada/app` →
/// `/home/ada/app`; anything that is no URI of a file as it is.
std::string path_of_uri(std::string_view uri);

/// Starts at `/` or at a Windows drive.
bool is_absolute_path(std::string_view path);

/// The folder that holds both; empty when they share less than two levels, which says nothing.
std::string common_folder(std::string_view a, std::string_view b);

/// The folder a path is in; empty when there is none.
std::string_view parent_folder(std::string_view path);

/// The letters and digits of a path or slug, in runs. What lies between them differs by version.
std::vector<std::string_view> slug_tokens(std::string_view text);

/// The part of an absolute path that gave its project this slug; empty when there is none.
std::string_view folder_with_slug(std::string_view path, std::string_view slug);

/// Whether the slug was made from a path, and whole: `empty-window`, numbers and cut ones were not.
bool is_path_slug(std::string_view slug);

}  // namespace cgrep
