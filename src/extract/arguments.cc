#include "extract/arguments.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "extract/clean.h"
#include "extract/paths.h"
#include "extract/tools.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

using simdjson::dom::element_type;

constexpr std::array<std::string_view, 20> kFileKeys = {"path",
                                                        "file",
                                                        "filePath",
                                                        "file_path",
                                                        "filename",
                                                        "targetFile",
                                                        "target_file",
                                                        "relativeWorkspacePath",
                                                        "effectiveUri",
                                                        "targetDirectory",
                                                        "target_directory",
                                                        "directory",
                                                        "paths",
                                                        "files",
                                                        "targetNotebook",
                                                        "target_notebook",
                                                        "notebook_path",
                                                        "absolutePath",
                                                        "relative_workspace_path",
                                                        "dir_path"};
// Folders that were looked into are in both lists; those that a command ran in are no files.
constexpr std::array<std::string_view, 8> kFolderKeys = {
    "cwd",       "working_directory", "workingDirectory",
    "workdir",   "targetDirectory",   "target_directory",
    "directory", "dir_path"};
constexpr std::array<std::string_view, 26> kOtherKeys = {
    "command",     "cmd",           "description",  "pattern",      "query",   "searchQuery",
    "search_term", "regex",         "globPattern",  "glob_pattern", "glob",    "old_string",
    "new_string",  "oldString",     "newString",    "contents",     "content", "patch",
    "prompt",      "subagent_type", "instructions", "explanation",  "url",     "offset",
    "limit",       "block_until_ms"};

// What a call is known by in all stores, whatever else they note of it; the best first.
constexpr std::array<std::string_view, 13> kMainKeys = {
    "command",     "cmd",          "pattern", "query",  "searchQuery", "search_term", "regex",
    "globPattern", "glob_pattern", "url",     "prompt", "question",    "plan"};

template <typename Keys>
bool is_one_of(std::string_view key, const Keys& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool is_binary_key(std::string_view key) {
  if (key == "signature" || key == "toolCallBinary" || key == "encrypted_content") return true;
  std::string lower(key);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("base64") != std::string::npos;
}

// `data:image/png;base64,…`: the media type holds a slash and no blank.
bool is_data_uri(std::string_view text) {
  constexpr std::size_t kLongestType = 200;
  if (!text.starts_with("data:")) return false;
  const auto comma = text.substr(0, kLongestType).find(',');
  const auto type = text.substr(0, comma);
  return comma != std::string_view::npos && type.find('/') != std::string_view::npos &&
         type.find(' ') == std::string_view::npos;
}

// Few calls touch more, and each is compared with all before it. The text has the others, too.
constexpr std::size_t kMaxPaths = 1000;

void add_once(std::vector<std::string>& paths, std::string path) {
  if (!path.empty() && paths.size() < kMaxPaths &&
      std::find(paths.begin(), paths.end(), path) == paths.end())
    paths.push_back(std::move(path));
}

// `*** Update File: src/a.c` and its like.
void add_patched_files(std::string_view patch, std::vector<std::string>& files) {
  constexpr std::array<std::string_view, 4> kHeads = {
      "*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "};
  for (std::size_t begin = patch.find("*** "); begin != std::string_view::npos;
       begin = patch.find("\n*** ", begin)) {
    if (patch[begin] == '\n') ++begin;
    const auto line = patch.substr(begin, patch.find('\n', begin) - begin);
    for (const auto head : kHeads)
      if (line.starts_with(head)) add_once(files, std::string(trimmed(line.substr(head.size()))));
  }
}

class Flattener {
 public:
  void walk(std::string_view key, JsonElement value) {
    switch (value.type()) {
      case element_type::OBJECT:
        for (const auto& [name, item] : value.get_object())
          if (!is_binary_key(name)) walk(name, item);
        break;
      case element_type::ARRAY:
        for (const JsonElement item : value.get_array()) walk(key, item);
        break;
      case element_type::STRING:
        string(key, value.get_string().value());
        break;
      case element_type::INT64:
        line(key, fmt::to_string(value.get_int64().value()));
        break;
      case element_type::UINT64:
        line(key, fmt::to_string(value.get_uint64().value()));
        break;
      case element_type::DOUBLE:
        line(key, fmt::to_string(value.get_double().value()));
        break;
      case element_type::BOOL:
        line(key, value.get_bool().value() ? "true" : "false");
        break;
      case element_type::NULL_VALUE:
        break;
    }
  }

  void string(std::string_view key, std::string_view value) {
    if (is_data_uri(value)) return;
    if (is_one_of(key, kFileKeys)) add_once(result_.files, path_of_uri(value));
    if (is_one_of(key, kFolderKeys)) add_once(result_.folders, path_of_uri(value));
    if (value.find("*** Begin Patch") != value.npos) add_patched_files(value, result_.files);
    result_.strings.add(value);
    note_main(key, value);
    line(key, value);
  }

  // A line that goes on the one before it.
  void continuation(std::string_view value) { line({}, value); }

  Arguments take() { return std::move(result_); }

 private:
  void line(std::string_view key, std::string_view value) {
    auto& text = result_.text;
    if (!text.empty()) append_fitting(text, "\n");
    if (!key.empty()) append_fitting(text, key);
    if (!key.empty()) append_fitting(text, ": ");
    append_fitting(text, value);
  }

  void note_main(std::string_view key, std::string_view value) {
    const auto rank = static_cast<std::size_t>(std::find(kMainKeys.begin(), kMainKeys.end(), key) -
                                               kMainKeys.begin());
    if (rank >= main_rank_) return;
    main_rank_ = rank;
    result_.main = fitting(value);
  }

  Arguments result_{};
  std::size_t main_rank_ = kMainKeys.size();
};

// The key of a `key=value` line; empty when it is none. In the middle of a value any line may look
// like one, so there only keys that tools have count.
std::string_view key_of_line(std::string_view line, bool first) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos || equals == 0) return {};
  const auto key = line.substr(0, equals);
  const bool word = std::all_of(key.begin(), key.end(),
                                [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (!word) return {};
  const bool known =
      is_one_of(key, kFileKeys) || is_one_of(key, kFolderKeys) || is_one_of(key, kOtherKeys);
  return first || known ? key : std::string_view();
}

}  // namespace

void StringList::add(std::string_view string) {
  if (lines_.size() > kMaxTextBytes) return;
  if (!lines_.empty()) lines_ += '\n';
  append_fitting(lines_, string);
  ends_.push_back(static_cast<std::uint32_t>(lines_.size()));
}

std::vector<std::string_view> StringList::strings() const {
  std::vector<std::string_view> all;
  all.reserve(ends_.size());
  std::size_t begin = 0;
  for (const auto end : ends_) {
    all.push_back(std::string_view(lines_).substr(begin, end - begin));
    begin = std::min<std::size_t>(end + std::size_t{end > 0}, lines_.size());
  }
  return all;
}

Arguments flattened(JsonElement value) {
  Flattener flattener;
  flattener.walk({}, value);
  return flattener.take();
}

Arguments flattened_text(std::string_view text) {
  Flattener flattener;
  if (text.starts_with("*** Begin Patch") || text.starts_with("@@") ||
      key_of_line(text.substr(0, text.find('\n')), true).empty()) {
    flattener.string({}, text);
    return flattener.take();
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = text.substr(begin, end - begin);
    const auto key = key_of_line(line, begin == 0);
    if (key.empty())
      flattener.continuation(line);
    else
      flattener.string(key, line.substr(key.size() + 1));
    begin = end + 1;
  }
  return flattener.take();
}

std::string flattened_result(JsonElement value) {
  const auto result = flattened(value);
  return result.strings.lines().empty() ? result.text : result.strings.lines();
}

std::string alike_call(std::string_view tool, const Arguments& arguments) {
  std::string alike(normalised_tool(tool));
  if (!arguments.main.empty()) return alike.append("\n").append(arguments.main);
  auto strings = arguments.strings.strings();
  std::sort(strings.begin(), strings.end());
  for (const auto string : strings) alike.append("\n").append(string);
  return alike;
}

}  // namespace cgrep
