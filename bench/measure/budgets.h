// The budgets: what is measured against what, and which ratio it must keep.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/figures.h"

namespace cgrep::bench {

enum class Wanted { at_most, at_least };

/// How a value is printed.
enum class Unit { times, times_faster, megabytes, kilobytes, milliseconds, of_text };

/// A value of this run with its bounds; which sizes they bind at is decided when it is made.
struct Row {
  std::string id{};
  std::string what{};
  std::string against{};
  Unit unit = Unit::times;
  Wanted wanted = Wanted::at_most;
  double value = 0;
  std::vector<double> rounds{};  // the value in each round, where it is a ratio
  std::optional<double> must{};
  std::optional<double> aim{};
  bool binding = true;  // at this size

  bool keeps(double bound) const {
    return wanted == Wanted::at_most ? value <= bound : value >= bound;
  }
  bool missed() const { return binding && must && !keeps(*must); }
};

/// "kept", "aim missed", "MISSED", or empty where nothing binds.
std::string_view verdict(const Row& row);

/// All that was measured, by task, and plain values such as sizes, by name.
struct Measured {
  std::map<std::string, Figure, std::less<>> figures{};
  std::map<std::string, double, std::less<>> values{};
};

/// The rows for which there are figures, in the order of design.md §12. `messages`: of the history.
std::vector<Row> judge(const Measured& measured, std::size_t messages);

/// `0.43 x`, `31 x`, `143 MB`.
std::string printed(double value, Unit unit);

/// As text, for a terminal.
std::string table(const std::vector<Row>& rows);

}  // namespace cgrep::bench
