#include "index/seen.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract/sqlite.h"
#include "extract/stores.h"
#include "hash.h"
#include "index/files.h"
#include "index/history.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

// The file: this, then groups, items, sources, texts, and last, from `states` on, a Fingerprint for
// each item. Of this machine, in its byte order.
struct Header {
  std::array<char, 8> magic{};
  std::int64_t generation = 0;
  // All that follows, but the states, is what `hash` is of.
  std::uint64_t hash = 0;
  std::uint64_t size = 0;  // of the file
  std::uint64_t settings = 0;
  std::uint64_t states = 0;  // where they begin
  std::uint32_t stores = 0;  // bits by Store::id
  std::uint32_t left_some = 0;
  std::uint32_t groups = 0;
  std::uint32_t items = 0;
  std::uint32_t sources = 0;
  std::uint32_t reserved = 0;
};
constexpr std::array<char, 8> kMagic = {'c', 'g', 'r', 's', 'e', 'e', 'n', '1'};
constexpr std::size_t kHashedFrom = offsetof(Header, size);

// Opening a folder pays from here on; and parts of this size are shared out among threads.
constexpr std::size_t kWorthBase = 4;
constexpr std::size_t kMostInGroup = 256;

fs::path path_in(const fs::path& index) {
  return index / "seen";
}

template <typename T>
void append(std::string& bytes, const std::vector<T>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// Two levels up from a file, one from a folder: what then is walked is short, and a folder for each
// conversation is not opened.
std::size_t base_length(std::string_view path, bool is_folder) {
  auto end = path.rfind('/');
  if (!is_folder && end != std::string_view::npos && end > 0) end = path.rfind('/', end - 1);
  return end == std::string_view::npos ? 0 : end;
}

class SeenWriter {
 public:
  explicit SeenWriter(const Seen& seen) : seen_(seen) {}

  std::string bytes(std::int64_t generation) {
    add_all();
    for (std::size_t begin = 0; begin < paths_.size();) begin = add_group(begin);
    std::string bytes(sizeof(Header), '\0');
    append(bytes, groups_);
    append(bytes, items_);
    append(bytes, sources_);
    bytes += texts_;
    bytes.resize((bytes.size() + 7) / 8 * 8);
    Header header{.magic = kMagic, .generation = generation};
    header.settings = seen_.settings;
    header.states = bytes.size();
    header.size = bytes.size() + states_.size() * sizeof(Fingerprint);
    for (const Store* store : seen_.stores) header.stores |= 1u << store->id;
    header.left_some = seen_.left_some ? 1 : 0;
    header.groups = static_cast<std::uint32_t>(groups_.size());
    header.items = static_cast<std::uint32_t>(items_.size());
    header.sources = static_cast<std::uint32_t>(sources_.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    header.hash = hash64(std::string_view(bytes).substr(kHashedFrom));
    std::memcpy(bytes.data(), &header, sizeof header);
    append(bytes, states_);
    return bytes;
  }

 private:
  struct Path {
    std::string path{};
    std::size_t base = 0;  // its length
    std::uint32_t source = SeenFile::kFolder;
    bool is_wal = false;
    Fingerprint state{};
  };

  void add_all() {
    for (const auto& [path, state] : seen_.folders)
      paths_.push_back({.path = path, .base = base_length(path, true), .state = state});
    for (const SeenSource& source : seen_.sources) {
      const auto number = static_cast<std::uint32_t>(sources_.size());
      sources_.push_back({.root = add_root(source.root.native()),
                          .store = static_cast<std::uint32_t>(source.store->id)});
      Path file{.path = source.path.native(), .source = number, .state = source.file};
      file.base = base_length(file.path, false);
      paths_.push_back(file);
      if (!source.store->database) continue;
      file.path += "-wal";
      file.is_wal = true;
      file.state = source.wal;
      paths_.push_back(std::move(file));
    }
    // By base, so that what shares one stands together.
    std::sort(paths_.begin(), paths_.end(), [](const Path& a, const Path& b) {
      const int order = a.path.compare(0, a.base, b.path, 0, b.base);
      return order != 0 ? order < 0 : a.path < b.path;
    });
  }

  std::uint32_t add_text(std::string_view text) {
    const auto at = static_cast<std::uint32_t>(texts_.size());
    texts_ += text;
    texts_ += '\0';
    return at;
  }

  std::uint32_t add_root(const std::string& root) {
    const auto [known, added] = roots_.try_emplace(root, 0);
    if (added) known->second = add_text(root);
    return known->second;
  }

  // Returns where the next one begins.
  std::size_t add_group(std::size_t begin) {
    const std::string_view base =
        std::string_view(paths_[begin].path).substr(0, paths_[begin].base);
    auto end = begin;
    while (end < paths_.size() && end - begin < kMostInGroup && paths_[end].base == base.size() &&
           paths_[end].path.starts_with(base))
      ++end;
    const bool pays = end - begin >= kWorthBase && !base.empty();
    SeenFile::Group group{.base = add_text(pays ? base : std::string_view()),
                          .first = static_cast<std::uint32_t>(items_.size()),
                          .count = static_cast<std::uint32_t>(end - begin)};
    for (auto at = begin; at < end; ++at) add_item(paths_[at], pays ? base.size() + 1 : 0);
    groups_.push_back(group);
    return end;
  }

  void add_item(const Path& path, std::size_t cut) {
    const auto number = static_cast<std::uint32_t>(items_.size());
    if (path.source != SeenFile::kFolder) {
      auto& source = sources_[path.source];
      (path.is_wal ? source.wal : source.file) = number;
      if (!path.is_wal) source.group = static_cast<std::uint32_t>(groups_.size());
    }
    items_.push_back(
        {.name = add_text(std::string_view(path.path).substr(cut)), .source = path.source});
    states_.push_back(path.state);
  }

  const Seen& seen_;
  std::vector<Path> paths_{};
  std::map<std::string, std::uint32_t> roots_{};
  std::vector<SeenFile::Group> groups_{};
  std::vector<SeenFile::Item> items_{};
  std::vector<SeenFile::SourceItems> sources_{};
  std::vector<Fingerprint> states_{};
  std::string texts_{};
};

bool write_at(int file, const void* bytes, std::size_t size, std::size_t offset) {
  return pwrite(file, bytes, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

bool write_all(const fs::path& path, std::string_view bytes) {
  const FileDescriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  while (file.valid() && !bytes.empty()) {
    const auto written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return file.valid();
}

std::optional<std::int64_t> generation_in(int file) {
  std::int64_t generation = 0;
  if (pread(file, &generation, sizeof generation, offsetof(Header, generation)) !=
      sizeof generation)
    return std::nullopt;
  return generation;
}

// Empty when it cannot be read, or changed meanwhile.
std::vector<char> read_all(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  struct stat status = {};
  if (!file.valid() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  constexpr off_t kMost = 1 << 30;
  if (status.st_size < static_cast<off_t>(sizeof(Header)) || status.st_size > kMost) return {};
  const auto before = generation_in(file.get());
  std::vector<char> bytes(static_cast<std::size_t>(status.st_size));
  for (std::size_t done = 0; done < bytes.size();) {
    const auto got =
        pread(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got <= 0) return {};
    done += static_cast<std::size_t>(got);
  }
  if (!before || *before == 0 || generation_in(file.get()) != before) return {};
  return bytes;
}

bool is_whole(const std::vector<char>& bytes, std::uint64_t settings) {
  if (bytes.empty()) return false;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t parts = sizeof(Header) + header.groups * sizeof(SeenFile::Group) +
                            header.items * sizeof(SeenFile::Item) +
                            header.sources * sizeof(SeenFile::SourceItems);
  return header.magic == kMagic && header.settings == settings && header.size == bytes.size() &&
         parts <= header.states &&
         header.states + header.items * sizeof(Fingerprint) == header.size &&
         hash64({bytes.data() + kHashedFrom, header.states - kHashedFrom}) == header.hash;
}

// The next `count` values, and what stands behind them.
template <typename T>
void take(const char*& at, std::span<const T>& values, std::size_t count) {
  values = {reinterpret_cast<const T*>(at), count};
  at += count * sizeof(T);
}

}  // namespace

std::int64_t generation_of(History& history) {
  auto found = history.database().prepare("SELECT value FROM state WHERE key = 'generation'");
  return found.step() ? found.int64(0) : 0;
}

std::uint64_t settings_hash(const Roots& roots, const std::vector<std::string>& exclude) {
  std::string text;
  const auto add = [&](std::string_view value) { (text += value) += '\0'; };
  for (const auto* folders : {&roots.data, &roots.ide, &roots.config}) {
    for (const auto& folder : *folders) add(folder.native());
    add("");
  }
  add(roots.filesystem ? roots.filesystem->native() : "");
  for (const Store* store : all_stores()) {
    add(std::to_string(store->id));
    add(std::to_string(store->version));
  }
  for (const auto& pattern : exclude) add(pattern);
  return hash64(text);
}

void write_seen(const fs::path& index, const Seen& seen, std::int64_t generation) {
  const auto beside = index / "seen.new";
  if (generation == 0 || !write_all(beside, SeenWriter(seen).bytes(generation)) ||
      rename(beside.c_str(), path_in(index).c_str()) != 0) {
    unlink(beside.c_str());
    remove_seen(index);
  }
}

void remove_seen(const fs::path& index) {
  unlink(path_in(index).c_str());
}

SeenFile::SeenFile(std::vector<char> bytes) : bytes_(std::move(bytes)) {
  Header header;
  std::memcpy(&header, bytes_.data(), sizeof header);
  const char* at = bytes_.data() + sizeof header;
  take(at, groups_, header.groups);
  take(at, items_, header.items);
  take(at, sources_, header.sources);
  texts_ = at;
  at = bytes_.data() + header.states;
  take(at, states_, header.items);
}

std::optional<SeenFile> SeenFile::read(const fs::path& index, std::uint64_t settings) {
  auto bytes = read_all(path_in(index));
  if (!is_whole(bytes, settings)) return std::nullopt;
  return SeenFile(std::move(bytes));
}

std::int64_t SeenFile::generation() const {
  return reinterpret_cast<const Header*>(bytes_.data())->generation;
}

bool SeenFile::left_some() const {
  return reinterpret_cast<const Header*>(bytes_.data())->left_some != 0;
}

bool SeenFile::reads(const Store& store) const {
  return (reinterpret_cast<const Header*>(bytes_.data())->stores & (1u << store.id)) != 0;
}

std::size_t SeenFile::offset_of_state(std::uint32_t item) const {
  return static_cast<std::size_t>(reinterpret_cast<const char*>(&states_[item]) - bytes_.data());
}

std::string SeenFile::path_of(const Group& group, std::uint32_t item) const {
  std::string path = text(group.base);
  if (!path.empty()) path += '/';
  return path + text(items_[item].name);
}

SeenSource SeenFile::source(std::uint32_t number) const {
  const SourceItems& items = sources_[number];
  SeenSource source{.path = path_of(groups_[items.group], items.file),
                    .root = text(items.root),
                    .file = states_[items.file]};
  for (const Store* store : all_stores())
    if (static_cast<std::uint32_t>(store->id) == items.store) source.store = store;
  if (items.wal != kFolder) source.wal = states_[items.wal];
  return source;
}

void change_seen(const fs::path& index, const SeenFile& file, std::int64_t now,
                 std::span<const std::uint32_t> numbers, std::span<const SeenSource> sources) {
  const FileDescriptor open_file(open(path_in(index).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  const auto put_generation = [&](std::int64_t generation) {
    return write_at(open_file.get(), &generation, sizeof generation, offsetof(Header, generation));
  };
  const auto put_state = [&](std::uint32_t item, const Fingerprint& state) {
    return item == SeenFile::kFolder ||
           write_at(open_file.get(), &state, sizeof state, file.offset_of_state(item));
  };
  bool done = open_file.valid() && generation_in(open_file.get()) == file.generation() &&
              now != 0 && put_generation(0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& items = file.sources()[numbers[i]];
    done = done && put_state(items.file, sources[i].file) && put_state(items.wal, sources[i].wal);
  }
  if (!done || !put_generation(now)) remove_seen(index);
}

}  // namespace cgrep
