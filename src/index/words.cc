// Text → words and terms. ASCII has its own way through: it is the hot loop of indexing.
// SPDX-License-Identifier: MIT
#include "index/words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <xapian.h>

#include "index/accents.h"

namespace cgrep {
namespace {

// ---------------------------------------------------------------- characters

/// What a character is to words; bits, so that a loop can gather them.
enum Kind : std::uint8_t {
  kNone = 0,
  kLower = 1,  // and letters without case
  kUpper = 2,
  kDigit = 4,
  kUnderscore = 8,
  kMark = 16,  // goes on a word, begins none
  kCjk = 32,
  kHigh = 64,  // not ASCII: look at the whole character
};

constexpr unsigned kWordBits = kLower | kUpper | kDigit | kUnderscore;

constexpr std::array<std::uint8_t, 256> make_byte_kinds() {
  std::array<std::uint8_t, 256> kinds{};
  for (unsigned c = 'a'; c <= 'z'; ++c) kinds[c] = kLower;
  for (unsigned c = 'A'; c <= 'Z'; ++c) kinds[c] = kUpper;
  for (unsigned c = '0'; c <= '9'; ++c) kinds[c] = kDigit;
  kinds['_'] = kUnderscore;
  for (unsigned c = 0x80; c <= 0xFF; ++c) kinds[c] = kHigh;
  return kinds;
}

constexpr auto kByteKinds = make_byte_kinds();

unsigned kind_of_byte(char byte) {
  return kByteKinds[static_cast<unsigned char>(byte)];
}

constexpr char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

constexpr char32_t kInvalid = 0xFFFFFFFF;

struct Decoded {
  char32_t code = kInvalid;
  unsigned bytes = 1;
};

char32_t tail_bits(char byte) {
  return static_cast<unsigned char>(byte) & 0x3Fu;
}

bool is_tail(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u;
}

/// The character at `at`; a byte that begins no valid UTF-8 stands alone and is invalid.
Decoded decode(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xC2 || lead > 0xF4) return {};
  const unsigned bytes = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - at < bytes) return {};
  char32_t code = lead & (0x7Fu >> bytes);
  for (unsigned i = 1; i < bytes; ++i) {
    if (!is_tail(text[at + i])) return {};
    code = code << 6 | tail_bits(text[at + i]);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, bytes};
}

void append_utf8(std::string& out, char32_t code) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  const unsigned tails = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<char32_t, 4> kLead = {0, 0xC0, 0xE0, 0xF0};
  out.push_back(static_cast<char>(kLead[tails] | code >> 6 * tails));
  for (unsigned i = tails; i-- > 0;)
    out.push_back(static_cast<char>(0x80u | (code >> 6 * i & 0x3Fu)));
}

/// The scripts that are written without spaces. `kana` goes on a run of either kana.
enum class Script : std::uint8_t { other, han, hiragana, katakana, kana, hangul };

struct ScriptRange {
  char32_t first;
  char32_t last;
  Script script;
};

constexpr std::array<ScriptRange, 24> kScripts = {{
    {0x1100, 0x11FF, Script::hangul},     {0x2E80, 0x2FD5, Script::han},
    {0x3005, 0x3005, Script::han},        {0x3007, 0x3007, Script::han},
    {0x3021, 0x3029, Script::han},        {0x3038, 0x303B, Script::han},
    {0x3041, 0x3096, Script::hiragana},   {0x3099, 0x309A, Script::kana},
    {0x309D, 0x309F, Script::hiragana},   {0x30A1, 0x30FA, Script::katakana},
    {0x30FC, 0x30FC, Script::kana},       {0x30FD, 0x30FF, Script::katakana},
    {0x3131, 0x318E, Script::hangul},     {0x31F0, 0x31FF, Script::katakana},
    {0x3400, 0x4DBF, Script::han},        {0x4E00, 0x9FFF, Script::han},
    {0xA960, 0xA97C, Script::hangul},     {0xAC00, 0xD7A3, Script::hangul},
    {0xD7B0, 0xD7FB, Script::hangul},     {0xF900, 0xFAD9, Script::han},
    {0xFF66, 0xFF9F, Script::katakana},   {0xFFA0, 0xFFDC, Script::hangul},
    {0x1B000, 0x1B167, Script::hiragana}, {0x20000, 0x323AF, Script::han},
}};

Script script_of(char32_t code) {
  if (code < kScripts.front().first) return Script::other;
  if (code >= 0x4E00 && code <= 0x9FFF) return Script::han;  // most of them
  const auto range = std::ranges::lower_bound(kScripts, code, {}, &ScriptRange::last);
  return range != kScripts.end() && code >= range->first ? range->script : Script::other;
}

/// Emoji and glyph variants choose a picture; they are no part of a word.
bool is_variation_selector(char32_t code) {
  return (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0100 && code <= 0xE01EF);
}

/// Of a character that is neither ASCII nor of a script without spaces.
unsigned kind_by_category(char32_t code) {
  switch (Xapian::Unicode::get_category(code)) {
    case Xapian::Unicode::UPPERCASE_LETTER:
    case Xapian::Unicode::TITLECASE_LETTER:
      return kUpper;
    case Xapian::Unicode::LOWERCASE_LETTER:
    case Xapian::Unicode::MODIFIER_LETTER:
    case Xapian::Unicode::OTHER_LETTER:
      return kLower;
    case Xapian::Unicode::DECIMAL_DIGIT_NUMBER:
    case Xapian::Unicode::LETTER_NUMBER:
      return kDigit;
    case Xapian::Unicode::NON_SPACING_MARK:
    case Xapian::Unicode::COMBINING_SPACING_MARK:
      return is_variation_selector(code) ? kNone : kMark;
    default:
      return kNone;
  }
}

/// The alphabets of Europe and the Near East: what takes two bytes, looked up once.
struct SmallAlphabets {
  static constexpr char32_t kEnd = 0x800;
  std::array<std::uint8_t, kEnd> kinds{};
  std::array<char16_t, kEnd> lower{};

  SmallAlphabets() {
    for (char32_t code = 0x80; code < kEnd; ++code) {
      kinds[code] = static_cast<std::uint8_t>(kind_by_category(code));
      lower[code] = static_cast<char16_t>(Xapian::Unicode::tolower(code));
    }
  }
};

const SmallAlphabets& small_alphabets() {
  static const SmallAlphabets alphabets;
  return alphabets;
}

// A search for plain words does without the table, which takes longer to make than their hits.
unsigned kind_of(char32_t code, Script script) {
  if (code < 0x80) return kByteKinds[code];
  if (code < SmallAlphabets::kEnd) return small_alphabets().kinds[code];
  if (code == kInvalid) return kNone;
  return script == Script::other ? kind_by_category(code) : static_cast<unsigned>(kCjk);
}

unsigned kind_of(char32_t code) {
  return kind_of(code, script_of(code));
}

char32_t lower_of(char32_t code) {
  if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code;
  if (code < SmallAlphabets::kEnd) return small_alphabets().lower[code];
  if (code >= 0x2E80 && code < 0xA640) return code;  // Han and kana have no case
  return Xapian::Unicode::tolower(code);
}

// ---------------------------------------------------------------- folding

/// Of a letter and a mark after it; 0 if they do not compose.
char32_t composed(char32_t base, char32_t mark) {
  if (base > 0xFFFF || mark > 0xFFFF) return 0;
  const auto key = std::pair(static_cast<char16_t>(base), static_cast<char16_t>(mark));
  const auto key_of = [](const Composition& row) { return std::pair(row.base, row.mark); };
  const auto row = std::ranges::lower_bound(kCompositions, key, {}, key_of);
  return row != std::end(kCompositions) && key_of(*row) == key ? row->composed : 0;
}

char32_t bare_letter(char32_t letter) {
  const bool may_have_accent = (letter >= 0xC0 && letter < 0x400) || letter == 0x451 ||
                               (letter >= 0x1E00 && letter < 0x2000);
  if (!may_have_accent) return letter;
  const auto row =
      std::ranges::lower_bound(kAccented, static_cast<char16_t>(letter), {}, &Accented::letter);
  return row != std::end(kAccented) && row->letter == letter ? row->bare : letter;
}

constexpr unsigned utf8_bytes(char32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

/// TermCutter counts on it.
static_assert(std::ranges::all_of(kAccented, [](const Accented& row) {
  return utf8_bytes(row.bare) <= utf8_bytes(row.letter);
}));

bool is_accent(char32_t code) {
  return code >= 0x0300 && code <= 0x036F;
}

bool may_compose(char32_t code) {
  return is_accent(code) || code == 0x3099 || code == 0x309A;
}

/// Appends characters in folded form.
class Folder {
 public:
  explicit Folder(std::string& out) : out_(out) {}

  void add(char32_t code) {
    code = lower_of(code);
    const char32_t whole = last_ != 0 && may_compose(code) ? composed(last_, code) : 0;
    if (whole != 0) {
      out_.resize(last_at_);
      code = whole;
    }
    last_at_ = out_.size();
    last_ = code;
    append_utf8(out_, code);
  }

  void add_invalid(char byte) {
    out_.push_back(byte);
    last_ = 0;
  }

 private:
  std::string& out_;
  std::size_t last_at_ = 0;
  char32_t last_ = 0;
};

void append_folded(std::string& out, std::string_view text) {
  Folder folder(out);
  for (std::size_t at = 0; at < text.size();) {
    const Decoded character = decode(text, at);
    if (character.code == kInvalid) {
      folder.add_invalid(text[at]);
    } else {
      folder.add(character.code);
    }
    at += character.bytes;
  }
}

void append_bare(std::string& out, std::string_view folded) {
  for (std::size_t at = 0; at < folded.size();) {
    const Decoded character = decode(folded, at);
    if (character.code == kInvalid) {
      out.push_back(folded[at]);
    } else if (!is_accent(character.code)) {
      append_utf8(out, bare_letter(character.code));
    }
    at += character.bytes;
  }
}

bool all_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// ---------------------------------------------------------------- identifiers

/// A character of an identifier. Without values to begin with: there is room for many, and few
/// come.
struct Letter {
  std::uint32_t at;
  std::uint8_t kind;
  char byte;  // the first
};

bool is_hex(const Letter& letter) {
  return letter.kind == kDigit || (letter.byte >= 'a' && letter.byte <= 'f') ||
         (letter.byte >= 'A' && letter.byte <= 'F');
}

/// The letters of one word without the underscores, or of what stands between two of them.
class Part {
 public:
  Part(const Letter* first, const Letter* last, std::uint32_t end)
      : first_(first), last_(last), end_(end) {
    bool hex = true;
    for (const Letter* l = first; l != last; ++l) {
      hex = hex && is_hex(*l);
      if (l == first) continue;
      digit_changes_ += changes_digit(l) ? 1u : 0u;
      case_changes_ += changes_case(l) ? 1u : 0u;
    }
    split_ = hex && digit_changes_ > 1                   ? Split::no
             : digit_changes_ > kMaxReadableDigitChanges ? Split::at_case
                                                         : Split::at_case_and_digits;
  }

  /// Hashes, keys, base64: measured on random ones, see WordsTest.
  bool looks_random() const {
    const auto letters = static_cast<unsigned>(last_ - first_);
    const unsigned pieces = 1 + digit_changes_ + case_changes_;
    if (pieces > 8 && 2 * letters < 7 * pieces) return true;    // mean below 3.5
    if (letters > 12 && 2 * letters < 5 * pieces) return true;  // mean below 2.5
    return pieces >= 6 && letters < 2 * pieces;
  }

  template <typename Visit>
  void for_each_piece(Visit&& visit) const {
    const Letter* begin = first_;
    for (const Letter* l = first_ + 1; l < last_; ++l) {
      if (!begins_piece(l)) continue;
      visit(Piece{begin->at, l->at});
      begin = l;
    }
    visit(Piece{begin->at, end_});
  }

 private:
  enum class Split : std::uint8_t { no, at_case, at_case_and_digits };

  static constexpr unsigned kMaxReadableDigitChanges = 2;

  static bool changes_digit(const Letter* l) {
    return (l->kind == kDigit) != (l[-1].kind == kDigit);
  }

  /// lower→Upper, and the last of several capitals before a small one (HTTPServer), but for a
  /// plural s (URLs, userIDsOf).
  bool changes_case(const Letter* l) const {
    if (l->kind != kUpper) return false;
    if (l[-1].kind == kLower) return true;
    if (l[-1].kind != kUpper || l + 1 == last_ || l[1].kind != kLower) return false;
    const bool plural = l[1].byte == 's' && (l + 2 == last_ || l[2].kind != kLower);
    return !plural;
  }

  bool begins_piece(const Letter* l) const {
    if (split_ == Split::no) return false;
    if (changes_case(l)) return true;
    if (split_ == Split::at_case_and_digits) return changes_digit(l);
    return l->kind == kUpper && l[-1].kind == kDigit;
  }

  const Letter* first_;
  const Letter* last_;
  std::uint32_t end_;
  unsigned digit_changes_ = 0;
  unsigned case_changes_ = 0;
  Split split_ = Split::no;
};

/// Returns the end of what was written; there is room for a letter per byte.
Letter* letters_of(std::string_view raw, Letter* const letters) {
  Letter* next = letters;
  for (std::size_t at = 0; at < raw.size();) {
    unsigned kind = kind_of_byte(raw[at]);
    unsigned bytes = 1;
    if (kind == kHigh) {
      const Decoded character = decode(raw, at);
      bytes = character.bytes;
      kind = kind_of(character.code);
      if (kind == kMark && next != letters) kind = next[-1].kind;
    }
    *next++ = {static_cast<std::uint32_t>(at), static_cast<std::uint8_t>(kind), raw[at]};
    at += bytes;
  }
  return next;
}

void split_letters(std::string_view raw, const Letter* letters, const Letter* end,
                   std::vector<Piece>& pieces) {
  const auto is_underscore = [](const Letter& letter) { return letter.kind == kUnderscore; };
  const Letter* first = std::find_if_not(letters, end, is_underscore);
  while (first != end) {
    const Letter* last = std::find_if(first, end, is_underscore);
    const auto last_byte = last == end ? static_cast<std::uint32_t>(raw.size()) : last->at;
    const Part part(first, last, last_byte);
    if (part.looks_random()) return pieces.clear();
    part.for_each_piece([&](Piece piece) { pieces.push_back(piece); });
    first = std::find_if_not(last, end, is_underscore);
  }
  const auto useless = [&](Piece piece) {
    return piece.end - piece.begin == 1 || piece.end - piece.begin == raw.size();
  };
  std::erase_if(pieces, useless);
}

}  // namespace

void split_identifier(std::string_view raw, std::vector<Piece>& pieces) {
  pieces.clear();
  // Words are split one by one, and most of them are short.
  std::array<Letter, 2 * kMaxWordBytes> few;
  if (raw.size() <= few.size())
    return split_letters(raw, few.data(), letters_of(raw, few.data()), pieces);
  std::vector<Letter> many(raw.size());
  split_letters(raw, many.data(), letters_of(raw, many.data()), pieces);
}

// ---------------------------------------------------------------- scanning

namespace {

/// Whether the character at `at`, after ASCII letters, is no part of their word.
bool ends_word(std::string_view text, std::size_t at) {
  const unsigned kind = kind_of(decode(text, at).code);
  return kind == kNone || kind == kCjk;
}

/// Of letters of both cases: whether only the first one is large.
bool is_capitalised(std::string_view letters) {
  return kind_of_byte(letters.front()) == kUpper &&
         std::ranges::all_of(letters.substr(1), [](char c) { return kind_of_byte(c) == kLower; });
}

/// Whether a character belongs to a word of this script; a run that began with a mark of both
/// kana becomes what follows.
bool goes_on(Script& run, unsigned kind, Script script) {
  if (run == Script::other) return kind != kCjk;
  const auto is_kana = [](Script s) { return s == Script::hiragana || s == Script::katakana; };
  if (run == Script::kana && is_kana(script)) run = script;
  return script == run || (script == Script::kana && is_kana(run));
}

}  // namespace

void WordScanner::start(std::string_view text) {
  text_ = text;
  begin_ = end_ = 0;
}

bool WordScanner::next() {
  std::size_t at = end_;
  for (;;) {
    while (at < text_.size() && kind_of_byte(text_[at]) == kNone) ++at;
    if (at == text_.size()) {
      begin_ = end_ = at;
      return false;
    }
    begin_ = at;
    unsigned kinds = 0;
    unsigned kind = kNone;
    while (at < text_.size() && ((kind = kind_of_byte(text_[at])) & kWordBits) != 0) {
      kinds |= kind;
      ++at;
    }
    if (kinds != 0 && (kind != kHigh || ends_word(text_, at))) {
      take_ascii(at, kinds);
      return true;
    }
    take_unicode();
    if (end_ != begin_) return true;
    at = begin_ + decode(text_, begin_).bytes;  // no word: a symbol, or damage
  }
}

void WordScanner::take_ascii(std::size_t end, unsigned kinds) {
  end_ = end;
  cjk_ = whole_ = false;
  ascii_ = true;
  folded_ = raw();
  plain_ = kinds == kLower || kinds == kDigit || kinds == kUpper ||
           (kinds == (kLower | kUpper) && is_capitalised(folded_));
  if ((kinds & kUpper) == 0) return;
  buffer_.resize(folded_.size());
  std::ranges::transform(folded_, buffer_.begin(), lower_ascii);
  folded_ = buffer_;
}

/// Takes the word at begin_, or nothing if none begins there.
void WordScanner::take_unicode() {
  buffer_.clear();
  cjk_ = ascii_ = plain_ = whole_ = false;
  Folder folder(buffer_);
  Script run = Script::other;
  std::size_t at = begin_;
  unsigned later_kinds = 0;
  while (at < text_.size()) {
    const Decoded character = decode(text_, at);
    const Script script = script_of(character.code);
    const unsigned kind = kind_of(character.code, script);
    if (kind == kNone || (at == begin_ && kind == kMark)) break;
    if (at == begin_) run = script;
    if (!goes_on(run, kind, script)) break;
    later_kinds |= at == begin_ ? kind & ~unsigned{kLower | kUpper} : kind;
    folder.add(character.code);
    at += character.bytes;
  }
  cjk_ = run != Script::other;
  whole_ = (later_kinds & ~unsigned{kLower}) == 0;
  end_ = at;
  folded_ = buffer_;
}

void for_each_word(std::string_view text, const std::function<void(const Word&)>& visit) {
  Word word;
  for (WordScanner words(text); words.next();) {
    word.begin = words.begin();
    word.end = words.end();
    word.folded = words.folded();
    word.cjk = words.cjk();
    visit(word);
  }
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  for_each_word(text, [&](const Word& word) { words.push_back(word); });
  return words;
}

std::string fold(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  append_folded(folded, text);
  return folded;
}

std::string without_accents(std::string_view folded) {
  std::string bare;
  bare.reserve(folded.size());
  append_bare(bare, folded);
  return bare;
}

std::vector<std::string> terms_of(std::string_view raw) {
  std::vector<std::string> terms;
  bool overlong = false;
  TermCutter().cut(
      raw, [&](std::string_view term) { terms.emplace_back(term); }, overlong);
  return terms;
}

// ---------------------------------------------------------------- terms

void TermCutter::add(std::string_view term) {
  bytes_.append(term);
  end_term(bytes_.size() - term.size());
}

void TermCutter::end_term(std::size_t begin) {
  terms_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(bytes_.size())});
}

/// The term that was added last also without its accents, if it has any.
void TermCutter::add_bare() {
  bytes_.reserve(2 * bytes_.size());  // a bare term is never longer: `term` stays where it is
  const Piece last = terms_.back();
  const std::string_view term = std::string_view(bytes_).substr(last.begin, last.end - last.begin);
  if (all_ascii(term)) return;
  const std::size_t begin = bytes_.size();
  append_bare(bytes_, term);
  const std::string_view bare = std::string_view(bytes_).substr(begin);
  if (bare.empty() || bare == term) return bytes_.resize(begin);
  end_term(begin);
}

/// The terms of the word that words_ stands at.
void TermCutter::collect() {
  terms_.clear();
  bytes_.clear();
  if (words_.cjk()) return collect_pairs();
  pieces_.clear();
  if (!words_.whole()) split_identifier(words_.raw(), pieces_);
  add(words_.folded());
  if (!words_.ascii()) add_bare();
  for (const Piece& piece : pieces_) {
    const std::size_t size = piece.end - piece.begin;
    if (words_.ascii()) {
      add(words_.folded().substr(piece.begin, size));
      continue;
    }
    const std::size_t begin = bytes_.size();
    append_folded(bytes_, words_.raw().substr(piece.begin, size));
    end_term(begin);
    add_bare();
  }
}

void TermCutter::collect_pairs() {
  const std::string_view run = words_.folded();
  std::size_t first = 0;
  std::size_t second = decode(run, 0).bytes;
  if (second == run.size()) return add(run);
  while (second < run.size()) {
    const std::size_t after = second + decode(run, second).bytes;
    add(run.substr(first, after - first));
    first = second;
    second = after;
  }
}

}  // namespace cgrep
