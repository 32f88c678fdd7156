// A pager: a program that shows what is printed page by page, as git has it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "cli/option_table.h"
#include "extract/roots.h"

namespace cgrep {

enum class PagerWhen : std::uint8_t { automatic, always, never };

/// `--pager`.
void declare_pager(OptionTable& table, PagerWhen& when);

/// The command of CGREP_PAGER, PAGER, or less; empty when there is none, or it is `cat`.
std::string pager_command(const Environment& environment);

/// Runs beside cgrep and is given its output through a pipe.
class Pager {
 public:
  struct Screen {
    std::size_t rows = 24;
    std::size_t columns = 80;
  };

  /// Without a screen it starts at once.
  Pager(std::string command, std::optional<Screen> screen)
      : command_(std::move(command)), screen_(screen) {}

  /// Whether the text, with all before it, is more than the screen has room for.
  bool overflows(std::string_view text);

  /// Starts it; what is written to the returned descriptor is shown. Messages for a terminal go the
  /// same way from then on. -1 when it does not start.
  int start();

  /// No more will come; returns when the user has left it.
  void finish();

 private:
  std::string command_;
  std::optional<Screen> screen_;
  std::size_t rows_ = 0;
  std::size_t column_ = 0;
  int input_ = -1;
  int errors_ = -1;  // where messages went before
};

/// The pager that --pager asks for; absent: none.
std::optional<Pager> make_pager(PagerWhen when, const Environment& environment);

/// For the handler of Ctrl-C: a pager must not be left behind that still owns the terminal.
void wait_for_pager_in_signal();

}  // namespace cgrep
