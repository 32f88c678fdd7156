// baseline-xapian: the same terms as cgrep's, given to Xapian the way its manual shows.
//   build TEXTS FOLDER SHARDS   add_document in one process per shard, then compact
//   search FOLDER WORD…         opens it, asks for all words, prints the ids of the best 20
//   append FOLDER TEXT          adds one document in place, commits, prints the milliseconds

#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>
#include <xapian.h>

#include "bench/baselines/texts.h"
#include "index/terms.h"
#include "index/words.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

Xapian::Document document_of(const Text& text, TermCutter& cutter) {
  Xapian::Document document;
  bool overlong = false;
  std::string buffer;
  cutter.cut(
      text.text, [&](std::string_view term) { document.add_term(buffer.assign(term)); }, overlong);
  document.add_boolean_term(role_term(static_cast<Role>(text.role)));
  document.add_boolean_term(conversation_term(text.conversation));
  if (overlong) document.add_boolean_term(std::string(kOverlongTerm));
  if (!text.tool.empty()) document.add_boolean_term(tool_term(fold(text.tool)));
  return document;
}

void build_shard(const fs::path& folder, std::span<const Text> texts) {
  Xapian::WritableDatabase database(folder.string(), Xapian::DB_CREATE | Xapian::DB_NO_SYNC);
  TermCutter cutter;
  for (const Text& text : texts) database.add_document(document_of(text, cutter));
  database.commit();
}

/// Shards of about the same number of bytes, in order.
std::vector<std::span<const Text>> shares(const std::vector<Text>& texts, std::size_t shards) {
  std::size_t all = 0;
  for (const Text& text : texts) all += text.text.size();
  std::vector<std::span<const Text>> result;
  std::size_t begin = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    bytes += texts[i].text.size();
    if (i + 1 < texts.size() && bytes * shards < all * (result.size() + 1)) continue;
    result.push_back(std::span(texts).subspan(begin, i + 1 - begin));
    begin = i + 1;
  }
  return result;
}

void build(const fs::path& file, const fs::path& folder, std::size_t shards) {
  const Texts texts(file);
  const auto parts = shares(texts.all(), shards);
  fs::create_directories(folder);
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    build_shard(folder / std::to_string(i), parts[i]);
    _exit(0);
  }
  for (const pid_t child : children) {
    int status = 0;
    if (waitpid(child, &status, 0) < 0 || status != 0) throw std::runtime_error("a shard failed");
  }
  Xapian::Database all;
  for (std::size_t i = 0; i < parts.size(); ++i)
    all.add_database(Xapian::Database((folder / std::to_string(i)).string()));
  all.compact((folder / "all").string());
}

void search(const fs::path& folder, std::span<char*> words) {
  const Xapian::Database database((folder / "all").string());
  const std::vector<std::string> terms(words.begin(), words.end());
  Xapian::Enquire enquire(database);
  enquire.set_query(Xapian::Query(Xapian::Query::OP_AND, terms.begin(), terms.end()));
  const Xapian::MSet found = enquire.get_mset(0, 20);
  std::string out;
  for (auto hit = found.begin(); hit != found.end(); ++hit) out += std::to_string(*hit) + '\n';
  std::cout << out;
}

void append(const fs::path& folder, const char* text) {
  const auto start = std::chrono::steady_clock::now();
  {
    Xapian::WritableDatabase database((folder / "all").string(), Xapian::DB_OPEN);
    TermCutter cutter;
    database.add_document(document_of({.conversation = 1, .text = text}, cutter));
    database.commit();
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::cout << took.count() << '\n';
}

void run(std::span<char*> arguments) {
  const std::string_view command = arguments.size() > 2 ? arguments[1] : "";
  if (command == "build" && arguments.size() == 5)
    build(arguments[2], arguments[3], std::strtoul(arguments[4], nullptr, 10));
  else if (command == "search" && arguments.size() > 3)
    search(arguments[2], arguments.subspan(3));
  else if (command == "append" && arguments.size() == 4)
    append(arguments[2], arguments[3]);
  else
    throw std::runtime_error(
        "usage: build TEXTS FOLDER SHARDS | search FOLDER WORD… | append FOLDER TEXT");
}

}  // namespace
}  // namespace cgrep::bench

int main(int argc, char** argv) {
  try {
    cgrep::bench::run({argv, static_cast<std::size_t>(argc)});
    return 0;
  } catch (const Xapian::Error& error) {
    std::cerr << "baseline-xapian: " << error.get_msg() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "baseline-xapian: " << error.what() << '\n';
  }
  return 2;
}
