// What the index says when a derived part of it is damaged: it can be made again.
// SPDX-License-Identifier: MIT
#pragma once

#include "error.h"

namespace cgrep {

/// A run or its vocabulary cannot be used. `words/` is derived: the next writer makes it again from
/// history.db, and a search meanwhile reads the texts.
class Damaged : public Error {
 public:
  explicit Damaged(const std::string& what) : Error("words: " + what, "cgrep index --rebuild") {}
};

}  // namespace cgrep
