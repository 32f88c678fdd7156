// The vocabulary of a run: a flat file of its words, sorted, one per line. It is mapped, not read:
// the bridge from prefixes, other forms, misspellings and substrings to terms.
//
// Format: the line `cgrep-vocabulary 1`, then each word followed by '\n', in byte order.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// Gathers words that come in order, without repeats.
class VocabularyBuilder {
 public:
  VocabularyBuilder();
  void add(std::string_view word) { bytes_.append(word).push_back('\n'); }

  /// Writes the file; it is still to be synced (files.h).
  void write(const std::filesystem::path& path) const;

 private:
  std::string bytes_;
};

class Vocabulary {
 public:
  /// The same. `words` must be sorted and without repeats.
  static void write(const std::filesystem::path& path, const std::vector<std::string>& words);

  /// Writes the union of several vocabularies.
  static void merge(const std::filesystem::path& path,
                    const std::vector<const Vocabulary*>& vocabularies);

  /// Throws Damaged when it is not such a file.
  explicit Vocabulary(const std::filesystem::path& path);
  ~Vocabulary();
  Vocabulary(Vocabulary&& other) noexcept;
  Vocabulary& operator=(Vocabulary&&) = delete;

  /// Calls visit for each word that begins with the prefix, in order; false stops.
  void for_each_with_prefix(std::string_view prefix,
                            const std::function<bool(std::string_view)>& visit) const;

  /// Calls visit for each word that contains the piece; false stops.
  void for_each_containing(std::string_view piece,
                           const std::function<bool(std::string_view)>& visit) const;

  bool contains(std::string_view word) const;

  /// All words, each followed by '\n'.
  std::string_view words() const { return words_; }

 private:
  std::size_t lower_bound(std::string_view word) const;

  void* map_ = nullptr;
  std::size_t mapped_ = 0;
  std::string_view words_{};
};

}  // namespace cgrep
