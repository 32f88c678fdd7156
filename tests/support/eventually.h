// What another process does is waited for, not slept for.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <thread>

namespace cgrep::test {

/// Whether it holds within 30 seconds.
template <typename Condition>
bool eventually(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace cgrep::test
