#include "extract/folders.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <optional>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "extract/input_file.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;
// Within one tick of the clock a folder can change without a new mtime; file systems have ticks of
// up to 2 s.
constexpr std::int64_t kYoung = 2 * kSecond;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using OpenFolder = std::unique_ptr<DIR, CloseFolder>;

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}

bool is_young(std::int64_t mtime_ns) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const auto age = nanoseconds(now) - mtime_ns;
  return age < kYoung &&
         age > -kYoung;  // what comes from the future gets another mtime when changed
}

bool is_absent(int error) {
  return error == ENOENT || error == ENOTDIR;
}

Entry::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return Entry::Kind::file;
  if (S_ISDIR(mode)) return Entry::Kind::folder;
  return Entry::Kind::other;
}

class Lister {
 public:
  Lister(const fs::path& folder, const fs::path& root, std::vector<fs::path>& left_out)
      : folder_(folder), root_(root), left_out_(left_out) {}

  // False when reading failed; errno says why.
  bool list(DIR* open, std::vector<Entry>& entries) const {
    errno = 0;
    while (const dirent* found = ::readdir(open)) {
      const std::string name = found->d_name;
      if (name != "." && name != "..")
        if (const auto kind = kind_of_entry(name, found->d_type)) entries.push_back({name, *kind});
      errno = 0;
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.name < b.name; });
    return errno == 0;
  }

 private:
  // Absent: to be left out.
  std::optional<Entry::Kind> kind_of_entry(const std::string& name, unsigned char type) const {
    if (type == DT_REG) return Entry::Kind::file;
    if (type == DT_DIR) return Entry::Kind::folder;
    if (type != DT_LNK && type != DT_UNKNOWN) return Entry::Kind::other;
    struct stat status {};
    if (::lstat((folder_ / name).c_str(), &status) != 0) return std::nullopt;
    return S_ISLNK(status.st_mode) ? kind_of_target(folder_ / name) : kind_of(status.st_mode);
  }

  std::optional<Entry::Kind> kind_of_target(const fs::path& link) const {
    std::error_code error;
    const auto target = fs::canonical(link, error);
    if (error) return std::nullopt;  // leads nowhere, or in circles
    if (!is_inside(target, root_)) {
      left_out_.push_back(link);
      return std::nullopt;
    }
    struct stat status {};
    if (::stat(target.c_str(), &status) != 0) return std::nullopt;
    return kind_of(status.st_mode);
  }

  const fs::path& folder_;
  const fs::path& root_;
  std::vector<fs::path>& left_out_;
};

bool same(const Listing& a, const Listing& b) {
  return a.inode == b.inode && a.mtime_ns == b.mtime_ns && a.entries == b.entries;
}

}  // namespace

const std::vector<Entry>& Folders::list(const fs::path& folder, const fs::path& root) {
  static const std::vector<Entry> kNone;
  if (const auto done = seen_.find(folder); done != seen_.end()) return done->second.entries;
  const auto known = known_.find(folder);
  const auto failed = [&]() -> const std::vector<Entry>& {
    if (!is_absent(errno)) {
      unreadable_.push_back(folder);
      changed_ = changed_ || known != known_.end();
      return kNone;
    }
    changed_ = changed_ || known == known_.end() || !same(known->second, Listing{});
    return seen_.emplace(folder, Listing{}).first->second.entries;
  };

  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return failed();
  const auto mtime_ns = nanoseconds(status.st_mtim);
  if (known != known_.end() && known->second.inode == status.st_ino &&
      known->second.mtime_ns == mtime_ns)
    return seen_.emplace(folder, known->second).first->second.entries;

  Listing listing{.inode = status.st_ino, .mtime_ns = is_young(mtime_ns) ? 0 : mtime_ns};
  const OpenFolder open(S_ISDIR(status.st_mode) ? ::opendir(folder.c_str()) : nullptr);
  if (!open && S_ISDIR(status.st_mode)) return failed();
  if (open && !Lister(folder, root, left_out_).list(open.get(), listing.entries)) return failed();
  changed_ = changed_ || known == known_.end() || !same(known->second, listing);
  return seen_.emplace(folder, std::move(listing)).first->second.entries;
}

}  // namespace cgrep
