// cgrep: the only place that catches what stops a command, and that exits.
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/display.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "error.h"
#include "extract/roots.h"

namespace {

using cgrep::ExitCode;

// Whatever is being written is safe to leave at any moment: see index/history.cc.
extern "C" void stop_at_once(int signal) {
  constexpr char kErase[] = "\r\x1b[K";
  if (cgrep::progress_is_drawn() && write(STDERR_FILENO, kErase, sizeof kErase - 1) < 0) {
  }
  if (signal == SIGINT) cgrep::wait_for_pager_in_signal();
  _exit(128 + signal);
}

void stop_on(int signal) {
  if (std::signal(signal, stop_at_once) == SIG_IGN) std::signal(signal, SIG_IGN);
}

ExitCode failed(const std::string& what, const std::string& hint) {
  std::string message = fmt::format("cgrep: {}\n", cgrep::visible(what));
  if (!hint.empty()) message += fmt::format("hint: {}\n", cgrep::visible_lines(hint));
  cgrep::write_quietly(STDERR_FILENO, message);
  return ExitCode::trouble;
}

// Of files, folders and threads, told by the standard library.
std::string hint_for(const std::error_code& code) {
  if (code == std::errc::resource_unavailable_try_again || code == std::errc::not_enough_memory)
    return "close other programs, or raise the limits (ulimit -u, ulimit -v)";
  if (code == std::errc::no_space_on_device) return "free some disk space, or use --index DIR";
  return "look at the folder it names, or use --index DIR";
}

// What was found before the trouble is shown; that it cannot be is no second trouble.
void flush_before_error(cgrep::Output& out) {
  try {
    out.flush();
  } catch (const cgrep::ClosedPipe&) {
  } catch (const cgrep::Error&) {
  }
}

ExitCode run(std::vector<std::string> words, cgrep::Output& out) {
  try {
    const ExitCode code = cgrep::run_cgrep(std::move(words), out, cgrep::process_environment);
    out.flush();
    return code;
  } catch (const cgrep::Error& error) {
    flush_before_error(out);
    return failed(error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    return failed("out of memory", "close other programs, or raise the limit (ulimit -v)");
  } catch (const std::system_error& error) {
    flush_before_error(out);
    return failed(error.what(), hint_for(error.code()));
  } catch (const std::exception& error) {
    flush_before_error(out);
    return failed(fmt::format("unexpected: {}", error.what()), "this is a bug; please report it");
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the call
  stop_on(SIGINT);
  stop_on(SIGTERM);
  cgrep::Output out(STDOUT_FILENO);
  ExitCode code = ExitCode::ok;
  try {
    code = run({argv + 1, argv + argc}, out);
  } catch (const cgrep::ClosedPipe&) {
    code = ExitCode::ok;
  } catch (const cgrep::Error& error) {
    code = failed(error.what(), error.hint());
  }
  out.finish();
  // Nothing is left to do: freeing the memory of an answer would only cost time.
  _exit(static_cast<int>(code));
}
