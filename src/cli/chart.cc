#include "cli/chart.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "cli/display.h"

namespace cgrep {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kShortestBar = 8;
constexpr std::size_t kLongestBar = 40;
constexpr std::size_t kNarrowestName = 8;

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Columns of each name or number; `cells` gives those of a row.
template <typename Cells>
std::vector<std::size_t> widths_of(const Chart& chart, std::size_t heading, const Cells& cells) {
  std::vector<std::size_t> widths(chart.rows.empty() ? 0 : cells(chart.rows.front()).size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (!chart.headings.empty()) widths[i] = display_width(chart.headings[heading + i]);
    for (const ChartRow& row : chart.rows)
      widths[i] = std::max(widths[i], display_width(cells(row)[i]));
  }
  return widths;
}

std::size_t sum_of(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) sum += width + kGap;
  return sum;
}

// Takes from the widest, column by column, until it fits or nothing is left to take.
void narrow(std::vector<std::size_t>& names, std::size_t room) {
  while (!names.empty() && sum_of(names) > room) {
    auto& widest = *std::max_element(names.begin(), names.end());
    if (widest <= kNarrowestName) return;
    --widest;
  }
}

std::string left_aligned(std::string_view text, std::size_t width) {
  std::string cut = cut_to_width(text, width);
  cut.append(width - std::min(width, display_width(cut)), ' ');
  return cut;
}

}  // namespace

bool speaks_utf8(const Environment& environment) {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto locale = lower_case(environment(variable).value_or(""));
    if (locale.empty()) continue;
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

std::string bar(std::size_t part, std::size_t whole, std::size_t width, bool utf8) {
  if (part == 0 || whole == 0) return {};
  const double columns =
      static_cast<double>(part) / static_cast<double>(whole) * static_cast<double>(width);
  if (!utf8) return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(columns)), '#');
  constexpr std::array<std::string_view, 8> kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto eighths = std::max<std::size_t>(1, static_cast<std::size_t>(columns * 8));
  std::string blocks;
  for (std::size_t i = 0; i < eighths / 8; ++i) blocks += "█";
  blocks += kEighths.at(eighths % 8);
  return blocks;
}

void print_chart(const Chart& chart, const Terminal& terminal, bool utf8, Output& out) {
  if (chart.rows.empty()) return;
  const auto names_of = [](const ChartRow& row) -> const auto& {
    return row.names;
  };
  const auto numbers_of = [](const ChartRow& row) -> const auto& {
    return row.numbers;
  };
  auto names = widths_of(chart, 0, names_of);
  const auto numbers = widths_of(chart, names.size(), numbers_of);
  const std::size_t taken = sum_of(numbers) + kShortestBar;
  narrow(names, terminal.width > taken ? terminal.width - taken : 0);
  const std::size_t used = sum_of(names) + sum_of(numbers);
  const std::size_t room = terminal.width > used ? terminal.width - used : kShortestBar;
  std::size_t longest = 0;
  for (const ChartRow& row : chart.rows) longest = std::max(longest, row.length);

  const auto gap = std::string(kGap, ' ');
  if (!chart.headings.empty()) {
    std::string line;
    for (std::size_t i = 0; i < names.size(); ++i)
      line += left_aligned(chart.headings[i], names[i]) + gap;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      line += fmt::format("{:>{}}{}", chart.headings[names.size() + i], numbers[i], gap);
    line.erase(line.find_last_not_of(' ') + 1);
    out.print("{}\n", painted(terminal, Paint::title, line));
  }
  for (const ChartRow& row : chart.rows) {
    for (std::size_t i = 0; i < names.size(); ++i)
      out.print("{}{}", left_aligned(row.names[i], names[i]), gap);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      out.print("{}{}",
                painted(terminal, Paint::number, fmt::format("{:>{}}", row.numbers[i], numbers[i])),
                gap);
    out.print("{}\n", painted(terminal, Paint::bar,
                              bar(row.length, longest, std::min(room, kLongestBar), utf8)));
  }
}

std::string grouped_digits(std::uint64_t number) {
  std::string digits = fmt::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"bytes", "KB", "MB", "GB", "TB"};
  constexpr double kStep = 1000;
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= kStep && unit + 1 < kUnits.size()) {
    amount /= kStep;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} {}", bytes, kUnits[0])
                   : fmt::format("{:.1f} {}", amount, kUnits.at(unit));
}

}  // namespace cgrep
