// What is noted of a conversation's bubbles when they were read, so that the next reading knows
// what became of them: which there were, how long, and what they said of the conversation.
//
// The last few bubbles are always read again, since Cursor goes on writing to them; what those
// before them said of the conversation is settled, and noted.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "extract/bubble.h"

namespace cgrep {

/// What the bubbles of a conversation say of it, taken together.
class Told {
 public:
  void add(const BubbleFacts& facts);
  void claim(const std::string& conversation, Sink& sink) const;

  /// Whether there is nothing that it says and the other does not: then its claims stand, too.
  bool covered_by(const Told& other) const;

 private:
  friend struct BubbleNote;

  std::string model_{};
  std::string project_{};
  std::string uri_{};
  std::string line_{};
  std::int64_t tokens_ = 0;
  std::set<std::string> children_{};
};

/// A bubble as it was: its key, by a hash, and how long it was.
struct BubbleShape {
  std::uint32_t key = 0;
  std::uint32_t bytes = 0;
  bool orphan = false;

  BubbleShape() = default;
  BubbleShape(std::string_view bubble_key, std::size_t length, bool is_orphan);
  friend bool operator==(const BubbleShape&, const BubbleShape&) = default;
  friend bool operator<(const BubbleShape& a, const BubbleShape& b) {
    return std::tie(a.key, a.bytes, a.orphan) < std::tie(b.key, b.bytes, b.orphan);
  }
};

struct BubbleNote {
  bool composer = false;    // the conversation has a row of its own
  bool in_order = false;    // its headers say in which order the bubbles stand
  bool trouble = false;     // not all of it could be read: the next reading begins anew
  std::size_t settled = 0;  // so many bubbles, from the first one on
  std::uint64_t order = 0;  // hash of what they are and where they stand
  bool delegated = false;   // no prompt was among them, and the first one is another agent's
  std::optional<std::int64_t> time{};  // of the last of them that has any
  Told settled_told{};                 // by them
  Told told{};                         // by all
  std::vector<BubbleShape> shapes{};   // of all, sorted

  std::string text() const;
  static std::optional<BubbleNote> parse(std::string_view text);

  /// Absent when it is not known.
  const BubbleShape* find(std::string_view key) const;
};

}  // namespace cgrep
