// Chart: rows of names and numbers with bars, fitted to the width of the terminal.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "cli/terminal.h"

namespace cgrep {

/// Whether the locale can show more than ASCII.
bool speaks_utf8(const Environment& environment);

/// A bar for `part` of `whole`, at most `width` columns; what is not nothing has a bar.
std::string bar(std::size_t part, std::size_t whole, std::size_t width, bool utf8);

struct ChartRow {
  std::vector<std::string> names{};    // may hold anything: they are made visible here
  std::vector<std::string> numbers{};  // right-aligned, after the names
  std::size_t length = 0;              // of the bar
};

struct Chart {
  std::vector<std::string> headings{};  // of names and numbers; empty: none
  std::vector<ChartRow> rows{};         // all with as many names and numbers
};

/// Cuts the widest names when there is no room for them beside a short bar.
void print_chart(const Chart& chart, const Terminal& terminal, bool utf8, Output& out);

/// `1,234,567` for people.
std::string grouped_digits(std::uint64_t number);

/// `3.4 MB` for people.
std::string readable_bytes(std::uint64_t bytes);

}  // namespace cgrep
