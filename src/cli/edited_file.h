// A file of the user that is changed as a whole: the old one or the new one, never a part of it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cgrep {

/// Its bytes; absent when it is not there. Throws Error when it cannot be read, or is no file.
std::optional<std::string> read_user_file(const std::filesystem::path& path);

/// Puts `text` in its place, and keeps its mode and owner; a link stays, and what it leads to is
/// changed. Makes the folder if it is not there.
void replace_user_file(const std::filesystem::path& path, std::string_view text);

/// Removes it; of a link, what it leads to as well.
void remove_user_file(const std::filesystem::path& path);

}  // namespace cgrep
