// A giant state.vscdb: what is read of it, told by strace, beside what has to be.

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "bench/measure/changes.h"
#include "bench/measure/tasks.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBubbles = 9;

/// Bytes that the traced reads of state.vscdb and its -wal returned.
double bytes_read(const fs::path& trace) {
  std::ifstream in(trace);
  double bytes = 0;
  for (std::string line; std::getline(in, line);)
    if (line.find("state.vscdb") != line.npos && line.find(" = ") != line.npos)
      bytes += std::strtod(line.c_str() + line.rfind(' '), nullptr);
  return bytes;
}

class GiantTasks {
 public:
  GiantTasks(const Workbench& bench, std::size_t messages)
      : bench_(bench),
        home_(bench.history(
            fmt::format("giant-{}", messages),
            {"--messages", std::to_string(messages), "--stores", "bubbles", "--giant"})) {}

  void run(Results& results) {
    say("first index of a giant database, twice");
    Rounds rounds;
    rounds.add("giant-index", [this] { return bench_.first_index(home_, index_); });
    rounds.run(1);
    auto& values = results.measured.values;
    OpenIde ide(home_);
    fs::remove_all(index_);
    values["giant-read"] = traced() / static_cast<double>(ide.needed_bytes());
    values["giant-bytes"] = static_cast<double>(fs::file_size(state_database(home_)));
    say("new bubbles");
    std::vector<double> over;
    std::vector<double> read;
    for (std::size_t i = 0; i < kBubbles; ++i) {
      const double idle = update().seconds;
      ide.add_bubble(messages_.next());
      over.push_back(update().seconds - idle);
      ide.add_bubble(messages_.next());
      read.push_back(traced());
    }
    values["giant-bubble"] = median(over);
    values["giant-bubble-read"] = median(read);
    keep(rounds, results);
  }

 private:
  Cost update() const {
    return bench_.runner().must(bench_.cgrep(home_, index_, {"index", "--quiet"}));
  }

  /// Bytes that an update reads of the database.
  double traced() const {
    const fs::path trace = bench_.scratch("trace");
    Command command{"strace", "-f",          "-y", "--seccomp-bpf", "-e", "trace=read,pread64",
                    "-o",     trace.string()};
    const Command update = bench_.cgrep(home_, index_, {"index", "--quiet"});
    command.insert(command.end(), update.begin(), update.end());
    bench_.runner().must(command);
    return bytes_read(trace);
  }

  const Workbench& bench_;
  fs::path home_;
  fs::path index_ = bench_.scratch("giant-index");
  NewMessages messages_{};
};

}  // namespace

void measure_giant(const Workbench& bench, std::size_t messages, Results& results) {
  GiantTasks(bench, messages).run(results);
}

}  // namespace cgrep::bench
