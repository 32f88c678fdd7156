// What reaches a terminal or a browser: no byte of history may drive either.
#include "cli/display.h"
#include "cli/html_text.h"
#include "cli/markdown.h"
#include "extract/json.h"
#include "extract/utf8.h"
#include "fuzz/checks.h"
#include "fuzz/target.h"
#include "query/redact.h"

namespace cgrep::fuzz {
namespace {

// C0, DEL, C1 and what turns the direction of text.
bool is_harmless(std::string_view shown, bool lines) {
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto c = static_cast<unsigned char>(shown[i]);
    if (c < ' ' && !(lines && (c == '\n' || c == '\t'))) return false;
    if (c == 0x7f) return false;
    const auto rest = shown.substr(i);
    if (c == 0xc2 && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xa0) return false;
    for (const std::string_view turn : {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066",
                                        "\u2067", "\u2068", "\u2069", "\u200e", "\u200f", "\u061c"})
      if (rest.starts_with(turn)) return false;
  }
  return true;
}

FUZZ_TARGET(shown) {
  const auto line = visible(bytes);
  require(valid_utf8(line) && is_harmless(line, false), "a shown line is harmless");
  const auto lines = visible_lines(bytes);
  require(valid_utf8(lines) && is_harmless(lines, true), "shown lines are harmless");
  const auto json = json_without_controls(json_quote(bytes));
  require(is_harmless(json, false), "JSON is harmless");
  require(Json::parse(json).has_value(), "JSON stays JSON");
  constexpr std::size_t kWidth = 20;
  require(display_width(cut_to_width(bytes, kWidth)) <= kWidth, "a cut line fits");
}

// Attributes are only ever made by us, so a tag of the text's own would show as one of these.
FUZZ_TARGET(html) {
  const auto escaped = html_escaped(bytes);
  require(escaped.find_first_of("<>\"") == std::string::npos, "nothing of the text is a tag");
  const auto page = html_of_markdown(repaired_utf8(bytes));
  for (const std::string_view tag :
       {"<script", "<iframe", "<img", "<style", "<object", "javascript:"})
    require(page.find("<a href=\"javascript") == std::string::npos &&
                (tag.front() != '<' || page.find(tag) == std::string::npos),
            "no tag of the text is in the page");
}

FUZZ_TARGET(redact) {
  const auto text = repaired_utf8(bytes);
  const auto secrets = find_secrets(text);
  std::size_t end = 0;
  for (const auto& secret : secrets) {
    require(end <= secret.span.begin && secret.span.begin < secret.span.end,
            "secrets are in order");
    end = secret.span.end;
  }
  require(end <= text.size(), "secrets lie in the text");
  require(valid_utf8(redacted(text, secrets)), "what is masked stays UTF-8");
}

}  // namespace
}  // namespace cgrep::fuzz
