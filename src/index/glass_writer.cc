#include "index/glass_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <random>

#include <fcntl.h>
#include <unistd.h>

#include "error.h"
#include "index/files.h"

namespace cgrep {

namespace {

constexpr std::size_t kBlockBytes = 8192;
constexpr std::size_t kDirectory = 11;
constexpr std::size_t kEntry = 2;  // of the directory
constexpr std::size_t kItemHeader = 3;
constexpr unsigned kWholeTag = 0x6000;
constexpr unsigned kRevision = 1;

// Four items with the longest key, header and last posting fit in a block.
constexpr std::size_t kChunkBytes = 1700;

constexpr std::size_t kBufferedBlocks = 32;

constexpr std::string_view kLengthsKey("\x00\xe0", 2);
constexpr std::string_view kMagic("\x0f\x0dXapian Glass", 14);
constexpr unsigned kFormat = (2016 - 2014) << 9 | 3 << 5 | 14;

std::uint32_t take_varint(const char*& at) {
  std::uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at++);
    value |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

/// The low bytes of the value, high ones first.
void put_big(char* to, std::uint64_t value, std::size_t bytes) {
  for (; bytes > 0; value >>= 8) to[--bytes] = static_cast<char>(value);
}

void append_sorted_number(std::string& to, std::uint64_t value) {
  std::size_t bytes = 2;
  while (value >> (7 * bytes + 1) != 0) ++bytes;
  const std::size_t begin = to.size();
  to.resize(begin + bytes);
  put_big(&to[begin], value | std::uint64_t{0xff} << (8 * bytes + 2 - bytes), bytes);
}

std::string key_of(std::string_view term) {
  std::string key;
  for (const char byte : term) {
    key += byte;
    if (byte == '\0') key += '\xff';
  }
  return key;
}

class Block {
 public:
  explicit Block(unsigned level) { bytes_[4] = static_cast<char>(level); }

  bool empty() const { return directory_end_ == kDirectory; }
  bool fits(std::size_t item) const { return directory_end_ + kEntry + item <= items_; }

  /// Makes room for an item; returns where it goes.
  char* add(std::size_t item) {
    items_ -= item;
    put_big(&bytes_[directory_end_], items_, kEntry);
    directory_end_ += kEntry;
    return &bytes_[items_];
  }

  std::string_view finished() {
    put_big(&bytes_[0], kRevision, 4);
    put_big(&bytes_[5], items_ - directory_end_, 2);
    put_big(&bytes_[7], items_ - directory_end_, 2);
    put_big(&bytes_[9], directory_end_, 2);
    return {bytes_.data(), bytes_.size()};
  }

  /// The next one of its level.
  void clear() {
    std::fill(bytes_.begin() + kDirectory, bytes_.end(), '\0');
    directory_end_ = kDirectory;
    items_ = kBlockBytes;
  }

 private:
  std::array<char, kBlockBytes> bytes_{};
  std::size_t directory_end_ = kDirectory;
  std::size_t items_ = kBlockBytes;
};

/// The blocks in the order in which they are finished.
class BlockFile {
 public:
  explicit BlockFile(std::filesystem::path path)
      : path_(std::move(path)),
        file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
    if (!file_.valid()) throw_errno("make", path_);
  }

  /// Returns the block's number.
  std::uint32_t append(std::string_view block) {
    buffer_.append(block);
    if (buffer_.size() >= kBufferedBlocks * kBlockBytes) flush();
    return blocks_++;
  }

  std::uint32_t blocks() const { return blocks_; }

  void flush() {
    write_all(file_, buffer_, path_);
    buffer_.clear();
  }

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  std::string buffer_{};
  std::uint32_t blocks_ = 0;
};

/// A B-tree that is given its items in order. Each level has one block that is being filled.
class Tree {
 public:
  explicit Tree(const std::filesystem::path& path) : file_(path) {
    levels_.emplace_back(0u);
    add_item({}, {}, {});
  }

  void add(std::string_view key, std::string_view head, std::string_view postings) {
    ++items_;
    auto& leaf = levels_.front();
    if (!leaf.block.fits(kItemHeader + key.size() + head.size() + postings.size())) {
      close_block(0);
      const auto differs =
          std::mismatch(key.begin(), key.end(), last_key_.begin(), last_key_.end());
      const auto common = static_cast<std::size_t>(differs.first - key.begin());
      levels_.front().separator = key.substr(0, common + 1);
    }
    add_item(key, head, postings);
    last_key_ = key;
  }

  /// Writes what is left; the last block written is the root.
  void finish() {
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) close_block(level);
    file_.append(levels_.back().block.finished());
    file_.flush();
  }

  std::uint32_t items() const { return items_; }
  std::uint32_t blocks() const { return file_.blocks(); }
  std::uint32_t top_level() const { return static_cast<std::uint32_t>(levels_.size() - 1); }

 private:
  struct Level {
    explicit Level(unsigned level) : block(level) {}
    Block block;
    std::string separator{};  // from the block before; empty for the first
  };

  void add_item(std::string_view key, std::string_view head, std::string_view postings) {
    const std::size_t size = kItemHeader + key.size() + head.size() + postings.size();
    char* at = levels_.front().block.add(size);
    put_big(at, (size - kItemHeader) | kWholeTag, 2);
    at[2] = static_cast<char>(key.size());
    at = std::copy(key.begin(), key.end(), at + kItemHeader);
    at = std::copy(head.begin(), head.end(), at);
    std::copy(postings.begin(), postings.end(), at);
  }

  /// Writes the block that is being filled at this level, and enters it above.
  void close_block(std::size_t level) {
    const auto number = file_.append(levels_[level].block.finished());
    levels_[level].block.clear();
    if (level + 1 == levels_.size()) levels_.emplace_back(static_cast<unsigned>(level + 1));
    enter(level + 1, levels_[level].separator, number);
  }

  void enter(std::size_t level, const std::string& separator, std::uint32_t number) {
    constexpr std::size_t kBlockNumber = 4;
    constexpr std::size_t kPart = 2;
    const auto size_with = [](std::string_view key) {
      return kBlockNumber + 1 + key.size() + kPart;
    };
    if (!levels_[level].block.fits(size_with(separator))) close_block(level);
    auto& above = levels_[level];
    std::string_view key = separator;
    if (above.block.empty()) {
      above.separator = separator;
      key = {};
    }
    char* at = above.block.add(size_with(key));
    put_big(at, number, kBlockNumber);
    at[kBlockNumber] = static_cast<char>(key.size());
    at = std::copy(key.begin(), key.end(), at + kBlockNumber + 1);
    put_big(at, key.empty() ? 0 : 1, kPart);
  }

  BlockFile file_;
  std::deque<Level> levels_{};
  std::string last_key_{};
  std::uint32_t items_ = 0;
};

/// Cuts the postings of a list into chunks.
class Chunks {
 public:
  explicit Chunks(const GlassList& list)
      : at_(list.postings.data()),
        end_(at_ + list.postings.size()),
        first_(list.first),
        last_(list.last) {}

  struct Chunk {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool is_last = false;
    std::string_view postings{};
  };

  Chunk next() {
    Chunk chunk{.first = first_, .last = last_, .is_last = true, .postings = {at_, end_}};
    if (static_cast<std::size_t>(end_ - at_) <= kChunkBytes) return chunk;
    const char* const begin = at_;
    chunk.last = first_;
    for (;;) {
      take_varint(at_);  // wdf
      const char* const after = at_;
      if (at_ == end_) return chunk;
      const auto document = chunk.last + take_varint(at_) + 1;
      if (static_cast<std::size_t>(at_ - begin) >= kChunkBytes) {
        first_ = document;
        chunk.is_last = false;
        chunk.postings = {begin, after};
        return chunk;
      }
      chunk.last = document;
    }
  }

 private:
  const char* at_;
  const char* end_;
  std::uint32_t first_;
  std::uint32_t last_;
};

void append_absent_table(std::string& to, unsigned compress_from) {
  for (const unsigned value : {0u, 3u, 0u, 4u, compress_from, 0u}) append_varint(to, value);
}

std::string uuid() {
  std::random_device random;
  std::string bytes;
  while (bytes.size() < 16) bytes += static_cast<char>(random());
  return bytes;
}

}  // namespace

struct GlassWriter::Impl {
  explicit Impl(const std::filesystem::path& to) : folder(to), tree(to / "postlist.glass") {}

  void add(std::string_view key, std::string_view parting, const GlassList& list, bool counted);
  std::string version(const GlassStatistics& statistics) const;

  std::filesystem::path folder;
  Tree tree;
  std::string head{};
};

GlassWriter::GlassWriter(const std::filesystem::path& folder)
    : impl_(std::make_unique<Impl>(folder)) {}
GlassWriter::~GlassWriter() = default;

void GlassWriter::Impl::add(std::string_view key, std::string_view parting, const GlassList& list,
                            bool counted) {
  Chunks chunks(list);
  std::string later_key;
  for (bool first = true, last = false; !last; first = false) {
    const auto chunk = chunks.next();
    head.clear();
    if (first) {
      append_varint(head, counted ? list.documents : 0);
      append_varint(head, counted ? list.collection : 0);
      append_varint(head, chunk.first - 1);
    } else {
      later_key.assign(key).append(parting);
      append_sorted_number(later_key, chunk.first);
    }
    head += chunk.is_last ? '1' : '0';
    append_varint(head, chunk.last - chunk.first);
    tree.add(first ? key : later_key, head, chunk.postings);
    last = chunk.is_last;
  }
}

void GlassWriter::lengths(const GlassList& list) {
  impl_->add(kLengthsKey, {}, list, false);
}

void GlassWriter::term(std::string_view term, const GlassList& list) {
  const bool has_zero = term.find('\0') != std::string_view::npos;
  const std::string escaped = has_zero ? key_of(term) : std::string();
  const std::string_view key = has_zero ? escaped : term;
  if (key.empty() || key.size() > kMaxTermBytes) throw Error("index: a term is too long");
  impl_->add(key, std::string_view("\0", 1), list, true);
}

std::string GlassWriter::Impl::version(const GlassStatistics& statistics) const {
  std::string bytes(kMagic);
  bytes.resize(bytes.size() + 2);
  put_big(&bytes[kMagic.size()], kFormat, 2);
  bytes += uuid();
  append_varint(bytes, kRevision);

  std::string free_list;
  for (const auto value : {kRevision, tree.blocks(), 0u, 0u, 0u, 0u})
    append_varint(free_list, value);
  const unsigned sequential = 2;
  for (const auto value : {tree.blocks() - 1, tree.top_level() * 4 + sequential, tree.items(),
                           std::uint32_t{kBlockBytes / 2048}, 0u})
    append_varint(bytes, value);
  append_varint(bytes, free_list.size());
  bytes += free_list;
  for (const unsigned compress_from : {18u, 18u, 0u, 18u, 18u})
    append_absent_table(bytes, compress_from);

  for (const std::uint64_t value :
       {std::uint64_t{statistics.documents}, std::uint64_t{statistics.last - statistics.documents},
        std::uint64_t{statistics.least_length}, std::uint64_t{statistics.greatest_wdf},
        std::uint64_t{statistics.greatest_length - statistics.greatest_wdf}, std::uint64_t{0},
        statistics.total_length, std::uint64_t{0}})
    append_varint(bytes, value);
  return bytes;
}

void GlassWriter::finish(const GlassStatistics& statistics) {
  impl_->tree.finish();
  write_file(impl_->folder / "iamglass", impl_->version(statistics));
}

}  // namespace cgrep
