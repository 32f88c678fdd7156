#include "extract/clean.h"

#include <algorithm>
#include <array>

#include "extract/paths.h"
#include "extract/times.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view kOpenQuery = "<user_query>";
constexpr std::string_view kCloseQuery = "</user_query>";
constexpr std::string_view kRedacted = "[REDACTED]";

// Wrappers of context. A text that begins with one, and has no <user_query>, is not the user's.
constexpr std::array<std::string_view, 12> kContexts = {"user_info",
                                                        "project_layout",
                                                        "git_status",
                                                        "open_and_recently_viewed_files",
                                                        "system_reminder",
                                                        "attached_files",
                                                        "code_selection",
                                                        "rules",
                                                        "agent_skills",
                                                        "mcp_file_system",
                                                        "manually_attached_skills",
                                                        "external_links"};

struct Span {
  std::size_t begin = npos;  // of the content
  std::size_t end = npos;
};

std::string_view inside(std::string_view text, Span span) {
  return text.substr(span.begin, span.end - span.begin);
}

// Where the element and its tags begin and end, and its content. An unclosed one runs to the end.
struct Element {
  Span outer{};
  Span inner{};
  bool closed = false;
};

std::optional<Element> find_element(std::string_view text, std::string_view name,
                                    std::size_t from = 0) {
  const std::string open = "<" + std::string(name) + ">";
  const std::string close = "</" + std::string(name) + ">";
  const auto begin = text.find(open, from);
  if (begin == npos) return std::nullopt;
  const auto content = begin + open.size();
  const auto end = text.find(close, content);
  if (end == npos) return Element{{begin, text.size()}, {content, text.size()}, false};
  return Element{{begin, end + close.size()}, {content, end}, true};
}

bool at_line_start(std::string_view text, std::size_t position) {
  const auto before = text.substr(0, position);
  const auto last = before.find_last_not_of(" \t");
  return last == npos || before[last] == '\n';
}

// The contents of all <user_query>, in order.
std::vector<Span> find_queries(std::string_view text) {
  std::vector<std::size_t> at_start;
  for (auto begin = text.find(kOpenQuery); begin != npos; begin = text.find(kOpenQuery, begin + 1))
    if (at_line_start(text, begin)) at_start.push_back(begin);
  if (at_start.size() == 1) {  // all others are part of what the user wrote
    const auto begin = at_start.front() + kOpenQuery.size();
    const auto end = text.rfind(kCloseQuery);
    return {{begin, end == npos || end < begin ? text.size() : end}};
  }
  std::vector<Span> queries;
  for (auto element = find_element(text, "user_query"); element;
       element = find_element(text, "user_query", element->outer.end))
    queries.push_back(element->inner);
  return queries;
}

// The text without the closed elements of this name that begin before `limit`, in `rest` if there
// are any; calls visit(content) for each. In one pass: what comes from outside may hold a million
// of them.
template <typename Visit>
std::string_view without_elements(std::string_view text, std::string_view name, std::size_t limit,
                                  std::string& rest, const Visit& visit) {
  std::size_t done = 0;
  for (auto element = find_element(text, name);
       element && element->closed && element->outer.begin < limit;
       element = find_element(text, name, done)) {
    visit(inside(text, element->inner));
    rest += text.substr(done, element->outer.begin - done);
    done = element->outer.end;
  }
  if (done == 0) return text;
  return rest += text.substr(done);
}

std::string_view without_timestamps(std::string_view text, std::size_t limit, std::string& rest,
                                    std::optional<std::int64_t>& time) {
  return without_elements(text, "timestamp", limit, rest, [&](std::string_view content) {
    if (!time) time = parse_tag_time(content);
  });
}

bool begins_with_context(std::string_view text) {
  text = trimmed(text);
  if (!text.starts_with('<')) return false;
  const auto name = text.substr(1, text.find_first_of("> \t\n") - 1);
  return std::find(kContexts.begin(), kContexts.end(), name) != kContexts.end() &&
         text.find("</" + std::string(name) + ">") != npos;
}

// The rest of the first line that starts with `prefix`.
std::string_view line_after(std::string_view text, std::string_view prefix) {
  for (auto at = text.find(prefix); at != npos; at = text.find(prefix, at + 1))
    if (at_line_start(text, at)) {
      const auto begin = at + prefix.size();
      return trimmed(text.substr(begin, text.find('\n', begin) - begin));
    }
  return {};
}

// `1. /tmp/shot.png` and the like; what else is said about the images is not the user's.
std::string_view listed_path(std::string_view line) {
  line = trimmed(line);
  const auto digits = line.find_first_not_of("0123456789");
  if (digits != npos && digits > 0 && line.substr(digits).starts_with(". "))
    line = trimmed(line.substr(digits + 2));
  else if (line.starts_with("- ") || line.starts_with("* "))
    line = trimmed(line.substr(2));
  const bool relative = line.find('/') != npos && line.find(' ') == npos;
  return is_absolute_path(line) || relative ? line : std::string_view();
}

void add_images(std::string_view block, std::vector<std::string>& images) {
  for (std::size_t begin = 0; begin < block.size();) {
    const auto end = std::min(block.find('\n', begin), block.size());
    const auto path = listed_path(block.substr(begin, end - begin));
    if (!path.empty()) images.emplace_back(path);
    begin = end + 1;
  }
}

std::string_view without_images(std::string_view text, std::string& rest,
                                std::vector<std::string>& images) {
  return without_elements(text, "image_files", text.size(), rest,
                          [&](std::string_view content) { add_images(content, images); });
}

void note_context(std::string_view context, UserText& result) {
  result.workspace = line_after(context, "Workspace Path:");
  result.day = parse_day(line_after(context, "Today's date:"));
}

void append_part(std::string& text, std::string_view part) {
  part = trimmed(part);
  if (part.empty()) return;
  if (!text.empty()) text += '\n';
  append_fitting(text, part);
}

UserText with_queries(std::string_view text, const std::vector<Span>& queries) {
  UserText result;
  std::string around;
  std::size_t begin = 0;
  for (const Span query : queries) {
    append_part(around, text.substr(begin, query.begin - begin));
    append_part(result.text, inside(text, query));
    begin = query.end;
  }
  append_part(around, text.substr(begin));
  std::string rest;
  note_context(without_images(around, rest, result.images), result);
  return result;
}

// Whether the mark at `at` has its line for itself.
bool is_alone(std::string_view text, std::size_t at) {
  return at_line_start(text, at) && is_redacted(text.substr(at, text.find('\n', at) - at));
}

}  // namespace

UserText clean_user(std::string_view raw) {
  std::optional<std::int64_t> time;
  const auto query = raw.find(kOpenQuery);
  const bool leading = trimmed(raw).starts_with("<timestamp>");
  const auto limit = query != npos ? query : (leading ? raw.find('<') + 1 : 0);
  std::string untimed;
  std::string rest;
  const auto text = without_timestamps(raw, limit, untimed, time);

  UserText result;
  if (const auto queries = find_queries(text); !queries.empty()) {
    result = with_queries(text, queries);
  } else if (begins_with_context(text)) {
    result.text = fitting(trimmed(without_timestamps(text, text.size(), rest, time)));
    result.injected = true;
    note_context(text, result);
  } else {
    result.text = fitting(trimmed(without_images(text, rest, result.images)));
  }
  for (const auto& image : result.images) append_part(result.text, image);
  result.time = time;
  return result;
}

std::string clean_reply(std::string_view raw) {
  raw = trimmed(raw);
  if (raw.find(kRedacted) == npos) return std::string(trimmed(fitting(raw)));
  std::string text;
  std::size_t done = 0;
  for (auto at = raw.find(kRedacted); at != npos; at = raw.find(kRedacted, done)) {
    append_fitting(text, raw.substr(done, at - done));
    done = at + kRedacted.size();
    if (!is_alone(raw, at)) continue;
    done = std::min(raw.find_first_not_of(" \t\r\n", done), raw.size());
    text.resize(text.find_last_not_of(" \t\r\n") + 1);
    if (!text.empty()) text += "\n\n";
  }
  append_fitting(text, raw.substr(done));
  return std::string(trimmed(text));
}

bool is_redacted(std::string_view text) {
  return trimmed(text) == kRedacted;
}

}  // namespace cgrep
