// Checked files: SQLite reads and writes history.db through them, with a checksum at the end of
// each page. A page that is not as it was written is an error (SQLITE_IOERR_DATA), not an answer.
//
// The checksum stands in bytes that SQLite leaves free on every page, so that any SQLite can read
// the file; one that writes to it without these files leaves pages that look damaged. Journals have
// checksums of their own.
// SPDX-License-Identifier: MIT
#pragma once

namespace cgrep {

class Database;

/// Makes these files known to SQLite; returns the name to open a database with (`?vfs=NAME`).
const char* checked_files();

/// The database, which is empty or about to be vacuumed, gets room for checksums.
void reserve_checksums(Database& database);

/// Whether its pages have room for checksums.
bool has_checksums(Database& database);

}  // namespace cgrep
