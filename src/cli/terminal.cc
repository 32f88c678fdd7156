#include "cli/terminal.h"

#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cgrep {
namespace {

std::optional<std::size_t> number_in(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || number == 0) return std::nullopt;
  return number;
}

std::size_t columns(const Environment& environment) {
  constexpr std::size_t kFallback = 80;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return number_in(environment("COLUMNS")).value_or(kFallback);
}

bool wants_color(bool is_terminal, ColorWhen when, const Environment& environment) {
  if (when != ColorWhen::automatic) return when == ColorWhen::always;
  const bool refused = !environment("NO_COLOR").value_or("").empty();
  return is_terminal && !refused && environment("TERM").value_or("dumb") != "dumb";
}

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::address:
      return "35";
    case Paint::title:
      return "1";
    case Paint::faint:
      return "2";
    case Paint::number:
      return "32";
    case Paint::match:
      return "1;31";
    case Paint::code:
      return "35";
    case Paint::bar:
      return "36";
  }
  return "";
}

std::string percent_encoded(std::string_view path) {
  constexpr std::string_view kPlain = "/-._~+";
  std::string encoded;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kPlain.find(c) != std::string_view::npos;
    if (plain)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return percent_encoded(name.data());
}

}  // namespace

Terminal find_terminal(ColorWhen when, const Environment& environment) {
  Terminal terminal;
  terminal.is_terminal = isatty(STDOUT_FILENO) == 1;
  terminal.color = wants_color(terminal.is_terminal, when, environment);
  terminal.links = terminal.is_terminal && terminal.color;
  if (terminal.is_terminal) terminal.width = columns(environment);
  return terminal;
}

std::string painted(const Terminal& terminal, Paint paint, std::string_view text) {
  if (!terminal.color || paint == Paint::plain || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(paint), text);
}

std::string linked(const Terminal& terminal, const std::string& path, std::string_view text) {
  if (!terminal.links || !path.starts_with('/')) return std::string(text);
  static const std::string host = host_name();
  return fmt::format("\x1b]8;;file://{}{}\x1b\\{}\x1b]8;;\x1b\\", host, percent_encoded(path),
                     text);
}

}  // namespace cgrep
