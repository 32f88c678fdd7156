// Matcher: each word of the query looks for its own places in the text. Texts are long and matches
// rare, so only the places where the bytes of a form stand are cut into words and compared: in
// ASCII by memmem on the text in lower case, and wherever there is something else than ASCII.
// SPDX-License-Identifier: MIT
#include "query/matcher.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "find_bytes.h"
#include "index/words.h"

namespace cgrep {
namespace {

using Kind = Query::Kind;

constexpr std::size_t npos = std::string_view::npos;

/// A byte that may be part of a word; those that are not part words for sure.
constexpr bool may_be_in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_ascii_word(std::string_view text) {
  const auto is_word_byte = [](char c) {
    return may_be_in_word(c) && static_cast<unsigned char>(c) < 0x80;
  };
  return !text.empty() && std::ranges::all_of(text, is_word_byte);
}

constexpr char lower_ascii(char c) {
  return static_cast<char>(c + (c >= 'A' && c <= 'Z' ? 'a' - 'A' : 0));
}

std::size_t find_high_byte(std::string_view text, std::size_t from) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (; from + 8 <= text.size(); from += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + from, 8);
    if ((eight & kHighBits) != 0) break;
  }
  while (from < text.size() && static_cast<unsigned char>(text[from]) < 0x80) ++from;
  return from < text.size() ? from : npos;
}

/// Whether a character begins here that can become ASCII when case or accent is taken off: Latin
/// letters (U+00C0 to U+027F, U+1E00 to U+1EFF), accents, the signs of Kelvin and Angstrom.
bool may_become_ascii(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead == 0xE2) return text.substr(at + 1).starts_with('\x84');
  return (lead >= 0xC3 && lead <= 0xC9) || lead == 0xCC || lead == 0xCD || lead == 0xE1;
}

std::size_t find_latin(std::string_view text, std::size_t from) {
  do {
    from = find_high_byte(text, from);
  } while (from != npos && !may_become_ascii(text, from) && ++from > 0);
  return from;
}

/// Eight bytes at a time, as it is done to every text that is looked through.
std::string with_lower_ascii(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::string lower(text);
  std::size_t at = 0;
  for (; at + 8 <= lower.size(); at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, lower.data() + at, 8);
    const std::uint64_t low = eight & (0x7F * kOnes);
    const std::uint64_t from_a = low + (0x80 - 'A') * kOnes;  // its high bits: not below 'A'
    const std::uint64_t after_z = low + (0x7F - 'Z') * kOnes;
    const std::uint64_t upper = from_a & ~after_z & ~eight & (0x80 * kOnes);
    eight |= upper >> 2;  // 0x20 is what lower case has more
    std::memcpy(lower.data() + at, &eight, 8);
  }
  for (; at < lower.size(); ++at) lower[at] = lower_ascii(lower[at]);
  return lower;
}

/// A text with all its ASCII in lower case, made when first asked for.
class Text {
 public:
  explicit Text(std::string_view raw) : raw_(raw) {}

  std::string_view raw() const { return raw_; }

  std::string_view lower() {
    if (lower_.size() != raw_.size()) lower_ = with_lower_ascii(raw_);
    return lower_;
  }

 private:
  std::string_view raw_;
  std::string lower_{};
};

// ---------------------------------------------------------------- candidates

/// What to look for to find all places where one of some folded words can stand.
class Needles {
 public:
  Needles() = default;

  explicit Needles(const std::vector<std::string>& words) {
    std::vector<std::string> ascii;
    std::ranges::copy_if(words, std::back_inserter(ascii), is_ascii_word);
    std::ranges::sort(ascii, {}, &std::string::size);
    ascii_ = ascii.size() == words.size();
    for (const std::string& word : ascii) add(word);
    if (needles_.size() > kMost) shorten();
  }

  bool everywhere() const { return everywhere_; }
  bool ascii() const { return ascii_; }  // nothing else is looked for
  const std::vector<std::string>& needles() const { return needles_; }

 private:
  /// With more, looking at every word is as good.
  static constexpr std::size_t kMost = 8;

  void add(const std::string& word) {
    const auto is_in_it = [&](const std::string& needle) {
      return word.find(needle) != std::string::npos;
    };
    if (std::ranges::none_of(needles_, is_in_it)) needles_.push_back(word);
  }

  /// Forms of one word mostly begin alike.
  void shorten() {
    std::string_view shared = needles_.front();
    for (const std::string_view needle : needles_) {
      const auto end = std::ranges::mismatch(shared, needle).in1;
      shared = shared.substr(0, static_cast<std::size_t>(end - shared.begin()));
    }
    everywhere_ = shared.size() < 3;
    needles_ = {std::string(shared)};
  }

  std::vector<std::string> needles_{};
  bool everywhere_ = false;
  bool ascii_ = false;
};

/// Walks the places of a text that may hold a word that is looked for. A place is a run of bytes
/// that may be in words, so that its words are whole ones.
class Places {
 public:
  Places(Text& text, const Needles& needles)
      : text_(text), needles_(needles), next_(needles.needles().size(), 0) {}

  /// The next place; empty at the end.
  Span next() {
    const std::string_view lower = text_.lower();
    const std::size_t at = needles_.everywhere() ? next_word_byte(lower) : next_candidate(lower);
    if (at == npos) return {};
    Span place{at, at};
    while (place.begin > 0 && may_be_in_word(lower[place.begin - 1])) --place.begin;
    while (place.end < lower.size() && may_be_in_word(lower[place.end])) ++place.end;
    from_ = place.end;
    return place;
  }

 private:
  std::size_t next_word_byte(std::string_view lower) const {
    std::size_t at = from_;
    while (at < lower.size() && !may_be_in_word(lower[at])) ++at;
    return at < lower.size() ? at : npos;
  }

  std::size_t next_candidate(std::string_view lower) {
    if (next_high_ != npos && next_high_ <= from_)
      next_high_ = needles_.ascii() ? find_latin(lower, from_) : find_high_byte(lower, from_);
    std::size_t nearest = next_high_;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (next_[i] != npos && next_[i] <= from_)
        next_[i] = find_bytes(lower, needles_.needles()[i], from_);
      nearest = std::min(nearest, next_[i]);
    }
    return nearest;
  }

  Text& text_;
  const Needles& needles_;
  std::vector<std::size_t> next_;  // of each needle; from_ or less: to be looked for
  std::size_t next_high_ = 0;
  std::size_t from_ = 0;
};

/// Calls visit(WordScanner&, offset of the scanner's text) for each word that may be looked for,
/// until it returns false.
template <typename Visit>
void for_each_candidate(Text& text, const Needles& needles, Visit&& visit) {
  Places places(text, needles);
  WordScanner words;
  for (Span place = places.next(); place.begin != place.end; place = places.next()) {
    words.start(text.raw().substr(place.begin, place.end - place.begin));
    while (words.next())
      if (!visit(std::as_const(words), place.begin)) return;
  }
}

// ---------------------------------------------------------------- words

/// A word or prefix of the query.
class WordTest {
 public:
  explicit WordTest(const Query& node)
      : prefix_(node.kind == Kind::prefix), folded_(fold(node.text)) {
    const std::vector<Word> words = words_of(node.text);
    cjk_ = words.size() == 1 && words[0].cjk;
    literal_ = words.empty();
    if (literal_) folded_ = node.text;
    forms_ = node.forms;
    if (prefix_ || cjk_ || forms_.empty()) forms_ = {folded_};
    std::ranges::sort(forms_);
    needles_ = Needles(forms_);
    if (node.cased) cased_ = node.text;
    inside_ = !node.longer.empty();
  }

  const Needles& needles() const { return needles_; }
  const std::string& folded() const { return folded_; }
  bool cjk() const { return cjk_; }

  /// No word at all, such as `&&`: looked for as it is.
  bool literal() const { return literal_; }

  /// Calls found(begin, end) for each place in the word where it matches, until that returns false.
  /// False if it did.
  template <typename Found>
  bool find_in(const WordScanner& word, std::vector<Piece>& pieces, Found&& found) const {
    if (word.cjk() != cjk_) return true;
    if (cjk_) return find_in_run(word, found);
    if (fits(word.folded(), word.ascii()))
      return !has_case(word.raw()) || found(word.begin(), word.end());
    if (word.plain() || word.folded().size() > kMaxWordBytes) return true;
    split_identifier(word.raw(), pieces);
    for (const Piece& piece : pieces) {
      if (!piece_fits(word, piece)) continue;
      if (!has_case(word.raw().substr(piece.begin, piece.end - piece.begin))) continue;
      if (!found(word.begin() + piece.begin, word.begin() + piece.end)) return false;
    }
    return !inside_ || find_inside(word, pieces, found);
  }

  bool is_in(const WordScanner& word, std::vector<Piece>& pieces) const {
    return !find_in(word, pieces, [](std::size_t, std::size_t) { return false; });
  }

  /// In a phrase: the whole word, in the typed form or with accents that were not typed. A run
  /// without spaces may go on before the first and after the last word of the phrase.
  bool is_whole(const WordScanner& word, bool first, bool last) const {
    if (word.cjk() != cjk_) return false;
    const std::string_view text = word.folded();
    if (cjk_) {
      if (first && last) return text.find(folded_) != npos;
      if (first) return text.ends_with(folded_);
      return last ? text.starts_with(folded_) : text == folded_;
    }
    return (is_typed(text) || (!word.ascii() && is_typed(without_accents(text)))) &&
           has_case(word.raw());
  }

 private:
  /// The case that was typed, if it matters: as far as the word and its other forms are alike.
  bool has_case(std::string_view raw) const {
    if (cased_.empty()) return true;
    if (!is_ascii_word(raw) || !is_ascii_word(cased_))
      return prefix_ ? raw.starts_with(cased_) : raw == cased_;
    for (std::size_t i = 0; i < std::min(raw.size(), cased_.size()); ++i) {
      if (lower_ascii(raw[i]) != lower_ascii(cased_[i])) return true;
      if (raw[i] != cased_[i]) return false;
    }
    return true;
  }

  bool is_typed(std::string_view text) const {
    return prefix_ ? text.starts_with(folded_) : text == folded_;
  }

  bool has_form(std::string_view term) const {
    if (prefix_) return term.starts_with(folded_);
    if (forms_.size() == 1) return term == forms_.front();
    return std::binary_search(forms_.begin(), forms_.end(), term, std::less<>{});
  }

  bool fits(std::string_view term, bool ascii) const {
    return has_form(term) || (!ascii && has_form(without_accents(term)));
  }

  bool piece_fits(const WordScanner& word, Piece piece) const {
    const std::size_t size = piece.end - piece.begin;
    if (word.ascii()) return has_form(word.folded().substr(piece.begin, size));
    return fits(fold(word.raw().substr(piece.begin, size)), false);
  }

  /// Of an identifier: where some of the word's sub-words, side by side, are a form of it.
  template <typename Found>
  bool find_inside(const WordScanner& word, const std::vector<Piece>& pieces, Found&& found) const {
    if (!word.ascii()) return !has_inside(word) || found(word.begin(), word.end());
    for (const std::string& form : forms_)
      for (std::size_t at = word.folded().find(form); at != npos;
           at = word.folded().find(form, at + 1)) {
        const std::size_t end = at + form.size();
        if (!is_border(word.raw(), pieces, at) || !is_border(word.raw(), pieces, end)) continue;
        if (!has_case(word.raw().substr(at, form.size()))) continue;
        if (!found(word.begin() + at, word.begin() + end)) return false;
      }
    return true;
  }

  static bool is_border(std::string_view raw, const std::vector<Piece>& pieces, std::size_t at) {
    if (at == 0 || at == raw.size() || raw[at - 1] == '_' || raw[at] == '_') return true;
    return std::ranges::any_of(
        pieces, [&](const Piece& piece) { return piece.begin == at || piece.end == at; });
  }

  /// Between `_` only, as the bytes of a folded word stand elsewhere than those of the text.
  bool has_inside(const WordScanner& word) const {
    const std::string bare = without_accents(word.folded());
    return cased_.empty() && std::ranges::any_of(forms_, [&](const std::string& form) {
             const std::size_t at = bare.find(form);
             return at != npos && is_border(bare, {}, at) && is_border(bare, {}, at + form.size());
           });
  }

  template <typename Found>
  bool find_in_run(const WordScanner& run, Found&& found) const {
    const bool same_bytes = run.folded().size() == run.end() - run.begin();
    for (std::size_t at = run.folded().find(folded_); at != npos;
         at = run.folded().find(folded_, at + folded_.size())) {
      if (!same_bytes) return found(run.begin(), run.end());
      if (!found(run.begin() + at, run.begin() + at + folded_.size())) return false;
    }
    return true;
  }

  bool prefix_ = false;
  bool cjk_ = false;
  bool literal_ = false;
  bool inside_ = false;  // it may be a part of longer identifiers
  std::string folded_{};
  std::string cased_{};  // as typed, when case matters
  std::vector<std::string> forms_{};
  Needles needles_{};
};

/// Calls found(begin, end) for each place in the text, until that returns false.
template <typename Found>
void find_word(const WordTest& test, Text& text, Found&& found) {
  if (test.literal()) {
    const std::string& bytes = test.folded();
    for (std::size_t at = bytes.empty() ? npos : find_bytes(text.raw(), bytes, 0); at != npos;
         at = find_bytes(text.raw(), bytes, at + bytes.size()))
      if (!found(at, at + bytes.size())) return;
    return;
  }
  std::vector<Piece> pieces;
  for_each_candidate(text, test.needles(), [&](const WordScanner& word, std::size_t offset) {
    return test.find_in(word, pieces, [&](std::size_t begin, std::size_t end) {
      return found(offset + begin, offset + end);
    });
  });
}

// ---------------------------------------------------------------- phrases

struct PhraseTest {
  std::vector<WordTest> words{};

  /// Where the phrase ends that begins with this word; npos if none does.
  std::size_t end_of(const WordScanner& first, std::string_view text, std::size_t offset) const {
    if (!words.front().is_whole(first, true, words.size() == 1)) return npos;
    std::size_t end = offset + first.end();
    WordScanner next(text.substr(end));
    for (std::size_t i = 1; i < words.size(); ++i)
      if (!next.next() || !words[i].is_whole(next, false, i + 1 == words.size())) return npos;
    if (words.size() == 1) return end;
    if (!words.back().cjk() || next.folded().size() != next.raw().size()) return end + next.end();
    return end + next.begin() + words.back().folded().size();
  }

  /// Where it begins: within the word, if that is a run that ends with what was typed.
  std::size_t begin_of(const WordScanner& first) const {
    const std::size_t typed = words.front().folded().size();
    const bool inside = words.front().cjk() && first.folded().size() == first.raw().size();
    return inside ? first.end() - typed : first.begin();
  }
};

template <typename Found>
void find_phrase(const PhraseTest& phrase, Text& text, Found&& found) {
  if (phrase.words.empty()) return;
  std::size_t from = 0;
  for_each_candidate(text, phrase.words.front().needles(),
                     [&](const WordScanner& first, std::size_t offset) {
                       if (offset + first.begin() < from) return true;
                       const std::size_t end = phrase.end_of(first, text.raw(), offset);
                       if (end == npos) return true;
                       from = end;
                       return found(offset + phrase.begin_of(first), end);
                     });
}

// ---------------------------------------------------------------- nearness

/// Whether some places of all words lie within `distance` words.
bool are_near(const std::vector<WordTest>& tests, std::size_t distance, Text& text) {
  constexpr auto kNowhere = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> last(tests.size(), kNowhere);
  std::vector<Piece> pieces;
  std::size_t number = 0;
  for (WordScanner words(text.raw()); words.next(); ++number) {
    bool moved = false;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      if (!tests[i].is_in(words, pieces)) continue;
      last[i] = number;
      moved = true;
    }
    const auto is_near = [&](std::size_t place) {
      return place != kNowhere && number - place <= distance;
    };
    if (moved && std::ranges::all_of(last, is_near)) return true;
  }
  return false;
}

/// Sorts; those that overlap become one.
void join_overlapping(std::vector<Span>& spans) {
  std::ranges::sort(spans, {}, &Span::begin);
  std::size_t kept = 0;
  for (const Span& span : spans) {
    if (kept > 0 && span.begin < spans[kept - 1].end) {
      spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
    } else {
      spans[kept++] = span;
    }
  }
  spans.resize(kept);
}

/// The lines of a text, forward only.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) { read(0); }

  void go_to(std::size_t at) {
    while (at >= next_) {
      read(next_);
      ++number_;
    }
  }

  std::uint32_t number() const { return number_; }
  std::string_view line() const { return text_.substr(begin_, end_ - begin_); }
  std::size_t next() const { return next_; }  // where the next one begins; npos after the last

  /// The part of the span that is in this line, relative to it.
  Span part_of(const Span& span) const {
    const std::size_t first = std::clamp(span.begin, begin_, end_);
    return {first - begin_, std::clamp(span.end, first, end_) - begin_};
  }

 private:
  void read(std::size_t begin) {
    const std::size_t newline = text_.find('\n', begin);
    begin_ = begin;
    end_ = std::min(newline, text_.size());
    next_ = newline == npos ? npos : newline + 1;
    if (newline != npos && end_ > begin_ && text_[end_ - 1] == '\r') --end_;
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t next_ = 0;
  std::uint32_t number_ = 1;
};

}  // namespace

// ---------------------------------------------------------------- the tree

/// The tree with its words made ready to be looked for.
struct Matcher::Plan {
  Kind kind = Kind::everything;
  Query field{};       // of a field
  PhraseTest tests{};  // of a word, prefix (one of them), phrase and near
  std::size_t distance = 0;
  std::vector<Plan> children{};

  explicit Plan(const Query& query) : kind(query.kind), distance(query.distance) {
    if (kind == Kind::field) field = query;
    if (kind == Kind::word || kind == Kind::prefix) tests.words.emplace_back(query);
    const bool of_words = kind == Kind::phrase || kind == Kind::near;
    for (const Query& child : query.children) {
      if (of_words) {
        tests.words.emplace_back(child);
      } else {
        children.emplace_back(child);
      }
    }
  }

  bool has_word(const WordTest& test, Text& text) const {
    bool has = false;
    find_word(test, text, [&](std::size_t, std::size_t) {
      has = true;
      return false;
    });
    return has;
  }

  bool has_all_words(Text& text) const {
    return std::ranges::all_of(tests.words,
                               [&](const WordTest& test) { return has_word(test, text); });
  }

  bool has_phrase(Text& text) const {
    bool has = false;
    find_phrase(tests, text, [&](std::size_t, std::size_t) {
      has = true;
      return false;
    });
    return has;
  }

  /// Without `holds`, fields are true, or false under a `not`: as it serves.
  bool matches(Text& text, const FieldHolds* holds, bool negated) const {
    const auto child_matches = [&](const Plan& child) {
      return child.matches(text, holds, negated);
    };
    switch (kind) {
      case Kind::everything:
        return true;
      case Kind::field:
        return holds == nullptr ? !negated : (*holds)(field);
      case Kind::word:
      case Kind::prefix:
        return has_all_words(text);
      case Kind::phrase:
        return has_phrase(text);
      case Kind::near:
        return has_all_words(text) && are_near(tests.words, distance, text);
      case Kind::all_of:
        return std::ranges::all_of(children, child_matches);
      case Kind::any_of:
        return std::ranges::any_of(children, child_matches);
      case Kind::not_of:
        return !children.front().matches(text, holds, !negated);
    }
    return false;
  }

  void add_spans(Text& text, std::vector<Span>& spans) const {
    const auto add = [&](std::size_t begin, std::size_t end) {
      spans.push_back({begin, end});
      return true;
    };
    if (kind == Kind::not_of) return;
    if (kind == Kind::phrase) return find_phrase(tests, text, add);
    for (const WordTest& test : tests.words) find_word(test, text, add);
    for (const Plan& child : children) child.add_spans(text, spans);
  }
};

Matcher::Matcher(const Query& query) : plan_(std::make_shared<const Plan>(query)) {}

bool Matcher::matches(std::string_view text) const {
  Text prepared(text);
  return plan_->matches(prepared, nullptr, false);
}

bool Matcher::matches(std::string_view text, const FieldHolds& holds) const {
  Text prepared(text);
  return plan_->matches(prepared, &holds, false);
}

std::vector<Span> Matcher::spans(std::string_view text) const {
  Text prepared(text);
  std::vector<Span> spans;
  plan_->add_spans(prepared, spans);
  join_overlapping(spans);
  return spans;
}

std::vector<MatchLine> Matcher::lines(std::string_view text) const {
  std::vector<MatchLine> lines;
  Lines walk(text);
  for (const Span& span : spans(text)) {
    for (std::size_t at = span.begin; at < span.end; at = walk.next()) {
      walk.go_to(at);
      const Span part = walk.part_of(span);
      if (part.begin == part.end) continue;  // an empty line within a phrase
      if (lines.empty() || lines.back().number != walk.number())
        lines.push_back({walk.number(), walk.line(), {}});
      lines.back().spans.push_back(part);
    }
  }
  return lines;
}

}  // namespace cgrep
