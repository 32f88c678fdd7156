// Extractors know nothing of each other: what one source delivers does not depend on any other.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "extract/folders.h"
#include "extract/printed.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "index/history.h"
#include "index/update.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

Roots roots_of(const fs::path& home) {
  return find_roots([](const char*) { return std::nullopt; }, home);
}

std::vector<Source> sources_of(const Store& store, const fs::path& home) {
  std::vector<Source> sources;
  Folders folders;
  if (store.discover != nullptr) store.discover(roots_of(home), folders, sources);
  return sources;
}

/// Prints what the corpus leaves out, too.
class EverythingSink : public PrintingSink {
 public:
  void document(Document&& document) override {
    line(fmt::format("{} at {} alike {}", printed(document), document.position, document.alike));
  }
  void claim(Claim claim) override { line(printed(claim) + ' ' + claim.value); }
};

using Delivered = std::map<std::pair<std::string, fs::path>, std::string>;

/// Store and source → all that it delivers.
Delivered extract_everything(const fs::path& home) {
  Delivered delivered;
  for (const Store* store : all_stores())
    for (const Source& source : sources_of(*store, home)) {
      EverythingSink sink;
      if (store->readable()) store->extract(source, sink);
      delivered[{std::string(store->name), source.path}] = sink.text();
    }
  return delivered;
}

/// Takes a file away, with what SQLite keeps beside it, for as long as it lives.
class Without {
 public:
  Without(const fs::path& path, const fs::path& elsewhere) : path_(path), elsewhere_(elsewhere) {
    for (const char* suffix : kSuffixes) move(path_, elsewhere_, suffix);
  }
  ~Without() {
    for (const char* suffix : kSuffixes) move(elsewhere_, path_, suffix);
  }
  Without(const Without&) = delete;
  Without& operator=(const Without&) = delete;

 private:
  static constexpr const char* kSuffixes[] = {"", "-wal", "-shm"};

  static void move(fs::path from, fs::path to, const char* suffix) {
    from += suffix;
    to += suffix;
    if (fs::exists(from)) fs::rename(from, to);
  }

  fs::path path_;
  fs::path elsewhere_;
};

class IndependenceTest : public testing::Test {
 protected:
  IndependenceTest() { corpus::make_home(fs::path(CGREP_CORPUS) / "home", home()); }

  fs::path home() const { return dir_.path() / "home"; }
  fs::path elsewhere() const { return dir_.path() / "elsewhere"; }

  TempDir dir_{};
};

TEST_F(IndependenceTest, NoSourceDependsOnAnother) {
  const auto all = extract_everything(home());
  ASSERT_GT(all.size(), 30u);
  std::set<fs::path> paths;
  for (const auto& [source, text] : all) paths.insert(source.second);
  for (const auto& path : paths) {
    auto expected = all;
    std::erase_if(expected, [&](const auto& each) { return each.first.second == path; });
    const Without without(path, elsewhere());
    const auto found = extract_everything(home());
    for (const auto& [source, text] : expected) {
      const auto same = found.find(source);
      ASSERT_NE(same, found.end())
          << source.first << ": " << source.second << " is not found without " << path;
      EXPECT_EQ(same->second, text)
          << source.first << ": " << source.second << " differs without " << path;
    }
    EXPECT_EQ(found.size(), expected.size()) << "without " << path;
  }
}

std::string folded(const std::string& text) {
  std::string words;
  for (const char c : text)
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') words += c;
  return words;
}

/// What the index holds of all but some stores, a line per document. Which text of a tool call is
/// the richest, and which prompt is a message, may be known from a store that is left out.
std::multiset<std::string> index_without(const fs::path& home, std::uint32_t left_out) {
  const TempDir folder;
  UpdateOptions options;
  for (const Store* store : all_stores())
    if (store->searched == Searched::when_named) options.opt_in.push_back(store);
  update(folder.path() / "index", roots_of(home), options);
  History history(folder.path() / "index", History::Mode::read);
  std::multiset<std::string> lines;
  history.for_each_document([&](const StoredDocument& document) {
    const auto stores = store_names(document.stores & ~left_out);
    if (stores.empty()) return true;
    const auto role = document.role == Role::prompt ? Role::user : document.role;
    auto line = history.conversation(document.conversation).key + ' ' + std::string(name_of(role));
    for (const auto store : stores) line += ' ' + std::string(store);
    if (role != Role::tool_call) line += ' ' + folded(history.text(document.row));
    lines.insert(line);
    return true;
  });
  return lines;
}

std::vector<std::string> differences(const std::multiset<std::string>& a,
                                     const std::multiset<std::string>& b) {
  std::vector<std::string> differing;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(differing));
  return differing;
}

/// Those that lose a source with these files.
std::uint32_t stores_with(const std::set<fs::path>& paths, const fs::path& home) {
  std::uint32_t stores = 0;
  for (const Store* store : all_stores())
    for (const Source& source : sources_of(*store, home))
      if (paths.contains(source.path)) stores |= store_bit(*store);
  return stores;
}

class WithoutAStore : public IndependenceTest, public testing::WithParamInterface<std::string> {};

TEST_P(WithoutAStore, TheOthersAreIndexedAsBefore) {
  std::set<fs::path> paths;
  for (const Source& source : sources_of(*find_store(GetParam()), home()))
    paths.insert(source.path);
  if (paths.empty()) return;  // not in the demo
  const auto lost = stores_with(paths, home());
  const auto all = index_without(home(), lost);
  for (const auto& path : paths)
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path.string() + suffix);
  const auto rest = index_without(home(), lost);
  EXPECT_EQ(differences(all, rest), std::vector<std::string>{}) << "lost";
  EXPECT_EQ(differences(rest, all), std::vector<std::string>{}) << "made up";
}

std::vector<std::string> names_of_stores() {
  std::vector<std::string> names;
  for (const Store* store : all_stores()) names.emplace_back(store->name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Stores, WithoutAStore, testing::ValuesIn(names_of_stores()), test_name);

}  // namespace
}  // namespace cgrep::test
