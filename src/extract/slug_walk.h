// From projects/<slug> back to the folder it was made from, by looking which one there is.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace cgrep {

/// The only folder below `filesystem` whose path has this slug. Absent when there is none or more
/// than one, and when a folder on the way could not be read: then nobody knows.
std::optional<std::filesystem::path> folder_of_slug(std::string_view slug,
                                                    const std::filesystem::path& filesystem);

}  // namespace cgrep
