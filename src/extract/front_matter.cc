#include "extract/front_matter.h"

#include <algorithm>
#include <utility>

#include "extract/json.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kFence = "---";
// A longer block is none: a text may begin with a line of dashes.
constexpr std::size_t kLongest = 1u << 20;
// How far a quoted value may go on; else a quote that never ends would be looked for again and
// again.
constexpr int kMostLines = 100;

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool is_fence(std::string_view line) {
  return line.starts_with(kFence) && trimmed(line) == kFence;
}

// Takes the first line off, without its end.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  auto line = text.substr(0, end);
  text.remove_prefix(end == npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Where `key:` ends; npos when the line begins with no key.
std::size_t end_of_key(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == npos || colon == 0) return npos;
  if (colon + 1 < line.size() && line[colon + 1] != ' ' && line[colon + 1] != '\t') return npos;
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), is_part)
             ? colon
             : npos;
}

// `|`, `>-`, `|2+` …
bool is_block_scalar(std::string_view value) {
  return !value.empty() && (value[0] == '|' || value[0] == '>') &&
         value.find_first_not_of("+-0123456789", 1) == npos;
}

// Whether the quote that a value begins with is closed at its end.
bool is_closed(std::string_view value) {
  const char quote = value.front();
  if (value.size() < 2 || value.back() != quote) return false;
  std::size_t escapes = 0;
  while (quote == '"' && value[value.size() - 2 - escapes] == '\\') ++escapes;
  return escapes % 2 == 0;
}

bool is_quoted(std::string_view value) {
  return value.starts_with('"') || value.starts_with('\'');
}

std::string without_quotes(std::string_view value) {
  if (!is_quoted(value) || !is_closed(value)) return std::string(value);
  const auto inside = value.substr(1, value.size() - 2);
  if (value.front() == '"') {
    // The escapes are those of JSON; what is none stays as it is.
    const auto json = Json::parse(value);
    return json && json->string() != nullptr ? *json->string() : std::string(inside);
  }
  std::string text;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    text += inside[i];
    if (inside[i] == '\'' && i + 1 < inside.size() && inside[i + 1] == '\'') ++i;
  }
  return text;
}

class Parser {
 public:
  explicit Parser(std::string_view block) : rest_(block) {}

  std::vector<HeaderField> fields() {
    while (!rest_.empty()) {
      const auto line = take_line(rest_);
      if (!trimmed(line).empty()) read_line(line);
    }
    return std::move(fields_);
  }

 private:
  void read_line(std::string_view line) {
    HeaderField field{.indent = indent_of(line)};
    auto text = trimmed(line);
    if (text.starts_with("- ")) {
      field.item = true;
      field.indent += 2;
      text = trimmed(text.substr(2));
    }
    const auto key = end_of_key(text);
    if (key == npos && !field.item) return go_on(text);
    if (key != npos) {
      field.key = text.substr(0, key);
      text = trimmed(text.substr(key + 1));
    }
    field.value = value_of(text, field.indent);
    fields_.push_back(std::move(field));
  }

  // A plain text may go on in the next line.
  void go_on(std::string_view text) {
    if (fields_.empty() || text.starts_with('#')) return;
    auto& value = fields_.back().value;
    if (!value.empty()) value += ' ';
    value += text;
  }

  std::string value_of(std::string_view text, std::size_t indent) {
    if (is_block_scalar(text)) return block_scalar(text.front() == '>', indent);
    if (!is_quoted(text) || is_closed(text)) return without_quotes(text);
    std::string value(text);
    auto rest = rest_;
    for (int lines = 0; lines < kMostLines && !rest.empty() && !is_closed(value); ++lines)
      value += ' ' + std::string(trimmed(take_line(rest)));
    if (!is_closed(value)) return std::string(text);
    rest_ = rest;
    return without_quotes(value);
  }

  // The lines that are indented more than the key.
  std::string block_scalar(bool folded, std::size_t indent) {
    std::string value;
    std::size_t inner = 0;
    while (!rest_.empty()) {
      auto rest = rest_;
      const auto line = take_line(rest);
      const bool blank = trimmed(line).empty();
      if (!blank && indent_of(line) <= indent) break;
      if (!blank && inner == 0) inner = indent_of(line);
      rest_ = rest;
      add_to_scalar(value, blank ? "" : line.substr(std::min(inner, indent_of(line))), folded);
    }
    return std::string(trimmed(value));
  }

  // Folded lines are one; a blank line between them is a line end.
  static void add_to_scalar(std::string& value, std::string_view line, bool folded) {
    const bool ends_line = folded ? line.empty() : !value.empty();
    const bool goes_on = folded && !value.empty() && value.back() != '\n';
    if (ends_line)
      value += '\n';
    else if (goes_on)
      value += ' ';
    value += line;
  }

  std::string_view rest_;
  std::vector<HeaderField> fields_{};
};

}  // namespace

std::string_view FrontMatter::value(std::string_view key) const {
  for (const auto& field : fields)
    if (field.indent == 0 && !field.item && field.key == key) return field.value;
  return {};
}

std::vector<HeaderField> parse_fields(std::string_view block) {
  return Parser(block).fields();
}

FrontMatter parse_front_matter(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  FrontMatter result{.body = text};
  auto rest = text;
  if (!is_fence(take_line(rest))) return result;
  const auto block = rest;
  while (!rest.empty() && block.size() - rest.size() < kLongest) {
    const auto length = block.size() - rest.size();
    if (!is_fence(take_line(rest))) continue;
    result.fields = parse_fields(block.substr(0, length));
    result.body = rest;
    break;
  }
  return result;
}

}  // namespace cgrep
