// Seals: how the files of a run looked when they were made, so that damage is noticed. Runs are
// never changed, so a file of another size, or one that hashes otherwise, is damaged.
//
// A search compares sizes and mtimes, and reads a file only when its mtime is another. What changes
// under an unchanged mtime, as bits that rot do, is found by those who read all of it: doctor,
// index --full, and every merge.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace cgrep {

enum class SealCheck : std::uint8_t { quick, thorough };

/// The seal of all files in a run's folder. Reads them.
std::string seal_of(const std::filesystem::path& folder);

/// Throws Damaged unless the files are those that were sealed. False when only an mtime differs,
/// as after a backup was restored, or the seal is empty: then it should be made anew.
bool check_seal(const std::filesystem::path& folder, const std::string& seal, SealCheck check);

}  // namespace cgrep
