#include "query/narrowing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "index/terms.h"
#include "index/words.h"
#include "index/xapian_errors.h"

namespace cgrep {

namespace {

// Above this, so many posting lists cost more than they save.
constexpr std::size_t kMaxWords = 20'000;

std::size_t character_length(std::string_view text, std::size_t at) {
  std::size_t length = 1;
  while (at + length < text.size() &&
         (static_cast<unsigned char>(text[at + length]) & 0xc0) == 0x80)
    ++length;
  return length;
}

// U+0300 to U+036F, which are joined with the letter before them.
bool is_mark(std::string_view text) {
  if (text.size() < 2) return false;
  const auto first = static_cast<unsigned char>(text[0]);
  const auto second = static_cast<unsigned char>(text[1]);
  return first == 0xcc || (first == 0xcd && second < 0xb0);
}

// Whether the character at the beginning is the same in the vocabulary wherever it stands: folding
// may change it, or join it with a mark.
bool is_stable(std::string_view text) {
  const auto length = character_length(text, 0);
  if (is_mark(text) || is_mark(text.substr(length))) return false;
  const auto character = text.substr(0, length);
  return static_cast<unsigned char>(character.front()) < 0x80 || fold(character) == character;
}

class PieceCutter {
 public:
  explicit PieceCutter(std::string_view literal) : literal_(literal) {}

  std::vector<WordPiece> cut() {
    for (const auto& word : words_of(literal_)) {
      if (word.cjk)
        add_pairs(word);
      else
        add_word(word);
    }
    return std::move(pieces_);
  }

 private:
  // Neighbours are terms, whatever stands around them.
  void add_pairs(const Word& word) {
    const auto raw = literal_.substr(word.begin, word.end - word.begin);
    if (raw.size() <= character_length(raw, 0)) return;
    for (auto& term : terms_of(raw)) pieces_.push_back({std::move(term), WordPiece::At::whole});
  }

  // Cuts the word at characters that may look different in the vocabulary.
  void add_word(const Word& word) {
    std::size_t begin = word.begin;
    // The text may go on before the literal, also through a mark at its beginning.
    bool open = word.begin == 0 || static_cast<unsigned char>(literal_[word.begin - 1]) >= 0x80;
    for (std::size_t at = word.begin; at < word.end;) {
      const auto length = character_length(literal_, at);
      if (!is_stable(literal_.substr(at))) {
        add(begin, at, open, true);
        begin = at + length;
        open = true;
      }
      at += length;
    }
    auto end = word.end;
    const bool open_end = end == literal_.size();
    // A mark that follows in the text would change the last character.
    if (open_end && end > begin && static_cast<unsigned char>(literal_[end - 1]) >= 0x80) {
      --end;
      while (end > begin && (static_cast<unsigned char>(literal_[end]) & 0xc0) == 0x80) --end;
    }
    add(begin, end, open, open_end);
  }

  void add(std::size_t begin, std::size_t end, bool open_begin, bool open_end) {
    if (end <= begin) return;
    using At = WordPiece::At;
    const auto at =
        open_begin ? (open_end ? At::inside : At::end) : (open_end ? At::begin : At::whole);
    pieces_.push_back({fold(literal_.substr(begin, end - begin)), at});
  }

  std::string_view literal_;
  std::vector<WordPiece> pieces_{};
};

// Letters that are another letter to those who do not care for case, beside its capital: the long
// s, the signs of Kelvin, Angstrom, Ohm and micro, the other forms of Greek and Cyrillic letters.
// The vocabulary may keep them as they are, so documents that have one are always looked at. The
// first two stand for letters of ASCII.
constexpr std::array<std::string_view, 34> kOddLetters = {
    "\xc5\xbf",     "\xe2\x84\xaa", "\xe2\x84\xab", "\xe2\x84\xa6", "\xc2\xb5",     "\xc4\xb0",
    "\xc4\xb1",     "\xc7\x85",     "\xc7\x88",     "\xc7\x8b",     "\xc7\xb2",     "\xcd\x85",
    "\xcf\x82",     "\xcf\x90",     "\xcf\x91",     "\xcf\x95",     "\xcf\x96",     "\xcf\xb0",
    "\xcf\xb1",     "\xcf\xb4",     "\xcf\xb5",     "\xe1\xb2\x80", "\xe1\xb2\x81", "\xe1\xb2\x82",
    "\xe1\xb2\x83", "\xe1\xb2\x84", "\xe1\xb2\x85", "\xe1\xb2\x86", "\xe1\xb2\x87", "\xe1\xb2\x88",
    "\xe1\xba\x9b", "\xe1\xba\x9e", "\xe1\xbe\xbe", "\xc3\x9f"};
constexpr std::size_t kOddAscii = 2;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool fits(std::string_view word, const WordPiece& piece) {
  switch (piece.at) {
    case WordPiece::At::whole:
      return word == piece.text;
    case WordPiece::At::begin:
      return word.starts_with(piece.text);
    case WordPiece::At::end:
      return word.ends_with(piece.text);
    case WordPiece::At::inside:
      return word.find(piece.text) != std::string_view::npos;
  }
  return true;
}

class Narrower {
 public:
  Narrower(const ExactMatcher& matcher, const Runs& runs) : matcher_(matcher), runs_(runs) {
    always_ = rows_of({std::string(kOverlongTerm)});
    add_odd_letters();
  }

  Narrowed run() {
    Narrowed narrowed;
    const auto& literals = matcher_.literals();
    std::vector<std::optional<RowSet>> held;
    std::vector<int> anywhere;  // literals that may be in any document
    for (std::size_t i = 0; i < literals.size(); ++i) {
      NarrowedLiteral about{.literal = literals[i]};
      held.push_back(rows_with(literals[i], about));
      about.usable = held.back().has_value();
      if (!about.usable) anywhere.push_back(static_cast<int>(i));
      narrowed.literals.push_back(std::move(about));
    }
    if (literals.empty() || matcher_.may_match(anywhere)) return narrowed;
    narrowed.rows = always_;
    add_potential(held, anywhere, *narrowed.rows);
    return narrowed;
  }

 private:
  void add_odd_letters() {
    const auto& bytes = matcher_.plain_bytes();
    if (!bytes.empty() && is_ascii(bytes)) return;  // then an s is an s
    const auto& literals = matcher_.literals();
    const bool ascii = std::all_of(literals.begin(), literals.end(),
                                   [](const std::string& literal) { return is_ascii(literal); });
    std::set<std::string> words;
    for (std::size_t i = 0; i < (ascii ? kOddAscii : kOddLetters.size()); ++i)
      for (const auto& vocabulary : runs_.vocabularies())
        vocabulary.for_each_containing(kOddLetters[i], [&](std::string_view word) {
          words.emplace(word);
          return true;
        });
    always_.add_all(rows_of(words));
  }

  // A document may match if the literals that it may hold are enough for the expression.
  void add_potential(const std::vector<std::optional<RowSet>>& held,
                     const std::vector<int>& anywhere, RowSet& rows) {
    RowSet any;
    for (const auto& set : held)
      if (set) any.add_all(*set);
    std::map<std::vector<int>, bool> known;
    any.for_each([&](std::int64_t row) {
      auto literals = anywhere;
      for (std::size_t i = 0; i < held.size(); ++i)
        if (held[i] && held[i]->contains(row)) literals.push_back(static_cast<int>(i));
      std::sort(literals.begin(), literals.end());
      auto [found, fresh] = known.try_emplace(std::move(literals), false);
      if (fresh) found->second = matcher_.may_match(found->first);
      if (found->second) rows.add(row);
    });
  }

  std::optional<RowSet> rows_with(const std::string& literal, NarrowedLiteral& about) {
    std::optional<RowSet> all;
    for (const auto& piece : pieces_of(literal)) {
      const auto words = words_with(piece);
      if (!words) continue;
      about.words += words->size();
      auto rows = rows_of(*words);
      if (all)
        all->keep_only(rows);
      else
        all = std::move(rows);
    }
    if (!all) return std::nullopt;
    all->add_all(always_);
    return all;
  }

  // Absent when there are too many.
  std::optional<std::set<std::string>> words_with(const WordPiece& piece) {
    std::set<std::string> words;
    if (piece.at == WordPiece::At::whole) words.insert(piece.text);
    bool few = true;
    const auto add = [&](std::string_view word) {
      if (fits(word, piece)) words.emplace(word);
      few = words.size() <= kMaxWords;
      return few;
    };
    for (const auto& vocabulary : runs_.vocabularies()) {
      if (piece.at == WordPiece::At::begin)
        vocabulary.for_each_with_prefix(piece.text, add);
      else if (piece.at != WordPiece::At::whole)
        vocabulary.for_each_containing(piece.text, add);
      if (!few) return std::nullopt;
    }
    return words;
  }

  RowSet rows_of(const std::set<std::string>& terms) {
    RowSet rows;
    translating_xapian_errors([&] {
      const auto& database = runs_.database();
      for (const auto& term : terms)
        for (auto posting = database.postlist_begin(term); posting != database.postlist_end(term);
             ++posting)
          rows.add(runs_.row_of(*posting));
    });
    return rows;
  }

  const ExactMatcher& matcher_;
  const Runs& runs_;
  RowSet always_{};
};

}  // namespace

std::vector<WordPiece> pieces_of(std::string_view literal) {
  return PieceCutter(literal).cut();
}

void RowSet::add(std::int64_t row) {
  const auto index = static_cast<std::size_t>(row) / 64;
  if (index >= bits_.size()) bits_.resize(index + 1);
  bits_[index] |= std::uint64_t{1} << (row % 64);
}

bool RowSet::contains(std::int64_t row) const {
  const auto index = static_cast<std::size_t>(row) / 64;
  return index < bits_.size() && (bits_[index] >> (row % 64) & 1) != 0;
}

void RowSet::keep_only(const RowSet& other) {
  if (bits_.size() > other.bits_.size()) bits_.resize(other.bits_.size());
  for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= other.bits_[i];
}

void RowSet::add_all(const RowSet& other) {
  if (bits_.size() < other.bits_.size()) bits_.resize(other.bits_.size());
  for (std::size_t i = 0; i < other.bits_.size(); ++i) bits_[i] |= other.bits_[i];
}

std::size_t RowSet::size() const {
  std::size_t count = 0;
  for (const auto bits : bits_) count += static_cast<std::size_t>(std::popcount(bits));
  return count;
}

Narrowed narrow(const ExactMatcher& matcher, const Runs& runs) {
  return Narrower(matcher, runs).run();
}

}  // namespace cgrep
