// Text → words: what is a word, which terms it is found by, and how it is compared.
//
// A word is a run of letters, digits, marks and `_`; all else parts words. It is compared in lower
// case, composed (NFC for the accents we know). Each word yields these terms:
//   - itself, if it has at most kMaxWordBytes; a longer one yields none, and the document carries
//     the marker term kOverlongTerm instead, so that exact search always looks at it;
//   - its sub-words, if it is an identifier (getUserById, foo_bar, sha256) of a readable kind:
//     pieces of hashes and base64 are no terms;
//   - itself and its sub-words without accents, where that differs.
// Text in Han, Hiragana, Katakana or Hangul has no spaces: a run of one script is one word here,
// and its terms are its pairs of neighbours (the single character, if it stands alone).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

/// Longer words (base64, long hashes, minified code) would bloat the vocabulary.
inline constexpr std::size_t kMaxWordBytes = 64;

/// A whole word of a text, where it stands.
struct Word {
  std::size_t begin = 0;  // bytes in the text
  std::size_t end = 0;
  std::string folded{};  // lower case, composed
  bool cjk = false;      // a run of one script that is written without spaces
};

/// Calls visit for each whole word, in order. The Word is valid during the call only.
void for_each_word(std::string_view text, const std::function<void(const Word&)>& visit);

/// The whole words of a short text, such as a pattern.
std::vector<Word> words_of(std::string_view text);

/// Lower case, composed: the form in which words are compared.
std::string fold(std::string_view text);

/// A folded word without accents.
std::string without_accents(std::string_view folded);

/// The terms of one whole word as it stands in a text (camelCase matters), itself first. Empty
/// for a word that is too long to be a term.
std::vector<std::string> terms_of(std::string_view raw);

/// Walks the whole words of a text without allocating for each: for texts by the megabyte.
///   for (WordScanner words(text); words.next();) use(words.folded());
class WordScanner {
 public:
  WordScanner() = default;
  explicit WordScanner(std::string_view text) { start(text); }

  /// Buffers are kept from text to text.
  void start(std::string_view text);

  /// Goes to the first or next word; false at the end of the text.
  bool next();

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }
  std::string_view raw() const { return text_.substr(begin_, end_ - begin_); }
  std::string_view folded() const { return folded_; }  // valid until next() or start()
  bool cjk() const { return cjk_; }
  bool ascii() const { return ascii_; }

  /// Surely without sub-words and accents, so that its only term is itself.
  bool plain() const { return plain_; }

  /// Surely without sub-words; of what is not ASCII.
  bool whole() const { return whole_; }

 private:
  void take_ascii(std::size_t end, unsigned kinds);
  void take_unicode();

  std::string_view text_{};
  std::string_view folded_{};
  std::string buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool cjk_ = false;
  bool ascii_ = false;
  bool plain_ = false;
  bool whole_ = false;
};

/// Bytes of a word.
struct Piece {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Where the sub-words stand in a whole word, in order; empty for what is no readable identifier.
void split_identifier(std::string_view raw, std::vector<Piece>& pieces);

/// Cuts texts into terms for indexing. Keeps its buffers, so use one for many texts.
class TermCutter {
 public:
  /// Calls term(std::string_view) for every term of every word, once for each time it occurs.
  /// Sets overlong if a word was too long to be a term, else leaves it alone.
  template <typename Visit>
  void cut(std::string_view text, Visit&& term, bool& overlong) {
    for (words_.start(text); words_.next();) {
      if (!words_.cjk() && words_.folded().size() > kMaxWordBytes) {
        overlong = true;
      } else if (words_.plain()) {
        term(words_.folded());
      } else {
        collect();
        const std::string_view bytes = bytes_;
        for (const Piece& piece : terms_) term(bytes.substr(piece.begin, piece.end - piece.begin));
      }
    }
  }

 private:
  void collect();
  void collect_pairs();
  void add(std::string_view term);
  void add_bare();
  void end_term(std::size_t begin);

  WordScanner words_{};
  std::vector<Piece> pieces_{};
  std::vector<Piece> terms_{};  // in bytes_
  std::string bytes_{};
};

}  // namespace cgrep
