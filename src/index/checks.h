// Checks: when all sources were last looked at, and who asks for that while another process writes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace cgrep {

/// When the last check of all sources began, in ns; absent: never, or not known.
std::optional<std::int64_t> last_check(const std::filesystem::path& folder);

/// All sources were looked at, and what was new is committed. `began` is when, in ns.
void note_check(const std::filesystem::path& folder, std::int64_t began);

/// Leaves a mark for whoever writes: all that changed before is to be seen. False when there is
/// one.
bool ask_for_check(const std::filesystem::path& folder);

/// A prompt asks again and again; a check that is not older than this will do.
inline constexpr std::int64_t kYoungCheckNs = 2'000'000'000;

bool is_check_asked_for(const std::filesystem::path& folder);

/// Removes the mark; whether there was one. Called before looking at the sources, so that no later
/// change is taken for seen, and a mark whose maker died is good for one check at most.
bool take_request(const std::filesystem::path& folder);

}  // namespace cgrep
