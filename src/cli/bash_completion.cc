// The completion script for bash. It works without the bash-completion package.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completions.h"

namespace cgrep {
namespace {

// The function that offers it, with its arguments; `list` for values between commas.
std::string offering(const Offer& offer, bool list) {
  switch (offer.kind) {
    case Offer::Kind::nothing:
      return ":";
    case Offer::Kind::words:
    case Offer::Kind::fields:
      return fmt::format("_cgrep_{} '{}'", list ? "list" : "words", fmt::join(offer.words, " "));
    case Offer::Kind::live:
      return fmt::format("_cgrep_live{} {}", list ? "_list" : "", offer.live);
    case Offer::Kind::folders:
      return "_cgrep_paths -d";
    case Offer::Kind::files:
      return "_cgrep_paths -f";
  }
  return ":";
}

std::string value_cases(std::span<const DeclaredCommand> commands) {
  std::string cases;
  for (const Option* option : distinct_options(commands))
    if (!option->is_flag())
      cases += fmt::format("  {}) {}; return ;;\n", fmt::join(dashed_names(*option), "|"),
                           offering(offer_for_value(option->value), option->repeatable));
  return cases;
}

std::string command_cases(std::span<const DeclaredCommand> commands) {
  std::string cases;
  for (const DeclaredCommand& command : commands) {
    std::vector<std::string> options;
    for (const Option& option : command.options)
      for (std::string& name : dashed_names(option)) options.push_back(std::move(name));
    const auto operands = offering(offer_for_operands(command.command->operands), false);
    cases += fmt::format("  {})\n    options='{}'\n    operands=({}) ;;\n", command.command->name,
                         fmt::join(options, " "), operands);
  }
  return cases;
}

constexpr std::string_view kScript =
    R"script(# bash completion for cgrep; made by `cgrep completion bash`.

# Those of the values on standard input, one a line and maybe with a description, that begin with
# $2; each after $1, and quoted unless the user has opened a quote.
_cgrep_offer() {
  local value
  while IFS= read -r value; do
    value="${value%%$'\t'*}"
    [[ $value == "$2"* ]] || continue
    [[ -n $quote ]] || printf -v value %q "$value"
    COMPREPLY+=("$1$value")
  done
}

_cgrep_words() {
  _cgrep_offer "" "$cur" < <(printf '%s\n' $1)
  # A field is followed by its value.
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
}

# Sets what stands before the last part of a list with commas, and that part; `!` excludes it.
_cgrep_part() {
  before="" last="$cur"
  if [[ $last == *,* ]]; then before="${last%,*},"; last="${last##*,}"; fi
  if [[ $last == !* ]]; then before+="!"; last="${last#!}"; fi
  [[ -n $quote ]] || before="${before// /\\ }"
}

_cgrep_list() {
  local before last
  _cgrep_part
  _cgrep_offer "$before" "$last" < <(printf '%s\n' $1)
}

# The value of an option that stands on the line.
_cgrep_given() {
  local i value
  for ((i = 1; i + 1 < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == "$1" ]] || continue
    value="${COMP_WORDS[i+1]}"
    [[ $value == "=" ]] && value="${COMP_WORDS[i+2]}"
    value="${value//[\"\'\\]/}"
    printf '%s' "${value/#\~/$HOME}"
    return
  done
  printf '%s' "$2"
}

# What the index knows, each with a description: projects, models, tools, addresses.
_cgrep_values() {
  local program="${COMP_WORDS[0]/#\~/$HOME}" index root
  type -P -- "$program" >/dev/null || program=cgrep
  index=$(_cgrep_given --index "$CGREP_INDEX") root=$(_cgrep_given --root "$CGREP_ROOT")
  CGREP_INDEX=$index CGREP_ROOT=$root "$program" completion values "$1" "$2" 2>/dev/null
}

_cgrep_live() {
  _cgrep_offer "" "$cur" < <(_cgrep_values "$1" "$cur")
}

_cgrep_live_list() {
  local before last
  _cgrep_part
  _cgrep_offer "$before" "$last" < <(_cgrep_values "$1" "$last")
}

_cgrep_paths() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY=($(compgen "$1" -- "$cur"))
}

_cgrep() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="" command="" options word quote="" i
  local -a operands
  ((COMP_CWORD > 0)) && prev="${COMP_WORDS[COMP_CWORD-1]}"
  # bash parts `--store=x` at the equals sign.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "$cur" in
  \"* | \'*) quote="${cur:0:1}" cur="${cur:1}" ;;
  *) cur="${cur//\\/}" ;;
  esac
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
    return
  fi
  [[ -n $command ]] || _cgrep_words '@COMMAND_WORDS@'
  if [[ -n $command || -n $cur ]]; then "${operands[@]}"; fi
}

complete -F _cgrep cgrep
)script";

}  // namespace

std::string bash_completion(std::span<const DeclaredCommand> commands) {
  const auto names = command_names();
  return filled(kScript,
                {{"@VALUE_OPTIONS@", fmt::format("{}", fmt::join(value_options(commands), "|"))},
                 {"@COMMANDS@", fmt::format("{}", fmt::join(names, "|"))},
                 {"@COMMAND_WORDS@", fmt::format("{}", fmt::join(names, " "))},
                 {"@VALUE_CASES@", value_cases(commands)},
                 {"@COMMAND_CASES@", command_cases(commands)}});
}

}  // namespace cgrep
