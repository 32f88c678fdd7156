#include "cli/context.h"

#include <algorithm>

namespace cgrep {

namespace {

// From 1, without line ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::vector<ShownLine> only_context(std::string_view text) {
  std::vector<ShownLine> shown;
  std::uint32_t number = 0;
  for (const auto line : lines_of(text)) shown.push_back({nullptr, ++number, line});
  return shown;
}

std::vector<ShownLine> with_context(std::string_view text, std::span<const MatchLine> matches,
                                    ContextSize size) {
  std::vector<ShownLine> shown;
  if (!size.any()) {
    shown.reserve(matches.size());
    for (const MatchLine& match : matches) shown.push_back({&match, match.number, match.text});
    return shown;
  }
  const auto lines = lines_of(text);
  std::size_t next = 1;  // the first line that is not printed yet
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const MatchLine& match = matches[i];
    const std::size_t number = match.number;
    const auto first = std::max(next, number > size.before ? number - size.before : 1);
    bool apart = !shown.empty() && first > next;
    const auto add = [&](const MatchLine* matched, std::size_t at, std::string_view line) {
      shown.push_back({matched, static_cast<std::uint32_t>(at), line, apart});
      apart = false;
    };
    for (std::size_t at = first; at < number && at <= lines.size(); ++at)
      add(nullptr, at, lines[at - 1]);
    add(&match, number, match.text);
    // What follows belongs to the next match when that is nearer.
    const std::size_t limit = i + 1 < matches.size() ? matches[i + 1].number : lines.size() + 1;
    const auto last = std::min(number + size.after, std::min(lines.size(), limit - 1));
    for (std::size_t at = number + 1; at <= last; ++at) add(nullptr, at, lines[at - 1]);
    next = std::max(number, last) + 1;
  }
  return shown;
}

}  // namespace cgrep
