// Background: what fills the rest of an engineer's days. It uses the words of all topics, each
// conversation some of them often, so that no word of a query is rare by itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/judged/topics.h"
#include "bench/random.h"

namespace cgrep::bench {

/// The words that a conversation comes back to.
using Theme = std::vector<std::string>;

class Background {
 public:
  explicit Background(const std::vector<Topic>& topics);

  Theme theme(Random& random) const;
  std::string sentence(Random& random, const Theme& theme) const;
  std::string paragraph(Random& random, const Theme& theme, std::size_t sentences) const;
  std::string title(Random& random, const Theme& theme) const;
  std::string command(Random& random, const Theme& theme) const;

  /// What a tool prints: so many lines.
  std::string output(Random& random, const Theme& theme, std::size_t lines) const;

  /// A conversation about the theme, with tools and now and then a long output.
  Story story(Random& random, const Theme& theme, std::size_t messages) const;

 private:
  std::string filled(Random& random, const Theme& theme, std::string_view pattern) const;
  const std::string& word(Random& random, const Theme& theme) const;

  std::vector<std::vector<std::string>> topics_{};  // the words of each that a theme may have
  std::vector<std::string> words_{};                // of all of them
};

}  // namespace cgrep::bench
