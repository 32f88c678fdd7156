// Lines of a file, one after the other, in bounded memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "document.h"
#include "extract/input_file.h"

namespace cgrep {

struct Line {
  std::uint64_t offset = 0;  // of its first byte
  std::uint64_t end = 0;     // where the next one begins
  std::string_view bytes{};  // without line end and BOM; with padding; valid until the next one
  std::string_view raw{};    // as it stands in the file
  bool ended = true;         // by a newline; only the last one may not be
  bool overlong = false;     // more than a record may have: bytes and raw are empty
};

/// Reads from `offset`, which must be the start of a line.
class LineReader {
 public:
  LineReader(ReadAt read, std::uint64_t offset, std::size_t max_line = kMaxRecordBytes);

  /// False at the end.
  bool next(Line& line);

 private:
  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  std::string_view unread() const { return {buffer_.get() + begin_, end_ - begin_}; }
  bool fill();
  void make_room(std::size_t size);
  void skip(std::size_t count);
  void skip_overlong(Line& line);
  void deliver(Line& line, std::size_t size);

  ReadAt read_;
  std::uint64_t offset_;  // of begin_
  std::size_t max_line_;
  std::unique_ptr<char, Free>
      buffer_{};              // grows by realloc, which moves a large one without a copy
  std::size_t capacity_ = 0;  // of it, less the padding
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

/// Whether there is nothing but white space.
bool is_blank(std::string_view text);

}  // namespace cgrep
