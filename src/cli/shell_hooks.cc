#include "cli/shell_hooks.h"

#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "cli/completions.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

// The work goes on in a child of a child: the shell has no job to tell of. A failed command stays
// what $? says, and `&& :` keeps that from ending a shell with `set -e` or from being trapped as
// another error. What others put into PROMPT_COMMAND stands before, on lines of its own.
constexpr std::string_view kBash = R"sh(if [[ $- == *i* ]]; then
  __cgrep_hook() {
    local __cgrep_status=$?
    (@BINARY@ index --quiet --lazy </dev/null >/dev/null 2>&1 &)
    return "$__cgrep_status"
  }
  __cgrep_add_hook() {
    local kind
    kind=$(declare -p PROMPT_COMMAND 2>/dev/null) || kind='declare -- '
    kind=${kind#declare -}
    kind=${kind%%[ =]*}
    case $kind in
      *r*) return 0 ;;
      *a*)
        [[ ${PROMPT_COMMAND[*]-} != *__cgrep_hook* ]] || return 0
        if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
          PROMPT_COMMAND+=('__cgrep_hook && :')
          return 0
        fi ;;
    esac
    [[ ${PROMPT_COMMAND-} == *__cgrep_hook* ]] ||
      PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}'__cgrep_hook && :'
  }
  __cgrep_add_hook
  unset -f __cgrep_add_hook
fi
)sh";

// zsh gives $? back after each of precmd_functions.
constexpr std::string_view kZsh = R"sh(if [[ -o interactive ]]; then
  __cgrep_hook() {
    emulate -L zsh
    setopt no_bg_nice
    (@BINARY@ index --quiet --lazy </dev/null >/dev/null 2>&1 &) 2>/dev/null
  }
  () {
    emulate -L zsh
    typeset -ga precmd_functions
    if (( ! ${precmd_functions[(I)__cgrep_hook]} )); then
      precmd_functions+=(__cgrep_hook)
    fi
  }
fi
)sh";

// A second shell starts it: fish would tell of the end of its own jobs.
constexpr std::string_view kFish = R"sh(if status is-interactive
    function __cgrep_hook --on-event fish_prompt --description 'Keep the index of cgrep fresh'
        set -l __cgrep_status $status
        sh -c '"$0" index --quiet --lazy </dev/null >/dev/null 2>&1 &' @BINARY@ 2>/dev/null
        return $__cgrep_status
    end
end
)sh";

// In fish, a backslash before a quote or a backslash counts, also between quotes.
std::string fish_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string quoted_for(std::string_view shell, const fs::path& path) {
  const std::vector<std::string> words = {path.string()};
  return shell == "fish" ? fish_quoted(words.front()) : shell_quoted(words);
}

fs::path folder_or(const std::optional<std::string>& variable, const fs::path& otherwise) {
  return variable && variable->starts_with('/') ? fs::path(*variable) : otherwise;
}

}  // namespace

std::vector<std::string> hook_shells() {
  return {"bash", "zsh", "fish"};
}

std::string shell_hook(std::string_view shell, const fs::path& binary) {
  const auto script = shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
  return filled(script, {{"@BINARY@", quoted_for(shell, binary)}});
}

std::string shell_hook_lines(std::string_view shell, const fs::path& binary) {
  constexpr std::string_view kPosix =
      "# Keeps the index of cgrep fresh; cgrep hook uninstall @SHELL@ removes it.\n"
      "if [ -x @BINARY@ ]; then eval \"$(@BINARY@ hook print @SHELL@)\"; fi\n";
  constexpr std::string_view kFishLines =
      "# Keeps the index of cgrep fresh; cgrep hook uninstall @SHELL@ removes it.\n"
      "if test -x @BINARY@; @BINARY@ hook print @SHELL@ | source; end\n";
  return filled(shell == "fish" ? kFishLines : kPosix,
                {{"@SHELL@", std::string(shell)}, {"@BINARY@", quoted_for(shell, binary)}});
}

fs::path shell_rc_file(std::string_view shell, const fs::path& home,
                       const Environment& environment) {
  if (shell == "bash") return home / ".bashrc";
  if (shell == "zsh") return folder_or(environment("ZDOTDIR"), home) / ".zshrc";
  return folder_or(environment("XDG_CONFIG_HOME"), home / ".config") / "fish/conf.d/cgrep.fish";
}

fs::path own_binary(const Environment& environment) {
  std::error_code error;
  const auto running = fs::read_symlink("/proc/self/exe", error);
  const bool known = !error && fs::exists(running, error);
  const auto path = environment("PATH").value_or(std::string());
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    auto found = fs::path(path.substr(begin, end - begin)) / "cgrep";
    begin = end + 1;
    if (!found.is_absolute() || access(found.c_str(), X_OK) != 0) continue;
    if (!known || fs::equivalent(found, running, error)) return found;
  }
  return known ? running : fs::path("cgrep");
}

}  // namespace cgrep
