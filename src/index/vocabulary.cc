#include "index/vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "find_bytes.h"
#include "index/damaged.h"
#include "index/files.h"

namespace cgrep {

namespace {

constexpr std::string_view kHeader = "cgrep-vocabulary 1\n";

// Of what is merged, so much is kept in memory: of the result, and of each of its parts.
constexpr std::size_t kPieceBytes = 256u << 10;

std::string_view line_at(std::string_view words, std::size_t begin) {
  return words.substr(begin, words.find('\n', begin) - begin);
}

/// A file that is written piece by piece.
class GrowingFile {
 public:
  explicit GrowingFile(const std::filesystem::path& path)
      : path_(path),
        file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)),
        bytes_(kHeader) {
    if (!file_.valid()) throw_errno("make", path_);
  }

  void add(std::string_view word) {
    bytes_.append(word).push_back('\n');
    if (bytes_.size() >= kPieceBytes) flush();
  }

  void flush() {
    write_all(file_, bytes_, path_);
    bytes_.clear();
  }

 private:
  const std::filesystem::path& path_;
  FileDescriptor file_;
  std::string bytes_;
};

/// Goes through the words of a vocabulary, and lets go of the memory behind it.
class Cursor {
 public:
  explicit Cursor(std::string_view words) : rest_(words), word_(line_at(words, 0)), kept_(words) {}

  std::string_view word() const { return word_; }
  bool ended() const { return rest_.empty(); }

  void next() {
    rest_.remove_prefix(word_.size() + 1);
    word_ = line_at(rest_, 0);
    if (static_cast<std::size_t>(rest_.data() - kept_.data()) >= kPieceBytes) let_go();
  }

 private:
  void let_go() {
    constexpr std::size_t kPage = 1u << 16;  // as large as pages are anywhere
    const auto past_page = [](const char* at) {
      return reinterpret_cast<std::uintptr_t>(at) % kPage;
    };
    const char* const begin = kept_.data() + (kPage - past_page(kept_.data())) % kPage;
    const char* const end = rest_.data() - past_page(rest_.data());
    kept_ = rest_;
    if (begin < end)  // it is a file: who looks there again reads it again
      madvise(const_cast<char*>(begin), static_cast<std::size_t>(end - begin), MADV_DONTNEED);
  }

  std::string_view rest_;
  std::string_view word_;
  std::string_view kept_;  // from its begin to that of the rest
};

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
  const auto later = [](const Cursor& a, const Cursor& b) { return a.word() > b.word(); };
  std::vector<Cursor> heap;
  for (const auto* vocabulary : vocabularies)
    if (!vocabulary->words().empty()) heap.emplace_back(vocabulary->words());
  std::make_heap(heap.begin(), heap.end(), later);

  GrowingFile file(path);
  std::string last;
  bool any = false;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    auto& cursor = heap.back();
    if (!any || cursor.word() != last) {
      last = cursor.word();
      file.add(last);
      any = true;
    }
    cursor.next();
    if (cursor.ended())
      heap.pop_back();
    else
      std::push_heap(heap.begin(), heap.end(), later);
  }
  file.flush();
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
