#include "index/vocabulary.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "find_bytes.h"
#include "index/damaged.h"
#include "index/files.h"

namespace cgrep {

namespace {

constexpr std::string_view kHeader = "cgrep-vocabulary 1\n";

std::string_view line_at(std::string_view words, std::size_t begin) {
  return words.substr(begin, words.find('\n', begin) - begin);
}

}  // namespace

VocabularyBuilder::VocabularyBuilder() : bytes_(kHeader) {}

void VocabularyBuilder::write(const std::filesystem::path& path) const {
  write_file(path, bytes_);
}

void Vocabulary::write(const std::filesystem::path& path, const std::vector<std::string>& words) {
  VocabularyBuilder builder;
  for (const auto& word : words) builder.add(word);
  builder.write(path);
}

void Vocabulary::merge(const std::filesystem::path& path,
                       const std::vector<const Vocabulary*>& vocabularies) {
  struct Cursor {
    explicit Cursor(std::string_view words) : rest(words), word(line_at(words, 0)) {}
    void next() {
      rest.remove_prefix(word.size() + 1);
      word = line_at(rest, 0);
    }
    std::string_view rest;
    std::string_view word;
  };
  const auto later = [](const Cursor& a, const Cursor& b) { return a.word > b.word; };
  std::vector<Cursor> heap;
  for (const auto* vocabulary : vocabularies)
    if (!vocabulary->words().empty()) heap.emplace_back(vocabulary->words());
  std::make_heap(heap.begin(), heap.end(), later);

  VocabularyBuilder builder;
  std::string_view last;
  bool any = false;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    auto& cursor = heap.back();
    if (!any || cursor.word != last) {
      last = cursor.word;
      builder.add(last);
      any = true;
    }
    cursor.next();
    if (cursor.rest.empty())
      heap.pop_back();
    else
      std::push_heap(heap.begin(), heap.end(), later);
  }
  builder.write(path);
}

Vocabulary::Vocabulary(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) throw Damaged("no vocabulary in " + path.parent_path().filename().string());
  struct stat status = {};
  if (fstat(file.get(), &status) != 0) throw_errno("stat", path);
  mapped_ = static_cast<std::size_t>(status.st_size);
  if (mapped_ < kHeader.size()) throw Damaged("a vocabulary is cut short");
  map_ = mmap(nullptr, mapped_, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (map_ == MAP_FAILED) {
    map_ = nullptr;
    throw_errno("map", path);
  }
  const std::string_view bytes(static_cast<const char*>(map_), mapped_);
  if (!bytes.starts_with(kHeader) || bytes.back() != '\n') {
    munmap(std::exchange(map_, nullptr), mapped_);
    throw Damaged("a vocabulary is damaged");
  }
  words_ = bytes.substr(kHeader.size());
}

Vocabulary::Vocabulary(Vocabulary&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)),
      mapped_(other.mapped_),
      words_(std::exchange(other.words_, {})) {}

Vocabulary::~Vocabulary() {
  if (map_ != nullptr) munmap(map_, mapped_);
}

std::size_t Vocabulary::lower_bound(std::string_view word) const {
  std::size_t low = 0;
  std::size_t high = words_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const auto before = middle == 0 ? std::string_view::npos : words_.rfind('\n', middle - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const auto line = line_at(words_, begin);
    if (line < word)
      low = begin + line.size() + 1;
    else
      high = begin;
  }
  return low;
}

void Vocabulary::for_each_with_prefix(std::string_view prefix,
                                      const std::function<bool(std::string_view)>& visit) const {
  for (std::size_t at = lower_bound(prefix); at < words_.size();) {
    const auto line = line_at(words_, at);
    if (!line.starts_with(prefix) || !visit(line)) return;
    at += line.size() + 1;
  }
}

void Vocabulary::for_each_containing(std::string_view piece,
                                     const std::function<bool(std::string_view)>& visit) const {
  if (piece.empty()) return for_each_with_prefix({}, visit);
  for (std::size_t found = find_bytes(words_, piece, 0); found != std::string_view::npos;) {
    const auto before = found == 0 ? std::string_view::npos : words_.rfind('\n', found - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const auto line = line_at(words_, begin);
    if (!visit(line)) return;
    found = find_bytes(words_, piece, begin + line.size() + 1);
  }
}

bool Vocabulary::contains(std::string_view word) const {
  const auto at = lower_bound(word);
  return at < words_.size() && line_at(words_, at) == word;
}

}  // namespace cgrep
