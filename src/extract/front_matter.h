// The block of `key: value` lines that plans, skills and terminals begin with, between two `---`.
// Not YAML, but what Cursor writes of it, read with patience.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cgrep {

struct HeaderField {
  std::size_t indent = 0;  // of its key
  bool item = false;       // begins an entry of a list: `- key: value`, or `- value`
  std::string key{};       // empty for an entry that is just a text
  std::string value{};     // without quotes; block scalars as one text
};

struct FrontMatter {
  std::vector<HeaderField> fields{};
  std::string_view body{};  // what follows; all of the text when there is no such block

  /// The value of a key that belongs to no list; empty when there is none.
  std::string_view value(std::string_view key) const;
};

/// The body is part of the text, which must live longer.
FrontMatter parse_front_matter(std::string_view text);

/// The fields of such a block, without the lines around it.
std::vector<HeaderField> parse_fields(std::string_view block);

}  // namespace cgrep
