#include "cli/config_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "error.h"
#include "index/files.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

// What a person writes by hand is a hundredth of this; more is some other file.
constexpr std::size_t kMaxBytes = 64u << 10;

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string_view without_comment(std::string_view text) {
  for (auto at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1))
    if (at == 0 || kBlanks.find(text[at - 1]) != std::string_view::npos)
      return trimmed(text.substr(0, at));
  return trimmed(text);
}

std::string value_of(std::string_view text, const std::string& origin) {
  if (!text.starts_with('"')) return std::string(without_comment(text));
  const auto end = text.find('"', 1);
  if (end == std::string_view::npos || !without_comment(text.substr(end + 1)).empty())
    throw Error(fmt::format("{}: a quote is not closed, or something follows it", origin),
                "key = \"value\"");
  return std::string(text.substr(1, end - 1));
}

struct ConfigPath {
  fs::path path{};
  bool named = false;  // by CGREP_CONFIG: then it must be there
};

std::optional<ConfigPath> config_path(const Environment& environment) {
  if (const auto named = environment("CGREP_CONFIG")) {
    if (named->empty()) return std::nullopt;
    return ConfigPath{*named, true};
  }
  // The base directory specification: a relative path there is to be ignored.
  const fs::path base = environment("XDG_CONFIG_HOME").value_or("");
  if (base.is_absolute()) return ConfigPath{base / "cgrep" / "config"};
  const fs::path home = environment("HOME").value_or("");
  if (home.empty()) return std::nullopt;
  return ConfigPath{home / ".config" / "cgrep" / "config"};
}

[[noreturn]] void throw_unreadable(const fs::path& path, std::string_view why) {
  throw Error(fmt::format("cannot read the config {}: {}", path.string(), why),
              "CGREP_CONFIG names another file; empty, it means none");
}

std::string read_whole(const FileDescriptor& file, const fs::path& path) {
  std::string text;
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t count = read(file.get(), piece.data(), piece.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_unreadable(path, std::strerror(errno));
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > kMaxBytes) throw_unreadable(path, "it is larger than 64 KB");
  }
}

}  // namespace

std::vector<Setting> parse_config(std::string_view text, const std::string& path) {
  std::vector<Setting> settings;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // as some editors begin a file
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const auto line = trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    const std::string origin = fmt::format("{}:{}", path, number);
    const auto equals = line.find('=');
    const auto key = trimmed(line.substr(0, equals));
    if (equals == std::string_view::npos || key.empty())
      throw Error(fmt::format("{}: '{}' is not 'key = value'", origin, line),
                  "limit = 5; a line with # is a comment");
    settings.push_back(
        {std::string(key), value_of(trimmed(line.substr(equals + 1)), origin), origin});
  }
  return settings;
}

std::vector<Setting> read_config_file(const Environment& environment) {
  const auto config = config_path(environment);
  if (!config) return {};
  // Not to wait for the other end of a FIFO.
  const FileDescriptor file(open(config->path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    if (missing && !config->named) return {};
    throw_unreadable(config->path, std::strerror(errno));
  }
  return parse_config(read_whole(file, config->path), config->path.string());
}

}  // namespace cgrep
