// Other forms of a word: those with the same stem (fix: fixes, fixed, fixing).
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <xapian.h>

namespace cgrep {

/// Collects the forms of one word out of the words that are offered.
class FormFinder {
 public:
  explicit FormFinder(std::string folded);

  /// All forms begin with it. Empty: the word has no other forms.
  std::string_view prefix() const { return prefix_; }

  /// Keeps the word if it is a form. False when there are enough.
  bool offer(std::string_view word);

  /// What was found and the word itself, sorted, without repeats.
  std::vector<std::string> forms() const;

 private:
  std::string folded_;
  std::string stem_{};
  std::string prefix_{};
  Xapian::Stem stemmer_{};
  std::vector<std::string> found_{};
};

}  // namespace cgrep
