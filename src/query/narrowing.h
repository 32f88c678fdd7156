// Narrowing: which documents can hold a literal, by the vocabulary and the posting lists alone.
// What is left out cannot match; what is left in has to be looked at.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/runs.h"
#include "query/exact.h"

namespace cgrep {

/// A part of a literal that lies inside one word of the text.
struct WordPiece {
  enum class At : std::uint8_t { whole, begin, end, inside };
  std::string text{};  // folded
  At at = At::whole;   // where in the word it stands, as far as the literal tells
  friend bool operator==(const WordPiece&, const WordPiece&) = default;
};

/// The pieces that a text with the literal has for certain; empty when none is.
std::vector<WordPiece> pieces_of(std::string_view literal);

/// A set of rows.
class RowSet {
 public:
  void add(std::int64_t row);
  bool contains(std::int64_t row) const;
  void keep_only(const RowSet& other);
  void add_all(const RowSet& other);
  std::size_t size() const;

  /// Calls visit(row) for each, in their order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < bits_.size(); ++i)
      for (auto bits = bits_[i]; bits != 0; bits &= bits - 1)
        visit(static_cast<std::int64_t>(i * 64) + std::countr_zero(bits));
  }

 private:
  std::vector<std::uint64_t> bits_{};
};

struct NarrowedLiteral {
  std::string literal{};
  std::size_t words = 0;  // of the vocabulary that its pieces fit
  bool usable = true;     // else it may be in any document
};

/// The rows that may match, as the runs know them; absent when all have to be looked at.
struct Narrowed {
  std::optional<RowSet> rows{};
  std::vector<NarrowedLiteral> literals{};
};

Narrowed narrow(const ExactMatcher& matcher, const Runs& runs);

}  // namespace cgrep
