// The texts file: what cgrep indexed of a history, for baselines that read it from memory.
//   per document: u32 conversation, u32 bytes of the text, u8 role (and kRepeated, of a prompt that
//   stands in a conversation as well: a plain search leaves it out), u8 bytes of the tool's name;
//   then the tool's name and the text; numbers as this machine keeps them
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cgrep::bench {

struct TextHead {
  std::uint32_t conversation = 0;
  std::uint32_t bytes = 0;
  std::uint8_t role = 0;
  std::uint8_t tool = 0;
};
inline constexpr std::size_t kTextHeadBytes = 10;
inline constexpr std::uint8_t kRepeated = 0x80;

struct Text {
  std::uint32_t conversation = 0;
  std::uint8_t role = 0;
  bool repeated = false;
  std::string_view tool{};
  std::string_view text{};
};

/// A texts file in memory.
class Texts {
 public:
  explicit Texts(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat state {};
    if (file < 0 || fstat(file, &state) != 0) fail(path);
    size_ = static_cast<std::size_t>(state.st_size);
    void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    close(file);
    if (mapped == MAP_FAILED) fail(path);
    begin_ = static_cast<const char*>(mapped);
    for (std::size_t at = 0; at < size_;) at += note(at);
  }

  ~Texts() { munmap(const_cast<char*>(begin_), size_); }
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  const std::vector<Text>& all() const { return texts_; }

 private:
  [[noreturn]] static void fail(const std::filesystem::path& path) {
    throw std::system_error(errno, std::generic_category(), path.string());
  }

  std::size_t note(std::size_t at) {
    TextHead head;
    std::memcpy(&head.conversation, begin_ + at, 4);
    std::memcpy(&head.bytes, begin_ + at + 4, 4);
    std::memcpy(&head.role, begin_ + at + 8, 1);
    std::memcpy(&head.tool, begin_ + at + 9, 1);
    const char* const tool = begin_ + at + kTextHeadBytes;
    texts_.push_back({.conversation = head.conversation,
                      .role = static_cast<std::uint8_t>(head.role & ~kRepeated),
                      .repeated = (head.role & kRepeated) != 0,
                      .tool = {tool, head.tool},
                      .text = {tool + head.tool, head.bytes}});
    return kTextHeadBytes + head.tool + head.bytes;
  }

  const char* begin_ = nullptr;
  std::size_t size_ = 0;
  std::vector<Text> texts_{};
};

}  // namespace cgrep::bench
