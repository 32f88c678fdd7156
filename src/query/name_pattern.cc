#include "query/name_pattern.h"

#include <string>

#include <fnmatch.h>

#include "index/project_pattern.h"
#include "index/words.h"

namespace cgrep {

namespace {

bool is_glob(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool glob(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool parts(char c) {
  return std::string_view("-./_ :").find(c) != std::string_view::npos;
}

bool has_part(std::string_view value, std::string_view part) {
  for (auto at = value.find(part); at != std::string_view::npos; at = value.find(part, at + 1)) {
    const auto end = at + part.size();
    if ((at == 0 || parts(value[at - 1])) && (end == value.size() || parts(value[end])))
      return true;
  }
  return false;
}

}  // namespace

bool name_matches(std::string_view pattern, std::string_view value) {
  if (value.empty() || pattern.empty()) return value.empty() && pattern == "none";
  const auto wanted = fold(pattern);
  const auto folded = fold(value);
  if (has_part(folded, wanted)) return true;
  return is_glob(wanted) && glob(wanted, folded);
}

bool file_matches(std::string_view pattern, std::string_view path) {
  if (path.empty() || pattern.empty()) return false;
  if (pattern.find("**") == std::string_view::npos)
    return pattern != "none" && path_matches(pattern, path);
  const std::string text(pattern);
  const std::string file(path);
  return glob(text, file) || glob("*/" + text, file);
}

}  // namespace cgrep
