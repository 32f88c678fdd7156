// Points in time as the sources write them: ISO 8601 in make.txt, <timestamp> tags in transcripts.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cgrep::corpus {

using Seconds = std::chrono::sys_seconds;

/// `2026-06-09T14:44:00Z`.
std::optional<Seconds> parse_iso_time(const std::string& text);

/// The last `<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+2)</timestamp>` of the text.
std::optional<Seconds> last_time_tag(std::string_view text);

/// Sets when a file, folder, link or pipe was last changed.
void set_time(const std::filesystem::path& path, Seconds time);

}  // namespace cgrep::corpus
