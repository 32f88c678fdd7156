// Texts of history as HTML: everything is escaped, and of markdown only what cannot do harm is
// rendered.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cgrep {

/// For text and for attributes in quotes; control characters are made visible.
std::string html_escaped(std::string_view text);

/// Paragraphs, headings, lists, quotes, tables, code, bold and links to the web.
std::string html_of_markdown(std::string_view text);

}  // namespace cgrep
