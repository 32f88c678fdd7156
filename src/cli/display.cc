// The tables are short on purpose: they serve to cut a line near the right place, not to typeset.
#include "cli/display.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <fmt/format.h>

namespace cgrep {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// East Asian Wide and Fullwidth, and emoji that terminals draw on two columns.
constexpr auto kWide = std::to_array<Range>({
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
    {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x3029},
    {0x302e, 0x303e},   {0x3041, 0x3098},   {0x309b, 0x4dbf},   {0x4e00, 0xa4cf},
    {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18aff},
    {0x1b000, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e},
    {0x1f191, 0x1f19a}, {0x1f200, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb},
    {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
});

// Combining marks, joiners and other characters without a column of their own.
constexpr auto kZeroWidth = std::to_array<Range>({
    {0x0300, 0x036f},   {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
    {0x05c4, 0x05c5},   {0x05c7, 0x05c7}, {0x0610, 0x061a}, {0x064b, 0x065f}, {0x0670, 0x0670},
    {0x06d6, 0x06dc},   {0x06df, 0x06e4}, {0x06e7, 0x06e8}, {0x06ea, 0x06ed}, {0x0711, 0x0711},
    {0x0730, 0x074a},   {0x07a6, 0x07b0}, {0x0816, 0x0819}, {0x0900, 0x0902}, {0x093a, 0x093a},
    {0x093c, 0x093c},   {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0951, 0x0957}, {0x0981, 0x0981},
    {0x09bc, 0x09bc},   {0x09c1, 0x09c4}, {0x09cd, 0x09cd}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e},   {0x0eb1, 0x0eb1}, {0x0eb4, 0x0ebc}, {0x0ec8, 0x0ece}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff},   {0x200b, 0x200f}, {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0x302a, 0x302d},
    {0x3099, 0x309a},   {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0x1f3fb, 0x1f3ff},
    {0xe0100, 0xe01ef},
});

constexpr bool within(std::span<const Range> table, char32_t c) {
  const auto after =
      std::upper_bound(table.begin(), table.end(), c,
                       [](char32_t value, Range range) { return value < range.first; });
  return after != table.begin() && c <= std::prev(after)->last;
}

std::size_t width_of(char32_t c) {
  if (c < 0x300) return 1;
  if (within(kZeroWidth, c)) return 0;
  return within(kWide, c) ? 2 : 1;
}

// Characters that change in which direction a text is read: marks, embeddings, overrides, isolates.
bool overrides_direction(char32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
         c == 0x200f || c == 0x061c;
}

struct Decoded {
  char32_t character = 0xfffd;
  std::size_t bytes = 1;
  bool valid = false;
};

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = sequence_length(byte(0));
  if (length == 1) return {byte(0), 1, true};
  if (length == 0 || length > text.size()) return {};
  char32_t c = byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return {};
    c = (c << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) return {};
  return {c, length, true};
}

std::string shown_control(char32_t c) {
  if (c == 0x7f) return "^?";
  if (c < 0x20) return {'^', static_cast<char>(c + 0x40)};
  return fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(c));
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || overrides_direction(c);
}

constexpr std::string_view kTabShown = "    ";

void append(std::vector<Segment>& segments, std::string_view shown, bool matched) {
  if (shown.empty()) return;
  if (segments.empty() || segments.back().matched != matched) segments.push_back({{}, matched});
  segments.back().shown += shown;
}

bool in_spans(const std::vector<Span>& spans, std::size_t offset) {
  const auto after =
      std::upper_bound(spans.begin(), spans.end(), offset,
                       [](std::size_t at, const Span& span) { return at < span.begin; });
  return after != spans.begin() && offset < std::prev(after)->end;
}

// The part of a long line that is worth decoding: a few widths around the first match.
Span neighbourhood(const MatchLine& line, std::size_t width) {
  const std::size_t reach = 8 * width;
  const std::size_t anchor =
      line.spans.empty() ? 0 : std::min(line.spans.front().begin, line.text.size());
  Span part{anchor > reach ? anchor - reach : 0, std::min(line.text.size(), anchor + reach)};
  const auto inside_character = [&](std::size_t at) {
    return at < line.text.size() && (static_cast<unsigned char>(line.text[at]) & 0xc0u) == 0x80u;
  };
  while (part.begin > 0 && inside_character(part.begin)) --part.begin;
  while (inside_character(part.end)) ++part.end;
  return part;
}

std::vector<Glyph> glyphs_of(std::string_view text, Span part) {
  std::vector<Glyph> glyphs;
  for (std::size_t at = part.begin; at < part.end; at += glyphs.back().bytes)
    glyphs.push_back(glyph_at(text, at));
  return glyphs;
}

// Which glyphs are shown: [begin, end) fits into `width` columns, a third of them before `anchor`.
Span window(const std::vector<Glyph>& glyphs, std::size_t anchor, std::size_t width) {
  Span shown{anchor, anchor};
  std::size_t used = 0;
  const auto widen_left = [&](std::size_t limit) {
    while (shown.begin > 0 && used + glyphs[shown.begin - 1].width <= limit)
      used += glyphs[--shown.begin].width;
  };
  widen_left(width / 3);
  while (shown.end < glyphs.size() && used + glyphs[shown.end].width <= width)
    used += glyphs[shown.end++].width;
  widen_left(width);
  return shown;
}

std::size_t first_matched(const std::vector<Glyph>& glyphs, const std::vector<Span>& spans) {
  for (std::size_t i = 0; i < glyphs.size(); ++i)
    if (in_spans(spans, glyphs[i].offset)) return i;
  return 0;
}

}  // namespace

Glyph glyph_at(std::string_view text, std::size_t offset) {
  const Decoded decoded = decode(text.substr(offset));
  Glyph glyph{.offset = offset, .bytes = decoded.bytes};
  if (!decoded.valid) {
    glyph.shown = "\xef\xbf\xbd";
    glyph.width = 1;
  } else if (decoded.character == '\t') {
    glyph.shown = kTabShown;
    glyph.width = kTabShown.size();
  } else if (is_control(decoded.character)) {
    glyph.shown = shown_control(decoded.character);
    glyph.width = glyph.shown.size();
  } else {
    glyph.shown = text.substr(offset, decoded.bytes);
    glyph.width = width_of(decoded.character);
  }
  return glyph;
}

std::string visible(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    shown += glyph.shown;
    at += glyph.bytes;
  }
  return shown;
}

std::string visible_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    shown += visible(line);
    if (end == std::string_view::npos) break;
    shown += '\n';
    text.remove_prefix(end + 1);
  }
  return shown;
}

std::string json_without_controls(std::string json) {
  // All of them begin with one of these bytes; most texts have none.
  constexpr std::string_view kLeads = "\x7f\xc2\xd8\xe2";
  for (auto at = json.find_first_of(kLeads); at != std::string::npos;
       at = json.find_first_of(kLeads, at + 1)) {
    const Decoded decoded = decode(std::string_view(json).substr(at));
    if (decoded.valid && is_control(decoded.character))
      json.replace(at, decoded.bytes,
                   fmt::format("\\u{:04x}", static_cast<std::uint32_t>(decoded.character)));
  }
  return json;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    width += glyph.width;
    at += glyph.bytes;
  }
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  std::string shown;
  std::size_t used = 0;
  std::size_t fits = 0;  // bytes of `shown` that leave a column for the ellipsis
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    if (used + glyph.width > width) return width == 0 ? "" : shown.substr(0, fits) + "…";
    shown += glyph.shown;
    used += glyph.width;
    if (used < width) fits = shown.size();
    at += glyph.bytes;
  }
  return shown;
}

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string with_tilde(std::string_view path, std::string_view home) {
  const bool inside = home.size() > 1 && path.starts_with(home) &&
                      (path.size() == home.size() || path[home.size()] == '/');
  return inside ? fmt::format("~{}", path.substr(home.size())) : std::string(path);
}

std::vector<Segment> fit_line(const MatchLine& line, std::size_t width) {
  const Span part = neighbourhood(line, width);
  auto glyphs = glyphs_of(line.text, part);
  if (part.begin == 0) {
    const auto text_begins = std::find_if(glyphs.begin(), glyphs.end(), [&](const Glyph& glyph) {
      return glyph.shown.find_first_not_of(' ') != std::string::npos ||
             in_spans(line.spans, glyph.offset);
    });
    glyphs.erase(glyphs.begin(), text_begins);
  }
  std::size_t total = 0;
  for (const Glyph& glyph : glyphs) total += glyph.width;
  const bool cut = part.begin > 0 || part.end < line.text.size() || total > width;
  Span shown{0, glyphs.size()};
  if (cut) shown = window(glyphs, first_matched(glyphs, line.spans), width > 2 ? width - 2 : 1);

  std::vector<Segment> segments;
  if (shown.begin > 0 || part.begin > 0) append(segments, "…", false);
  for (std::size_t i = shown.begin; i < shown.end; ++i)
    append(segments, glyphs[i].shown, in_spans(line.spans, glyphs[i].offset));
  if (shown.end < glyphs.size() || part.end < line.text.size()) append(segments, "…", false);
  return segments;
}

std::vector<Segment> whole_line(const MatchLine& line, bool make_visible) {
  std::string_view text = line.text;
  if (text.ends_with('\r')) text.remove_suffix(1);
  std::vector<Segment> segments;
  const auto add = [&](std::size_t begin, std::size_t end, bool matched) {
    if (begin >= end || begin >= text.size()) return;
    const auto piece = text.substr(begin, end - begin);
    append(segments, make_visible ? visible(piece) : std::string(piece), matched);
  };
  std::size_t at = 0;
  for (const Span& span : line.spans) {
    add(at, span.begin, false);
    add(span.begin, span.end, true);
    at = span.end;
  }
  add(at, text.size(), false);
  return segments;
}

}  // namespace cgrep
