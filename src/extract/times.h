// Times as Cursor writes them. No locale; absent where nothing sensible is meant.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cgrep {

/// ms since 1970 of a number: ms when above 1e12, seconds between 1e9 and 1e11. Anything else,
/// such as a duration, is no time.
std::optional<std::int64_t> time_from_number(double number);

/// `2026-06-09T02:44:14.296Z`, with any offset; without one it is taken for UTC.
std::optional<std::int64_t> parse_rfc3339(std::string_view text);

/// Digits as time_from_number(), or RFC 3339.
std::optional<std::int64_t> parse_time(std::string_view text);

/// What stands in a <timestamp>: `Tuesday, Jun 9, 2026, 2:44 PM (UTC-4)`; weekday and zone
/// optional.
std::optional<std::int64_t> parse_tag_time(std::string_view text);

/// As mail and git write it: `Tue, 9 Jun 2026 15:06:48 +0200`, `Tue Jun 9 15:06:48 2026 +0200`,
/// `2026-06-09 15:06:48 +0200`; or anything that parse_time() knows. Without a zone it is taken for
/// UTC.
std::optional<std::int64_t> parse_commit_time(std::string_view text);

/// A day alone, `Tuesday Jun 9, 2026` or `2026-06-09`: its noon in UTC, which is the same day
/// almost everywhere.
std::optional<std::int64_t> parse_day(std::string_view text);

}  // namespace cgrep
