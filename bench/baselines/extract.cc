// bench-extract HOME: cgrep's reading and parsing alone. All default stores are extracted, and what
// they deliver is counted and thrown away. Prints documents, bytes of text, problems.

#include <exception>
#include <iostream>
#include <stdexcept>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/stores.h"

namespace cgrep::bench {
namespace {

class Counter : public Sink {
 public:
  void document(Document document) override {
    ++documents;
    bytes += document.text.size();
  }
  void claim(Claim) override {}
  void problem(Problem) override { ++problems; }
  void whole(std::string_view) override {}

  std::size_t documents = 0;
  std::size_t bytes = 0;
  std::size_t problems = 0;
};

void run(const char* home) {
  const Roots roots = find_roots([](const char*) { return std::nullopt; }, home);
  Counter counter;
  Folders folders;
  for (const Store* store : all_stores()) {
    if (store->searched != Searched::by_default || !store->readable()) continue;
    std::vector<Source> sources;
    store->discover(roots, folders, sources);
    for (const Source& source : sources) store->extract(source, counter);
  }
  std::cout << counter.documents << ' ' << counter.bytes << ' ' << counter.problems << '\n';
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: bench-extract HOME");
    cgrep::bench::run(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bench-extract: " << error.what() << '\n';
    return 2;
  }
}
