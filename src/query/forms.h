// Other forms of a word: those with the same stem (fix: fixes, fixed, fixing). Of an identifier the
// last sub-word takes them (refresh_token: refresh_tokens), and longer ones that it is a part of
// count as well (refresh_token_reused).
// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <xapian.h>

#include "index/vocabulary.h"

namespace cgrep {

/// The words with one stem.
class StemForms {
 public:
  StemForms() = default;
  /// Words with fewer than `shortest` letters have no other forms.
  StemForms(std::string_view folded, std::size_t shortest);

  /// All forms begin with it. Empty: the word has no other forms.
  std::string_view prefix() const { return prefix_; }

  /// Of a word that begins with prefix().
  bool is_form(std::string_view word) const;

  /// No form is longer.
  std::size_t longest() const;

 private:
  std::string folded_{};
  std::string stem_{};
  std::string prefix_{};
  Xapian::Stem stemmer_{};
};

/// Collects what one word is found by, out of the words that are offered.
class FormFinder {
 public:
  /// As typed: an identifier is known by its capitals, too.
  explicit FormFinder(std::string_view typed);

  /// Offers all that may fit.
  void look_in(const Vocabulary& vocabulary);

  /// Keeps the word if it is a form, or an identifier that is longer. False when there are enough.
  bool offer(std::string_view word);

  /// The word itself and its forms, also those that stand in longer identifiers only.
  std::vector<std::string> forms() const { return {forms_.begin(), forms_.end()}; }

  /// Longer identifiers; some may turn out on the text to have other sub-words, see certain().
  std::vector<std::string> longer() const { return {longer_.begin(), longer_.end()}; }

  /// Whether all that are longer surely have the word between their sub-words: `_` tells, capital
  /// letters are not known here.
  bool certain() const { return certain_; }

  /// There are more of them; all have one of each of these sub-words.
  bool too_many() const { return too_many_; }
  std::vector<std::vector<std::string>> sub_words() const;

 private:
  void split(std::string_view typed);
  void offer_identifier(std::string_view word);
  template <typename Visit>
  void for_each_end(std::string_view word, std::size_t at, Visit&& visit) const;

  std::string folded_;
  bool identifier_ = false;
  std::vector<std::string> sub_words_{};
  std::string head_{};    // of an identifier: what stands before its last sub-word
  StemForms tail_{};      // the last sub-word, or the whole word
  std::string needle_{};  // in every word that fits; empty: there are none
  std::set<std::string, std::less<>> forms_{};
  std::set<std::string, std::less<>> longer_{};
  bool certain_ = true;
  bool too_many_ = false;
};

}  // namespace cgrep
