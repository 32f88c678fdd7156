// bench-judge [--conversations N] [--seed S] [-v] [--explore] DIR: makes the judged history in DIR,
// indexes it there, asks all queries, and prints how well they are answered, beside what Xapian's
// weight alone would give.

#include <exception>
#include <filesystem>
#include <iostream>
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

void print_table(const Judgements& ours, const Judgements& plain) {
  std::cout << "                       BM25 alone          cgrep\n"
               "             queries   MRR    s@1   s@5    MRR    s@1   s@5\n";
  print_row("all", ours, plain, {});
  print_row("tuning", ours, plain, [](const JudgedQuery& query) { return query.tuning; });
  print_row("held out", ours, plain, [](const JudgedQuery& query) { return !query.tuning; });
  std::set<std::string> kinds;
  for (const auto& judgement : ours) kinds.insert(judgement.query->kind);
  for (const auto& kind : kinds)
    print_row(kind, ours, plain, [&](const JudgedQuery& query) { return query.kind == kind; });
}

void print_failures(const Judgements& ours, const Judgements& plain, History& history) {
  std::cout << "\nnot first:\n";
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto& judgement = ours[i];
    if (judgement.place == 1) continue;
    const auto title = [&](const std::string& key) {
      const auto row = history.row_of_conversation(key);
      return row ? history.conversation(*row).title : std::string();
    };
    std::cout << fmt::format(
        "{:<10} {:<8} place {} of {} (BM25: {})  {}\n    wanted {}  {}\n    first  {}  {}\n",
        judgement.query->kind, judgement.query->tuning ? "tuning" : "held out", judgement.place,
        judgement.answers, plain[i].place, judgement.query->text,
        judgement.query->wanted.front().substr(0, 8), title(judgement.query->wanted.front()),
        judgement.first.substr(0, 8), title(judgement.first));
  }
}

/// Every weight by its name.
template <typename Visit>
void for_each_weight(RankWeights& weights, Visit&& visit) {
  for (std::size_t i = 0; i < kRoleNames.size(); ++i) visit(kRoleNames[i], weights.roles[i]);
  visit("phrase", weights.phrase);
  visit("closeness", weights.closeness);
  visit("other form", weights.other_form);
  visit("subagent", weights.subagent);
  visit("here", weights.here);
  visit("recency", weights.recency);
  visit("title", weights.title);
  visit("others", weights.others);
  visit("partial", weights.partial);
}

/// How MRR moves when one weight changes and the others stay.
void explore(History& history, const JudgedHistory& judged) {
  std::cout << "\nweight         value   MRR tuning, held out\n";
  RankWeights defaults;
  for_each_weight(defaults, [&](std::string_view name, double& weight) {
    const double kept = weight;
    for (const double factor : {0.0, 0.5, 0.7, 1.0, 1.4, 2.0}) {
      weight = kept * factor;
      const auto judgements = judge(history, judged, defaults);
      const auto tuning =
          figures(judgements, [](const JudgedQuery& query) { return query.tuning; });
      const auto held_out =
          figures(judgements, [](const JudgedQuery& query) { return !query.tuning; });
      std::cout << fmt::format("{:<12} {:>7.2f}   {:.4f}  {:.4f}{}\n", name, weight, tuning.mrr,
                               held_out.mrr, factor == 1.0 ? "  default" : "")
                << std::flush;
    }
    weight = kept;
  });
}

void run(const Options& options) {
  const auto home = options.folder / "home";
  const auto index = options.folder / "index";
  fs::create_directories(home);
  const auto judged = make_judged_history(options.plan, home);
  update(index, find_roots(process_environment, home), {});
  History history(index, History::Mode::read);
  std::cout << fmt::format("{} conversations, {} documents, {} queries\n\n", judged.conversations,
                           history.document_count(), judged.queries.size());
  const auto ours = judge(history, judged, {});
  const auto plain = judge(history, judged, RankWeights::plain());
  print_table(ours, plain);
  if (options.verbose) print_failures(ours, plain, history);
  if (options.explore) explore(history, judged);
}

void declare(CLI::App& app, Options& options) {
  app.add_option("--conversations", options.plan.conversations, "How many conversations")
      ->capture_default_str();
  app.add_option("--topics", options.plan.topics, "At most so many topics");
  app.add_option("--seed", options.plan.seed, "Another seed, another history")
      ->capture_default_str();
  app.add_flag("-v,--verbose", options.verbose, "List the queries whose answer is not first");
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
