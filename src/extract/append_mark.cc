#include "extract/append_mark.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace cgrep {

namespace {

constexpr std::string_view kWord = "append ";

// FNV-1a: a few KB at most, and nobody to defend against.
std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

// Takes a number and the blank after it.
bool take_number(std::string_view& text, std::uint64_t& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || length == text.size() || *end != ' ') return false;
  text.remove_prefix(length + 1);
  return true;
}

}  // namespace

std::string AppendMark::text() const {
  return fmt::format("{}{} {} {:x} {:x} {}", kWord, inode, offset, head, tail, state);
}

std::optional<AppendMark> AppendMark::parse(std::string_view text) {
  if (!is_one(text)) return std::nullopt;
  text.remove_prefix(kWord.size());
  AppendMark mark;
  if (!take_number(text, mark.inode, 10) || !take_number(text, mark.offset, 10) ||
      !take_number(text, mark.head, 16) || !take_number(text, mark.tail, 16))
    return std::nullopt;
  mark.state = text;
  return mark;
}

bool AppendMark::is_one(std::string_view text) {
  return text.starts_with(kWord);
}

void AppendTrail::skipped(std::uint64_t end, const ReadAt& read) {
  offset_ = end;
  head_.resize(std::min<std::uint64_t>(AppendMark::kHeadBytes, end));
  tail_.resize(std::min<std::uint64_t>(AppendMark::kTailBytes, end));
  head_.resize(read(0, head_.data(), head_.size()));
  tail_.resize(read(end - tail_.size(), tail_.data(), tail_.size()));
}

std::optional<AppendTrail> AppendTrail::resume(const AppendMark& mark, const InputFile& file) {
  if (mark.offset == 0 || mark.inode != file.inode() || mark.offset > file.size())
    return std::nullopt;
  AppendTrail trail;
  trail.skipped(mark.offset, file.reading());
  if (hash_of(trail.head_) != mark.head || hash_of(trail.tail_) != mark.tail) return std::nullopt;
  return trail;
}

void AppendTrail::passed(std::string_view bytes) {
  offset_ += bytes.size();
  head_ += bytes.substr(0, AppendMark::kHeadBytes - head_.size());
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), AppendMark::kTailBytes));
  if (tail_.size() > AppendMark::kTailBytes) tail_.erase(0, tail_.size() - AppendMark::kTailBytes);
}

AppendMark AppendTrail::mark(std::uint64_t inode, std::string state) const {
  return {inode, offset_, hash_of(head_), hash_of(tail_), std::move(state)};
}

}  // namespace cgrep
