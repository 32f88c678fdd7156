// The mark of a source that is read as a whole each time: whether it has changed at all, and which
// conversations are no longer in it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "extract/store.h"

namespace cgrep {

class WholeMark {
 public:
  /// Of the mark that the last reading returned; empty when there was none.
  explicit WholeMark(std::string_view mark);

  /// Whether it held these bytes when it was last read, and all of them were understood.
  bool was_read(std::uint64_t hash) const { return hash_ != 0 && hash_ == hash; }

  /// Ahead of all that is delivered of the conversation. False when it was begun before: then it
  /// must not be delivered again.
  bool begin(const std::string& conversation, Sink& sink);

  /// A part of the source could not be read: what it held before is not gone.
  void incomplete() { complete_ = false; }

  /// Tells of those that vanished, and returns the next mark: `whole HASH CONVERSATION…`.
  std::string end(std::uint64_t hash, Sink& sink) const;

 private:
  std::uint64_t hash_ = 0;
  std::set<std::string> before_{};
  std::set<std::string> now_{};
  bool complete_ = true;
};

}  // namespace cgrep
