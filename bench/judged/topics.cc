// topics.txt, line by line.

#include "bench/judged/topics.h"

#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace cgrep::bench {
namespace {

std::optional<std::string_view> after(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  return line.substr(key.size());
}

/// Takes a line of a story; false when it is of another kind.
bool take(std::string_view line, Story& story) {
  if (const auto title = after(line, "title: ")) {
    story.title = *title;
  } else if (const auto summary = after(line, "summary: ")) {
    story.summary = *summary;
  } else if (const auto asked = after(line, "user: ")) {
    story.messages.push_back({.kind = Kind::user, .text = std::string(*asked)});
  } else if (const auto said = after(line, "agent: ")) {
    story.messages.push_back({.kind = Kind::assistant, .text = std::string(*said)});
  } else if (const auto call = after(line, "call: ")) {
    story.messages.push_back({.kind = Kind::tool, .text = std::string(*call), .tool = "Shell"});
  } else if (const auto out = after(line, "out: ")) {
    story.messages.push_back({.kind = Kind::result, .text = std::string(*out), .tool = "Shell"});
  } else {
    return false;
  }
  return true;
}

Question question(std::string_view line) {
  const auto bar = line.find(" | ");
  if (bar == std::string_view::npos)
    throw std::runtime_error("topics: no ' | ' in: " + std::string(line));
  return {.kind = std::string(line.substr(0, bar)), .text = std::string(line.substr(bar + 3))};
}

}  // namespace

std::vector<Topic> read_topics(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path.string() + ": cannot be read");
  std::vector<Topic> topics;
  Story* story = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (const auto project = after(line, "= ")) {
      topics.push_back({.project = "/home/mira/" + std::string(*project)});
      story = &topics.back().about;
      continue;
    }
    if (topics.empty()) throw std::runtime_error("topics: no project before: " + line);
    if (line == "~")
      story = &topics.back().beside;
    else if (const auto log = after(line, "log: "))
      topics.back().log = *log;
    else if (const auto asked = after(line, "? "))
      topics.back().questions.push_back(question(*asked));
    else if (!take(line, *story))
      throw std::runtime_error("topics: what is this: " + line);
  }
  return topics;
}

std::filesystem::path topics_path() {
  return CGREP_JUDGED_TOPICS;
}

}  // namespace cgrep::bench
