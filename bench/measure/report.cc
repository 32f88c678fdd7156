#include "bench/measure/report.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace cgrep::bench {
namespace {

constexpr std::string_view kBegin = "<!-- speed: made by bench/report, do not edit -->\n";
constexpr std::string_view kEnd = "<!-- end of speed -->\n";

/// `100 000`.
std::string grouped(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (auto at = std::ssize(digits) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), " ");
  return digits;
}

std::string duration(double seconds) {
  if (seconds >= 10) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  return seconds >= 0.01 ? fmt::format("{:.0f} ms", seconds * 1e3)
                         : fmt::format("{:.1f} ms", seconds * 1e3);
}

double seconds(const Results& results, std::initializer_list<std::string_view> tasks) {
  double sum = 0;
  for (const auto task : tasks)
    if (const auto found = results.measured.figures.find(task);
        found != results.measured.figures.end())
      sum += found->second.seconds;
  return sum;
}

std::string where_and_what(const Results& results) {
  const Machine& machine = results.machine;
  const auto corpus = [&](std::string_view name) {
    const auto found = results.corpus.find(name);
    return found == results.corpus.end() ? 0 : found->second;
  };
  return fmt::format(
      "Measured {} at {} by `{}` on {} with {} cores ({}, {:.0f} GB of memory): {} generated "
      "messages "
      "in all default stores ({} documents with {:.0f} MB of text, in {:.0f} MB of transcripts and "
      "a "
      "database of {:.0f} MB; {} files and folders). Whole processes, files in the page cache.\n",
      results.date, results.commit, results.command, machine.system, machine.cores, machine.cpu,
      machine.memory / 1e9, grouped(static_cast<double>(results.messages)),
      grouped(corpus("documents")), corpus("text") / 1e6, corpus("transcripts") / 1e6,
      corpus("database") / 1e6, grouped(corpus("paths")));
}

std::string times(const Results& results) {
  std::string out = "\n| | cgrep | instead |\n|---|---|---|\n";
  const auto line = [&](std::string_view what, double own, const std::string& instead) {
    if (own > 0) out += fmt::format("| {} | {} | {} |\n", what, duration(own), instead);
  };
  line("first index", seconds(results, {"index"}),
       fmt::format("raw Xapian {}, SQLite FTS5 {}", duration(seconds(results, {"xapian-build"})),
                   duration(seconds(results, {"fts5-build"}))));
  line("rare word, index taken as it is (`--refresh never`)", seconds(results, {"rare"}),
       fmt::format("`rg` and `rg -a` {}, raw Xapian {}",
                   duration(seconds(results, {"rg-files-rare", "rg-database-rare"})),
                   duration(seconds(results, {"xapian-rare"}))));
  line("rare word, after a look at all sources (default)", seconds(results, {"rare-refresh"}),
       fmt::format("`stat` of them alone {}", duration(seconds(results, {"stat"}))));
  line("three common words, ranked", seconds(results, {"three"}),
       fmt::format("raw Xapian {}", duration(seconds(results, {"xapian-three"}))));
  line("literal inside a word (`-F`)", seconds(results, {"inside"}),
       fmt::format("scan of all texts {}", duration(seconds(results, {"scan-inside"}))));
  line("regex that no word narrows (`-E`)", seconds(results, {"regex"}),
       fmt::format("`rg` and `rg -a` {}",
                   duration(seconds(results, {"rg-files-regex", "rg-database-regex"}))));
  line("update, one message appended", seconds(results, {"append"}),
       fmt::format("nothing changed: {}", duration(seconds(results, {"noop"}))));
  line("at a prompt (`index --lazy`), nothing changed", seconds(results, {"lazy"}),
       fmt::format("within two seconds of the last: {}",
                   duration(seconds(results, {"lazy-again"}))));
  return out;
}

std::string bound(const std::optional<double>& value, const Row& row) {
  if (!value) return "";
  return (row.wanted == Wanted::at_most ? "≤ " : "≥ ") + printed(*value, row.unit);
}

std::string ratios(const std::vector<Row>& rows) {
  std::string out = "\n| | against | is | must | aim |\n|---|---|---|---|---|\n";
  for (const Row& row : rows) {
    std::string value = printed(row.value, row.unit);
    if (row.unit == Unit::times_faster) value += " faster";
    if (row.missed()) value = "**" + value + "**, missed";
    out += fmt::format("| {} | {} | {} | {} | {} |\n", row.what, row.against, value,
                       bound(row.must, row), bound(row.aim, row));
  }
  return out;
}

/// Rows that begin so, of the newest results that have them.
void add_rows(std::vector<Row>& rows, const std::vector<Results>& all, std::string_view head) {
  for (auto results = all.rbegin(); results != all.rend(); ++results) {
    auto theirs = results->rows();
    std::erase_if(theirs, [&](const Row& row) { return !row.id.starts_with(head); });
    if (theirs.empty()) continue;
    rows.insert(rows.end(), theirs.begin(), theirs.end());
    return;
  }
}

}  // namespace

std::string speed_section(const std::vector<Results>& all) {
  const auto sizes = newest_of_each_size(all);
  if (sizes.empty()) throw std::runtime_error("no results with a first index: run bench/run");
  const auto off = [](const Results& results) {
    return std::abs(std::log(static_cast<double>(results.messages) / 1e5));
  };
  const Results& shown =
      *std::min_element(sizes.begin(), sizes.end(),
                        [&](const Results& a, const Results& b) { return off(a) < off(b); });
  auto rows = shown.rows();
  std::erase_if(rows, [](const Row& row) {
    return row.id.starts_with("giant-") || row.id.starts_with("year-");
  });
  add_rows(rows, all, "giant-");
  add_rows(rows, all, "year-");
  return where_and_what(shown) + times(shown) + ratios(rows) +
         "\n![What ten times the history costs](bench/growth.svg)\n";
}

std::string with_section(const std::string& text, const std::string& section) {
  const auto begin = text.find(kBegin);
  const auto end = text.find(kEnd);
  if (begin == text.npos || end == text.npos || end < begin)
    throw std::runtime_error("README.md has no markers for the section on speed");
  return text.substr(0, begin + kBegin.size()) + section + text.substr(end);
}

}  // namespace cgrep::bench
