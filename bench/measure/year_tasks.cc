// A year: thousands of appends, new conversations, compacted and deleted ones, each followed by an
// update; then the index beside a fresh one of the same content.

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "bench/measure/answers.h"
#include "bench/measure/changes.h"
#include "bench/measure/tasks.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMessages = 10'000;  // when the year begins
constexpr std::size_t kRepeats = 9;

class Year {
 public:
  explicit Year(const fs::path& home) : home_(home), ide_(home) {
    for (const auto& entry : fs::recursive_directory_iterator(home / ".cursor/projects"))
      if (entry.path().extension() == ".jsonl") transcripts_.push_back(entry.path());
    std::sort(transcripts_.begin(), transcripts_.end());
  }

  /// What people and agents do, in about these shares.
  void change() {
    const std::size_t dice = random_.below(100);
    fs::path& transcript = transcripts_[random_.below(transcripts_.size())];
    if (dice < 80) {
      std::ofstream(transcript, std::ios::app) << transcript_line(messages_.next());
    } else if (dice < 90) {
      ide_.add_bubble(messages_.next());
    } else if (dice < 95) {
      begin_conversation();
    } else if (dice < 98) {
      compact(transcript);
    } else {
      fs::remove(transcript);
      std::swap(transcript, transcripts_.back());
      transcripts_.pop_back();
    }
  }

  /// All files look as if they had been left alone for an hour.
  void grow_old() const {
    const auto then = std::time(nullptr) - 3600;
    for (const auto& entry : fs::recursive_directory_iterator(home_)) set_mtime(entry.path(), then);
  }

 private:
  void begin_conversation() {
    const auto id = fmt::format("{:08x}-0000-4000-8000-00000000aaaa", random_.next() >> 32);
    const fs::path file =
        home_ / ".cursor/projects/home-mira-project1/agent-transcripts" / id / (id + ".jsonl");
    fs::create_directories(file.parent_path());
    std::ofstream(file) << transcript_line(messages_.next());
    transcripts_.push_back(file);
  }

  /// The agent keeps the second half of it.
  static void compact(const fs::path& transcript) {
    std::ifstream in(transcript, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto half = text.find('\n', text.size() / 2);
    if (half + 1 >= text.size()) return;
    std::ofstream(transcript, std::ios::binary) << text.substr(half + 1);
  }

  fs::path home_;
  OpenIde ide_;
  std::vector<fs::path> transcripts_{};
  NewMessages messages_{};
  Random random_{365};
};

/// Bytes on disk per byte of text: what is gone is still there in the index that saw it.
double size_per_text(const Workbench& bench, const fs::path& index) {
  const Cost texts = bench.runner().must(
      bench.baseline("bench-texts", {index.string(), bench.scratch("texts").string()}));
  const double text = std::stod(texts.output.substr(texts.output.find(' ') + 1));
  const auto history = bytes_below(index) - bytes_below(index / "words");
  return static_cast<double>(bytes_of_runs(index) + history) / text;
}

}  // namespace

void measure_year(const Workbench& bench, std::size_t changes, std::size_t rounds,
                  Results& results) {
  const fs::path home = bench.scratch("year-home");
  fs::copy(bench.history(fmt::format("messages-{}", kMessages),
                         {"--messages", std::to_string(kMessages)}),
           home, fs::copy_options::recursive);
  const fs::path old = bench.scratch("year-index");
  const fs::path fresh = bench.scratch("year-fresh");
  const auto update = [&](const fs::path& index) {
    return bench.runner().must(bench.cgrep(home, index, {"index", "--quiet"}));
  };
  bench.first_index(home, old);
  say(fmt::format("a year of {} changes", changes));
  {
    Year year(home);
    for (std::size_t i = 0; i < changes; ++i) {
      year.change();
      update(old);
    }
    year.grow_old();
  }
  update(old);
  bench.first_index(home, fresh);
  results.measured.values["year-size"] = size_per_text(bench, old) / size_per_text(bench, fresh);

  GrowingTranscript growing(home);
  NewMessages messages;
  Rounds measured;
  const Manifest manifest = read_manifest(home);
  const auto rare = manifest.rare_word();
  const auto search = [&](const fs::path& index) {
    return bench.runner().must(bench.cgrep(home, index, {"--refresh", "never", rare}));
  };
  measured.add("year-rare", [&] { return search(old); });
  measured.add("fresh-rare", [&] { return search(fresh); });
  measured.add("year-append", [&] {
    growing.append(messages.next());
    return update(old);
  });
  measured.add("fresh-append", [&] { return update(fresh); });
  for (std::size_t round = 0; round < rounds; ++round) measured.run(kRepeats);
  keep(measured, results);
}

}  // namespace cgrep::bench
