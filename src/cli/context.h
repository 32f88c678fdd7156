// Lines around a match, as -A, -B and -C ask for them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "query/hit.h"

namespace cgrep {

struct ContextSize {
  std::size_t before = 0;
  std::size_t after = 0;
  bool any() const { return before > 0 || after > 0; }
};

/// A line of a document that is printed.
struct ShownLine {
  const MatchLine* match = nullptr;  // null: it only stands beside one
  std::uint32_t number = 0;
  std::string_view text{};
  bool apart = false;  // lines between it and the one printed before are left out

  /// As printers take lines: without spans when it is context.
  MatchLine line() const { return match != nullptr ? *match : MatchLine{number, text}; }
};

/// All lines, none of which matches.
std::vector<ShownLine> only_context(std::string_view text);

/// The matching lines, sorted, with what stands around them; each line once.
std::vector<ShownLine> with_context(std::string_view text, std::span<const MatchLine> matches,
                                    ContextSize size);

}  // namespace cgrep
