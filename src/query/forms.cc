#include "query/forms.h"

#include <algorithm>
#include <utility>

namespace cgrep {

namespace {

// English suffixes are no longer; a much longer word is another word.
constexpr std::size_t kMaxSuffix = 6;
constexpr std::size_t kMinStemmed = 3;

// Several runs offer the same words.
constexpr std::size_t kMaxFound = 400;

bool is_lower_ascii(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

FormFinder::FormFinder(std::string folded) : folded_(std::move(folded)) {
  if (folded_.size() < kMinStemmed || !is_lower_ascii(folded_)) return;
  stemmer_ = Xapian::Stem("en");
  stem_ = stemmer_(folded_);
  // Stemming may change the last letter (happy, happier → happi), never those before it.
  const auto kept = std::max(kMinStemmed, stem_.empty() ? 0 : stem_.size() - 1);
  prefix_ = folded_.starts_with(stem_.substr(0, kept)) ? stem_.substr(0, kept)
                                                       : folded_.substr(0, kMinStemmed);
}

bool FormFinder::offer(std::string_view word) {
  if (word.size() <= folded_.size() + kMaxSuffix && word != folded_ && word.starts_with(prefix_) &&
      is_lower_ascii(word) && stemmer_(std::string(word)) == stem_)
    found_.emplace_back(word);
  return found_.size() < kMaxFound;
}

std::vector<std::string> FormFinder::forms() const {
  auto forms = found_;
  forms.push_back(folded_);
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  return forms;
}

}  // namespace cgrep
