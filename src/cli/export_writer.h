// ExportWriter: conversations in a format that leaves the machine. Gets them one document at a
// time.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "cli/reading.h"
#include "query/hit.h"

namespace cgrep {

class ExportWriter {
 public:
  virtual ~ExportWriter() = default;

  /// All conversations that will come; for a title and a table of contents.
  virtual void begin(std::span<const Conversation> conversations) = 0;
  virtual void begin_conversation(const Conversation& conversation) = 0;
  virtual void document(const Hit& hit) = 0;
  virtual void end_conversation() = 0;
  virtual void end() = 0;
};

std::unique_ptr<ExportWriter> make_markdown_writer(Output& out, ToolDetail tools);
std::unique_ptr<ExportWriter> make_html_writer(Output& out, ToolDetail tools);
std::unique_ptr<ExportWriter> make_json_writer(Output& out);

/// The text with control characters and bidi overrides made visible; line ends and tabs stay, a \r
/// before a line end does not. Always valid UTF-8.
std::string harmless(std::string_view text);

/// The title, or the address of a conversation without one; on one line.
std::string title_of(const Conversation& conversation);

/// When it was: `2026-08-01 10:22 – 11:40`, with what is known of it.
std::string span_of(const Conversation& conversation);

}  // namespace cgrep
