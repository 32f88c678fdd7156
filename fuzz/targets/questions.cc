// What a person types: patterns, regular expressions, the config.
#include "cli/config_file.h"
#include "error.h"
#include "extract/utf8.h"
#include "fuzz/checks.h"
#include "fuzz/target.h"
#include "index/words.h"
#include "query/exact.h"
#include "query/matcher.h"
#include "query/parser.h"

namespace cgrep::fuzz {
namespace {

void check_lines(const std::vector<MatchLine>& lines, std::string_view text) {
  for (const auto& line : lines) {
    require(line.text.size() <= text.size(), "a line is part of its text");
    std::size_t at = 0;
    for (const auto& span : line.spans) {
      require(at <= span.begin && span.begin <= span.end, "spans are in order");
      require(span.end <= line.text.size(), "a span lies in its line");
      at = span.end;
    }
  }
}

// A pattern, a NUL, and a text that it is asked of.
struct Asked {
  explicit Asked(std::string_view bytes)
      : pattern(bytes.substr(0, bytes.find('\0'))),
        text(repaired_utf8(pattern.size() < bytes.size() ? bytes.substr(pattern.size() + 1)
                                                         : bytes)) {}
  std::string_view pattern;
  std::string text;
};

FUZZ_TARGET(query) {
  const Asked asked(bytes);
  const auto parsed = parse_query(asked.pattern);
  parsed.query.printed();
  const Matcher matcher(parsed.query);
  matcher.matches(asked.text);
  check_lines(matcher.lines(asked.text), asked.text);
}

FUZZ_TARGET(exact) {
  const Asked asked(bytes);
  for (const bool literal : {true, false}) try {
      const ExactMatcher matcher({.patterns = {std::string(asked.pattern)}, .literal = literal});
      const auto lines = matcher.lines(asked.text);
      require(matcher.matches(asked.text) == !lines.empty(), "a text matches when a line does");
      check_lines(lines, asked.text);
      if (literal && asked.pattern.find_first_of("\n\r") == std::string_view::npos &&
          !asked.pattern.empty() && valid_utf8(asked.pattern) &&
          asked.text.find(asked.pattern) != std::string::npos)
        require(!lines.empty(), "a literal that stands there is found");
    } catch (const Error& error) {
      constexpr std::size_t kMuch = 1000;
      require(!literal || !valid_utf8(asked.pattern) || asked.pattern.size() > kMuch,
              "a literal is never wrong");
      require(!error.hint().empty(), "a bad pattern gets a hint");
    }
}

FUZZ_TARGET(config) {
  try {
    for (const auto& setting : parse_config(bytes, "config"))
      require(!setting.key.empty(), "a setting has a key");
  } catch (const Error& error) {
    require(std::string_view(error.what()).find("config") != std::string_view::npos,
            "an error names the file");
  }
}

FUZZ_TARGET(words) {
  const auto text = repaired_utf8(bytes);
  TermCutter cutter;
  bool overlong = false;
  cutter.cut(
      text,
      [](std::string_view term) {
        require(!term.empty() && term.find('\0') == std::string_view::npos, "a term has no NUL");
        constexpr std::size_t kLongestTerm = 200;
        require(term.size() <= kLongestTerm, "a term is short");
        require(valid_utf8(term), "a term is UTF-8");
      },
      overlong);
  std::size_t end = 0;
  for_each_word(text, [&](const Word& word) {
    require(end <= word.begin && word.begin < word.end && word.end <= text.size(),
            "words stand one after the other");
    end = word.end;
    require(fold(word.folded) == word.folded, "folded once is folded for good");
  });
}

}  // namespace
}  // namespace cgrep::fuzz
