// What is noted of a conversation's bubbles when they were read, so that the next reading knows
// what became of them: which there were, what they held, and what they said of the conversation.
//
// The last few bubbles are always read again, since Cursor goes on writing to them; what those
// before them said of the conversation is settled, and noted. All of it is hashes: words would
// outlast `cgrep forget`.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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

  /// What was said in this reading. What was said before it is not known any more, but was claimed.
  void claim(const std::string& conversation, Sink& sink) const;

  /// Whether these claims, added to those that were made of `before`, are all that stand.
  bool follows(const Told& before) const;

 private:
  friend struct BubbleNote;

  struct Word {
    std::string text{};      // empty when it was said before this reading
    std::uint64_t hash = 0;  // 0: nothing was said

    void set(const std::string& value);
    bool follows(const Word& before) const;
  };

  Word model_{};
  Word project_{};
  Word uri_{};
  Word line_{};
  std::int64_t tokens_ = 0;
  std::map<std::uint64_t, std::string> children_{};  // by their hashes; empty as above
};

/// A bubble as it was: its key and its value, by hashes.
struct BubbleShape {
  std::uint32_t key = 0;
  std::uint32_t value = 0;
  bool orphan = false;

  BubbleShape() = default;
  BubbleShape(std::string_view bubble_key, std::string_view bytes, bool is_orphan);
  static std::uint32_t hash_of_key(std::string_view key);
  friend bool operator==(const BubbleShape&, const BubbleShape&) = default;
  friend bool operator<(const BubbleShape& a, const BubbleShape& b) {
    return std::tie(a.key, a.value, a.orphan) < std::tie(b.key, b.value, b.orphan);
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
