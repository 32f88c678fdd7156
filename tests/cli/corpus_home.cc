#include "cli/corpus_home.h"

#include "corpus/make_home.h"

namespace cgrep::test {

void CorpusHome::make(const std::filesystem::path& folder) {
  corpus::make_home(std::filesystem::path(CGREP_CORPUS) / folder, home());
}

std::vector<std::string> CorpusHome::placed(std::vector<std::string> words) const {
  words.insert(words.end(),
               {"--root", home().string(), "--index", (dir_.path() / "index").string()});
  return words;
}

RunResult CorpusHome::cgrep(const std::vector<std::string>& words) {
  return run_cgrep(placed(words), {.environment = {{"TZ", "UTC"}, {"LC_ALL", "C.UTF-8"}}});
}

RunResult CorpusHome::cgrep_on_terminal(const std::vector<std::string>& words) {
  return run_cgrep(
      placed(words),
      {.environment = {{"TZ", "UTC"}, {"TERM", "xterm"}, {"NO_COLOR", "1"}}, .terminal = true});
}

CorpusHome::Lines CorpusHome::lines(const std::vector<std::string>& words) {
  return lines_of(cgrep(words).out);
}

std::vector<Json> CorpusHome::events(const std::vector<std::string>& words,
                                     const std::string& type) {
  std::vector<Json> found;
  for (const auto& line : lines(words)) {
    const auto event = Json::parse(line);
    EXPECT_TRUE(event) << line;
    if (event && event->text("type") == type) found.push_back(*event->find("data"));
  }
  return found;
}

Json CorpusHome::with(const std::vector<Json>& events, const std::string& member,
                      const std::string& value) {
  for (const auto& event : events)
    if (event.text(member) == value) return event;
  return {};
}

std::vector<std::string> strings(const Json* array) {
  std::vector<std::string> found;
  if (array == nullptr || array->array() == nullptr) return found;
  for (const auto& item : *array->array())
    if (const auto* string = item.string()) found.push_back(*string);
  return found;
}

}  // namespace cgrep::test
