// bench-report TREE: writes README's section on speed and bench/growth.svg from bench/results/.
// bench-report --check TREE: writes nothing; exits 1 when they are not what it would write.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>

#include "bench/measure/chart.h"
#include "bench/measure/report.h"

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// True when the file is as it should be.
bool settle(const fs::path& path, const std::string& wanted, bool check) {
  if (content(path) == wanted) return true;
  if (check) {
    std::cerr << path.filename().string() << " is not what bench/report makes of bench/results\n";
    return false;
  }
  std::ofstream(path, std::ios::binary) << wanted;
  return true;
}

bool report(const fs::path& tree, bool check) {
  using namespace cgrep::bench;
  const auto all = all_results(tree / "bench/results");
  const fs::path readme = tree / "README.md";
  const bool text = settle(readme, with_section(content(readme), speed_section(all)), check);
  const bool chart =
      settle(tree / "bench/growth.svg", growth_chart(newest_of_each_size(all)), check);
  return text && chart;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    const bool check = arguments.size() == 3 && std::string_view(arguments[1]) == "--check";
    if (arguments.size() != 2 && !check)
      throw std::runtime_error("usage: bench-report [--check] TREE");
    return report(arguments.back(), check) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "bench-report: " << error.what() << '\n';
    return 2;
  }
}
