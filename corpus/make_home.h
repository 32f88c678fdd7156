// A home in the source tree → the same home as Cursor would have left it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace cgrep::corpus {

/// Copies the home, makes its databases (*.db.sql, *.vscdb.sql), follows its make.txt and sets
/// all times, so that two homes made of one source are alike. Throws Error, also when the
/// destination exists and is not an empty folder.
void make_home(const std::filesystem::path& source_home, const std::filesystem::path& destination);

}  // namespace cgrep::corpus
