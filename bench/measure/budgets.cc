#include "bench/measure/budgets.h"

#include <algorithm>

#include <fmt/format.h>

namespace cgrep::bench {
namespace {

constexpr std::size_t kUsual = 100'000;  // budgets bind from this size on, unless said
constexpr std::size_t kMillion = 1'000'000;

/// Bounds of one row of design.md §12.
struct Bound {
  std::string_view id{};
  std::string_view what{};
  std::string_view against{};
  Unit unit = Unit::times;
  Wanted wanted = Wanted::at_most;
  std::optional<double> must{};
  std::optional<double> aim{};
  std::size_t from = kUsual;  // binds at histories of so many messages
};

/// Makes rows of figures; leaves out those whose figures are not there.
class Judge {
 public:
  Judge(const Measured& measured, std::size_t messages)
      : measured_(measured), messages_(messages) {}

  using Names = std::vector<std::string_view>;

  /// Seconds of `task` in each round, less those of `without`; empty when it was not measured.
  std::vector<double> seconds(std::string_view task, std::string_view without = {}) const {
    const auto found = measured_.figures.find(task);
    if (found == measured_.figures.end()) return {};
    auto rounds = found->second.rounds;
    if (without.empty()) return rounds;
    const auto less = seconds(without);
    rounds.resize(std::min(rounds.size(), less.size()));
    for (std::size_t i = 0; i < rounds.size(); ++i) rounds[i] -= less[i];
    return rounds;
  }

  std::vector<double> sum(const Names& tasks) const {
    std::vector<double> rounds = seconds(tasks.front());
    for (std::size_t t = 1; t < tasks.size(); ++t)
      combine(rounds, seconds(tasks[t]), std::plus<>());
    return rounds;
  }

  std::vector<double> slowest(const Names& tasks) const {
    return pick(tasks, [](double a, double b) { return std::max(a, b); });
  }

  std::vector<double> fastest(const Names& tasks) const {
    return pick(tasks, [](double a, double b) { return std::min(a, b); });
  }

  /// cgrep over baseline, or for `at_least` the other way round: times faster.
  void ratio(const Bound& bound, std::vector<double> ours, const std::vector<double>& theirs) {
    if (ours.empty() || theirs.empty()) return;
    combine(ours, theirs, [&](double our, double their) {
      const double over = bound.wanted == Wanted::at_most ? our / their : their / our;
      return over;
    });
    add(bound, median(ours), ours);
  }

  void value(const Bound& bound, std::string_view name) {
    const auto found = measured_.values.find(name);
    if (found != measured_.values.end()) add(bound, found->second, {});
  }

  void memory(const Bound& bound, const Names& tasks) {
    std::uint64_t most = 0;
    for (const auto task : tasks)
      if (const auto found = measured_.figures.find(task); found != measured_.figures.end())
        most = std::max(most, found->second.memory);
    if (most > 0) add(bound, static_cast<double>(most), {});
  }

  std::vector<Row> take() { return std::move(rows_); }

 private:
  template <typename Pick>
  std::vector<double> pick(const Names& tasks, const Pick& better) const {
    std::vector<double> rounds = seconds(tasks.front());
    for (std::size_t t = 1; t < tasks.size(); ++t) combine(rounds, seconds(tasks[t]), better);
    return rounds;
  }

  template <typename Operation>
  static void combine(std::vector<double>& rounds, const std::vector<double>& others,
                      const Operation& operation) {
    rounds.resize(std::min(rounds.size(), others.size()));
    for (std::size_t i = 0; i < rounds.size(); ++i) rounds[i] = operation(rounds[i], others[i]);
  }

  void add(const Bound& bound, double value, std::vector<double> rounds) {
    rows_.push_back({.id = std::string(bound.id),
                     .what = std::string(bound.what),
                     .against = std::string(bound.against),
                     .unit = bound.unit,
                     .wanted = bound.wanted,
                     .value = value,
                     .rounds = std::move(rounds),
                     .must = bound.must,
                     .aim = bound.aim,
                     .binding = messages_ >= bound.from});
  }

  const Measured& measured_;
  std::size_t messages_;
  std::vector<Row> rows_{};
};

constexpr auto faster = Wanted::at_least;

void judge_building(Judge& judge) {
  judge.ratio({"index-xapian", "first index", "raw Xapian, add_document", {}, {}, 0.6, 0.3},
              judge.seconds("index"), judge.seconds("xapian-build"));
  judge.ratio({"index-fts5", "first index", "SQLite FTS5", {}, {}, 0.9, 0.5},
              judge.seconds("index"), judge.seconds("fts5-build"));
  judge.ratio({"extract", "reading and parsing alone", "simdjson + SQLite", {}, {}, 2, 1.3},
              judge.seconds("extract"), judge.seconds("parse-floor"));
  judge.value({"size-words", "size of words/", "bytes of text", Unit::of_text, {}, 0.55, 0.45},
              "size-words");
  judge.value(
      {"size-history", "size of history.db", "bytes of text", Unit::of_text, {}, 0.75, 0.57},
      "size-history");
  judge.memory({"memory-index", "peak memory of index", "", Unit::megabytes, {}, 250e6, 150e6},
               {"index"});
  judge.memory({"memory-search", "peak memory of a search", "", Unit::megabytes, {}, 60e6, 30e6},
               {"rare", "rare-refresh", "three", "inside"});
}

void judge_searches(Judge& judge, std::size_t messages) {
  const bool million = messages >= kMillion;
  judge.ratio({"rare-xapian", "rare word, --refresh never", "raw Xapian program", {}, {}, 2.5, 1.8},
              judge.seconds("rare"), judge.seconds("xapian-rare"));
  judge.ratio({"rare-rg", "rare word, --refresh never", "rg + rg -a", Unit::times_faster, faster,
               million ? 100.0 : 20.0, million ? 150.0 : 30.0},
              judge.seconds("rare"), judge.sum({"rg-files-rare", "rg-database-rare"}));
  judge.ratio({"rare-refresh",
               "rare word with refresh, nothing changed",
               "the slower of stat and search",
               {},
               {},
               1.5,
               1.2},
              judge.seconds("rare-refresh"), judge.slowest({"rare", "stat"}));
  judge.ratio({"three-xapian",
               "three common words, ranked",
               "raw Xapian program",
               {},
               {},
               2,
               1.5,
               kMillion},
              judge.seconds("three"), judge.seconds("xapian-three"));
  judge.ratio({"inside-scan", "literal inside a word, 0.1 % of documents", "scan of all texts",
               Unit::times_faster, faster, 20, 40},
              judge.seconds("inside"), judge.seconds("scan-inside"));
  judge.ratio({"regex-rg", "regex of classes only", "rg + rg -a", {}, {}, 1, 0.5},
              judge.seconds("regex"), judge.sum({"rg-files-regex", "rg-database-regex"}));
  judge.ratio({"short-rg", "short literal that fits most", "rg + rg -a", {}, {}, 3, 1.5},
              judge.seconds("short"), judge.sum({"rg-files-short", "rg-database-short"}));
}

void judge_changes(Judge& judge) {
  for (const std::string sources : {"5000", "20000"})
    judge.ratio({"noop-" + sources,
                 "nothing changed, " + sources + " sources",
                 "stat of the same files and folders",
                 {},
                 {},
                 2,
                 1.3,
                 0},
                judge.seconds("noop-" + sources), judge.seconds("stat-" + sources));
  judge.ratio(
      {"append", "one message appended, over the no-op", "raw Xapian in place", {}, {}, 2, 1.2},
      judge.seconds("append", "noop"), judge.seconds("xapian-append"));
  judge.value({"append-bytes", "bytes written for it", "", Unit::kilobytes, {}, 200e3, 50e3},
              "append-bytes");
  judge.ratio(
      {"growth-index", "first index, ten times the history", "the tenth of it", {}, {}, 11, {}},
      judge.seconds("index"), judge.seconds("tenth-index"));
  judge.ratio(
      {"growth-rare", "rare word, ten times the history", "the tenth of it", {}, {}, 1.5, {}},
      judge.seconds("rare"), judge.seconds("tenth-rare"));
}

void judge_giant(Judge& judge) {
  judge.value({"giant-read",
               "giant database, first index: bytes read",
               "the rows that are needed",
               {},
               {},
               1.5,
               1.2,
               0},
              "giant-read");
  judge.memory(
      {"giant-memory", "giant database, peak memory", "", Unit::megabytes, {}, 250e6, 150e6, 0},
      {"giant-index"});
  judge.value(
      {"giant-bubble", "giant database, one new bubble", "", Unit::milliseconds, {}, {}, {}, 0},
      "giant-bubble");
  judge.value(
      {"giant-bubble-read", "giant database, read for it", "", Unit::kilobytes, {}, {}, {}, 0},
      "giant-bubble-read");
}

void judge_year(Judge& judge) {
  judge.value({"year-size", "after a year: size of the index", "a fresh one", {}, {}, 1.3, {}, 0},
              "year-size");
  judge.ratio({"year-rare", "after a year: rare word", "a fresh index", {}, {}, 1.3, {}, 0},
              judge.seconds("year-rare"), judge.seconds("fresh-rare"));
  judge.ratio(
      {"year-append", "after a year: one message appended", "a fresh index", {}, {}, 1.3, {}, 0},
      judge.seconds("year-append"), judge.seconds("fresh-append"));
}

std::string bound_text(const std::optional<double>& bound, const Row& row) {
  if (!bound) return "";
  return (row.wanted == Wanted::at_most ? "≤ " : "≥ ") + printed(*bound, row.unit);
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string_view verdict(const Row& row) {
  if (!row.must || !row.binding) return "";
  if (row.missed()) return "MISSED";
  return !row.aim || row.keeps(*row.aim) ? "kept" : "aim missed";
}

std::vector<Row> judge(const Measured& measured, std::size_t messages) {
  Judge judge(measured, messages);
  judge_building(judge);
  judge_searches(judge, messages);
  judge_changes(judge);
  judge_giant(judge);
  judge_year(judge);
  return judge.take();
}

std::string printed(double value, Unit unit) {
  switch (unit) {
    case Unit::times:
      return fmt::format("{:.2f} x", value);
    case Unit::times_faster:
      return fmt::format("{:.0f} x", value);
    case Unit::of_text:
      return fmt::format("{:.2f}", value);
    case Unit::megabytes:
      return fmt::format("{:.0f} MB", value / 1e6);
    case Unit::kilobytes:
      return fmt::format("{:.0f} KB", value / 1e3);
    case Unit::milliseconds:
      break;
  }
  return fmt::format("{:.1f} ms", value * 1e3);
}

std::string table(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> cells{{"what", "against", "is", "must", "aim", ""}};
  for (const Row& row : rows)
    cells.push_back(
        {row.what, row.against,
         printed(row.value, row.unit) + (row.unit == Unit::times_faster ? " faster" : ""),
         bound_text(row.must, row), bound_text(row.aim, row), std::string(verdict(row))});
  std::vector<std::size_t> widths(cells.front().size());
  for (const auto& line : cells)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(line[i]));
  std::string out;
  for (const auto& line : cells) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i)
      text += line[i] + std::string(widths[i] - columns_of(line[i]) + 2, ' ');
    out += text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

}  // namespace cgrep::bench
