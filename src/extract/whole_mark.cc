#include "extract/whole_mark.h"

#include <charconv>

#include <fmt/format.h>

namespace cgrep {

namespace {

constexpr std::string_view kWhole = "whole";

// The text up to the next blank, which is taken off.
std::string_view take_word(std::string_view& text) {
  const auto word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

}  // namespace

WholeMark::WholeMark(std::string_view mark) {
  if (take_word(mark) != kWhole) return;
  const auto hash = take_word(mark);
  std::from_chars(hash.data(), hash.data() + hash.size(), hash_, 16);
  while (!mark.empty()) before_.emplace(take_word(mark));
}

bool WholeMark::begin(const std::string& conversation, Sink& sink) {
  if (!now_.insert(conversation).second) return false;
  sink.whole(conversation);
  return true;
}

std::string WholeMark::end(std::uint64_t hash, Sink& sink) const {
  auto held = now_;
  for (const auto& conversation : before_) {
    if (now_.contains(conversation)) continue;
    if (complete_)
      sink.whole(conversation);
    else
      held.insert(conversation);
  }
  std::string mark = fmt::format("{} {:x}", kWhole, complete_ ? hash : 0);
  for (const auto& conversation : held) mark += ' ' + conversation;
  return mark;
}

}  // namespace cgrep
