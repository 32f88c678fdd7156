// Query: the parsed question, a tree that can be printed.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cgrep {

/// Whether letters have to be in the case that was typed.
enum class Case : std::uint8_t {
  smart,  // when there is a capital letter
  sensitive,
  insensitive,
};

/// One node of the tree. Plain data: the kind says which members mean something.
struct Query {
  enum class Kind : std::uint8_t {
    everything,  // no words: all that pass the filters
    word,        // text; exact: without its other forms
    prefix,      // text: the beginning of a word
    phrase,      // children are words that stand next to each other, in order
    near,        // children are words within `distance` words of each other, in any order
    field,       // field, text: `role:user`
    all_of,      // children
    any_of,      // children
    not_of,      // one child
  };

  Kind kind = Kind::everything;
  std::string text{};   // as typed; folding is the planner's business
  std::string field{};  // canonical name from the field table
  bool exact = false;
  bool cased = false;  // of a word or prefix: in the case in which it was typed
  unsigned distance = 0;

  /// For word and prefix: the terms that it may be found by, sorted, itself included. Filled by the
  /// planner from the vocabulary, so it takes no part in printing and comparing.
  std::vector<std::string> forms{};

  /// The same for longer identifiers that the word may be a part of: `refresh_token_reused`.
  std::vector<std::string> longer{};

  std::vector<Query> children{};

  /// `(all auth (phrase no verify) (not (field role user)))`: for --explain and tests.
  std::string printed() const;

  friend bool operator==(const Query& a, const Query& b) {
    return a.kind == b.kind && a.text == b.text && a.field == b.field && a.exact == b.exact &&
           a.cased == b.cased && a.distance == b.distance && a.children == b.children;
  }
};

}  // namespace cgrep
