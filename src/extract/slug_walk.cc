#include "extract/slug_walk.h"

#include <algorithm>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "extract/paths.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

// A slug has at most 84 characters, so some 40 levels; the rest is for names that fit in parts.
constexpr std::size_t kMaxFolders = 500;
constexpr std::size_t kMaxEntries = 100'000;

class Walk {
 public:
  using Tokens = std::span<const std::string_view>;

  void descend(const fs::path& folder, Tokens rest) {
    if (rest.empty()) {
      found_.push_back(folder);
      return;
    }
    if (given_up() || ++folders_ > kMaxFolders) {
      unknown_ = true;
      return;
    }
    std::error_code error;
    for (fs::directory_iterator entries(folder, error), end; !error && entries != end;
         entries.increment(error))
      visit(*entries, rest);
    if (error) unknown_ = true;
  }

  std::optional<fs::path> answer() const {
    if (unknown_ || found_.size() != 1) return std::nullopt;
    return found_.front();
  }

 private:
  bool given_up() const { return unknown_ || found_.size() > 1; }

  void visit(const fs::directory_entry& entry, Tokens rest) {
    if (given_up()) return;
    if (++entries_ > kMaxEntries) unknown_ = true;
    const std::string name = entry.path().filename().string();
    const auto tokens = slug_tokens(name);
    if (tokens.empty() || tokens.size() > rest.size() ||
        !std::equal(tokens.begin(), tokens.end(), rest.begin()))
      return;
    std::error_code error;  // links count: each level uses up tokens, so no loop is endless
    if (entry.is_directory(error)) descend(entry.path(), rest.subspan(tokens.size()));
  }

  std::vector<fs::path> found_{};
  std::size_t folders_ = 0;
  std::size_t entries_ = 0;
  bool unknown_ = false;
};

}  // namespace

std::optional<fs::path> folder_of_slug(std::string_view slug, const fs::path& filesystem) {
  if (!is_path_slug(slug)) return std::nullopt;
  const auto tokens = slug_tokens(slug);
  if (tokens.empty()) return std::nullopt;
  Walk walk;
  walk.descend(filesystem, tokens);
  return walk.answer();
}

}  // namespace cgrep
