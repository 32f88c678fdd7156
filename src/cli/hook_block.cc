#include "cli/hook_block.h"

#include <algorithm>

#include "error.h"

namespace cgrep {
namespace {

// The first line tells what was there before, so that just that is left in the end.
constexpr std::string_view kBegin = "# >>> cgrep hook";
constexpr std::string_view kPlain = "# >>> cgrep hook >>>\n";
constexpr std::string_view kMadeFile = "# >>> cgrep hook, which made this file >>>\n";
constexpr std::string_view kEndedLine = "# >>> cgrep hook, which ended the line above >>>\n";
constexpr std::string_view kEnd = "# <<< cgrep hook <<<\n";

struct Block {
  std::size_t begin = 0;
  std::size_t lines = 0;      // where those between the marks begin
  std::size_t lines_end = 0;  // and end
  std::size_t end = 0;
  std::string_view first{};
};

bool begins_line(std::string_view text, std::size_t at) {
  return at == 0 || text[at - 1] == '\n';
}

std::size_t find_line(std::string_view text, std::string_view start, std::size_t from) {
  for (auto at = text.find(start, from); at != std::string_view::npos;
       at = text.find(start, at + 1))
    if (begins_line(text, at)) return at;
  return std::string_view::npos;
}

std::optional<Block> find(std::string_view text) {
  Block block;
  block.begin = find_line(text, kBegin, 0);
  if (block.begin == std::string_view::npos) return std::nullopt;
  const auto line_end = text.find('\n', block.begin);
  block.lines = line_end == std::string_view::npos ? text.size() : line_end + 1;
  block.first = text.substr(block.begin, block.lines - block.begin);
  // The last line may have lost its end.
  block.lines_end = find_line(text, kEnd.substr(0, kEnd.size() - 1), block.lines);
  if (block.lines_end == std::string_view::npos)
    throw Error("the lines of cgrep hook have no end there",
                "remove them by hand, from '# >>> cgrep hook' on");
  block.end = std::min(text.size(), text.find('\n', block.lines_end));
  if (block.end < text.size()) ++block.end;
  return block;
}

}  // namespace

std::string with_hook_block(const std::optional<std::string>& text, std::string_view lines) {
  if (!text) return std::string(kMadeFile).append(lines).append(kEnd);
  auto changed = *text;
  if (const auto block = find(*text)) {
    changed.replace(block->lines, block->lines_end - block->lines, lines);
    return changed;
  }
  const bool ended = changed.empty() || changed.back() == '\n';
  changed += ended ? "" : "\n";
  return changed.append(ended ? kPlain : kEndedLine).append(lines).append(kEnd);
}

std::optional<std::string> without_hook_block(const std::string& text) {
  const auto block = find(text);
  if (!block) return text;
  auto changed = text;
  changed.erase(block->begin, block->end - block->begin);
  if (block->first == kMadeFile && changed.empty()) return std::nullopt;
  // What was added since needs the line's end.
  if (block->first == kEndedLine && block->begin > 0 && changed.size() == block->begin)
    changed.pop_back();
  return changed;
}

std::optional<std::string> hook_block(const std::string& text) {
  const auto block = find(text);
  if (!block) return std::nullopt;
  return text.substr(block->lines, block->lines_end - block->lines);
}

}  // namespace cgrep
