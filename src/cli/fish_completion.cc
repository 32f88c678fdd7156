// The completion script for fish.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completions.h"

namespace cgrep {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return fmt::format("'{}'", escaped);
}

std::string listed(bool list, const std::string& values) {
  return list ? fmt::format("(__cgrep_list {})", values) : values;
}

// The arguments of `complete` that offer it.
std::string offering(const Offer& offer, bool list) {
  switch (offer.kind) {
    case Offer::Kind::nothing:
      return " -x";
    case Offer::Kind::words:
      return fmt::format(" -x -a '{}'",
                         listed(list, fmt::format("{}", fmt::join(offer.words, " "))));
    case Offer::Kind::fields:
      return fmt::format(" -a '(__cgrep_fields {})'", fmt::join(offer.words, " "));
    case Offer::Kind::live:
      return fmt::format(" -x -k -a '{}'",
                         listed(list, fmt::format("(__cgrep_values {})", offer.live)));
    case Offer::Kind::folders:
      return " -x -a '(__fish_complete_directories)'";
    case Offer::Kind::files:
      return " -r -F";
  }
  return "";
}

std::string option_line(const Command& command, const Option& option) {
  std::string line = fmt::format("complete -c cgrep -n '__cgrep_command_is {}'", command.name);
  for (const std::string& name : option.shorts()) line += fmt::format(" -s {}", name);
  for (const std::string& name : option.longs()) line += fmt::format(" -l {}", name);
  if (!option.is_flag()) line += offering(offer_for_value(option.value), option.repeatable);
  return line + fmt::format(" -d {}\n", fish_quoted(option.description));
}

std::string operand_line(const Command& command) {
  const Offer offer = offer_for_operands(command.operands);
  if (offer.kind == Offer::Kind::nothing) return {};
  return fmt::format("complete -c cgrep -n '__cgrep_command_is {}'{}\n", command.name,
                     offer.kind == Offer::Kind::files ? " -F" : offering(offer, false));
}

std::string command_lines() {
  std::string lines;
  for (const Command& command : all_commands())
    lines += fmt::format("complete -c cgrep -n __cgrep_needs_command -a {} -d {}\n", command.name,
                         fish_quoted(command.summary));
  return lines;
}

std::string option_lines(std::span<const DeclaredCommand> commands) {
  std::string lines;
  for (const DeclaredCommand& command : commands) {
    lines += operand_line(*command.command);
    for (const Option& option : command.options) lines += option_line(*command.command, option);
  }
  return lines;
}

constexpr std::string_view kScript =
    R"script(# fish completion for cgrep; made by `cgrep completion fish`.

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

# What is typed of a value.
function __cgrep_typed
    set -l token (commandline -ct | string replace -r '^--[^=]*=' '')
    string unescape -- $token; or echo -- $token
end

# The last part of a list with commas; `!` before a value excludes it.
function __cgrep_list
    set -l token (__cgrep_typed)
    set -l before (string replace -rf '^(.*,)[^,]*$' '$1' -- $token)
    string match -qr '(^|,)![^,]*$' -- $token; and set before "$before!"
    for value in $argv
        echo "$before$value"
    end
end

# A field is followed by its value; nothing is offered before something is typed.
function __cgrep_fields
    test -n "$(__cgrep_typed)"; and string join \n -- $argv
end

# The value of an option that stands on the line.
function __cgrep_given
    set -l words (commandline -opc)
    set -l value $argv[2]
    for i in (seq 2 (count $words))
        if test $words[$i] = $argv[1]; and set -q words[(math $i + 1)]
            set value $words[(math $i + 1)]
        else if string match -q -- "$argv[1]=*" $words[$i]
            set value (string replace -- "$argv[1]=" '' $words[$i])
        end
    end
    string replace -r '^~' "$HOME" -- "$value"
end

# What the index knows, each with a description: projects, models, tools, addresses.
function __cgrep_values
    set -l typed (__cgrep_typed | string replace -r '.*,' '' | string replace -r '^!' '')
    set -l index (__cgrep_given --index "$CGREP_INDEX")
    set -l root (__cgrep_given --root "$CGREP_ROOT")
    set -l program (commandline -opc)[1]
    env CGREP_INDEX="$index" CGREP_ROOT="$root" $program completion values $argv[1] "$typed" \
        2>/dev/null
end

complete -c cgrep -f
@COMMAND_LINES@@OPTION_LINES@)script";

}  // namespace

std::string fish_completion(std::span<const DeclaredCommand> commands) {
  return filled(kScript,
                {{"@VALUE_OPTIONS@", fmt::format("{}", fmt::join(value_options(commands), " "))},
                 {"@COMMANDS@", fmt::format("{}", fmt::join(command_names(), " "))},
                 {"@COMMAND_LINES@", command_lines()},
                 {"@OPTION_LINES@", option_lines(commands)}});
}

}  // namespace cgrep
