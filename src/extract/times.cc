#include "extract/times.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "extract/utf8.h"

namespace cgrep {

namespace {

constexpr std::int64_t kMinute = 60'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Reads a text from left to right. Each method takes what it names, or leaves all as it is.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_(rest) {}

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  bool take_any(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // ICU writes U+202F before AM and PM.
  void skip_blank() {
    while (take_any(" ,\t\r\n") || take("\u202F") || take("\u00A0")) {
    }
  }

  std::string_view word() {
    std::size_t length = 0;
    while (length < rest_.size() && lower(rest_[length]) >= 'a' && lower(rest_[length]) <= 'z')
      ++length;
    const auto word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

  std::optional<int> number(std::size_t min_digits, std::size_t max_digits) {
    std::size_t length = 0;
    int value = 0;
    for (; length < rest_.size() && length < max_digits && is_digit(rest_[length]); ++length)
      value = 10 * value + (rest_[length] - '0');
    if (length == 0 || length < min_digits) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }

  // The digits of a fraction, as ms.
  int milliseconds() {
    int value = 0;
    for (int weight = 100; !rest_.empty() && is_digit(rest_.front()); weight /= 10) {
      value += (rest_.front() - '0') * weight;
      rest_.remove_prefix(1);
    }
    return value;
  }

  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

int month_named(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                        "jul", "aug", "sep", "oct", "nov", "dec"};
  if (word.size() < 3) return 0;
  for (std::size_t i = 0; i < kMonths.size(); ++i)
    if (lower(word[0]) == kMonths[i][0] && lower(word[1]) == kMonths[i][1] &&
        lower(word[2]) == kMonths[i][2])
      return static_cast<int>(i) + 1;
  return 0;
}

// Nothing that an agent did is older, or so far ahead that a time zone makes it the year 10 000.
std::optional<std::int64_t> ms_of_day(int year, int month, int day) {
  if (year < 1971 || year > 9998) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::milliseconds(std::chrono::sys_days(date).time_since_epoch()).count();
}

// `Jun 9, 2026`, with or without a weekday before it.
std::optional<std::int64_t> named_date(Scanner& in) {
  in.skip_blank();
  int month = month_named(in.word());
  if (month == 0) {
    in.skip_blank();
    month = month_named(in.word());
  }
  in.skip_blank();
  const auto day = in.number(1, 2);
  in.skip_blank();
  const auto year = in.number(4, 4);
  if (month == 0 || !day || !year) return std::nullopt;
  return ms_of_day(*year, month, *day);
}

// `2026-06-09`
std::optional<std::int64_t> iso_date(Scanner& in) {
  const auto year = in.number(4, 4);
  if (!year || !in.take("-")) return std::nullopt;
  const auto month = in.number(2, 2);
  if (!month || !in.take("-")) return std::nullopt;
  const auto day = in.number(2, 2);
  if (!day) return std::nullopt;
  return ms_of_day(*year, *month, *day);
}

// `2:44`, `02:44:14`, `02:44:14.296`
std::optional<std::int64_t> time_of_day(Scanner& in) {
  const auto hour = in.number(1, 2);
  if (!hour || *hour > 23 || !in.take(":")) return std::nullopt;
  const auto minute = in.number(2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t ms = (*hour * 60 + *minute) * kMinute;
  if (!in.take(":")) return ms;
  const auto second = in.number(2, 2);
  if (!second || *second > 60) return std::nullopt;
  ms += *second * 1000;
  if (in.take(".") || in.take(",")) ms += in.milliseconds();
  return ms;
}

// Corrects a time of day by the AM or PM after it, if there is one.
std::optional<std::int64_t> twelve_hours(Scanner& in, std::int64_t ms) {
  constexpr std::int64_t kNoon = 12 * 60 * kMinute;
  in.skip_blank();
  const auto word = in.word();
  if (word.empty()) return ms;
  if (word.size() != 2 || lower(word[1]) != 'm' || ms >= kNoon + 60 * kMinute) return std::nullopt;
  const char half = lower(word[0]);
  if (half != 'a' && half != 'p') return std::nullopt;
  return ms % kNoon + (half == 'p' ? kNoon : 0);
}

// `+5`, `+05:30`, `-0400`: how much local time is ahead of UTC.
std::optional<std::int64_t> offset(Scanner& in) {
  const bool behind = in.take("-") || in.take("\u2212");
  if (!behind && !in.take("+")) return std::nullopt;
  const auto hours = in.number(1, 2);
  if (!hours || *hours > 15) return std::nullopt;
  in.take(":");
  const auto minutes = in.number(2, 2).value_or(0);
  if (minutes > 59) return std::nullopt;
  return (behind ? -1 : 1) * (*hours * 60 + minutes) * kMinute;
}

// `(UTC)`, `(UTC-4)`, `(UTC+5:30)`
std::optional<std::int64_t> zone_in_parentheses(Scanner& in) {
  in.skip_blank();
  if (!in.take("(")) return 0;
  if (!in.take("UTC") && !in.take("GMT")) return std::nullopt;
  if (in.take(")")) return 0;
  const auto ahead = offset(in);
  return in.take(")") ? ahead : std::nullopt;
}

// `+0200`, `GMT`, or nothing; mail may add a comment, such as `(CEST)`.
std::optional<std::int64_t> zone_at_end(Scanner& in) {
  in.skip_blank();
  if (in.take("GMT") || in.take("UTC") || in.take("Z") || in.done())
    return in.done() ? std::optional<std::int64_t>(0) : std::nullopt;
  const auto ahead = offset(in);
  in.skip_blank();
  if (in.take("(")) {
    in.word();
    if (!in.take(")")) return std::nullopt;
  }
  return in.done() ? ahead : std::nullopt;
}

// `Tue, 9 Jun 2026 15:06:48`
std::optional<std::int64_t> mail_time(Scanner& in) {
  in.word();
  in.skip_blank();
  const auto day = in.number(1, 2);
  in.skip_blank();
  const auto month = month_named(in.word());
  in.skip_blank();
  const auto year = in.number(4, 4);
  in.skip_blank();
  const auto time = time_of_day(in);
  if (!day || month == 0 || !year || !time) return std::nullopt;
  const auto date = ms_of_day(*year, month, *day);
  return date ? std::optional(*date + *time) : std::nullopt;
}

// `Tue Jun 9 15:06:48 2026`
std::optional<std::int64_t> git_time(Scanner& in) {
  in.word();
  in.skip_blank();
  const auto month = month_named(in.word());
  in.skip_blank();
  const auto day = in.number(1, 2);
  in.skip_blank();
  const auto time = time_of_day(in);
  in.skip_blank();
  const auto year = in.number(4, 4);
  if (!day || month == 0 || !year || !time) return std::nullopt;
  const auto date = ms_of_day(*year, month, *day);
  return date ? std::optional(*date + *time) : std::nullopt;
}

// `2026-06-09 15:06:48`
std::optional<std::int64_t> iso_time(Scanner& in) {
  const auto date = iso_date(in);
  in.skip_blank();
  const auto time = time_of_day(in);
  if (!date || !time) return std::nullopt;
  return *date + *time;
}

}  // namespace

std::optional<std::int64_t> time_from_number(double number) {
  constexpr double kLatest = 1e14;  // the year 5138; above are other units
  if (!std::isfinite(number) || number < 1e9 || number > kLatest) return std::nullopt;
  if (number <= 1e11) return static_cast<std::int64_t>(number * 1000);
  if (number > 1e12) return static_cast<std::int64_t>(number);
  return std::nullopt;
}

std::optional<std::int64_t> parse_rfc3339(std::string_view text) {
  Scanner in(trimmed(text));
  const auto date = iso_date(in);
  if (!date || !in.take_any("Tt ")) return std::nullopt;
  const auto time = time_of_day(in);
  if (!time) return std::nullopt;
  if (in.done() || in.take_any("Zz"))
    return in.done() ? std::optional(*date + *time) : std::nullopt;
  const auto ahead = offset(in);
  if (!ahead || !in.done()) return std::nullopt;
  return *date + *time - *ahead;
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  text = trimmed(text);
  // No number between the bounds has a dash there.
  if (text.size() > 4 && text[4] == '-') return parse_rfc3339(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size()) return time_from_number(number);
  return parse_rfc3339(text);
}

std::optional<std::int64_t> parse_tag_time(std::string_view text) {
  Scanner in(text);
  const auto date = named_date(in);
  if (!date) return std::nullopt;
  in.skip_blank();
  const auto time = time_of_day(in);
  if (!time) return std::nullopt;
  const auto corrected = twelve_hours(in, *time);
  const auto ahead = zone_in_parentheses(in);
  in.skip_blank();
  if (!corrected || !ahead || !in.done()) return std::nullopt;
  return *date + *corrected - *ahead;
}

std::optional<std::int64_t> parse_commit_time(std::string_view text) {
  text = trimmed(text);
  if (const auto time = parse_time(text)) return time;
  for (const auto& form : {mail_time, git_time, iso_time}) {
    Scanner in(text);
    const auto time = form(in);
    const auto ahead = time ? zone_at_end(in) : std::nullopt;
    if (ahead) return *time - *ahead;
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_day(std::string_view text) {
  constexpr std::int64_t kNoon = 12 * 60 * kMinute;
  text = trimmed(text);
  Scanner in(text);
  const auto date = !text.empty() && is_digit(text.front()) ? iso_date(in) : named_date(in);
  if (!date || !in.done()) return std::nullopt;
  return *date + kNoon;
}

}  // namespace cgrep
