// GCC 12 has no std::chrono::parse; the two forms that occur are read by hand.

#include "corpus/times.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <regex>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>

namespace cgrep::corpus {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

std::optional<Seconds> at_day(int year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

unsigned month_number(const std::string& name) {
  static constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  return static_cast<unsigned>(kMonths.find(name) / 3 + 1);
}

std::optional<Seconds> parse_tag(const std::string& tag) {
  static const std::regex kForm(
      R"((Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{1,2}), (\d{4}), )"
      R"((\d{1,2}):(\d{2}) ([AP])M \(UTC([+-])(\d{1,2})(?::(\d{2}))?\))");
  std::smatch part;
  if (!std::regex_search(tag, part, kForm)) return std::nullopt;
  const auto number = [&](std::size_t i) { return part[i].matched ? std::stoi(part[i]) : 0; };
  const auto day = at_day(number(3), month_number(part[1]), static_cast<unsigned>(number(2)));
  if (!day) return std::nullopt;
  const auto clock = hours(number(4) % 12 + (part[6] == "P" ? 12 : 0)) + minutes(number(5));
  const auto offset = hours(number(8)) + minutes(number(9));
  return *day + clock - (part[7] == "-" ? -offset : offset);
}

}  // namespace

std::optional<Seconds> parse_iso_time(const std::string& text) {
  int year = 0;
  unsigned month = 0, day = 0;
  int hour = 0, minute = 0, second = 0, end = 0;
  const int fields = std::sscanf(text.c_str(), "%4d-%2u-%2uT%2d:%2d:%2dZ%n", &year, &month, &day,
                                 &hour, &minute, &second, &end);
  if (fields != 6 || end != static_cast<int>(text.size())) return std::nullopt;
  const auto date = at_day(year, month, day);
  if (!date) return std::nullopt;
  return *date + hours(hour) + minutes(minute) + std::chrono::seconds(second);
}

std::optional<Seconds> last_time_tag(std::string_view text) {
  const auto start = text.rfind("<timestamp>");
  if (start == text.npos) return std::nullopt;
  const auto end = text.find("</timestamp>", start);
  if (end == text.npos) return std::nullopt;
  return parse_tag(std::string(text.substr(start, end - start)));
}

void set_time(const std::filesystem::path& path, Seconds time) {
  const timespec moment{.tv_sec = time.time_since_epoch().count(), .tv_nsec = 0};
  const std::array times{moment, moment};
  if (utimensat(AT_FDCWD, path.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0)
    throw std::system_error(errno, std::generic_category(), path.string());
}

}  // namespace cgrep::corpus
