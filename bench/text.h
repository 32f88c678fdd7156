// Made-up text: English and invented words, code, paths, hashes, and other languages.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bench/random.h"

namespace cgrep::bench {

enum class Language { english, german, french, russian, chinese, japanese, korean };

class TextMaker {
 public:
  TextMaker();

  /// Prose with code in between, close to the wanted number of bytes.
  std::string prose(Random& random, std::size_t bytes, Language language) const;

  /// Such as `parseTokenBuffer` or `arena_grow_size`.
  const std::string& identifier(Random& random) const;

  /// Such as `src/arena/grow_table.cc`.
  std::string path(Random& random) const;

  /// A shell command.
  std::string command(Random& random) const;

  /// Lines of code, close to the wanted number of bytes.
  std::string code(Random& random, std::size_t bytes) const;

 private:
  std::string new_identifier(Random& random) const;
  void append_word(Random& random, std::string& out) const;
  void append_token(Random& random, std::string& out) const;

  std::vector<std::string> common_;       // by rank; rarer words are made when needed
  std::vector<std::string> identifiers_;  // by rank
};

}  // namespace cgrep::bench
