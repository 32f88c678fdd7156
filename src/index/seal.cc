#include "index/seal.h"

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash.h"
#include "index/damaged.h"
#include "index/files.h"

namespace cgrep {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

struct SealedFile {
  std::string_view name{};
  std::uint64_t size = 0;
  std::uint64_t mtime_ns = 0;
  std::uint64_t hash = 0;
};

std::uint64_t take_number(std::string_view& line) {
  std::uint64_t number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
  return number;
}

// A line per file: size, mtime, hash, name.
std::vector<SealedFile> files_in(std::string_view seal) {
  std::vector<SealedFile> files;
  while (!seal.empty()) {
    auto line = seal.substr(0, seal.find('\n'));
    seal.remove_prefix(std::min(seal.size(), line.size() + 1));
    SealedFile file;
    file.size = take_number(line);
    file.mtime_ns = take_number(line);
    file.hash = take_number(line);
    file.name = line;
    files.push_back(file);
  }
  return files;
}

std::uint64_t mtime_of(const struct stat& status) {
  return static_cast<std::uint64_t>(status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec);
}

// Read, not mapped: a disk that fails is to be an error, not a signal.
std::optional<std::uint64_t> hash_of(const std::filesystem::path& path) {
  constexpr std::size_t kPiece = 1u << 20;
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return std::nullopt;
  const std::unique_ptr<char[]> piece(new char[kPiece]);  // most of it is never touched
  std::uint64_t hash = 0;
  for (;;) {
    std::size_t got = 0;
    while (got < kPiece) {
      const auto some = read(file.get(), piece.get() + got, kPiece - got);
      if (some < 0) return std::nullopt;
      if (some == 0) break;
      got += static_cast<std::size_t>(some);
    }
    hash = hash64({piece.get(), got}, hash);
    if (got < kPiece) return hash;
  }
}

}  // namespace

std::string seal_of(const std::filesystem::path& folder) {
  std::string seal;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    struct stat status = {};
    if (stat(entry.path().c_str(), &status) != 0) throw_errno("look at", entry.path());
    const auto hash = hash_of(entry.path());
    if (!hash) throw_errno("read", entry.path());
    seal += fmt::format("{} {} {} {}\n", status.st_size, mtime_of(status), *hash,
                        entry.path().filename().string());
  }
  return seal;
}

bool check_seal(const std::filesystem::path& folder, const std::string& seal, SealCheck check) {
  bool as_sealed = !seal.empty();
  for (const auto& file : files_in(seal)) {
    const auto path = folder / file.name;
    const auto damaged = [&](std::string_view what) {
      return Damaged(fmt::format("{}/{} {}", folder.filename().string(), file.name, what));
    };
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) throw damaged("is not there");
    if (static_cast<std::uint64_t>(status.st_size) != file.size) throw damaged("has another size");
    const bool same_time = mtime_of(status) == file.mtime_ns;
    as_sealed = as_sealed && same_time;
    if (same_time && check == SealCheck::quick) continue;
    if (hash_of(path) != file.hash) throw damaged("is damaged");
  }
  return as_sealed;
}

}  // namespace cgrep
