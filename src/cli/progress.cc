#include "cli/progress.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/display.h"
#include "cli/output.h"

namespace cgrep {
namespace {

constexpr std::string_view kErase = "\r\x1b[K";
constexpr auto kBetweenDrawings = std::chrono::milliseconds(100);

std::atomic<bool> drawn{false};
static_assert(std::atomic<bool>::is_always_lock_free, "read by a signal handler");

std::size_t columns() {
  winsize size{};
  constexpr std::size_t kFallback = 80;
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kFallback;
}

double part_done(const Progress& progress) {
  const auto ratio = [](auto done, auto to_do) {
    return std::min(1.0, static_cast<double>(done) / static_cast<double>(to_do));
  };
  if (progress.bytes_to_do > 0) return ratio(progress.bytes_done, progress.bytes_to_do);
  if (progress.sources_to_do > 0) return ratio(progress.sources_done, progress.sources_to_do);
  return 0;
}

std::string duration(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

ProgressStyle progress_style(ProgressStyle elsewhere) {
  return isatty(STDERR_FILENO) == 1 ? ProgressStyle::bar : elsewhere;
}

std::string progress_bar(const Progress& progress, double seconds, std::size_t width) {
  constexpr std::size_t kCells = 20;
  const double part = part_done(progress);
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(kCells));
  std::string bar = fmt::format("{}: {} [{:<{}}] {:3.0f}%", progress.store, progress.phase,
                                std::string(filled, '#'), kCells, part * 100);
  if (seconds > 0 && progress.bytes_done > 0)
    bar += fmt::format("  {:.1f} MB/s", static_cast<double>(progress.bytes_done) / 1e6 / seconds);
  if (seconds > 1 && part > 0 && part < 1)
    bar += fmt::format("  ETA {}", duration(seconds / part - seconds));
  return cut_to_width(bar, width);
}

ProgressReport::ProgressReport(ProgressStyle style) : style_(style) {}

ProgressReport::~ProgressReport() {
  erase();
}

void ProgressReport::show(const Progress& progress) {
  if (style_ == ProgressStyle::lines && store_ != progress.store) {
    store_ = progress.store;
    if (!store_.empty()) warn(fmt::format("{} {}", progress.phase, store_));
  }
  if (style_ != ProgressStyle::bar) return;
  const auto now = Clock::now();
  if (now - drawn_ < kBetweenDrawings) return;
  drawn_ = now;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  drawn = true;
  write_quietly(STDERR_FILENO,
                fmt::format("{}{}", kErase, progress_bar(progress, seconds, columns() - 1)));
}

void ProgressReport::waiting() {
  erase();
  if (style_ != ProgressStyle::none) warn("another process is writing the index; waiting for it");
}

void ProgressReport::erase() {
  if (drawn.exchange(false)) write_quietly(STDERR_FILENO, kErase);
}

bool progress_is_drawn() {
  return drawn;
}

}  // namespace cgrep
