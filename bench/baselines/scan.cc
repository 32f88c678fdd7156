// baseline-scan: all texts in blocks of 64 KB, compressed, and a scan of them by all cores.
//   make TEXTS FILE          writes the blocks
//   literal FILE LITERAL     prints how many documents and how many lines hold it
//   regex FILE REGEX         the same for a regular expression

#include <atomic>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <re2/re2.h>
#include <zstd.h>

#include "bench/baselines/texts.h"

namespace cgrep::bench {
namespace {

constexpr std::size_t kBlock = 64u << 10;

// Ends each text of a block; texts of the generated history have none.
constexpr char kEnd = '\0';

void write_block(std::ofstream& out, std::string& block) {
  std::string packed(ZSTD_compressBound(block.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), block.data(), block.size(), 3));
  const auto size = static_cast<std::uint32_t>(packed.size());
  out.write(reinterpret_cast<const char*>(&size), sizeof size);
  out << packed;
  block.clear();
}

void make(const char* file, const char* path) {
  const Texts texts(file);
  std::ofstream out(path, std::ios::binary);
  std::string block;
  for (const Text& text : texts.all()) {
    if (text.repeated) continue;
    block.append(text.text) += kEnd;
    if (block.size() >= kBlock) write_block(out, block);
  }
  if (!block.empty()) write_block(out, block);
}

struct Found {
  std::size_t documents = 0;
  std::size_t lines = 0;
};

/// `next(text, from)` is where the next match begins, or npos.
template <typename Next>
Found count(std::string_view block, const Next& next) {
  Found found;
  std::size_t end_of_text = 0;
  for (auto at = next(block, std::size_t{0}); at != block.npos;) {
    ++found.lines;
    if (at >= end_of_text) {
      ++found.documents;
      end_of_text = std::min(block.find(kEnd, at), block.size());
    }
    const auto line = std::min(block.find('\n', at), end_of_text);
    at = next(block, line);
  }
  return found;
}

std::vector<std::string_view> blocks_of(std::string_view bytes) {
  std::vector<std::string_view> blocks;
  while (!bytes.empty()) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    blocks.push_back(bytes.substr(sizeof size, size));
    bytes.remove_prefix(sizeof size + size);
  }
  return blocks;
}

template <typename Next>
void scan(const char* path, const Next& next) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const auto blocks = blocks_of(bytes);
  std::atomic<std::size_t> turn = 0;
  std::atomic<std::size_t> documents = 0;
  std::atomic<std::size_t> lines = 0;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
    threads.emplace_back([&] {
      std::string block;
      while (true) {
        const std::size_t mine = turn++;
        if (mine >= blocks.size()) return;
        const auto packed = blocks[mine];
        block.resize(ZSTD_getFrameContentSize(packed.data(), packed.size()));
        ZSTD_decompress(block.data(), block.size(), packed.data(), packed.size());
        const Found found = count(block, next);
        documents += found.documents;
        lines += found.lines;
      }
    });
  threads.clear();
  std::cout << documents << ' ' << lines << '\n';
}

void scan_literal(const char* path, std::string_view literal) {
  scan(path, [&](std::string_view text, std::size_t from) {
    const void* const found =
        memmem(text.data() + from, text.size() - from, literal.data(), literal.size());
    return found == nullptr
               ? text.npos
               : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  });
}

void scan_regex(const char* path, const char* pattern) {
  const re2::RE2 regex(pattern);
  scan(path, [&](std::string_view text, std::size_t from) {
    re2::StringPiece match;
    return regex.Match(text, from, text.size(), re2::RE2::UNANCHORED, &match, 1)
               ? static_cast<std::size_t>(match.data() - text.data())
               : text.npos;
  });
}

void run(std::span<char*> arguments) {
  const std::string_view command = arguments.size() == 4 ? arguments[1] : "";
  if (command == "make")
    make(arguments[2], arguments[3]);
  else if (command == "literal")
    scan_literal(arguments[2], arguments[3]);
  else if (command == "regex")
    scan_regex(arguments[2], arguments[3]);
  else
    throw std::runtime_error("usage: make TEXTS FILE | literal FILE LITERAL | regex FILE REGEX");
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    cgrep::bench::run({argv, static_cast<std::size_t>(argc)});
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "baseline-scan: " << error.what() << '\n';
    return 2;
  }
}
