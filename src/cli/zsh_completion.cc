// The completion script for zsh: a function for compinit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completions.h"

namespace cgrep {
namespace {

std::string single_quoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted;
}

// A description inside `[…]` of an _arguments spec.
std::string spec_description(std::string_view text) {
  std::string escaped;
  for (const char c : single_quoted(text)) {
    if (c == '[' || c == ']' || c == ':') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The action of an _arguments spec; the space keeps it from adding arguments to a function.
std::string offering(const Offer& offer, bool list) {
  switch (offer.kind) {
    case Offer::Kind::nothing:
      return " ";
    case Offer::Kind::words:
      return fmt::format(" _cgrep_{} {}", list ? "list" : "words", fmt::join(offer.words, " "));
    case Offer::Kind::fields:
      return " _cgrep_fields";
    case Offer::Kind::live:
      return fmt::format(" _cgrep_live{} {}", list ? "_list" : "", offer.live);
    case Offer::Kind::folders:
      return "_files -/";
    case Offer::Kind::files:
      return "_files";
  }
  return " ";
}

std::string value_spec(const Option& option) {
  const bool named = option.value.find('|') == std::string_view::npos;
  return fmt::format(":{}:{}", named ? option.value : "value",
                     offering(offer_for_value(option.value), option.repeatable));
}

std::string specs_of(const DeclaredCommand& command) {
  std::string specs;
  for (const Option& option : command.options)
    for (const std::string& name : dashed_names(option)) {
      const bool is_long = name.starts_with("--");
      const bool has_value = !option.is_flag();
      specs +=
          fmt::format("    '{}{}{}[{}]{}'\n", option.repeatable ? "*" : "", name,
                      !has_value ? "" : (is_long ? "=" : "+"), spec_description(option.description),
                      has_value ? value_spec(option) : std::string());
    }
  const Offer operands = offer_for_operands(command.command->operands);
  const bool one = operands.kind == Offer::Kind::words &&  // such as the name of a shell
                   command.command->operands.find("...") == std::string_view::npos;
  if (!command.command->operands.empty())
    specs += fmt::format("    '{}: :{}'\n", one ? "1" : "*", offering(operands, false));
  return specs;
}

std::string command_cases(std::span<const DeclaredCommand> commands) {
  std::string cases;
  for (const DeclaredCommand& command : commands)
    cases += fmt::format("  {}) specs=(\n{}  ) ;;\n", command.command->name, specs_of(command));
  return cases;
}

std::string command_descriptions() {
  std::string descriptions;
  for (const Command& command : all_commands())
    descriptions += fmt::format("    '{}:{}'\n", command.name, single_quoted(command.summary));
  return descriptions;
}

constexpr std::string_view kScript = R"script(#compdef cgrep
# zsh completion for cgrep; made by `cgrep completion zsh`.

_cgrep_words() {
  compadd -- "$@"
}

# The last part of a list with commas; `!` before a value excludes it. (A function of its own
# would not do: what compset does ends with it.)
_cgrep_list() {
  compset -P '*,'
  compset -P '(\\|)!'
  compadd -- "$@"
}

# A field is followed by its value.
_cgrep_fields() {
  compadd -S '' -- @FIELDS@
}

# The value of an option that stands on the line.
_cgrep_given() {
  local i value="$2"
  for ((i = 2; i < CURRENT; i++)); do
    case "${words[i]}" in
    $1) value="${(Q)words[i+1]}" ;;
    $1=*) value="${(Q)${words[i]#*=}}" ;;
    esac
  done
  print -r -- "${value/#\~/$HOME}"
}

# What the index knows, each with a description: projects, models, tools, addresses.
_cgrep_values() {
  local program="${(Q)words[1]}" index root
  index="$(_cgrep_given --index "$CGREP_INDEX")"
  root="$(_cgrep_given --root "$CGREP_ROOT")"
  CGREP_INDEX=$index CGREP_ROOT=$root ${program/#\~/$HOME} completion values "$@" 2>/dev/null
}

_cgrep_live() {
  local value
  local -a values shown
  _cgrep_values $1 "${(Q)PREFIX}" | while IFS= read -r value; do
    values+=("${value%%$'\t'*}")
    shown+=("${value/$'\t'/  -- }")
  done
  compadd -l -V $1 -d shown -a values
}

_cgrep_live_list() {
  compset -P '*,'
  compset -P '(\\|)!'
  _cgrep_live $1
}

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
    *)
      _describe -t commands command commands
      [[ -n $PREFIX ]] && _cgrep_fields
      return ;;
    esac
  fi
  _arguments -s -S : $specs
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _cgrep "$@"
else
  compdef _cgrep cgrep
fi
)script";

}  // namespace

std::string zsh_completion(std::span<const DeclaredCommand> commands) {
  return filled(kScript,
                {{"@VALUE_OPTIONS@", fmt::format("{}", fmt::join(value_options(commands), "|"))},
                 {"@COMMANDS@", fmt::format("{}", fmt::join(command_names(), "|"))},
                 {"@FIELDS@", fmt::format("{}", fmt::join(field_names(), " "))},
                 {"@COMMAND_DESCRIPTIONS@", command_descriptions()},
                 {"@COMMAND_CASES@", command_cases(commands)}});
}

}  // namespace cgrep
