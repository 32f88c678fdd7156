// What tools were called with, and what they returned: JSON of any shape → searchable text.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "extract/json_reader.h"

namespace cgrep {

/// Strings one after the other in one piece of memory: there may be millions.
class StringList {
 public:
  /// No more than a document can have.
  void add(std::string_view string);
  std::vector<std::string_view> strings() const;
  bool empty() const { return ends_.empty(); }
  /// A line each.
  const std::string& lines() const { return lines_; }

 private:
  std::string lines_{};
  std::vector<std::uint32_t> ends_{};
};

struct Arguments {
  std::string text{};                  // `key: value` lines; strings as they are, with newlines
  std::vector<std::string> files{};    // paths that were read, written or looked into
  std::vector<std::string> folders{};  // those of them that are folders, and working directories
  StringList strings{};                // all values that are strings, in order
  std::string main{};                  // the one that says what was done: a command, a query
};

/// Walks the value. Leaves out signatures, binary data and `data:` URIs.
Arguments flattened(JsonElement value);

/// The same of arguments that are no JSON: a patch, `key=value` lines, or just text.
Arguments flattened_text(std::string_view text);

/// What a tool returned: its strings, one after the other; without any, as flattened().
std::string flattened_result(JsonElement value);

/// Document::alike of a tool call: the stores name tools and arguments differently.
std::string alike_call(std::string_view tool, const Arguments& arguments);

}  // namespace cgrep
