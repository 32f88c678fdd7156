// The text of an editor's state: paragraphs of leaves, as Cursor keeps what is typed into it.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "extract/json_reader.h"

namespace cgrep {

/// The leaves' texts, a line per paragraph; `state` is JSON, `{"root":{"children":[…]}}`. What is
/// no JSON is text already.
std::string text_of_rich_text(std::string_view state, JsonReader& json);

}  // namespace cgrep
