// What standard output is, and how it may be painted.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "extract/roots.h"

namespace cgrep {

enum class ColorWhen : std::uint8_t { automatic, always, never };

struct Terminal {
  bool is_terminal = false;  // standard output: history must not drive it
  bool color = false;
  bool links = false;      // OSC 8
  std::size_t width = 80;  // columns
};

Terminal find_terminal(ColorWhen when, const Environment& environment);

/// What a stretch of output is; says how it is painted. Terminals are dark or light, so text is
/// never yellow, cyan or white, which fade on white, nor blue, which drowns in black.
enum class Paint : std::uint8_t { plain, address, title, faint, number, match, code, bar };

/// The text in its colour, or as it is.
std::string painted(const Terminal& terminal, Paint paint, std::string_view text);

/// The text as a link to a file of this machine, or as it is.
std::string linked(const Terminal& terminal, const std::string& path, std::string_view text);

}  // namespace cgrep
