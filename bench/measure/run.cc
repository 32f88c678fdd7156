// bench-run: measures cgrep beside the baselines, prints one table of ratios with what they must
// be, and keeps the results. Exits 1 when a must is missed. bench/run builds what it needs and
// calls it.

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "bench/measure/tasks.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path build = "build/bench";
  fs::path data = "build/bench/data";
  fs::path results = "bench/results";
  std::string size = "100k";
  std::string commit{};
  std::size_t seed = 1;
  std::size_t rounds = 3;
  std::size_t giant = 0;
  std::size_t year = 0;
  bool only_extras = false;
};

const std::map<std::string, std::size_t> kSizes = {
    {"tiny", 500}, {"10k", 10'000}, {"100k", 100'000}, {"1m", 1'000'000}};

void declare(CLI::App& app, Options& options) {
  app.add_option("--size", options.size, "tiny, 10k, 100k or 1m messages")
      ->check(CLI::IsMember(kSizes))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "How often everything is measured")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Another seed, another history")->capture_default_str();
  app.add_option("--giant", options.giant,
                 "Also a giant state.vscdb of so many messages: 70000 are 2 GB, 150000 are 5 GB");
  app.add_option("--year", options.year, "Also a year of so many changes, such as 10000");
  app.add_flag("--only-extras", options.only_extras, "Nothing but --giant and --year");
  app.add_option("--build", options.build, "Where everything is built")->capture_default_str();
  app.add_option("--data", options.data, "Where histories are kept")->capture_default_str();
  app.add_option("--results", options.results, "Where results are kept")->capture_default_str();
  app.add_option("--commit", options.commit, "What is measured, for the results");
}

std::string command_of(const Options& options) {
  std::string command =
      fmt::format("bench/run --size {} --rounds {}", options.size, options.rounds);
  if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
  if (options.giant > 0) command += fmt::format(" --giant {}", options.giant);
  if (options.year > 0) command += fmt::format(" --year {}", options.year);
  if (options.only_extras) command += " --only-extras";
  return command;
}

Results measure(const Options& options) {
  Results results{.date = fmt::format("{:%F}", std::chrono::system_clock::now()),
                  .size = options.size,
                  .messages = kSizes.at(options.size),
                  .seed = options.seed,
                  .rounds = options.rounds,
                  .commit = options.commit,
                  .command = command_of(options),
                  .machine = this_machine()};
  const Workbench bench(options.build, options.data, options.seed);
  if (!options.only_extras) measure_history(bench, options.rounds, results);
  if (options.giant > 0) measure_giant(bench, options.giant, results);
  if (options.year > 0) measure_year(bench, options.year, options.rounds, results);
  return results;
}

void save(const Results& results, const Options& options) {
  fs::create_directories(options.results);
  const auto name = options.only_extras ? "extras" : results.size;
  std::ofstream(options.results / fmt::format("{}-{}.json", results.date, name))
      << to_json(results);
}

/// The figures behind the ratios.
std::string figures(const Results& results) {
  std::string out;
  for (const auto& [name, figure] : results.measured.figures)
    out += fmt::format(
        "{:<20} {:>10.2f} ms {:>10.2f} ms CPU {:>6.0f} MB {:>9.0f} KB read {:>9.0f} KB written\n",
        name, figure.seconds * 1e3, figure.cpu * 1e3, static_cast<double>(figure.memory) / 1e6,
        static_cast<double>(figure.read) / 1e3, static_cast<double>(figure.written) / 1e3);
  for (const auto& [name, value] : results.measured.values)
    out += fmt::format("{:<20} {:>10.4g}\n", name, value);
  return out;
}

int report(const Results& results) {
  std::cout << figures(results) << '\n' << table(results.rows());
  std::size_t missed = 0;
  for (const Row& row : results.rows()) missed += row.missed() ? 1 : 0;
  std::cout << (missed == 0 ? std::string("\nNo must is missed.\n")
                            : fmt::format("\n{} missed.\n", missed));
  return missed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    CLI::App app("Measures cgrep beside what people would use instead", "bench-run");
    cgrep::bench::Options options;
    cgrep::bench::declare(app, options);
    CLI11_PARSE(app, argc, argv);
    const auto results = cgrep::bench::measure(options);
    cgrep::bench::save(results, options);
    return cgrep::bench::report(results);
  } catch (const std::exception& error) {
    std::cerr << "bench-run: " << error.what() << '\n';
    return 2;
  }
}
