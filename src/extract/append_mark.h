// Tells whether a file has only grown since it was read, so that only its new lines need reading.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "extract/input_file.h"

namespace cgrep {

/// Where reading stopped, and what stood before: as text, `append INODE OFFSET HEAD TAIL STATE`.
struct AppendMark {
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;  // of the end of the last complete line
  std::uint64_t head = 0;    // hash of the first bytes, at most kHeadBytes
  std::uint64_t tail = 0;    // hash of the last bytes before the offset, at most kTailBytes
  std::string state{};       // what the reader needs to carry on

  static constexpr std::size_t kHeadBytes = 4096;
  static constexpr std::size_t kTailBytes = 256;

  std::string text() const;
  static std::optional<AppendMark> parse(std::string_view text);

  /// Whether this is one, of any source: unlike other marks, its state may hold words of the file.
  static bool is_one(std::string_view text);
};

/// Sees all bytes that are read, and knows the hashes. The hashes are of what was read, not of what
/// the file holds later: a file that is rewritten meanwhile does not pass for read.
class AppendTrail {
 public:
  AppendTrail() = default;

  /// The trail up to `mark`, if the file still holds what was read then.
  static std::optional<AppendTrail> resume(const AppendMark& mark, const InputFile& file);

  /// These bytes were read next.
  void passed(std::string_view bytes);

  /// All up to `end` was passed over unseen.
  void skipped(std::uint64_t end, const ReadAt& read);

  std::uint64_t offset() const { return offset_; }
  AppendMark mark(std::uint64_t inode, std::string state) const;

 private:
  std::uint64_t offset_ = 0;
  std::string head_{};
  std::string tail_{};
};

}  // namespace cgrep
