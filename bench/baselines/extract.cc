// bench-extract HOME: cgrep's reading and parsing alone. All default stores are extracted as by a
// first index, and what they deliver is counted and thrown away. Prints documents, bytes of text,
// problems.

#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "extract/folders.h"
#include "extract/helpers.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "index/read_ahead.h"

namespace cgrep::bench {
namespace {

class Counter : public Sink {
 public:
  void document(Document&& document) override {
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
  Folders folders;
  std::vector<Source> sources;
  for (const Store* store : all_stores())
    if (store->searched == Searched::by_default && store->readable())
      store->discover(roots, folders, sources);
  std::vector<std::uintmax_t> bytes;  // an update knows them already
  bytes.reserve(sources.size());
  for (const Source& source : sources) bytes.push_back(std::filesystem::file_size(source.path));
  Counter counter;
  Helpers helpers({.count = sources.size(),
                   .small = [&](std::size_t i) { return bytes[i] <= ReadAhead::kSmallBytes; },
                   .reader =
                       [&](Sink& sink) {
                         return [&](std::size_t i) { sources[i].store->extract(sources[i], sink); };
                       }});
  for (const Source& source : sources)
    if (!helpers.deliver(counter)) source.store->extract(source, counter);
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
