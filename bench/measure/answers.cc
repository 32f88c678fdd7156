#include "bench/measure/answers.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "extract/json.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

// So many needles are asked for, spread over all of them.
constexpr std::size_t kAsked = 25;

Manifest::Needles needles_of(const Json& json, std::string_view key) {
  Manifest::Needles needles;
  const Json* const member = json.find(key);
  if (member == nullptr || member->object() == nullptr) return needles;
  for (const auto& [word, conversations] : *member->object())
    for (const Json& conversation : *conversations.array())
      needles[word].push_back(*conversation.string());
  return needles;
}

template <typename Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void ask(const Workbench& bench, const fs::path& home, const fs::path& index,
         const Command& question, const std::vector<std::string>& expected) {
  Command arguments{"--refresh", "never", "-l"};
  arguments.insert(arguments.end(), question.begin(), question.end());
  const Cost answer = bench.runner().must(bench.cgrep(home, index, arguments));
  check_addresses(question.back(), answer.output, expected);
}

}  // namespace

std::string Manifest::rare_word() const {
  std::string best;
  std::size_t most = 0;
  for (const auto& [word, conversations] : needles)
    if (conversations.size() > most && conversations.size() <= 7) {
      best = word;
      most = conversations.size();
    }
  return best;
}

Manifest read_manifest(const fs::path& home) {
  std::ifstream in(home / "needles.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto json = Json::parse(text);
  if (!json) throw std::runtime_error(home.string() + ": no manifest");
  return {.needles = needles_of(*json, "needles"),
          .literal = std::string(json->text("literal")),
          .inside = needles_of(*json, "inside")};
}

void check_addresses(std::string_view question, std::string_view addresses,
                     const std::vector<std::string>& conversations) {
  std::set<std::string_view> missing(conversations.begin(), conversations.end());
  std::size_t wrong = 0;
  for_each_line(addresses, [&](std::string_view address) {
    const auto found = std::find_if(missing.begin(), missing.end(),
                                    [&](std::string_view id) { return id.starts_with(address); });
    if (found == missing.end())
      ++wrong;
    else
      missing.erase(found);
  });
  if (wrong > 0 || !missing.empty())
    throw std::runtime_error(
        fmt::format("wrong answer to {}: {} conversations too many, {} missing", question, wrong,
                    missing.size()));
}

void check_answers(const Workbench& bench, const fs::path& home, const fs::path& index) {
  const Manifest manifest = read_manifest(home);
  const std::size_t step = std::max<std::size_t>(1, manifest.needles.size() / kAsked);
  std::size_t turn = 0;
  for (const auto& [word, conversations] : manifest.needles) {
    if (turn++ % step != 0) continue;
    ask(bench, home, index, {word}, conversations);
    ask(bench, home, index, {"-F", word.substr(2)}, conversations);
  }
  std::vector<std::string> all;
  for (const auto& [word, conversations] : manifest.inside)
    all.insert(all.end(), conversations.begin(), conversations.end());
  if (!all.empty()) ask(bench, home, index, {"-F", manifest.literal}, all);
}

std::size_t sum_of_counts(std::string_view lines) {
  std::size_t sum = 0;
  for_each_line(lines, [&](std::string_view line) {
    const std::string count(line.substr(line.rfind(':') + 1));
    sum += std::strtoul(count.c_str(), nullptr, 10);
  });
  return sum;
}

}  // namespace cgrep::bench
