// Texts as they are kept in history.db: one zstd frame per document, or the text itself where
// that is shorter; both with a checksum, so that damage is told from what was said.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace cgrep {

/// Keeps its contexts and buffers between calls. Not for several threads.
class Frames {
 public:
  Frames() noexcept;
  ~Frames();
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  /// Valid until the next call.
  std::string_view pack(std::string_view text);

  /// Throws Error when the frame is damaged.
  std::string unpack(std::string_view frame) { return std::string(unpack_here(frame)); }
  /// The same; valid until the next call, and as long as the frame.
  std::string_view unpack_here(std::string_view frame);

 private:
  struct Impl;
  Impl& impl();
  std::unique_ptr<Impl> impl_{};  // made when first used
};

/// Makes what all threads share to pack. To be called before there are several, as only then it can
/// be told that there is no memory for it.
void prepare_packing();

/// Whether it has a checksum: schema 3 had none for texts that are kept as they are.
bool is_checked(std::string_view frame);

/// How long the text is of which a frame is kept: `beginning` is its first 18 bytes, `size` all.
std::size_t unpacked_size(std::string_view beginning, std::size_t size);

}  // namespace cgrep
