// Dates as people type them, in local time.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cgrep {

/// From begin_ms up to, not including, end_ms; UTC, ms since 1970. A moment has both alike.
struct DateSpan {
  std::int64_t begin_ms = 0;
  std::int64_t end_ms = 0;
  friend bool operator==(const DateSpan&, const DateSpan&) = default;
};

/// A date names its span: --since takes its begin, --until its end.
///   2026  2026-08  2026-08-01  2026-08-01T10:00[:05[.123]][Z|+02:00]
///   today  yesterday  monday … sunday (the last one, today included)
///   now  30min  2h  3d  2w  6mo  1y (ago: a moment; days and more keep the time of day)
/// Throws Error with a hint that lists the forms.
DateSpan parse_date(std::string_view text, std::int64_t now_ms);

struct DateRange {
  std::optional<std::int64_t> since{};  // ms, inclusive
  std::optional<std::int64_t> until{};  // ms, exclusive
  friend bool operator==(const DateRange&, const DateRange&) = default;
};

/// What `date:` takes: a date, `a..b`, `a..` or `..b`; a time ago (`3d`) alone is from then on.
DateRange parse_date_range(std::string_view text, std::int64_t now_ms);

}  // namespace cgrep
