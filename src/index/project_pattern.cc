// Patterns of projects: plain paths first, so that a folder named `[id]` can be typed as it is.
// SPDX-License-Identifier: MIT
#include "index/project_pattern.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "extract/paths.h"

namespace cgrep {
namespace {

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

bool is_or_is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_end_of(std::string_view end, std::string_view path) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool glob(const std::string& pattern, std::string_view text) {
  return fnmatch(pattern.c_str(), std::string(text).c_str(), FNM_PATHNAME) == 0;
}

bool is_glob(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

/// Where the last `count` components begin; npos if there are fewer.
std::size_t begin_of_last(std::string_view path, std::ptrdiff_t count) {
  std::size_t begin = path.size() + 1;
  for (; count > 0; --count) {
    if (begin < 2) return std::string_view::npos;
    begin = path.rfind('/', begin - 2) + 1;  // npos + 1 is 0: the first component
  }
  return begin;
}

bool glob_matches_end(const std::string& pattern, std::string_view path) {
  const auto components = 1 + std::ranges::count(pattern, '/');
  const std::size_t begin = begin_of_last(path, components);
  return begin != std::string_view::npos && glob(pattern, path.substr(begin));
}

/// The folder or one above it: as many components of the path as the pattern has.
bool glob_matches_beginning(const std::string& pattern, std::string_view path) {
  std::size_t end = 0;
  for (auto left = std::ranges::count(pattern, '/'); left > 0; --left) {
    if (end == std::string_view::npos || end == path.size()) return false;
    end = path.find('/', end + 1);
  }
  return glob(pattern, path.substr(0, end));
}

// Windows without a folder have slugs too: a fixed one, or the time when they were opened.
bool names_no_project(std::string_view slug) {
  return slug == "empty-window" ||
         std::all_of(slug.begin(), slug.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool project_matches(std::string_view pattern, std::string_view path, std::string_view slug) {
  if (pattern == "none") return path.empty() && names_no_project(slug);
  if (path_matches(pattern, path)) return true;
  if (pattern.empty() || pattern.find('/') != std::string_view::npos) return false;
  const std::string made =
      slug.empty() ? fmt::format("{}", fmt::join(slug_tokens(path), "-")) : std::string(slug);
  return pattern == made || (is_glob(pattern) && !made.empty() && glob(std::string(pattern), made));
}

bool path_matches(std::string_view pattern, std::string_view path) {
  path = without_trailing_slashes(path);
  if (pattern.empty()) return false;
  const bool absolute = pattern.starts_with('/');
  pattern = without_trailing_slashes(pattern);
  if (absolute && pattern.empty()) return !path.empty();  // the root

  if (absolute ? is_or_is_below(path, pattern) : is_end_of(pattern, path)) return true;
  if (!is_glob(pattern)) return false;
  const std::string text(pattern);
  return absolute ? glob_matches_beginning(text, path) : glob_matches_end(text, path);
}

}  // namespace cgrep
