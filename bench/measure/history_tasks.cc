// All rows of design.md §12 on one history: baselines and cgrep in turns, round by round.

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

#include "bench/measure/answers.h"
#include "bench/measure/changes.h"
#include "bench/measure/tasks.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRepeats = 9;

// In about one in fifty messages all three stand together.
const Command kThreeWords{"server", "request", "token"};

const std::string kRegex = "[0-9]{4}[a-f]{3}[0-9]{2}[a-f]";
const std::string kShort = "er";

/// Writes the list for baseline-stat: every file and folder where Cursor keeps history.
void list_paths(const fs::path& home, const fs::path& list) {
  std::ofstream out(list, std::ios::binary);
  for (const char* root : {".cursor", ".config"}) {
    if (!fs::exists(home / root)) continue;
    out << (home / root).string() << '\0';
    for (const auto& entry : fs::recursive_directory_iterator(home / root))
      out << entry.path().string() << '\0';
  }
}

class HistoryTasks {
 public:
  HistoryTasks(const Workbench& bench, Results& results)
      : bench_(bench),
        results_(results),
        home_(generated(results.messages)),
        tenth_home_(generated(results.messages / 10)),
        manifest_(read_manifest(home_)),
        growing_(home_) {}

  void prepare() {
    say("checking the answers");
    bench_.first_index(home_, index_);
    check_answers(bench_, home_, index_);
    const Cost texts = run("bench-texts", {index_.string(), texts_.string()});
    std::size_t after = 0;
    documents_ = std::stoul(texts.output, &after);
    text_bytes_ = std::stod(texts.output.substr(after));
    run("baseline-scan", {"make", texts_.string(), blocks_.string()});
    build_xapian();
    build_fts5();
    list_paths(home_, paths_);
    check_others();
    describe();
  }

  void round(Rounds& rounds) {
    rounds.add("index", [this] { return bench_.first_index(home_, index_); });
    rounds.add("xapian-build", [this] { return build_xapian(); });
    rounds.add("fts5-build", [this] { return build_fts5(); });
    rounds.add("extract", [this] { return run("bench-extract", {home_.string()}); });
    rounds.add("parse-floor", [this] { return run("baseline-parse", {home_.string()}); });
    rounds.add("tenth-index", [this] { return bench_.first_index(tenth_home_, tenth_index_); });
    run_in_turns(rounds, 1);
    // Those of a kind by themselves: who comes after a scan of 200 MB, or after a look at 20 000
    // files, finds none of what it needs in the processor's caches, and the next one all of it.
    add_searches(rounds);
    run_in_turns(rounds, kRepeats);
    add_exact_searches(rounds);
    run_in_turns(rounds, kRepeats);
    for (const std::size_t sources : {5'000, 20'000}) add_noop(rounds, sources);
    run_in_turns(rounds, kRepeats);
    add_changes(rounds);
    run_in_turns(rounds, kRepeats);
  }

  /// After the last round: index and growing transcript are used up by the appends.
  void finish() {
    results_.measured.values["append-bytes"] = median(append_bytes_);
    results_.measured.values["append-bytes-most"] =
        append_bytes_.empty() ? 0 : *std::max_element(append_bytes_.begin(), append_bytes_.end());
  }

 private:
  static void run_in_turns(Rounds& rounds, std::size_t repeats) {
    rounds.run(repeats);
    rounds.clear_tasks();
  }

  fs::path generated(std::size_t messages) const {
    return bench_.history(fmt::format("messages-{}", messages),
                          {"--messages", std::to_string(messages)});
  }

  Cost run(const std::string& program, const Command& arguments) const {
    return bench_.runner().must(bench_.baseline(program, arguments));
  }

  Cost ask(const Command& arguments) const {
    return bench_.runner().must(bench_.cgrep(home_, index_, arguments));
  }

  Cost ask_never(Command arguments) const {
    arguments.insert(arguments.begin(), {"--refresh", "never"});
    return ask(arguments);
  }

  Cost build_xapian() const {
    fs::remove_all(xapian_);
    return run("baseline-xapian", {"build", texts_.string(), xapian_.string(),
                                   std::to_string(results_.machine.cores)});
  }

  Cost build_fts5() const {
    fs::remove(fts5_);
    return run("baseline-fts5", {"build", texts_.string(), fts5_.string()});
  }

  Cost search_xapian(const Command& words) const {
    Command arguments{"search", xapian_.string()};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return run("baseline-xapian", arguments);
  }

  /// The better of one and two threads.
  Cost stat_all(const fs::path& paths) const {
    Cost one = run("baseline-stat", {paths.string(), "1"});
    Cost two = run("baseline-stat", {paths.string(), "2"});
    return one.seconds < two.seconds ? one : two;
  }

  /// rg finds nothing in some files, so that only an exit status of 2 is an error.
  Cost rg(Command arguments, const fs::path& where) const {
    arguments.insert(arguments.begin(), "rg");
    arguments.push_back(where.string());
    Cost cost = bench_.runner().run(arguments);
    if (cost.status > 1) throw std::runtime_error("rg: " + cost.errors);
    return cost;
  }

  void add_rg(Rounds& rounds, const std::string& name, const std::string& pattern) const {
    rounds.add("rg-files-" + name, [this, pattern] {
      return rg({"-c", "-e", pattern}, home_ / ".cursor/projects");
    });
    rounds.add("rg-database-" + name, [this, pattern] {
      return rg({"-a", "-c", "-e", pattern}, state_database(home_));
    });
  }

  void add_searches(Rounds& rounds) const {
    const std::string rare = manifest_.rare_word();
    rounds.add("rare", [this, rare] { return ask_never({rare}); });
    rounds.add("xapian-rare", [this, rare] { return search_xapian({rare}); });
    rounds.add("fts5-rare", [this, rare] {
      return run("baseline-fts5", {"search", fts5_.string(), rare});
    });
    add_rg(rounds, "rare", rare);
    rounds.add("rare-refresh", [this, rare] { return ask({rare}); });
    rounds.add("stat", [this] { return stat_all(paths_); });
    rounds.add("three", [this] {
      Command words{"--limit", "20"};
      words.insert(words.end(), kThreeWords.begin(), kThreeWords.end());
      return ask_never(words);
    });
    rounds.add("xapian-three", [this] { return search_xapian(kThreeWords); });
    const std::string tenth_rare = read_manifest(tenth_home_).rare_word();
    rounds.add("tenth-rare", [this, tenth_rare] {
      return bench_.runner().must(
          bench_.cgrep(tenth_home_, tenth_index_, {"--refresh", "never", tenth_rare}));
    });
  }

  void add_exact_searches(Rounds& rounds) const {
    rounds.add("inside", [this] { return ask_never({"-s", "-F", manifest_.literal}); });
    rounds.add("scan-inside", [this] {
      return run("baseline-scan", {"literal", blocks_.string(), manifest_.literal});
    });
    rounds.add("regex", [this] { return ask_never({"-s", "-c", "-E", kRegex}); });
    add_rg(rounds, "regex", kRegex);
    rounds.add("short", [this] { return ask_never({"-s", "-c", "-F", kShort}); });
    add_rg(rounds, "short", kShort);
  }

  void add_changes(Rounds& rounds) {
    rounds.add("append", [this] {
      const std::string text = messages_.next();
      growing_.append(text);
      Cost cost = ask({"index", "--quiet"});
      append_bytes_.push_back(static_cast<double>(cost.written));
      expect_found(messages_.word());
      return cost;
    });
    rounds.add("noop", [this] { return ask({"index", "--quiet"}); });
    rounds.add("lazy", [this] {
      let_check_age();
      return ask({"index", "--quiet", "--lazy"});
    });
    rounds.add("lazy-again", [this] { return ask({"index", "--quiet", "--lazy"}); });
    rounds.add("xapian-append", [this] {
      Cost cost = run("baseline-xapian", {"append", xapian_.string(), messages_.next()});
      cost.seconds = std::strtod(cost.output.c_str(), nullptr) / 1e3;  // without the process
      return cost;
    });
  }

  void add_noop(Rounds& rounds, std::size_t sources) const {
    const auto name = std::to_string(sources);
    const auto home =
        bench_.history("sources-" + name, {"--messages", std::to_string(3 * sources), "--stores",
                                           "transcripts", "--per-conversation", "3"});
    const auto index = bench_.scratch("index-" + name);
    const auto paths = bench_.scratch("paths-" + name);
    if (!fs::exists(index)) {
      say("indexing " + name + " sources");
      bench_.first_index(home, index);
      // A folder that is younger than two seconds is listed once more.
      bench_.runner().must(bench_.cgrep(home, index, {"index", "--quiet"}));
      list_paths(home, paths);
    }
    rounds.add("noop-" + name, [this, home, index] {
      return bench_.runner().must(bench_.cgrep(home, index, {"index", "--quiet"}));
    });
    rounds.add("stat-" + name, [this, paths] { return stat_all(paths); });
  }

  /// Who is lazy does not look again within two seconds.
  void let_check_age() const {
    const auto checked = index_ / "checked";
    fs::last_write_time(checked, fs::last_write_time(checked) - std::chrono::seconds(10));
  }

  void expect_found(const std::string& word) const {
    if (ask_never({"-l", word}).output.empty())
      throw std::runtime_error("what was appended is not found: " + word);
  }

  void expect(bool right, std::string_view what) const {
    if (!right) throw std::runtime_error(fmt::format("answers differ: {}", what));
  }

  /// The baselines answer what cgrep answers.
  void check_others() const {
    const std::string rare = manifest_.rare_word();
    const std::size_t hits = manifest_.needles.at(rare).size();
    const auto lines = [](const std::string& text) {
      return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    };
    expect(lines(search_xapian({rare}).output) == hits, "Xapian, rare word");
    expect(lines(run("baseline-fts5", {"search", fts5_.string(), rare}).output) == hits,
           "FTS5, rare word");
    expect(!ask_never({"--limit", "20", kThreeWords[0], kThreeWords[1], kThreeWords[2]})
                .output.empty(),
           "three words");
    check_scan("literal", {"-F", manifest_.literal});
    check_scan("literal", {"-F", kShort});
    check_scan("regex", {"-E", kRegex});
  }

  void check_scan(const std::string& kind, const Command& question) const {
    const Cost scan = run("baseline-scan", {kind, blocks_.string(), question.back()});
    const std::size_t lines = std::stoul(scan.output.substr(scan.output.find(' ') + 1));
    const Cost answer = ask_never({"-s", "-c", question[0], question[1]});
    expect(sum_of_counts(answer.output) == lines,
           fmt::format("{}: a scan finds {} lines, cgrep {}", question.back(), lines,
                       sum_of_counts(answer.output)));
  }

  /// Sizes are those of the index as the first update leaves it. On disk there may be more: runs
  /// that were merged away go when the next writer has something to write.
  void describe() {
    auto& values = results_.measured.values;
    const auto share = [&](std::uintmax_t bytes) {
      return static_cast<double>(bytes) / text_bytes_;
    };
    values["size-words"] = share(bytes_of_runs(index_));
    values["size-history"] = share(bytes_below(index_) - bytes_below(index_ / "words"));
    values["size-on-disk"] = share(bytes_below(index_));
    values["size-fts5"] = share(fs::file_size(fts5_));
    values["size-xapian"] = share(bytes_below(xapian_ / "all"));
    std::ifstream list(paths_, std::ios::binary);
    const std::string paths{std::istreambuf_iterator<char>(list), {}};
    results_.corpus = {
        {"documents", static_cast<double>(documents_)},
        {"text", text_bytes_},
        {"paths", static_cast<double>(std::count(paths.begin(), paths.end(), '\0'))},
        {"transcripts", static_cast<double>(bytes_below(home_ / ".cursor/projects"))},
        {"database", static_cast<double>(fs::file_size(state_database(home_)))}};
  }

  const Workbench& bench_;
  Results& results_;
  fs::path home_;
  fs::path tenth_home_;
  Manifest manifest_;
  GrowingTranscript growing_;
  NewMessages messages_{};
  std::vector<double> append_bytes_{};
  std::size_t documents_ = 0;
  double text_bytes_ = 0;

  fs::path index_ = bench_.scratch("index");
  fs::path tenth_index_ = bench_.scratch("tenth-index");
  fs::path texts_ = bench_.scratch("texts");
  fs::path blocks_ = bench_.scratch("blocks");
  fs::path xapian_ = bench_.scratch("xapian");
  fs::path fts5_ = bench_.scratch("fts5.db");
  fs::path paths_ = bench_.scratch("paths");
};

}  // namespace

void measure_history(const Workbench& bench, std::size_t rounds, Results& results) {
  HistoryTasks tasks(bench, results);
  tasks.prepare();
  Rounds measured;
  for (std::size_t round = 1; round <= rounds; ++round) {
    say(fmt::format("round {} of {}", round, rounds));
    tasks.round(measured);
  }
  tasks.finish();
  keep(measured, results);
}

void keep(const Rounds& rounds, Results& results) {
  for (const auto& [name, samples] : rounds.samples())
    results.measured.figures[name] = figure_of(samples);
}

}  // namespace cgrep::bench
