// Dates: the calendar is the C library's, as it knows the time zone and its changes.
// SPDX-License-Identifier: MIT
#include "query/dates.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <string>

#include "error.h"

namespace cgrep {
namespace {

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;

[[noreturn]] void bad_date(std::string_view text) {
  throw Error("bad date: " + std::string(text),
              "dates are 2h, 3d, 2w, 6mo, 1y, now, today, yesterday, monday, 2026, 2026-08, "
              "2026-08-01, 2026-08-01T10:00, 2026-08-01T10:00:05Z");
}

/// Takes a date apart from the left; every take_ leaves the text alone if it does not fit.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// A number of exactly this many digits, within the limits.
  std::optional<int> take_number(std::size_t digits, int least, int most) {
    if (rest_.size() < digits || count_digits() < digits) return std::nullopt;
    int number = 0;
    for (const char c : rest_.substr(0, digits)) number = 10 * number + (c - '0');
    if (number < least || number > most) return std::nullopt;
    rest_.remove_prefix(digits);
    return number;
  }

  std::size_t count_digits() const {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_digit) - rest_.begin());
  }

 private:
  std::string_view rest_;
};

// ---------------------------------------------------------------- calendar

std::tm local_fields(std::int64_t ms) {
  const std::int64_t below = ms % kSecond < 0 ? 1 : 0;
  const auto seconds = static_cast<std::time_t>(ms / kSecond - below);
  std::tm fields{};
  localtime_r(&seconds, &fields);
  return fields;
}

/// Fields may be out of their range: 31 + 1 is the first of the next month.
std::int64_t local_ms(std::tm fields) {
  fields.tm_isdst = -1;
  return static_cast<std::int64_t>(std::mktime(&fields)) * kSecond;
}

std::int64_t start_of_day(std::int64_t ms, int days_later = 0) {
  std::tm fields = local_fields(ms);
  fields.tm_hour = fields.tm_min = fields.tm_sec = 0;
  fields.tm_mday += days_later;
  return local_ms(fields);
}

DateSpan day_span(std::int64_t ms, int days_later) {
  return {start_of_day(ms, days_later), start_of_day(ms, days_later + 1)};
}

int days_in_month(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 1 && leap ? 29 : kDays[static_cast<std::size_t>(month)];
}

// ---------------------------------------------------------------- 2h 3d 6mo

std::int64_t months_ago(std::int64_t now_ms, int count) {
  std::tm fields = local_fields(now_ms);
  const int months = fields.tm_year * 12 + fields.tm_mon - count;
  fields.tm_year = months / 12 - (months % 12 < 0 ? 1 : 0);
  fields.tm_mon = months - fields.tm_year * 12;
  fields.tm_mday = std::min(fields.tm_mday, days_in_month(fields.tm_year + 1900, fields.tm_mon));
  return local_ms(fields);
}

std::int64_t days_ago(std::int64_t now_ms, int count) {
  std::tm fields = local_fields(now_ms);
  fields.tm_mday -= count;
  return local_ms(fields);
}

std::optional<std::int64_t> moment_ago(std::string_view text, std::int64_t now_ms) {
  Reader reader(text);
  const std::size_t digits = reader.count_digits();
  if (digits == 0 || digits > 5) return std::nullopt;
  const int count = *reader.take_number(digits, 0, 99999);
  const std::string_view unit = reader.rest();
  if (unit == "min") return now_ms - count * kMinute;
  if (unit == "h") return now_ms - count * kHour;
  if (unit == "d") return days_ago(now_ms, count);
  if (unit == "w") return days_ago(now_ms, 7 * count);
  if (unit == "mo") return months_ago(now_ms, count);
  if (unit == "y") return months_ago(now_ms, 12 * count);
  return std::nullopt;
}

// ---------------------------------------------------------------- today, monday

std::optional<DateSpan> named_day(std::string_view text, std::int64_t now_ms) {
  if (text == "today") return day_span(now_ms, 0);
  if (text == "yesterday") return day_span(now_ms, -1);
  constexpr std::array<std::string_view, 7> kDays = {"sunday",   "monday", "tuesday", "wednesday",
                                                     "thursday", "friday", "saturday"};
  for (int day = 0; day < 7; ++day) {
    const std::string_view name = kDays[static_cast<std::size_t>(day)];
    if (text != name && text != name.substr(0, 3)) continue;
    return day_span(now_ms, -((local_fields(now_ms).tm_wday - day + 7) % 7));
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- 2026-08-01T10:00

/// Seconds east of UTC; nothing if no zone stands there or it is no zone.
std::optional<int> take_zone(Reader& reader) {
  if (reader.take('Z')) return 0;
  const bool west = reader.take('-');
  if (!west && !reader.take('+')) return std::nullopt;
  const auto hours = reader.take_number(2, 0, 14);
  reader.take(':');
  const auto minutes = reader.take_number(2, 0, 59);
  if (!hours || !minutes) return std::nullopt;
  return (west ? -1 : 1) * (*hours * 3600 + *minutes * 60);
}

/// The ms after a `.`, and how long the last digit lasts; digits below that are dropped.
std::optional<DateSpan> take_fraction(Reader& reader) {
  std::size_t digits = reader.count_digits();
  if (digits == 0) return std::nullopt;
  std::int64_t ms = 0;
  std::int64_t length = kSecond;
  for (; digits > 0; --digits) {
    const int digit = *reader.take_number(1, 0, 9);
    if (length == 1) continue;
    length /= 10;
    ms += digit * length;
  }
  return DateSpan{ms, ms + length};
}

/// The clock: what stands after the T. Fills the fields and says which part of the second or
/// minute is meant.
std::optional<DateSpan> take_clock(Reader& reader, std::tm& fields) {
  const auto hour = reader.take_number(2, 0, 23);
  if (!hour || !reader.take(':')) return std::nullopt;
  const auto minute = reader.take_number(2, 0, 59);
  if (!minute) return std::nullopt;
  fields.tm_hour = *hour;
  fields.tm_min = *minute;
  if (!reader.take(':')) return DateSpan{0, kMinute};
  const auto second = reader.take_number(2, 0, 59);
  if (!second) return std::nullopt;
  fields.tm_sec = *second;
  return reader.take('.') ? take_fraction(reader) : DateSpan{0, kSecond};
}

std::optional<DateSpan> clock_time(Reader& reader, std::tm fields) {
  const auto part = take_clock(reader, fields);
  if (!part) return std::nullopt;
  std::int64_t ms = 0;
  if (reader.done()) {
    ms = local_ms(fields);
  } else {
    const auto zone = take_zone(reader);
    if (!zone || !reader.done()) return std::nullopt;
    ms = (static_cast<std::int64_t>(timegm(&fields)) - *zone) * kSecond;
  }
  return DateSpan{ms + part->begin_ms, ms + part->end_ms};
}

/// From the day of the fields to the one after that the change makes of it.
DateSpan span_to(std::tm fields, int std::tm::*unit) {
  std::tm after = fields;
  ++(after.*unit);
  return {local_ms(fields), local_ms(after)};
}

std::optional<DateSpan> calendar_date(std::string_view text) {
  Reader reader(text);
  std::tm fields{};
  fields.tm_mday = 1;
  const auto year = reader.take_number(4, 1970, 9999);
  if (!year) return std::nullopt;
  fields.tm_year = *year - 1900;
  if (reader.done()) return span_to(fields, &std::tm::tm_year);

  if (!reader.take('-')) return std::nullopt;
  const auto month = reader.take_number(2, 1, 12);
  if (!month) return std::nullopt;
  fields.tm_mon = *month - 1;
  if (reader.done()) return span_to(fields, &std::tm::tm_mon);

  if (!reader.take('-')) return std::nullopt;
  const auto day = reader.take_number(2, 1, days_in_month(*year, fields.tm_mon));
  if (!day) return std::nullopt;
  fields.tm_mday = *day;
  if (reader.done()) return span_to(fields, &std::tm::tm_mday);

  if (!reader.take('T') && !reader.take(' ')) return std::nullopt;
  return clock_time(reader, fields);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace

DateSpan parse_date(std::string_view text, std::int64_t now_ms) {
  const std::string lower = lower_case(text);
  if (lower == "now") return {now_ms, now_ms};
  if (const auto moment = moment_ago(lower, now_ms)) return {*moment, *moment};
  if (const auto day = named_day(lower, now_ms)) return *day;
  if (const auto date = calendar_date(text)) return *date;
  bad_date(text);
}

DateRange parse_date_range(std::string_view text, std::int64_t now_ms) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) {
    const DateSpan date = parse_date(text, now_ms);
    if (date.begin_ms == date.end_ms) return {.since = date.begin_ms};
    return {.since = date.begin_ms, .until = date.end_ms};
  }
  const auto first = text.substr(0, dots);
  const auto last = text.substr(dots + 2);
  if (first.empty() && last.empty()) bad_date(text);
  DateRange range;
  if (!first.empty()) range.since = parse_date(first, now_ms).begin_ms;
  if (!last.empty()) range.until = parse_date(last, now_ms).end_ms;
  if (range.since && range.until && *range.since >= *range.until)
    throw Error("bad date: " + std::string(text) + " ends before it begins",
                "write the earlier date first");
  return range;
}

}  // namespace cgrep
