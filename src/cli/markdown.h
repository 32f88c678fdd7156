// Markdown as agents write it: what each line is, what stands in it, and how a terminal shows it.
// Only what helps reading is known; all else is text. Nothing inside a fence is taken for markdown.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal.h"

namespace cgrep {

struct MarkdownLine {
  enum class Kind : std::uint8_t {
    text,
    blank,
    heading,
    bullet,
    numbered,
    quote,
    rule,
    fence,  // opens or closes a block of code
    code,   // inside one
  };
  Kind kind = Kind::text;
  std::size_t indent = 0;     // bytes of white space before all else
  std::string_view marker{};  // `##`, `-`, `3.`, `>`, the fence
  std::string_view text{};    // what follows the marker and the space behind it
};

/// Tells the lines of one text apart, from its first to its last.
class MarkdownReader {
 public:
  MarkdownLine next(std::string_view line);

  /// The fence that is open; empty when none is.
  std::string_view open_fence() const { return fence_; }

 private:
  MarkdownLine in_fence(std::string_view line, MarkdownLine read);

  std::string fence_{};
};

/// A stretch of a line.
struct MarkdownPiece {
  enum class Kind : std::uint8_t { plain, code, bold, link };
  Kind kind = Kind::plain;
  std::string_view written{};  // all of it
  std::string_view text{};     // without what marks it
  std::string_view target{};   // of a link: http or https, always
};
std::vector<MarkdownPiece> markdown_pieces(std::string_view line);

/// The lines of a text, without their ends; a last line that is empty is none.
std::vector<std::string_view> text_lines(std::string_view text);

/// The text with its markdown in colours; no character is changed.
std::string painted_markdown(const Terminal& terminal, std::string_view text);

}  // namespace cgrep
