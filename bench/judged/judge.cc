// bench-judge [--conversations N] [--histories N] [-v] [--explore] [--tune] DIR: makes judged
// histories in DIR, indexes them there, asks all queries, and prints how well they are answered,
// beside what Xapian's weight alone would give.

#include <array>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/judged/evaluate.h"
#include "bench/judged/judged_history.h"
#include "extract/roots.h"
#include "index/update.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

struct Options {
  JudgedPlan plan{};
  bool verbose = false;
  bool explore = false;
  bool tune = false;
  std::size_t histories = 1;
  fs::path folder{};
};

using Judgements = std::vector<Judgement>;

void print_row(std::string_view name, const Judgements& ours, const Judgements& plain,
               const std::function<bool(const JudgedQuery&)>& counts) {
  const auto a = figures(plain, counts);
  const auto b = figures(ours, counts);
  std::cout << fmt::format("{:<12} {:>7}   {:.3f}  {:.2f}  {:.2f}   {:.3f}  {:.2f}  {:.2f}\n", name,
                           a.queries, a.mrr, a.success_1, a.success_5, b.mrr, b.success_1,
                           b.success_5);
}

bool is_tuning(const JudgedQuery& query) {
  return query.tuning;
}

bool is_held_out(const JudgedQuery& query) {
  return !query.tuning;
}

void print_table(const Judgements& ours, const Judgements& plain) {
  std::cout << "                       BM25 alone          cgrep\n"
               "             queries   MRR    s@1   s@5    MRR    s@1   s@5\n";
  print_row("all", ours, plain, {});
  print_row("tuning", ours, plain, is_tuning);
  print_row("held out", ours, plain, is_held_out);
  std::set<std::string> kinds;
  for (const auto& judgement : ours) kinds.insert(judgement.query->kind);
  for (const auto& kind : kinds)
    print_row(kind, ours, plain, [&](const JudgedQuery& query) { return query.kind == kind; });
}

/// A history with its index.
struct Made {
  JudgedHistory judged{};
  std::unique_ptr<History> history{};
};

Judgements judge_all(const std::vector<Made>& made, const RankWeights& weights) {
  Judgements all;
  for (const auto& each : made)
    for (auto& judgement : judge(*each.history, each.judged, weights))
      all.push_back(std::move(judgement));
  return all;
}

void print_failures(const Made& made) {
  std::cout << "\nnot first:\n";
  const auto plain = judge(*made.history, made.judged, RankWeights::plain());
  const auto ours = judge(*made.history, made.judged, {});
  const auto title = [&](const std::string& key) {
    const auto row = made.history->row_of_conversation(key);
    return row ? made.history->conversation(*row).title : std::string();
  };
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto& [query, place, first, answers] = ours[i];
    if (place == 1) continue;
    std::cout << fmt::format(
        "{:<10} {:<8} place {} of {} (BM25: {})  {}\n    wanted {}  {}\n    first  {}  {}\n",
        query->kind, query->tuning ? "tuning" : "held out", place, answers, plain[i].place,
        query->text, query->wanted.front().substr(0, 8), title(query->wanted.front()),
        first.substr(0, 8), title(first));
  }
}

/// Every weight by its name.
template <typename Visit>
void for_each_weight(RankWeights& weights, Visit&& visit) {
  for (std::size_t i = 0; i < kRoleNames.size(); ++i) visit(kRoleNames[i], weights.roles[i]);
  visit("phrase", weights.phrase);
  visit("closeness", weights.closeness);
  visit("other form", weights.other_form);
  visit("opening", weights.opening);
  visit("others", weights.others);
  visit("partial", weights.partial);
  visit("title", weights.title);
  visit("subagent", weights.subagent);
  visit("here", weights.here);
  visit("recency", weights.recency);
}

constexpr std::array kFactors = {0.0, 0.5, 0.8, 1.25, 2.0};

/// How MRR moves when one weight changes and the others stay.
void explore(const std::vector<Made>& made) {
  std::cout << "\nweight         value   MRR tuning, held out\n";
  RankWeights weights;
  for_each_weight(weights, [&](std::string_view name, double& weight) {
    const double kept = weight;
    for (const double factor : kFactors) {
      weight = kept * factor;
      const auto judgements = judge_all(made, weights);
      std::cout << fmt::format("{:<12} {:>7.2f}   {:.4f}  {:.4f}\n", name, weight,
                               figures(judgements, is_tuning).mrr,
                               figures(judgements, is_held_out).mrr)
                << std::flush;
    }
    weight = kept;
  });
}

/// Climbs: changes one weight after the other, and keeps what helps the tuning half by more than
/// chance does.
void tune(const std::vector<Made>& made) {
  constexpr int kRounds = 3;
  constexpr double kWorthIt = 0.001;
  RankWeights weights;
  const auto measured = [&] { return figures(judge_all(made, weights), is_tuning).mrr; };
  double best = measured();
  for (int round = 0; round < kRounds; ++round)
    for_each_weight(weights, [&](std::string_view name, double& weight) {
      double kept = weight;
      for (const double factor : kFactors) {
        const double before = kept;
        weight = before * factor;
        if (const double now = measured(); now > best + kWorthIt) {
          best = now;
          kept = weight;
        }
        weight = kept;
      }
      std::cout << fmt::format("{:<12} {:>7.3f}   {:.4f}\n", name, kept, best) << std::flush;
    });
  std::cout << '\n';
  print_table(judge_all(made, weights), judge_all(made, RankWeights::plain()));
}

Made make(const JudgedPlan& plan, const fs::path& folder) {
  fs::create_directories(folder / "home");
  Made made{.judged = make_judged_history(plan, folder / "home")};
  update(folder / "index", find_roots(process_environment, folder / "home"), {});
  made.history = std::make_unique<History>(folder / "index", History::Mode::read);
  std::cout << fmt::format("{} conversations, {} documents, {} queries\n",
                           made.judged.conversations, made.history->document_count(),
                           made.judged.queries.size());
  return made;
}

void run(const Options& options) {
  std::vector<Made> made;
  for (std::size_t i = 0; i < options.histories; ++i) {
    auto plan = options.plan;
    plan.seed += i;
    made.push_back(make(plan, options.folder / fmt::to_string(plan.seed)));
  }
  std::cout << '\n';
  print_table(judge_all(made, {}), judge_all(made, RankWeights::plain()));
  if (options.verbose)
    for (const auto& each : made) print_failures(each);
  if (options.explore) explore(made);
  if (options.tune) tune(made);
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--conversations", options.plan.conversations, "How many conversations")
      ->capture_default_str();
  app.add_option("--topics", options.plan.topics, "At most so many topics");
  app.add_option("--seed", options.plan.seed, "Another seed, another history")
      ->capture_default_str();
  app.add_flag("-v,--verbose", options.verbose, "List the queries whose answer is not first");
  app.add_option("--histories", options.histories, "So many, with this seed and the next ones")
      ->capture_default_str();
  app.add_flag("--tune", options.tune, "Look for better weights, by the tuning half");
  app.add_flag("--explore", options.explore, "How the figures move with each weight");
  app.add_option("DIR", options.folder, "Where history and index are made")->required();
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    CLI::App app("Measures ranking on judged queries", "bench-judge");
    cgrep::bench::Options options;
    cgrep::bench::declare(app, options);
    CLI11_PARSE(app, argc, argv);
    cgrep::bench::run(options);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bench-judge: " << error.what() << '\n';
    return 2;
  }
}
