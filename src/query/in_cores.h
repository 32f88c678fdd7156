// Work on packed texts: by the caller alone when it is little, else in all cores.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "index/frames.h"

namespace cgrep {

/// Calls work(item, frames) for each item; `bytes` is how much they have to unpack, `frames` the
/// caller's. Rethrows what one of them threw.
template <typename Item, typename Work>
void work_in_cores(std::vector<Item>& items, std::size_t bytes, Frames& frames, const Work& work) {
  constexpr std::size_t kWorthAThread = 32u << 10;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failed;  // guarded by mutex
  const auto run = [&](Frames& own) {
    try {
      for (std::size_t i = next++; i < items.size(); i = next++) work(items[i], own);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failed = std::current_exception();
    }
  };
  auto wanted = std::min(items.size(), bytes / kWorthAThread + 1);
  if (wanted > 1)  // to count the cores reads a file
    wanted = std::min<std::size_t>(wanted, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> others;
  others.reserve(wanted);
  try {
    while (others.size() + 1 < wanted)
      others.emplace_back([&] {
        Frames own;
        run(own);
      });
  } catch (const std::system_error&) {
    // with fewer, then
  } catch (const std::bad_alloc&) {
    // the same
  }
  run(frames);
  for (auto& other : others) other.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace cgrep
