#include "query/forms.h"

#include <algorithm>

#include "index/words.h"

namespace cgrep {

namespace {

// English suffixes are no longer; a much longer word is another word.
constexpr std::size_t kMaxSuffix = 6;
// Shorter words are too common to be looked for by their beginning, but not at the end of others.
constexpr std::size_t kMinStemmed = 3;
constexpr std::size_t kMinStemmedTail = 2;

// More posting lists than these are not worth reading.
constexpr std::size_t kMaxForms = 200;
constexpr std::size_t kMaxLonger = 2000;

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_lower_ascii(std::string_view word) {
  return std::all_of(word.begin(), word.end(), is_lower);
}

bool is_folded_identifier(std::string_view word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

/// Whether sub-words end and begin between two characters. Case is lost, so letters may hide it.
enum class Border : std::uint8_t { none, possible, certain };

Border border_at(std::string_view word, std::size_t at) {
  if (at == 0 || at == word.size() || word[at - 1] == '_' || word[at] == '_')
    return Border::certain;
  return is_digit(word[at - 1]) && is_digit(word[at]) ? Border::none : Border::possible;
}

}  // namespace

StemForms::StemForms(std::string_view folded, std::size_t shortest) : folded_(folded) {
  if (folded_.size() < shortest || !is_lower_ascii(folded_)) return;
  stemmer_ = Xapian::Stem("en");
  stem_ = stemmer_(folded_);
  // Stemming may change the last letter (happy, happier → happi), never those before it.
  const auto kept = std::max(shortest, stem_.empty() ? 0 : stem_.size() - 1);
  prefix_ = folded_.starts_with(stem_.substr(0, kept)) ? stem_.substr(0, kept)
                                                       : folded_.substr(0, shortest);
}

bool StemForms::is_form(std::string_view word) const {
  if (word == folded_) return true;
  return !prefix_.empty() && word.size() <= longest() && is_lower_ascii(word) &&
         stemmer_(std::string(word)) == stem_;
}

std::size_t StemForms::longest() const {
  return folded_.size() + (prefix_.empty() ? 0 : kMaxSuffix);
}

FormFinder::FormFinder(std::string_view typed) : folded_(fold(typed)), forms_{folded_} {
  split(typed);
  if (!identifier_) tail_ = StemForms(folded_, kMinStemmed);
  needle_ = identifier_ && tail_.prefix().empty() ? folded_ : head_ + std::string(tail_.prefix());
}

// Two sub-words at least: the parts of one alone are too common to be meant.
void FormFinder::split(std::string_view typed) {
  std::vector<Piece> pieces;
  split_identifier(typed, pieces);
  // Some letters become ASCII when folded, such as the sign of Kelvin: then bytes stand elsewhere.
  identifier_ =
      pieces.size() > 1 && typed.size() == folded_.size() && is_folded_identifier(folded_);
  if (!identifier_) return;
  for (const Piece& piece : pieces)
    sub_words_.push_back(folded_.substr(piece.begin, piece.end - piece.begin));
  // A sub-word with something after it has no other forms.
  const auto last = pieces.back();
  head_ = last.end == folded_.size() ? folded_.substr(0, last.begin) : folded_;
  tail_ = StemForms(folded_.substr(head_.size()), kMinStemmedTail);
}

void FormFinder::look_in(const Vocabulary& vocabulary) {
  if (needle_.empty()) return;
  const auto offered = [&](std::string_view word) { return offer(word); };
  if (identifier_)
    vocabulary.for_each_containing(needle_, offered);
  else
    vocabulary.for_each_with_prefix(needle_, offered);
}

bool FormFinder::offer(std::string_view word) {
  if (needle_.empty()) return false;
  if (identifier_)
    offer_identifier(word);
  else if (word.starts_with(needle_) && tail_.is_form(word))
    forms_.emplace(word);
  return forms_.size() < kMaxForms;
}

void FormFinder::offer_identifier(std::string_view word) {
  auto at = word.find(needle_);
  if (at == std::string_view::npos || !is_folded_identifier(word)) return;
  bool whole = false;
  bool fits = false;
  bool certain = false;
  for (; at != std::string_view::npos; at = word.find(needle_, at + 1)) {
    const auto before = border_at(word, at);
    if (before == Border::none) continue;
    for_each_end(word, at, [&](std::size_t end, Border after) {
      const auto form = word.substr(at, end - at);
      forms_.emplace(form);
      fits = true;
      whole = whole || form.size() == word.size();
      certain = certain || (before == Border::certain && after == Border::certain);
    });
  }
  if (!fits || whole || longer_.contains(word)) return;
  certain_ = certain_ && certain;
  if (longer_.size() < kMaxLonger)
    longer_.emplace(word);
  else
    too_many_ = true;
}

// Where a form that begins there can end: `usersbyid` may go on after `user` and after `users`.
template <typename Visit>
void FormFinder::for_each_end(std::string_view word, std::size_t at, Visit&& visit) const {
  const std::size_t tail = at + head_.size();
  const auto longest = std::min(word.size(), tail + tail_.longest());
  for (auto end = at + needle_.size(); end <= longest; ++end)
    if (const auto after = border_at(word, end);
        after != Border::none && tail_.is_form(word.substr(tail, end - tail)))
      visit(end, after);
}

std::vector<std::vector<std::string>> FormFinder::sub_words() const {
  std::vector<std::vector<std::string>> choices;
  for (const auto& sub_word : sub_words_) choices.push_back({sub_word});
  if (head_ == folded_) return choices;
  choices.back().clear();
  for (const auto& form : forms_) choices.back().push_back(form.substr(head_.size()));
  return choices;
}

}  // namespace cgrep
