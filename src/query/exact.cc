#include "query/exact.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include "error.h"
#include "extract/utf8.h"
#include "find_bytes.h"

namespace cgrep {

namespace {

// Shorter literals are in most texts.
constexpr int kShortestLiteral = 2;
constexpr std::int64_t kMaxMemory = 64 << 20;

// A capital letter that is not part of an escape such as \S or \pL.
bool has_capital(std::string_view pattern, bool literal) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && !literal) {
      ++i;
      continue;
    }
    const auto byte = static_cast<unsigned char>(pattern[i]);
    if (byte < 0x80 ? std::isupper(byte) != 0 : false) return true;
    // Two-byte capitals of Latin, Greek and Cyrillic; others have no case that people type.
    if (i + 1 < pattern.size() &&
        ((byte == 0xc3 && static_cast<unsigned char>(pattern[i + 1]) < 0x9f) ||
         (byte == 0xce && static_cast<unsigned char>(pattern[i + 1]) < 0xaa &&
          static_cast<unsigned char>(pattern[i + 1]) > 0x90) ||
         (byte == 0xd0 && static_cast<unsigned char>(pattern[i + 1]) < 0xb0)))
      return true;
  }
  return false;
}

bool is_sensitive(const ExactQuery& query) {
  if (query.match_case != Case::smart) return query.match_case == Case::sensitive;
  return std::any_of(query.patterns.begin(), query.patterns.end(), [&](const std::string& pattern) {
    return has_capital(pattern, query.literal);
  });
}

RE2::Options options_for(bool sensitive) {
  RE2::Options options;
  options.set_case_sensitive(sensitive);
  options.set_log_errors(false);
  options.set_never_nl(true);
  options.set_one_line(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

std::string expression_of(const ExactQuery& query) {
  std::string all;
  for (const auto& pattern : query.patterns) {
    if (!all.empty()) all += '|';
    all += query.literal ? RE2::QuoteMeta(pattern) : fmt::format("(?:{})", pattern);
  }
  // \b does not know letters beyond ASCII; words.h is more generous, and so is this.
  if (query.whole_words) all = fmt::format(R"((?:^|[^\pL\pN\pM_])({})(?:$|[^\pL\pN\pM_]))", all);
  if (query.whole_lines) all = fmt::format("^(?:{})$", all);
  return all;
}

// For an error: a pattern may be longer than a screen.
std::string shortened(std::string_view text) {
  constexpr std::size_t kLongest = 300;
  if (text.size() <= kLongest) return std::string(text);
  return std::string(text.substr(0, cut_position(text, kLongest))) + "…";
}

// How many bytes a class of characters takes; a ] that stands first in it is one of them.
std::size_t class_size(std::string_view pattern) {
  std::size_t at = pattern.starts_with("[^") ? 2 : 1;
  if (pattern.substr(at).starts_with(']')) ++at;
  for (; at < pattern.size() && pattern[at] != ']'; ++at)
    if (pattern[at] == '\\') ++at;
  return at + 1;
}

// Where the parenthesis stands that has no partner: RE2 only says that there is one.
std::size_t lone_parenthesis(std::string_view pattern) {
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '\\') {
      ++at;
    } else if (pattern[at] == '[') {
      at += class_size(pattern.substr(at)) - 1;
    } else if (pattern[at] == '(') {
      open.push_back(at);
    } else if (pattern[at] == ')') {
      if (open.empty()) return at;
      open.pop_back();
    }
  }
  return open.empty() ? std::string_view::npos : open.back();
}

std::string place_of_error(const std::string& pattern, const RE2& expression) {
  const auto code = expression.error_code();
  std::string piece = expression.error_arg();
  auto at = piece.empty() ? std::string::npos : pattern.find(piece);
  if (code == RE2::ErrorMissingParen || code == RE2::ErrorUnexpectedParen) {
    at = lone_parenthesis(pattern);
    if (at != std::string::npos) piece = pattern.substr(at);
  } else if (code == RE2::ErrorTrailingBackslash) {
    at = pattern.size() - 1;
    piece = "\\";
  }
  return at == std::string::npos ? ""
                                 : fmt::format(" in '{}' at byte {}", shortened(piece), at + 1);
}

// Says what is wrong and where, in what was typed.
void check_pattern(const std::string& pattern, bool sensitive) {
  const RE2 alone(pattern, options_for(sensitive));
  if (alone.ok()) return;
  std::string what = alone.error();
  what.resize(std::min(what.size(), what.find(": ")));
  what += place_of_error(pattern, alone);
  throw Error(fmt::format("bad regular expression '{}': {}", shortened(pattern), what),
              "-F takes the pattern as it is; look-around and back-references are not supported");
}

// A pattern of several lines is several patterns, as for grep.
ExactQuery one_line_each(ExactQuery query) {
  std::vector<std::string> patterns;
  for (const auto& pattern : query.patterns) {
    if (!valid_utf8(pattern))
      throw Error("the pattern is not valid UTF-8", "texts are UTF-8, whatever the terminal is");
    for (std::size_t begin = 0; begin <= pattern.size();) {
      const auto end = std::min(pattern.find('\n', begin), pattern.size());
      patterns.push_back(pattern.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  query.patterns = std::move(patterns);
  return query;
}

// Whether a line that matches makes the whole text match, read as many lines at once: not where
// the pattern speaks of the ends of texts, or changes what the ends of lines are.
bool fits_many_lines(std::string_view expression) {
  for (std::size_t at = 0; at + 1 < expression.size(); ++at) {
    const auto next = expression[at + 1];
    if (expression[at] == '\\') {
      if (next == 'A' || next == 'z' || next == 'Q' || next == 'C') return false;
      ++at;
    } else if (expression[at] == '(' && next == '?') {
      const auto rest = expression.substr(at + 2);
      if (!rest.starts_with(':') && !rest.starts_with("i)") && !rest.starts_with("P<"))
        return false;
    }
  }
  return true;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

// Set when lines match that have just these bytes.
std::string bytes_of(const ExactQuery& query, bool sensitive) {
  const bool plain = query.literal && sensitive && !query.whole_words && !query.whole_lines &&
                     query.patterns.size() == 1 &&
                     query.patterns.front().find('\r') == std::string::npos;
  return plain ? query.patterns.front() : std::string();
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  auto line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

struct ExactMatcher::Impl {
  Impl(const ExactQuery& query, bool is_case_sensitive)
      : sensitive(is_case_sensitive),
        words(query.whole_words),
        expression(expression_of(query), options_for(sensitive)),
        many_lines("(?m)" + expression_of(query), options_for(sensitive)),
        quick(many_lines.ok() && fits_many_lines(expression.pattern())),
        bytes(bytes_of(query, sensitive)) {}

  std::vector<Span> spans(std::string_view line) const;

  // Calls visit(number, line) for each line that matches, until it returns false.
  template <typename Visit>
  void each_line(std::string_view all, Visit&& visit) const;
  template <typename FindNext, typename Visit>
  void each_found(std::string_view all, FindNext&& find_next, Visit&& visit) const;

  bool sensitive;
  bool words;
  RE2 expression;     // for a line
  RE2 many_lines;     // for a text: where the next line is that may match
  bool quick;         // many_lines rules lines out
  std::string bytes;  // not empty: lines match that have them, whatever else there is
  std::string text{};
  re2::FilteredRE2 filter{kShortestLiteral};
  std::vector<std::string> literals{};
};

// Non-overlapping, from the left; an empty match only where no other one ends or begins.
std::vector<Span> ExactMatcher::Impl::spans(std::string_view line) const {
  std::vector<Span> found;
  const auto all = piece(line);
  std::size_t at = 0;
  re2::StringPiece groups[2];
  while (at <= line.size() &&
         expression.Match(all, at, line.size(), RE2::UNANCHORED, groups, words ? 2 : 1)) {
    const auto& match = groups[words ? 1 : 0];
    const auto begin = static_cast<std::size_t>(match.data() - line.data());
    const auto end = begin + match.size();
    const bool empty = begin == end;
    if (!empty || found.empty() || found.back().end != begin) found.push_back({begin, end});
    at = end;
    if (!empty) continue;
    do ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80);
  }
  return found;
}

// find_next(at): where, from there on, the next line is that may match; npos: nowhere.
template <typename FindNext, typename Visit>
void ExactMatcher::Impl::each_found(std::string_view all, FindNext&& find_next,
                                    Visit&& visit) const {
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t found = find_next(begin);
    if (found == std::string_view::npos) return;
    for (auto end = all.find('\n', begin); end < found; end = all.find('\n', begin)) {
      begin = end + 1;
      ++number;
    }
    if (begin == all.size()) return;
    const auto line = line_at(all, begin);
    if ((!bytes.empty() || RE2::PartialMatch(piece(line), expression)) && !visit(number, line))
      return;
    const auto end = all.find('\n', std::max(begin, found));
    if (end == std::string_view::npos) return;
    begin = end + 1;
    ++number;
  }
}

template <typename Visit>
void ExactMatcher::Impl::each_line(std::string_view all, Visit&& visit) const {
  if (!bytes.empty()) {
    each_found(
        all, [&](std::size_t at) { return find_bytes(all, bytes, at); }, visit);
  } else if (quick && all.find('\r') == std::string_view::npos) {
    const auto next = [&](std::size_t at) {
      re2::StringPiece match;
      return many_lines.Match(piece(all), at, all.size(), RE2::UNANCHORED, &match, 1)
                 ? static_cast<std::size_t>(match.data() - all.data())
                 : std::string_view::npos;
    };
    each_found(all, next, visit);
  } else {
    each_found(
        all, [](std::size_t at) { return at; }, visit);
  }
}

ExactMatcher::ExactMatcher(const ExactQuery& asked) {
  const auto query = one_line_each(asked);
  const bool sensitive = is_sensitive(query);
  if (!query.literal)
    for (const auto& pattern : query.patterns) check_pattern(pattern, sensitive);
  impl_ = std::make_unique<Impl>(query, sensitive);
  if (!impl_->expression.ok())
    throw Error(fmt::format("the pattern is too much: {}", shortened(impl_->expression.error())),
                "search for fewer or shorter patterns at once");
  impl_->text = impl_->expression.pattern();
  int id = 0;
  for (const auto& pattern : query.patterns)
    impl_->filter.Add(query.literal ? RE2::QuoteMeta(pattern) : fmt::format("(?:{})", pattern),
                      options_for(sensitive), &id);
  impl_->filter.Compile(&impl_->literals);
}

ExactMatcher::~ExactMatcher() = default;

bool ExactMatcher::matches(std::string_view text) const {
  bool found = false;
  impl_->each_line(text, [&](std::uint32_t, std::string_view) {
    found = true;
    return false;
  });
  return found;
}

std::uint32_t ExactMatcher::count(std::string_view text) const {
  std::uint32_t count = 0;
  impl_->each_line(text, [&](std::uint32_t, std::string_view) {
    ++count;
    return true;
  });
  return count;
}

std::vector<MatchLine> ExactMatcher::lines(std::string_view text) const {
  std::vector<MatchLine> found;
  impl_->each_line(text, [&](std::uint32_t number, std::string_view line) {
    found.push_back({.number = number, .text = line, .spans = impl_->spans(line)});
    return true;
  });
  return found;
}

bool ExactMatcher::case_sensitive() const {
  return impl_->sensitive;
}

const std::string& ExactMatcher::plain_bytes() const {
  return impl_->bytes;
}

const std::string& ExactMatcher::printed() const {
  return impl_->text;
}

const std::vector<std::string>& ExactMatcher::literals() const {
  return impl_->literals;
}

bool ExactMatcher::may_match(const std::vector<int>& held) const {
  std::vector<int> potential;
  impl_->filter.AllPotentials(held, &potential);
  return !potential.empty();
}

}  // namespace cgrep
