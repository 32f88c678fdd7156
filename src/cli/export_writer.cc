#include "cli/export_writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/display.h"
#include "cli/times.h"

namespace cgrep {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte < 0x7f) || c == '\n' || c == '\t';
}

}  // namespace

std::string harmless(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_plain) -
        text.begin());
    shown += text.substr(at, end - at);
    at = end;
    if (at == text.size()) break;
    const Glyph glyph = glyph_at(text, at);
    at += glyph.bytes;
    if (glyph.shown != "^M" || at == text.size() || text[at] != '\n') shown += glyph.shown;
  }
  return shown;
}

std::string title_of(const Conversation& conversation) {
  std::string title = conversation.title.empty() ? conversation.address : conversation.title;
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return harmless(title);
}

std::string span_of(const Conversation& conversation) {
  std::string first = local_time(conversation.first);
  std::string last = local_time(conversation.last);
  if (first.empty() || first == last) return last;
  if (last.empty()) return first;
  const auto day = first.rfind(' ');
  const bool same_day = last.starts_with(first.substr(0, day));
  return fmt::format("{} – {}", first, same_day ? last.substr(day + 1) : last);
}

}  // namespace cgrep
