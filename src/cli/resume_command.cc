// cgrep resume: the agent's own command to go on with a conversation.
//
// cursor-agent keeps what it can go on with in chats/<hash of the folder>/<id>, and finds it from
// that folder only; so the command goes there first. The IDE has no command that opens a
// conversation: the nearest thing is to open its project.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/display.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/refresh.h"
#include "index/history.h"
#include "index/overview.h"
#include "query/searcher.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAgent = "cursor-agent";
constexpr const char* kEditor = "cursor";

struct Options {
  bool execute = false;
  RefreshOptions refresh{};
  PlaceOptions places{};
};

// What agents call a conversation: 8-4-4-4-12 hexadecimal digits.
bool is_uuid(std::string_view key) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return key.size() == kForm.size() &&
         std::equal(key.begin(), key.end(), kForm.begin(), [](unsigned char c, char form) {
           return form == '-' ? c == '-' : std::isxdigit(c) != 0;
         });
}

bool kept_by_agent(const Roots& roots, const std::string& key) {
  const auto in = [&](const fs::path& root) {
    std::error_code error;
    for (fs::directory_iterator at(root / "chats", error), end; !error && at != end;
         at.increment(error))
      if (fs::exists(at->path() / key, error)) return true;
    return false;
  };
  return std::any_of(roots.data.begin(), roots.data.end(), in) ||
         std::any_of(roots.config.begin(), roots.config.end(), in);
}

bool kept_for_an_editor(const Roots& roots, const std::string& key) {
  return std::any_of(roots.data.begin(), roots.data.end(), [&](const fs::path& root) {
    std::error_code error;
    return fs::exists(root / "acp-sessions" / key, error);
  });
}

bool all_gone(History& history, const Conversation& conversation) {
  bool any_left = false;
  history.for_each_document(conversation.row, [&](const StoredDocument& document) {
    any_left = !document.gone;
    return !any_left;
  });
  return !any_left;
}

std::string export_hint(const Conversation& conversation) {
  return fmt::format("cgrep export {0} -o {0}.md, and give the file to a new conversation",
                     conversation.address);
}

// What to run, and where.
struct Plan {
  std::vector<std::string> words{};
  fs::path folder{};  // empty: anywhere
  std::string note{};
};

// The IDE's conversations cannot be named on a command line.
Plan editor_plan(const Conversation& conversation, bool execute) {
  const std::string in_history =
      fmt::format("choose '{}' in the history of its chats",
                  conversation.title.empty() ? conversation.key : conversation.title);
  const bool has_project = conversation.project.starts_with('/');
  if (execute || !has_project)
    throw Error(
        fmt::format("{} belongs to Cursor's IDE, which has no command that opens it",
                    conversation.address),
        has_project
            ? fmt::format("{} opens its project; there, {}",
                          shell_quoted(std::vector<std::string>{kEditor, conversation.project}),
                          in_history)
            : fmt::format("open Cursor and {}", in_history));
  return {.words = {kEditor, conversation.project},
          .note = fmt::format("this opens its project only; there, {}", in_history)};
}

Plan agent_plan(const Conversation& conversation) {
  Plan plan{.words = {kAgent, "--resume=" + conversation.key}};
  if (conversation.project.starts_with('/'))
    plan.folder = conversation.project;
  else
    plan.note = "its project is not known; run it in the folder where it was started";
  return plan;
}

Plan plan_for(History& history, const Conversation& conversation, const Roots& roots,
              bool execute) {
  if (!conversation.parent.empty())
    throw Error(
        fmt::format("{} was {} and cannot go on by itself", conversation.address,
                    is_subagent(conversation) ? "started by an agent" : "made in a conversation"),
        fmt::format("cgrep resume {}", conversation.parent));
  if (!is_uuid(conversation.key))
    throw Error(fmt::format("{} is no conversation, but what one file holds", conversation.address),
                fmt::format("cgrep show {}", conversation.address));
  if (kept_by_agent(roots, conversation.key)) return agent_plan(conversation);
  if (kept_for_an_editor(roots, conversation.key))
    throw Error(fmt::format("{} was held in another editor, and only that one can go on with it",
                            conversation.address),
                export_hint(conversation));
  if (conversation.surface == "cli" || all_gone(history, conversation))
    throw Error(fmt::format("{} is gone from Cursor; only its text is left", conversation.address),
                export_hint(conversation));
  if (conversation.surface == "ide") return editor_plan(conversation, execute);
  throw Error(fmt::format("of {} only a transcript is here: neither {} nor the IDE of this machine "
                          "has it",
                          conversation.address, kAgent),
              export_hint(conversation));
}

bool is_current(const fs::path& folder) {
  std::error_code error;
  return fs::equivalent(folder, ".", error);
}

std::string command_of(const Plan& plan) {
  std::string command = shell_quoted(plan.words);
  if (plan.folder.empty() || is_current(plan.folder)) return command;
  return fmt::format("cd {} && {}", shell_quoted(std::vector{plan.folder.string()}), command);
}

[[noreturn]] void execute(const Plan& plan) {
  if (!plan.folder.empty() && chdir(plan.folder.c_str()) != 0)
    throw Error(
        fmt::format("cannot go to its project {}: {}", plan.folder.string(), std::strerror(errno)),
        command_of(plan));
  std::vector<char*> words;
  for (const std::string& word : plan.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);  // what main() ignores would be ignored by the agent as well
  execvp(words.front(), words.data());
  const int failed = errno;
  std::signal(SIGPIPE, SIG_IGN);
  throw Error(fmt::format("cannot run {}: {}", plan.words.front(), std::strerror(failed)),
              failed == ENOENT ? "install Cursor's command line, or add its folder to PATH" : "");
}

Plan make_plan(const Options& options, const Context& context) {
  const auto addresses = addresses_of(context, "resume");
  if (addresses.size() > 1)
    throw Error("resume takes one address",
                fmt::format("cgrep resume {}", context.operands.front()));
  const Places places = find_places(options.places, context.environment, context.settings);
  refresh_index(places, options.refresh, {});
  History history(places.index, History::Mode::read);
  const auto conversation = Searcher(history).find_conversation(addresses.front());
  return plan_for(history, conversation, places.roots, options.execute);
}

ExitCode resume(const Options& options, Context& context) {
  const Plan plan = make_plan(options, context);
  if (options.execute) {
    if (options.places.root || context.environment("CGREP_ROOT"))
      throw Error("--exec is for the history of this machine, not for a copy",
                  "without --exec the command is printed");
    execute(plan);
  }
  const std::string command = command_of(plan);
  context.out.print("{}\n", isatty(STDOUT_FILENO) == 1 ? visible(command) : command);
  context.out.flush();
  if (!plan.note.empty()) warn(plan.note);
  std::error_code error;
  if (!plan.folder.empty() && !fs::exists(plan.folder, error))
    warn(fmt::format("its project {} is not there", plan.folder.string()));
  return ExitCode::ok;
}

}  // namespace

Action declare_resume(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Output");
  table.add_flag("--exec", options->execute, "Run the command instead of printing it");
  declare_refresh(table, options->refresh);
  declare_places(table, options->places);
  return [options](Context& context) { return resume(*options, context); };
}

}  // namespace cgrep
