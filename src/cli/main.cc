// cgrep: the only place that catches what stops a command, and that exits.
#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>
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
extern "C" void stop_at_once(int) {
  constexpr char kErase[] = "\r\x1b[K";
  if (cgrep::progress_is_drawn() && write(STDERR_FILENO, kErase, sizeof kErase - 1) < 0) {
  }
  cgrep::wait_for_pager_in_signal();
  _exit(static_cast<int>(ExitCode::interrupted));
}

ExitCode failed(const std::string& what, const std::string& hint) {
  std::string message = fmt::format("cgrep: {}\n", cgrep::visible(what));
  if (!hint.empty()) message += fmt::format("hint: {}\n", cgrep::visible_lines(hint));
  cgrep::write_quietly(STDERR_FILENO, message);
  return ExitCode::trouble;
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
    return failed("out of memory", {});
  } catch (const std::exception& error) {
    flush_before_error(out);
    return failed(fmt::format("unexpected: {}", error.what()), "this is a bug; please report it");
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  if (std::signal(SIGINT, stop_at_once) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
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
