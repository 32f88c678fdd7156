// baseline-stat LIST THREADS: stat of all paths of a list that are parted by zero bytes, and
// nothing else: what it costs at least to learn that nothing changed. Prints how many exist.

#include <atomic>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/stat.h>

namespace {

void run(const char* list, std::size_t threads) {
  std::ifstream in(list, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<const char*> paths;
  for (std::size_t at = 0; at < bytes.size(); at = bytes.find('\0', at) + 1)
    paths.push_back(bytes.data() + at);
  std::atomic<std::size_t> there = 0;
  const auto look = [&](std::size_t first) {
    std::size_t found = 0;
    for (std::size_t i = first; i < paths.size(); i += threads) {
      struct stat state {};
      if (stat(paths[i], &state) == 0) ++found;
    }
    there += found;
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(look, i);
  look(0);
  others.clear();
  std::cout << there << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: baseline-stat LIST THREADS");
    run(argv[1], std::strtoul(argv[2], nullptr, 10));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "baseline-stat: " << error.what() << '\n';
    return 2;
  }
}
