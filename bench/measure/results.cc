#include "bench/measure/results.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "extract/json.h"

namespace cgrep::bench {
namespace {

/// The text after the first `separator` of the first line that begins with `head`.
std::string value_in(const char* path, std::string_view head, char separator) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(head)) continue;
    auto value = line.substr(line.find(separator) + 1);
    std::erase(value, '"');
    return value.substr(std::min(value.find_first_not_of(" \t"), value.size()));
  }
  return {};
}

/// Short enough to read, exact enough to judge by.
std::string number(double value) {
  return fmt::format("{:.6g}", value);
}

std::string numbers(const std::map<std::string, double, std::less<>>& values) {
  std::vector<std::string> members;
  for (const auto& [name, value] : values)
    members.push_back(fmt::format("    {}: {}", json_quote(name), number(value)));
  return fmt::format("{}", fmt::join(members, ",\n"));
}

std::string list(const std::vector<double>& values) {
  std::vector<std::string> members;
  for (const double value : values) members.push_back(number(value));
  return fmt::format("[{}]", fmt::join(members, ", "));
}

std::string figure(const std::string& name, const Figure& figure) {
  return fmt::format(
      R"(    {}: {{"seconds": {}, "cpu": {}, "memory": {}, "read": {}, "written": {}, "rounds": {}}})",
      json_quote(name), number(figure.seconds), number(figure.cpu), figure.memory, figure.read,
      figure.written, list(figure.rounds));
}

std::string row(const Row& row) {
  const auto bound = [](const std::optional<double>& value) {
    return value ? number(*value) : std::string("null");
  };
  return fmt::format(
      R"(    {{"id": {}, "what": {}, "against": {}, "value": {}, "rounds": {}, "must": {}, "aim": {}, "verdict": {}}})",
      json_quote(row.id), json_quote(row.what), json_quote(row.against), number(row.value),
      list(row.rounds), bound(row.must), bound(row.aim), json_quote(verdict(row)));
}

double number_of(const Json& object, std::string_view key) {
  const Json* const value = object.find(key);
  return value != nullptr ? value->number().value_or(0) : 0;
}

std::size_t count_of(const Json& object, std::string_view key) {
  return static_cast<std::size_t>(number_of(object, key));
}

/// Calls visit(name, value) for each member of the member `key`.
template <typename Visit>
void for_each_member(const Json& json, std::string_view key, const Visit& visit) {
  const Json* const member = json.find(key);
  if (member == nullptr || member->object() == nullptr)
    throw std::runtime_error("no \"" + std::string(key) + "\" in it");
  for (const auto& [name, value] : *member->object()) visit(name, value);
}

Figure read_figure(const Json& json) {
  Figure figure{.seconds = number_of(json, "seconds"),
                .cpu = number_of(json, "cpu"),
                .memory = count_of(json, "memory"),
                .read = count_of(json, "read"),
                .written = count_of(json, "written"),
                .rounds = {}};
  if (const Json* const rounds = json.find("rounds"); rounds != nullptr && rounds->array())
    for (const Json& round : *rounds->array()) figure.rounds.push_back(round.number().value_or(0));
  return figure;
}

Results results_of(const Json& json) {
  Results results{.date = std::string(json.text("date")),
                  .size = std::string(json.text("size")),
                  .messages = count_of(json, "messages"),
                  .seed = count_of(json, "seed"),
                  .rounds = count_of(json, "rounds"),
                  .commit = std::string(json.text("commit")),
                  .command = std::string(json.text("command"))};
  if (const Json* const machine = json.find("machine"))
    results.machine = {.cpu = std::string(machine->text("cpu")),
                       .system = std::string(machine->text("system")),
                       .cores = count_of(*machine, "cores"),
                       .memory = number_of(*machine, "memory")};
  for_each_member(json, "corpus", [&](const std::string& name, const Json& value) {
    results.corpus[name] = value.number().value_or(0);
  });
  for_each_member(json, "values", [&](const std::string& name, const Json& value) {
    results.measured.values[name] = value.number().value_or(0);
  });
  for_each_member(json, "figures", [&](const std::string& name, const Json& value) {
    results.measured.figures[name] = read_figure(value);
  });
  return results;
}

}  // namespace

Machine this_machine() {
  return {
      .cpu = value_in("/proc/cpuinfo", "model name", ':'),
      .system = value_in("/etc/os-release", "PRETTY_NAME", '='),
      .cores = std::thread::hardware_concurrency(),
      .memory = std::strtod(value_in("/proc/meminfo", "MemTotal", ':').c_str(), nullptr) * 1024};
}

std::string to_json(const Results& results) {
  std::vector<std::string> figures;
  for (const auto& [name, each] : results.measured.figures) figures.push_back(figure(name, each));
  std::vector<std::string> rows;
  for (const Row& each : results.rows()) rows.push_back(row(each));
  const Machine& machine = results.machine;
  std::string out = fmt::format(
      "{{\n  \"date\": {}, \"size\": {}, \"messages\": {}, \"seed\": {}, \"rounds\": {},\n"
      "  \"commit\": {}, \"command\": {},\n",
      json_quote(results.date), json_quote(results.size), results.messages, results.seed,
      results.rounds, json_quote(results.commit), json_quote(results.command));
  out += fmt::format(
      "  \"machine\": {{\"cpu\": {}, \"cores\": {}, \"memory\": {:.0f}, \"system\": {}}},\n",
      json_quote(machine.cpu), machine.cores, machine.memory, json_quote(machine.system));
  out += fmt::format("  \"corpus\": {{\n{}\n  }},\n  \"values\": {{\n{}\n  }},\n",
                     numbers(results.corpus), numbers(results.measured.values));
  return out + fmt::format("  \"figures\": {{\n{}\n  }},\n  \"rows\": [\n{}\n  ]\n}}\n",
                           fmt::join(figures, ",\n"), fmt::join(rows, ",\n"));
}

Results read_results(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto json = Json::parse(text);
  if (!json) throw std::runtime_error(path.string() + ": not JSON");
  try {
    return results_of(*json);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path.string() + ": " + error.what());
  }
}

std::vector<Results> all_results(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());  // names begin with the date
  std::vector<Results> all;
  for (const auto& path : paths) all.push_back(read_results(path));
  return all;
}

std::vector<Results> newest_of_each_size(const std::vector<Results>& all) {
  std::map<std::size_t, Results> newest;
  for (const Results& results : all)
    if (results.measured.figures.contains("index")) newest[results.messages] = results;
  std::vector<Results> sorted;
  for (auto& [messages, results] : newest) sorted.push_back(std::move(results));
  return sorted;
}

}  // namespace cgrep::bench
