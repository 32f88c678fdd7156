#include "cli/times.h"

#include <ctime>

#include <fmt/format.h>

namespace cgrep {
namespace {

constexpr std::int64_t kMsPerSecond = 1000;

std::int64_t whole_seconds(std::int64_t ms) {
  return ms / kMsPerSecond - (ms % kMsPerSecond < 0 ? 1 : 0);
}

}  // namespace

std::string local_time(std::int64_t ms) {
  const std::time_t seconds = whole_seconds(ms);
  std::tm parts{};
  if (localtime_r(&seconds, &parts) == nullptr) return "?";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min);
}

std::string local_time(const std::optional<Time>& time) {
  if (!time) return {};
  return (time->inferred() ? "~" : "") + local_time(time->ms);
}

std::string iso_time(std::int64_t ms) {
  const std::time_t seconds = whole_seconds(ms);
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     ms - whole_seconds(ms) * kMsPerSecond);
}

}  // namespace cgrep
