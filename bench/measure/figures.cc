#include "bench/measure/figures.h"

#include <algorithm>

namespace cgrep::bench {
namespace {

template <typename Member>
std::vector<double> medians_by_round(const Samples& samples, Member Cost::*member) {
  std::vector<double> medians;
  for (const auto& round : samples) {
    std::vector<double> values;
    for (const Cost& cost : round) values.push_back(static_cast<double>(cost.*member));
    if (!values.empty()) medians.push_back(median(values));
  }
  return medians;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Figure figure_of(const Samples& samples) {
  Figure figure;
  figure.rounds = medians_by_round(samples, &Cost::seconds);
  figure.seconds = median(figure.rounds);
  figure.cpu = median(medians_by_round(samples, &Cost::cpu));
  figure.read = static_cast<std::uint64_t>(median(medians_by_round(samples, &Cost::read)));
  figure.written = static_cast<std::uint64_t>(median(medians_by_round(samples, &Cost::written)));
  for (const auto& round : samples)
    for (const Cost& cost : round) figure.memory = std::max(figure.memory, cost.memory);
  return figure;
}

void Rounds::run(std::size_t repeats, double most) {
  std::vector<std::vector<Cost>*> rounds;
  for (const auto& [name, task] : tasks_) rounds.push_back(&samples_[name].emplace_back());
  std::vector<double> taken(tasks_.size());
  for (std::size_t repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (taken[i] >= most) continue;
      Cost cost = tasks_[i].second();
      cost.output.clear();
      taken[i] += cost.seconds;
      rounds[i]->push_back(std::move(cost));
    }
}

}  // namespace cgrep::bench
