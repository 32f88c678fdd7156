#include "extract/paths.h"

#include <algorithm>
#include <charconv>

namespace cgrep {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_alphanumeric(char c) {
  return is_letter(c) || (c >= '0' && c <= '9');
}

constexpr bool is_separator(char c) {
  return c == '/' || c == '\\';
}

bool has_drive(std::string_view path) {
  return path.size() >= 3 && is_letter(path[0]) && path[1] == ':' && is_separator(path[2]);
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto [end, error] =
          std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
      if (error == std::errc{} && end == text.data() + i + 3) {
        decoded += static_cast<char>(value);
        i += 2;
        continue;
      }
    }
    decoded += text[i];
  }
  return decoded;
}

// How many levels: 2 for /home/ada and C:\work.
std::size_t levels(std::string_view path) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < path.size(); ++i)
    if (!is_separator(path[i]) && (i == 0 || is_separator(path[i - 1]))) ++count;
  return count;
}

bool equal_tokens(std::string_view a, std::string_view b, bool ignore_case) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) {
    return x == y || (ignore_case && lower(x) == lower(y));
  });
}

}  // namespace

std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view kFile = "file://";
  constexpr std::string_view kRemote = "vscode-remote://";
  if (uri.starts_with(kRemote)) {
    // What is before the next slash says how to reach the machine.
    const auto slash = uri.find('/', kRemote.size());
    uri = slash == std::string_view::npos ? std::string_view() : uri.substr(slash);
  } else if (uri.starts_with(kFile)) {
    uri.remove_prefix(kFile.size());
  } else {
    return std::string(uri);
  }
  std::string path = percent_decoded(uri);
  if (path.starts_with('/') && has_drive(std::string_view(path).substr(1))) path.erase(0, 1);
  return path;
}

bool is_absolute_path(std::string_view path) {
  return path.starts_with('/') || has_drive(path);
}

std::string_view parent_folder(std::string_view path) {
  while (path.size() > 1 && is_separator(path.back())) path.remove_suffix(1);
  const auto behind = std::find_if(path.rbegin(), path.rend(), is_separator);
  if (behind == path.rend()) return {};
  const auto separator = static_cast<std::size_t>(path.rend() - behind) - 1;
  return path.substr(0, std::max<std::size_t>(separator, 1));
}

std::string common_folder(std::string_view a, std::string_view b) {
  const auto ends = [](std::string_view path, std::size_t length) {
    return length == path.size() || is_separator(path[length]);
  };
  const auto [end, unused] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  auto length = static_cast<std::size_t>(end - a.begin());
  while (length > 0 && !(ends(a, length) && ends(b, length))) --length;
  while (length > 0 && is_separator(a[length - 1])) --length;
  const auto common = a.substr(0, length);
  return levels(common) >= 2 ? std::string(common) : std::string();
}

std::vector<std::string_view> slug_tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && is_alphanumeric(text[i])) continue;
    if (i > begin) tokens.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return tokens;
}

std::string_view folder_with_slug(std::string_view path, std::string_view slug) {
  const auto wanted = slug_tokens(slug);
  const auto ignore_case = has_drive(path);
  if (!is_path_slug(slug) || !is_absolute_path(path)) return {};
  for (std::string_view folder = path; levels(folder) > 0; folder = parent_folder(folder)) {
    const auto tokens = slug_tokens(folder);
    if (std::equal(tokens.begin(), tokens.end(), wanted.begin(), wanted.end(),
                   [&](auto a, auto b) { return equal_tokens(a, b, ignore_case); }))
      return folder;
    if (tokens.size() < wanted.size()) break;
  }
  return {};
}

bool is_path_slug(std::string_view slug) {
  constexpr std::size_t kLongest = 84;  // longer ones are cut and end in a hash
  const bool number = slug.find_first_not_of("0123456789") == std::string_view::npos;
  return !number && slug != "empty-window" && slug.size() <= kLongest;
}

}  // namespace cgrep
