// Helpers: threads that read some of many things ahead of the one who delivers them all, in order.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "extract/store.h"

namespace cgrep {

/// Things are numbered from 0, and asked for in that order. Nothing was ever noted of them.
class Helpers {
 public:
  /// Delivers all of a thing to the sink that it was made with.
  using Read = std::function<void(std::size_t thing)>;

  struct Things {
    std::size_t count = 0;
    /// Whether a helper may begin it; empty: any. What turns out to be large is left all the same.
    std::function<bool(std::size_t thing)> small{};
    /// Called in each helper's thread, once.
    std::function<Read(Sink& sink)> reader{};
  };

  /// As many as there are cores beside the caller's, up to a few; none if there are too few things.
  explicit Helpers(Things things);

  /// Stops them in the midst of what they do.
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  /// Hands all that the next thing delivers to the sink, if a helper has read it; else false, and
  /// the caller has to read it himself. So is whatever a helper failed at.
  bool deliver(Sink& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
