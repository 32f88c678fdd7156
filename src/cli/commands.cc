#include "cli/commands.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "cli/config.h"
#include "cli/help.h"
#include "cli/json_schema.h"
#include "cli/option_parser.h"
#include "cli/options.h"

namespace cgrep {
namespace {

constexpr auto kSearchExamples = std::to_array<Example>({
    {"cgrep auth bug", "both words in any form, best first"},
    {"cgrep '\"no verify\" OR hook*'", "a phrase, or words with that beginning"},
    {"cgrep -p widget --since 2w timeout", "in one project, the last two weeks"},
    {"cgrep --role user --sort newest docker", "what you asked, newest first"},
    {"cgrep -- --no-verify", "words that look like an option"},
});
constexpr auto kShowExamples = std::to_array<Example>({
    {"cgrep show 3f2a9c1e", "a whole conversation"},
    {"cgrep show 3f2a9c1e:10-20", "a part of it"},
    {"cgrep show --turn 3f2a9c1e:9", "the question that led to it, and its whole answer"},
    {"cgrep show --tools none 3f2a9c1e", "what was said, without what was done"},
});
constexpr auto kExportExamples = std::to_array<Example>({
    {"cgrep export 3f2a9c1e", "a conversation as Markdown"},
    {"cgrep export 3f2a9c1e --format html > race.html", "one page, to send or to print"},
    {"cgrep export --query 'auth bug' --since 2w --format json", "all that answers, for programs"},
});
constexpr auto kResumeExamples = std::to_array<Example>({
    {"cgrep resume 3f2a9c1e", "the command that goes on with it"},
    {"eval \"$(cgrep resume 3f2a9c1e)\"", "go on with it, and stay in its project; or --exec"},
});
constexpr auto kLogExamples = std::to_array<Example>({
    {"cgrep log --here --since 2w", "what was talked about in this project lately"},
    {"cgrep log docker --role user", "conversations in which you asked about docker"},
    {"cgrep log -l -p none | xargs cgrep show", "all that no project claims"},
    {"cgrep log | cut -f 1,4", "addresses and titles; columns are parted by tabs"},
});
constexpr auto kStatsExamples = std::to_array<Example>({
    {"cgrep stats", "by project, store, role, month and model"},
    {"cgrep stats --here --since 6mo --by month,tool", "other tables, of this project"},
});
constexpr auto kStatusExamples = std::to_array<Example>({
    {"cgrep status", "how much is indexed, and whether it is up to date"},
});
constexpr auto kFieldsExamples = std::to_array<Example>({
    {"cgrep fields", "what can stand before a colon in a pattern"},
});
constexpr auto kIndexExamples = std::to_array<Example>({
    {"cgrep index", "read what is new; a search does so by itself"},
    {"cgrep index --full", "also look for changes where nothing seems to have changed"},
    {"cgrep index --rebuild", "make it anew, if something is wrong with it"},
});
constexpr auto kStoresExamples = std::to_array<Example>({
    {"cgrep stores", "what there is, what of it is indexed, and what is newer than that"},
});
constexpr auto kDoctorExamples = std::to_array<Example>({
    {"cgrep doctor", "what could not be read or is not understood"},
});
constexpr auto kForgetExamples = std::to_array<Example>({
    {"cgrep forget 3f2a9c1e", "a conversation, for good, and all that is added to it later"},
    {"cgrep forget 3f2a9c1e:17 3f2a9c1e:20-25", "some documents of it"},
    {"cgrep forget --query 'project:widget password'", "all that a search finds"},
    {"cgrep forget --gone --dry-run", "see what Cursor no longer has"},
    {"cgrep forget --store chats", "a store; cgrep index --store chats brings it back"},
});
constexpr auto kHookExamples = std::to_array<Example>({
    {"cgrep hook install cursor", "what Cursor's agent said is indexed when it ends its turn"},
    {"cgrep hook install bash", "the index is looked after at each prompt"},
    {"eval \"$(cgrep hook print zsh)\"", "the same, in an rc file of your own making"},
    {"cgrep hook status", "what is installed where"},
    {"cgrep hook uninstall cursor", "as if it had never been there"},
});
constexpr auto kCompletionExamples = std::to_array<Example>({
    {"cgrep completion bash > ~/.local/share/bash-completion/completions/cgrep", ""},
    {"cgrep completion fish > ~/.config/fish/completions/cgrep.fish", ""},
});

constexpr auto kCommands = std::to_array<Command>({
    {"search", "PATTERN...", "Find conversations; the name of this command may be left out",
     kSearchExamples, declare_search},
    {"show", "ADDRESS...", "Print a conversation, a document or a range of documents",
     kShowExamples, declare_show},
    {"log", "[PATTERN...]", "List conversations, newest first", kLogExamples, declare_log},
    {"export", "[ADDRESS...]", "Write conversations as Markdown, HTML or JSON", kExportExamples,
     declare_export},
    {"resume", "ADDRESS", "Print the command with which the agent goes on with a conversation",
     kResumeExamples, declare_resume},
    {"index", "[PATH...]", "Bring the index up to date, or only what lies under PATH",
     kIndexExamples, declare_index},
    {"stores", "", "List the stores: what exists where, what is indexed, what is newer",
     kStoresExamples, declare_stores},
    {"stats", "", "Count what there is, by project, store, role, month, model", kStatsExamples,
     declare_stats},
    {"status", "", "Say in one line what is indexed and whether it is up to date", kStatusExamples,
     declare_status},
    {"fields", "", "List the fields that a pattern can ask for", kFieldsExamples, declare_fields},
    {"doctor", "", "Say what is damaged, unknown or not read, and what to do", kDoctorExamples,
     declare_doctor},
    {"forget", "[ADDRESS...]", "Remove documents from the index, and keep them out",
     kForgetExamples, declare_forget},
    {"hook", "print|install|uninstall|status|run [HOOK...]",
     "Have the index kept fresh by Cursor or a shell", kHookExamples, declare_hook},
    {"completion", "bash|zsh|fish", "Print a completion script for a shell", kCompletionExamples,
     declare_completion},
    {"help", "[COMMAND]", "Explain a command", {}, declare_help},
});

DeclaredCommand declare(const Command& command) {
  DeclaredCommand declared{.command = &command, .options = OptionTable(command.name)};
  OptionTable& table = declared.options;
  declared.run = command.declare(table);
  if (const Option* color = table.find("--color")) {
    declared.pager = std::make_unique<PagerWhen>(PagerWhen::never);
    table.group(color->group);
    declare_pager(table, *declared.pager);
  }
  table.group(kHelpGroup);
  if (table.find("--json") != nullptr)
    table.add_flag("--json-schema", "Print the JSON Schema of --json");
  table.add_flag("-h,--help", "Explain this command");
  table.add_flag("--version", "Print the version");
  return declared;
}

// Commands without, such as help, work whatever the config says.
bool has_own_options(const OptionTable& table) {
  return std::any_of(table.begin(), table.end(),
                     [](const Option& option) { return option.group != kHelpGroup; });
}

const Command* command_named(const std::string& word) {
  const auto named = std::find_if(kCommands.begin(), kCommands.end(),
                                  [&](const Command& command) { return command.name == word; });
  return named == kCommands.end() ? nullptr : &*named;
}

// Where the name of a command stands, if the first operand is one. All commands are declared only
// when their options have to tell.
std::optional<std::size_t> find_command(const Words& words) {
  const auto is_name = [](const std::string& word) { return command_named(word) != nullptr; };
  if (std::none_of(words.begin(), words.end(), is_name)) return std::nullopt;
  if (is_name(words.front())) return 0;
  const auto commands = declare_commands();
  std::vector<const OptionTable*> tables;
  tables.reserve(commands.size());
  for (const DeclaredCommand& command : commands) tables.push_back(&command.options);
  const auto first = first_operand(words, tables);
  return first && is_name(words[*first]) ? first : std::nullopt;
}

// Every error says what to do; of a mistake in options, help is the least.
template <typename Parse>
auto with_hint(const Command& command, const Parse& parse) {
  try {
    return parse();
  } catch (const Error& error) {
    if (!error.hint().empty()) throw;
    throw Error(error.what(), fmt::format("cgrep help {} lists the options", command.name));
  }
}

// Cursor takes a failure for a veto: whatever is wrong, this one ends well and says nothing.
bool must_not_fail(const Command& command, const Words& words) {
  return command.name == "hook" && std::find(words.begin(), words.end(), "run") != words.end();
}

ExitCode run_command(const DeclaredCommand& command, bool by_name, const Words& words,
                     Context& context) {
  const OptionTable& table = command.options;
  CommandLine line =
      with_hint(*command.command, [&] { return part_words(words, table, context.typed); });
  if (line.has("-h") || line.has("--help")) {
    context.out.write(by_name ? command_help(command) : general_help(command));
    return ExitCode::ok;
  }
  if (line.has("--version")) {
    context.out.print("cgrep {}\n", CGREP_VERSION);
    return ExitCode::ok;
  }
  if (line.has("--json-schema")) {
    context.out.write(json_schema());
    return ExitCode::ok;
  }
  if (has_own_options(table)) {
    const Config config(context.environment, command, declare_commands);
    config.add_to(line, table);
    context.settings = config.settings();
  }
  with_hint(*command.command, [&] { parse_options(table, line); });
  context.operands = std::move(line.operands);
  if (command.pager) context.out.use(make_pager(*command.pager, context.environment));
  return command.run(context);
}

}  // namespace

std::span<const Command> all_commands() {
  return kCommands;
}

std::vector<DeclaredCommand> declare_commands() {
  std::vector<DeclaredCommand> declared;
  declared.reserve(kCommands.size());
  for (const Command& command : kCommands) declared.push_back(declare(command));
  return declared;
}

ExitCode run_cgrep(std::vector<std::string> words, Output& out, const Environment& environment) {
  Context context{.out = out, .environment = environment, .typed = words};
  if (words.empty()) {
    write_quietly(STDERR_FILENO, short_help());
    return ExitCode::trouble;
  }
  const auto name = find_command(words);
  const DeclaredCommand command = declare(name ? *command_named(words[*name]) : kCommands.front());
  if (name) words.erase(words.begin() + static_cast<std::ptrdiff_t>(*name));
  try {
    return run_command(command, name.has_value(), words, context);
  } catch (...) {
    if (!must_not_fail(*command.command, words)) throw;
    return ExitCode::ok;
  }
}

}  // namespace cgrep
