// Text of history on a terminal: nothing in it is executed, and its width in columns is known.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "query/hit.h"

namespace cgrep {

/// One character as it is shown.
struct Glyph {
  std::string shown{};     // `^[` for ESC, `\u{202e}` for an override; U+FFFD for a bad byte
  std::size_t width = 0;   // columns
  std::size_t offset = 0;  // where it begins in the text
  std::size_t bytes = 0;   // how many of the text's bytes it stands for
};

/// Decodes the character at `offset`; control characters and bidi overrides become visible.
Glyph glyph_at(std::string_view text, std::size_t offset);

/// The text with every control character made visible, line ends too: for one line.
std::string visible(std::string_view text);

/// The same for a text of several lines: \n stays, a \r before it is dropped.
std::string visible_lines(std::string_view text);

/// JSON with \u escapes for the control characters that JSON lets pass: DEL, C1, bidi overrides.
std::string json_without_controls(std::string json);

/// Columns that visible(text) takes.
std::size_t display_width(std::string_view text);

/// visible(text), cut with `…` when it is wider than that.
std::string cut_to_width(std::string_view text, std::size_t width);

/// The text with spaces for tabs and line ends, which would break a line of columns.
std::string on_one_line(std::string text);

/// The path with `~` for the home that it lies in.
std::string with_tilde(std::string_view path, std::string_view home);

/// A stretch of a line that is in a match, or not.
struct Segment {
  std::string shown{};
  bool matched = false;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// The line made visible, without its indent, and cut around the first match to fit the width.
std::vector<Segment> fit_line(const MatchLine& line, std::size_t width);

/// The line as it is, parted by its spans; `make_visible` for a terminal.
std::vector<Segment> whole_line(const MatchLine& line, bool make_visible);

}  // namespace cgrep
