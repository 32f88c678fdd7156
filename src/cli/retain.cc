#include "cli/retain.h"

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "error.h"

namespace cgrep {

std::optional<std::int64_t> parse_retain(std::string_view text) {
  using Unit = std::pair<std::string_view, std::int64_t>;
  constexpr std::array<Unit, 4> kDays = {Unit{"d", 1}, {"w", 7}, {"mo", 30}, {"y", 365}};
  constexpr std::int64_t kDayMs = 86'400'000;
  constexpr std::int64_t kMost = 100'000;  // days: no history is as old
  if (text == "forever") return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [name, days] : kDays)
    if (error == std::errc{} && unit == name && number >= 0 && number <= kMost / days)
      return number * days * kDayMs;
  throw Error(fmt::format("retain is not a duration: '{}'", text), "90d, 12w, 6mo, 1y, or forever");
}

}  // namespace cgrep
