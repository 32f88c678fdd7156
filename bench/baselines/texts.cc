// bench-texts INDEX FILE: writes the texts of all current documents of an index of cgrep to a texts
// file, and prints how many there are and of how many bytes.

#include "bench/baselines/texts.h"

#include <exception>
#include <fstream>
#include <iostream>
#include <string>

#include "index/history.h"

namespace cgrep::bench {
namespace {

void append(std::string& out, std::uint32_t number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string record(const StoredDocument& document, const std::string& text) {
  const std::string tool = document.tool.substr(0, 255);
  std::string out;
  append(out, static_cast<std::uint32_t>(document.conversation));
  append(out, static_cast<std::uint32_t>(text.size()));
  out += static_cast<char>(static_cast<unsigned>(document.role) |
                           (document.repeated ? kRepeated : 0u));
  out += static_cast<char>(tool.size());
  return out + tool + text;
}

void write_texts(const char* index, const char* path) {
  History history(index, History::Mode::read);
  std::vector<StoredDocument> documents;
  history.for_each_document([&](const StoredDocument& document) {
    documents.push_back(document);
    return true;
  });
  std::ofstream out(path, std::ios::binary);
  std::size_t bytes = 0;
  for (auto document = documents.rbegin(); document != documents.rend(); ++document) {
    const std::string text = history.text(document->row);
    bytes += text.size();
    out << record(*document, text);
  }
  if (!out.flush()) throw std::runtime_error(std::string(path) + ": not written");
  std::cout << documents.size() << ' ' << bytes << '\n';
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::runtime_error("usage: bench-texts INDEX FILE");
    cgrep::bench::write_texts(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bench-texts: " << error.what() << '\n';
    return 2;
  }
}
