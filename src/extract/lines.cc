#include "extract/lines.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace cgrep {

namespace {

constexpr std::size_t kChunkBytes = 256u << 10;
constexpr std::string_view kBom = "\xEF\xBB\xBF";

}  // namespace

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

LineReader::LineReader(ReadAt read, std::uint64_t offset, std::size_t max_line)
    : read_(std::move(read)), offset_(offset), max_line_(max_line) {}

void LineReader::skip(std::size_t count) {
  begin_ += count;
  offset_ += count;
}

// Gets more bytes behind the unread ones. False at the end of the file.
bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (capacity_ - end_ < kChunkBytes)
    make_room(std::max(capacity_ + capacity_ / 2, end_ + kChunkBytes));
  const auto count = read_(offset_ + end_, buffer_.get() + end_, kChunkBytes);
  end_ += count;
  std::memset(buffer_.get() + end_, ' ', kPadding);
  return count > 0;
}

void LineReader::make_room(std::size_t size) {
  auto* const larger = static_cast<char*>(std::realloc(buffer_.get(), size + kPadding));
  if (larger == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());
  buffer_.reset(larger);
  capacity_ = size;
}

void LineReader::deliver(Line& line, std::size_t size) {
  line = {.offset = offset_, .end = offset_ + size, .raw = unread().substr(0, size)};
  line.bytes = line.raw;
  line.ended = line.bytes.ends_with('\n');
  if (line.ended) line.bytes.remove_suffix(1);
  if (line.bytes.ends_with('\r')) line.bytes.remove_suffix(1);
  if (line.offset == 0 && line.bytes.starts_with(kBom)) line.bytes.remove_prefix(kBom.size());
  skip(size);
}

// Throws the line away as it is read.
void LineReader::skip_overlong(Line& line) {
  line = {.offset = offset_, .ended = false, .overlong = true};
  skip(unread().size());
  while (!line.ended && fill()) {
    const auto newline = unread().find('\n');
    line.ended = newline != std::string_view::npos;
    skip(line.ended ? newline + 1 : unread().size());
  }
  line.end = offset_;
}

bool LineReader::next(Line& line) {
  std::size_t searched = 0;
  while (true) {
    const auto newline = unread().find('\n', searched);
    if (newline != std::string_view::npos) {
      deliver(line, newline + 1);
      return true;
    }
    searched = unread().size();
    if (searched > max_line_) {
      skip_overlong(line);
      return true;
    }
    if (!fill()) break;
  }
  if (unread().empty()) return false;
  deliver(line, unread().size());
  return true;
}

}  // namespace cgrep
