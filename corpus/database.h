// NAME.db.sql → NAME.db: a SQLite database from readable text.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace cgrep::corpus {

/// Makes the database; with `@wal` in the source its -wal and -shm files stay beside it.
/// Throws Error with the source's name and line.
void make_database(const std::filesystem::path& source, const std::filesystem::path& destination);

}  // namespace cgrep::corpus
