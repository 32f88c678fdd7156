// Completion scripts. Each finds the command (the first operand that names one, else search) and
// offers its options and the values that can be listed.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/generate.h"
#include "cli/options.h"

namespace cgrep {
namespace {

std::vector<std::string> dashed_names(const OptionInfo& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.shorts) names.push_back("-" + name);
  for (const std::string& name : option.longs) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : all_commands()) names.emplace_back(command.name);
  return names;
}

// Every option of every command once; one name means the same everywhere.
std::vector<OptionInfo> distinct_options(std::span<const DeclaredCommand> commands) {
  std::vector<OptionInfo> distinct;
  std::set<std::string> seen;
  for (const DeclaredCommand& command : commands)
    for (OptionInfo& option : describe_options(*command.app))
      if (seen.insert(option.longs.front()).second) distinct.push_back(std::move(option));
  return distinct;
}

std::string value_options_pattern(std::span<const DeclaredCommand> commands) {
  std::vector<std::string> names;
  for (const OptionInfo& option : distinct_options(commands))
    if (!option.value.empty())
      for (std::string& name : dashed_names(option)) names.push_back(std::move(name));
  return fmt::format("{}", fmt::join(names, "|"));
}

// --- bash

std::string bash_value_cases(std::span<const DeclaredCommand> commands) {
  std::string cases;
  for (const OptionInfo& option : distinct_options(commands)) {
    if (option.value.empty()) continue;
    const auto choices = value_choices(option.value);
    std::string action = "return";
    if (option.value == "DIR")
      action = "COMPREPLY=($(compgen -d -- \"$cur\")); return";
    else if (!choices.empty())
      action = fmt::format("_cgrep_{} '{}'; return", option.repeatable ? "list" : "words",
                           fmt::join(choices, " "));
    cases += fmt::format("    {}) {} ;;\n", fmt::join(dashed_names(option), "|"), action);
  }
  return cases;
}

std::string bash_command_cases(std::span<const DeclaredCommand> commands) {
  std::string cases;
  for (const DeclaredCommand& command : commands) {
    std::vector<std::string> options;
    for (const OptionInfo& option : describe_options(*command.app))
      for (std::string& name : dashed_names(option)) options.push_back(std::move(name));
    const auto operands = value_choices(command.command->operands);
    cases += fmt::format("    {}) options='{}'; operands='{}' ;;\n", command.command->name,
                         fmt::join(options, " "), fmt::join(operands, " "));
  }
  return cases;
}

constexpr std::string_view kBash = R"(# bash completion for cgrep; made by `cgrep completion bash`.

_cgrep_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

# The last part of a list with commas; `!` before a value excludes it.
_cgrep_list() {
  local done="" last="$cur" word
  if [[ $cur == *,* ]]; then done="${cur%,*},"; last="${cur##*,}"; fi
  if [[ $last == !* ]]; then done+="!"; last="${last#!}"; fi
  COMPREPLY=()
  for word in $(compgen -W "$1" -- "$last"); do COMPREPLY+=("$done$word"); done
}

_cgrep() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="" command="" options operands word i
  ((COMP_CWORD > 0)) && prev="${COMP_WORDS[COMP_CWORD-1]}"
  # bash parts `--store=x` at the equals sign.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  COMPREPLY=()

  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    case "$word" in
    --) command="${command:-search}"; break ;;
    @VALUE_OPTIONS@) ((i++)); [[ ${COMP_WORDS[i]} == "=" ]] && ((i++)) ;;
    -*) ;;
    @COMMANDS@) command="$word"; break ;;
    *) command=search; break ;;
    esac
  done

  case "$prev" in
@VALUE_CASES@  esac

  case "${command:-search}" in
@COMMAND_CASES@  esac
  if [[ $cur == -* ]]; then
    _cgrep_words "$options"
  elif [[ $command == index ]]; then
    COMPREPLY=($(compgen -f -- "$cur"))
  elif [[ -z $command ]]; then
    _cgrep_words '@COMMAND_WORDS@'
  else
    _cgrep_words "$operands"
  fi
}

complete -F _cgrep cgrep
)";

// --- zsh

std::string single_quoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted;
}

// A description inside `[…]` of an _arguments spec.
std::string zsh_description(std::string_view text) {
  std::string escaped;
  for (const char c : single_quoted(text)) {
    if (c == '[' || c == ']' || c == ':') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_value(const OptionInfo& option) {
  const auto choices = value_choices(option.value);
  if (option.value == "DIR") return ":DIR:_files -/";
  if (choices.empty()) return fmt::format(":{}: ", option.value);
  const bool named = option.value.find('|') == std::string::npos;
  const std::string_view label = named ? std::string_view(option.value) : "value";
  if (option.repeatable)
    return fmt::format(":{}:_sequence compadd - {}", label, fmt::join(choices, " "));
  return fmt::format(":{}:({})", label, fmt::join(choices, " "));
}

std::string zsh_specs(const DeclaredCommand& command) {
  std::string specs;
  for (const OptionInfo& option : describe_options(*command.app))
    for (const std::string& name : dashed_names(option)) {
      const bool is_long = name.starts_with("--");
      const bool has_value = !option.value.empty();
      specs +=
          fmt::format("    '{}{}{}[{}]{}'\n", option.repeatable ? "*" : "", name,
                      !has_value ? "" : (is_long ? "=" : "+"), zsh_description(option.description),
                      has_value ? zsh_value(option) : std::string());
    }
  const auto operands = value_choices(command.command->operands);
  if (!operands.empty()) specs += fmt::format("    '1: :({})'\n", fmt::join(operands, " "));
  if (command.command->name == "index") specs += "    '*:PATH:_files'\n";
  if (command.command->name == "search" || command.command->name == "show")
    specs += fmt::format("    '*:{}: '\n", command.command->name == "show" ? "ADDRESS" : "PATTERN");
  return specs;
}

std::string zsh_command_cases(std::span<const DeclaredCommand> commands) {
  std::string cases;
  for (const DeclaredCommand& command : commands)
    cases += fmt::format("  {}) specs=(\n{}  ) ;;\n", command.command->name, zsh_specs(command));
  return cases;
}

std::string zsh_command_descriptions() {
  std::string descriptions;
  for (const Command& command : all_commands())
    descriptions += fmt::format("    '{}:{}'\n", command.name, single_quoted(command.summary));
  return descriptions;
}

constexpr std::string_view kZsh = R"(#compdef cgrep
# zsh completion for cgrep; made by `cgrep completion zsh`.

_cgrep() {
  local command="" word i
  local -a commands specs
  commands=(
@COMMAND_DESCRIPTIONS@  )
  for ((i = 2; i < CURRENT; i++)); do
    word="${words[i]}"
    case "$word" in
    --) command="${command:-search}"; break ;;
    @VALUE_OPTIONS@) ((i++)) ;;
    -*) ;;
    @COMMANDS@)
      command="$word"
      words[i]=()
      ((CURRENT--))
      break ;;
    *) command=search; break ;;
    esac
  done

  case "${command:-search}" in
@COMMAND_CASES@  esac
  if [[ -z $command && ${words[CURRENT]} != -* ]]; then
    case "${words[CURRENT-1]}" in
    @VALUE_OPTIONS@) ;;
    *) _describe -t commands command commands; return ;;
    esac
  fi
  _arguments -s -S : $specs
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _cgrep "$@"
else
  compdef _cgrep cgrep
fi
)";

// --- fish

std::string fish_option(const Command& command, const OptionInfo& option) {
  std::string line = fmt::format("complete -c cgrep -n '__cgrep_command_is {}'", command.name);
  for (const std::string& name : option.shorts) line += fmt::format(" -s {}", name);
  for (const std::string& name : option.longs) line += fmt::format(" -l {}", name);
  const auto choices = value_choices(option.value);
  if (option.value == "DIR")
    line += " -x -a '(__fish_complete_directories)'";
  else if (!choices.empty() && option.repeatable)
    line += fmt::format(" -x -a '(__fish_append , {})'", fmt::join(choices, " "));
  else if (!choices.empty())
    line += fmt::format(" -x -a '{}'", fmt::join(choices, " "));
  else if (!option.value.empty())
    line += " -x";
  std::string description;
  for (const char c : option.description)
    description += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return line + fmt::format(" -d '{}'\n", description);
}

std::string fish_commands() {
  std::string lines;
  for (const Command& command : all_commands())
    lines += fmt::format("complete -c cgrep -n __cgrep_needs_command -a {} -d '{}'\n", command.name,
                         command.summary);
  return lines;
}

std::string fish_options(std::span<const DeclaredCommand> commands) {
  std::string lines;
  for (const DeclaredCommand& command : commands) {
    const auto operands = value_choices(command.command->operands);
    if (!operands.empty())
      lines += fmt::format("complete -c cgrep -n '__cgrep_command_is {}' -a '{}'\n",
                           command.command->name, fmt::join(operands, " "));
    for (const OptionInfo& option : describe_options(*command.app))
      lines += fish_option(*command.command, option);
  }
  return lines;
}

constexpr std::string_view kFish = R"(# fish completion for cgrep; made by `cgrep completion fish`.

# The command on the line; nothing while no operand stands there.
function __cgrep_command
    set -l words (commandline -opc)
    set -e words[1]
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case --
                echo search
                return
            case @VALUE_OPTIONS@
                set skip 1
            case '-*'
            case @COMMANDS@
                echo $word
                return
            case '*'
                echo search
                return
        end
    end
end

function __cgrep_needs_command
    test -z (__cgrep_command)
end

function __cgrep_command_is
    set -l command (__cgrep_command)
    test -n "$command"; or set command search
    test "$command" = $argv[1]
end

complete -c cgrep -f
complete -c cgrep -n '__cgrep_command_is index' -F
@FISH_COMMANDS@@FISH_OPTIONS@)";

std::string filled(std::string_view script,
                   std::initializer_list<std::pair<std::string_view, std::string>> parts) {
  std::string text(script);
  for (const auto& [mark, part] : parts)
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + part.size()))
      text.replace(at, mark.size(), part);
  return text;
}

}  // namespace

std::string bash_completion(std::span<const DeclaredCommand> commands) {
  const auto names = command_names();
  return filled(kBash, {{"@VALUE_OPTIONS@", value_options_pattern(commands)},
                        {"@COMMANDS@", fmt::format("{}", fmt::join(names, "|"))},
                        {"@COMMAND_WORDS@", fmt::format("{}", fmt::join(names, " "))},
                        {"@VALUE_CASES@", bash_value_cases(commands)},
                        {"@COMMAND_CASES@", bash_command_cases(commands)}});
}

std::string zsh_completion(std::span<const DeclaredCommand> commands) {
  return filled(kZsh, {{"@VALUE_OPTIONS@", value_options_pattern(commands)},
                       {"@COMMANDS@", fmt::format("{}", fmt::join(command_names(), "|"))},
                       {"@COMMAND_DESCRIPTIONS@", zsh_command_descriptions()},
                       {"@COMMAND_CASES@", zsh_command_cases(commands)}});
}

std::string fish_completion(std::span<const DeclaredCommand> commands) {
  std::string value_options = value_options_pattern(commands);
  std::replace(value_options.begin(), value_options.end(), '|', ' ');
  return filled(kFish, {{"@VALUE_OPTIONS@", value_options},
                        {"@COMMANDS@", fmt::format("{}", fmt::join(command_names(), " "))},
                        {"@FISH_COMMANDS@", fish_commands()},
                        {"@FISH_OPTIONS@", fish_options(commands)}});
}

}  // namespace cgrep
