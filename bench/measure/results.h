// Results of one run, as they are kept under bench/results/<date>-<size>.json.
//   {"date", "size", "messages", "seed", "rounds", "commit", "command",
//    "machine": {"cpu", "cores", "memory", "system"},
//    "corpus": {"documents", "text", "files", …},       counts and bytes
//    "figures": {<task>: {"seconds", "cpu", "memory", "read", "written", "rounds"}},
//    "values": {<name>: number},
//    "rows": [{"id", "value", "must", "aim", "verdict", …}]}   made from the figures, for readers
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bench/measure/budgets.h"

namespace cgrep::bench {

/// Told in general terms: nothing that names it or its user.
struct Machine {
  std::string cpu{};
  std::string system{};
  std::size_t cores = 0;
  double memory = 0;  // bytes
};

Machine this_machine();

struct Results {
  std::string date{};
  std::string size{};
  std::size_t messages = 0;
  std::size_t seed = 0;
  std::size_t rounds = 0;
  std::string commit{};
  std::string command{};
  Machine machine{};
  std::map<std::string, double, std::less<>> corpus{};
  Measured measured{};

  std::vector<Row> rows() const { return judge(measured, messages); }
};

std::string to_json(const Results& results);

/// Throws when it is no file of results.
Results read_results(const std::filesystem::path& path);

/// Everything in the folder, oldest first.
std::vector<Results> all_results(const std::filesystem::path& folder);

/// Of those with a first index, the newest of each size, smallest history first.
std::vector<Results> newest_of_each_size(const std::vector<Results>& all);

}  // namespace cgrep::bench
