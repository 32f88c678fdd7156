// Random numbers that are the same on every machine for the same seed, unlike std's distributions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace cgrep::bench {

/// SplitMix64: turns any number into a well-mixed one.
constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15); }

  /// From 0 to bound - 1.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

  /// From 0 up to, but not including, 1.
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  bool chance(double probability) { return fraction() < probability; }

  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - fraction()));
    return radius * std::cos(2 * std::numbers::pi * fraction());
  }

  /// Half of the results are below the median.
  double log_normal(double median, double sigma) { return median * std::exp(sigma * normal()); }

  /// A rank from 0 to bound - 1; the frequency of rank r falls as (r + 4) to the power -1.35, so
  /// that few are common, most are rare, and more text always brings new ones.
  std::size_t rank_below(std::size_t bound) {
    constexpr double kFall = 0.35;
    constexpr double kShift = 4;
    const double high = std::pow(kShift, -kFall);
    const double low = std::pow(static_cast<double>(bound) + kShift, -kFall);
    const double place = std::pow(high - fraction() * (high - low), -1 / kFall);
    return static_cast<std::size_t>(place - kShift);
  }

 private:
  std::uint64_t state_;
};

}  // namespace cgrep::bench
