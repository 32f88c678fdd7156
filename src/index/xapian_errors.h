// Xapian's exceptions become ours, in one place.
// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include <xapian.h>

#include "index/damaged.h"

namespace cgrep {

/// Runs are derived and never changed: whatever Xapian finds wrong with one, it is damaged, unless
/// the trouble is on the way to it.
template <typename Body>
decltype(auto) translating_xapian_errors(Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Xapian::DatabaseError& error) {
    throw Damaged(error.get_msg());
  } catch (const Xapian::Error& error) {
    throw Error("index: " + error.get_msg(), "cgrep doctor checks the index");
  }
}

}  // namespace cgrep
