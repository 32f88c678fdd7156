#include "cli/history_home.h"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "extract/json.h"

namespace cgrep::test {

HistoryHome::HistoryHome() {
  std::filesystem::create_directories(home_.path() / ".cursor/projects");
}

void HistoryHome::conversation(const std::string& id, const std::vector<Message>& messages,
                               const std::string& slug) {
  std::string lines;
  for (const Message& message : messages) {
    std::string text = message.text;
    if (!message.time.empty())
      text = fmt::format("<timestamp>{}</timestamp>\n<user_query>\n{}\n</user_query>", message.time,
                         text);
    lines += fmt::format(R"({{"role":"{}","message":{{"content":[{{"type":"text","text":{}}}]}}}})"
                         "\n",
                         message.role, json_quote(text));
  }
  const auto path = home_.write(
      fmt::format(".cursor/projects/{}/agent-transcripts/{}/{}.jsonl", slug, id, id), lines);
  // A file that changed just now would be looked at again by the next update.
  const auto an_hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(path, an_hour_ago);
}

RunOptions HistoryHome::options() const {
  return {.environment = {{"HOME", home_.path().string()},
                          {"TZ", "UTC"},
                          {"TERM", "xterm-256color"},
                          {"LC_ALL", "C.UTF-8"}},
          .directory = home_.path().string()};
}

RunResult HistoryHome::cgrep(const std::vector<std::string>& words) {
  return run_cgrep(words, options());
}

RunResult HistoryHome::cgrep_on_terminal(const std::vector<std::string>& words) {
  auto on_terminal = options();
  on_terminal.terminal = true;
  return run_cgrep(words, on_terminal);
}

RunResult HistoryHome::shell(const std::string& line) {
  return run_shell(line, options());
}

StandardHome::StandardHome() {
  conversation(kLogin, {{"user", "there is a login bug\nin the session code",
                         "Saturday, Aug 1, 2026, 10:22 AM (UTC+0)"},
                        {"assistant", "The login bug comes from the session timeout."},
                        {"user", "fix the login", ""}});
  conversation(kDocker,
               {{"user", "docker build is slow", "Sunday, Aug 2, 2026, 9:00 AM (UTC+0)"},
                {"assistant", "Use a layer cache; docker keeps login state apart."}},
               "home-ada-gadget");
  conversation(kIndex, {{"user", "index out of range in [abc] --no-verify",
                         "Monday, Aug 3, 2026, 9:00 AM (UTC+0)"},
                        {"assistant", "The loop runs once too often."}});
}

}  // namespace cgrep::test
