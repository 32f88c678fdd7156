// Output: what is printed, gathered and written in large pieces.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/pager.h"

namespace cgrep {

/// Whoever read our output has left (`| head -1`). Not an error: main() ends quietly.
struct ClosedPipe {};

/// Keeps what it is given until there is much of it, or flush() is called. Nothing is written by
/// the destructor: after an error, half a piece helps nobody.
class Output {
 public:
  explicit Output(int descriptor) : descriptor_(descriptor) {}

  void write(std::string_view text);

  template <typename... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    write(fmt::format(format, std::forward<Arguments>(arguments)...));
  }

  /// Throws ClosedPipe, or Error when the disk is full and the like.
  void flush();

  /// What is written from now on is shown by the pager, if it is long enough for that.
  void use(std::optional<Pager> pager) { pager_ = std::move(pager); }

  /// Nothing more will be written: returns when the user has left the pager.
  void finish();

 private:
  void start_pager();

  int descriptor_;
  std::string waiting_{};
  std::optional<Pager> pager_{};
  bool paging_ = false;
};

/// `1 line`, `2 lines`
std::string counted(std::size_t count, std::string_view what);

/// One line to standard error, `cgrep: …`: something to know that does not stop the command.
void warn(std::string_view text);

/// Writes to a descriptor and ignores failure: for messages, after which nothing can be said.
void write_quietly(int descriptor, std::string_view text);

}  // namespace cgrep
