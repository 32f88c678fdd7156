// Exports as Markdown: a heading per document, tools and thoughts set apart from what was said.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/export_writer.h"
#include "cli/markdown.h"
#include "cli/times.h"

namespace cgrep {
namespace {

std::size_t longest_run(std::string_view text, char c) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char other : text) {
    run = other == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

// In backticks that are no part of the text.
std::string as_code(std::string_view text) {
  const std::string ticks(longest_run(text, '`') + 1, '`');
  const bool apart = text.starts_with('`') || text.ends_with('`');
  return fmt::format("{0}{1}{2}{1}{0}", ticks, apart ? " " : "", text);
}

std::string fenced(std::string_view text) {
  const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
  return fmt::format("{0}\n{1}{2}{0}\n", fence, text, text.ends_with('\n') ? "" : "\n");
}

std::string block_quote(std::string_view text) {
  std::string result;
  for (const auto line : text_lines(text))
    result += fmt::format(">{}{}\n", line.empty() ? "" : " ", line);
  return result;
}

// A fence that a message leaves open would swallow all that follows it.
std::string closed(std::string text) {
  MarkdownReader reader;
  for (const auto line : text_lines(text)) reader.next(line);
  if (!text.ends_with('\n')) text += '\n';
  if (!reader.open_fence().empty()) text += fmt::format("{}\n", reader.open_fence());
  return text;
}

class MarkdownWriter : public ExportWriter {
 public:
  MarkdownWriter(Output& out, ToolDetail tools) : out_(out), tools_(tools) {}

  void begin(std::span<const Conversation>) override {}

  void begin_conversation(const Conversation& conversation) override {
    out_.print("{}# {}\n\n", first_ ? "" : "\n", title_of(conversation));
    first_ = false;
    std::string line = as_code(conversation.address);
    const auto add = [&](std::string_view text) {
      if (!text.empty()) line += fmt::format(" · {}", text);
    };
    if (!conversation.project.empty()) add(as_code(harmless(conversation.project)));
    add(span_of(conversation));
    add(harmless(details_of(conversation)));
    add(fmt::format("{}", fmt::join(conversation.stores, ", ")));
    out_.print("{}\n", line);
  }

  void document(const Hit& hit) override {
    if (tools_ == ToolDetail::brief && is_tool(hit.role)) return brief(hit);
    out_.print("\n## {}{}{} · {}{}\n\n", name_of(hit.role),
               hit.tool.empty() ? "" : " " + as_code(harmless(hit.tool)),
               hit.time ? " · " + local_time(hit.time) : "", as_code(hit.address()), marks_of(hit));
    const std::string text = harmless(hit.text);
    if (is_tool(hit.role) || hit.role == Role::system)
      out_.write(fenced(text));
    else
      out_.write(hit.role == Role::thinking ? block_quote(text) : closed(text));
  }

  void end_conversation() override {}
  void end() override {}

 private:
  void brief(const Hit& hit) {
    const Fold fold = folded(hit);
    std::string line = fmt::format("{} {}", name_of(hit.role), as_code(harmless(hit.tool)));
    if (hit.tool.empty()) line = name_of(hit.role);
    if (!fold.telling.empty()) line += " " + as_code(harmless(fold.telling));
    if (const auto more = more_lines(fold); !more.empty()) line += " " + more;
    out_.print("\n*{}* · {}\n", line, as_code(hit.address()));
  }

  Output& out_;
  ToolDetail tools_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<ExportWriter> make_markdown_writer(Output& out, ToolDetail tools) {
  return std::make_unique<MarkdownWriter>(out, tools);
}

}  // namespace cgrep
