#include "cli/output.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "cli/display.h"
#include "error.h"

namespace cgrep {
namespace {

constexpr std::size_t kPieceBytes = 64u << 10;

}  // namespace

void Output::write(std::string_view text) {
  waiting_ += text;
  if (pager_ && !paging_ && pager_->overflows(text)) start_pager();
  if (waiting_.size() >= kPieceBytes) flush();
}

void Output::flush() {
  if (!paging_) pager_.reset();  // this was all, and it fits the screen
  std::string_view rest = waiting_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno != EINTR) {
      throw Error(fmt::format("cannot write the output: {}", std::strerror(errno)),
                  "look at the disk or the program that the output goes to");
    }
  }
  waiting_.clear();
}

void Output::start_pager() {
  const int input = pager_->start();
  paging_ = input >= 0;
  if (paging_)
    descriptor_ = input;
  else
    pager_.reset();
}

void Output::finish() {
  if (paging_) pager_->finish();
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void write_quietly(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void warn(std::string_view text) {
  write_quietly(STDERR_FILENO, fmt::format("cgrep: {}\n", visible(text)));
}

}  // namespace cgrep
