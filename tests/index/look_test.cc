// A look must never say that nothing changed when discovery and the ledger say that something did.
#include "index/look.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract/stores.h"
#include "index/changes.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/staleness.h"
#include "index/update.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;
namespace fs = std::filesystem;

constexpr const char* kUser = ".config/Cursor/User";

std::string line(const std::string& text) {
  return R"({"role":"user","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n";
}

std::string id_of(int number) {
  auto digits = std::to_string(number);
  return "3f2a9c1e-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

/// Cursor with its database open: what it commits stays in the -wal.
class LiveDatabase {
 public:
  explicit LiveDatabase(const fs::path& path) {
    fs::create_directories(path.parent_path());
    EXPECT_EQ(sqlite3_open(path.c_str(), &database_), SQLITE_OK);
    exec(
        "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
        "CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
        "CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  }
  ~LiveDatabase() { sqlite3_close(database_); }
  LiveDatabase(const LiveDatabase&) = delete;
  LiveDatabase& operator=(const LiveDatabase&) = delete;

  void exec(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  }

  void add_bubble(int conversation, int number) {
    const auto id = "b" + std::to_string(number);
    exec("INSERT INTO cursorDiskKV VALUES ('bubbleId:" + id_of(9000 + conversation) + ":" + id +
         R"(', '{"_v":2,"type":1,"bubbleId":")" + id + R"(","text":"bubble )" +
         std::to_string(number) + "\"}')");
  }

 private:
  sqlite3* database_ = nullptr;
};

class LookTest : public testing::Test {
 protected:
  LookTest() {
    for (int i = 0; i < 8; ++i) write(transcript(i), line("one") + line("two"));
    database_.add_bubble(1, 1);
    write(fs::path(kUser) / "workspaceStorage/w1/workspace.json", workspace("a"));
    write("a/.cursor/plans/x.plan.md", "# a plan\n");
    write("b/.cursor/plans/y.plan.md", "# another plan\n");
    write(".cursor/projects/home-ada-p1/terminals/1.txt", "$ make\n");
    age();
    run();
  }

  static fs::path transcript(int number) {
    return fs::path(".cursor/projects/home-ada-p" + std::to_string(number % 3)) /
           "agent-transcripts" / id_of(number) / (id_of(number) + ".jsonl");
  }

  std::string workspace(const std::string& name) const {
    return R"({"folder":"file://)" + (home_.path() / name).string() + "\"}";
  }

  void write(const fs::path& relative, const std::string& bytes) { home_.write(relative, bytes); }

  /// What changed gets a time of its own, long ago: what is young is looked at again.
  void age() {
    const auto recently = fs::file_time_type::clock::now() - std::chrono::hours(24);
    const auto set = [&](const fs::path& path) {
      if (fs::last_write_time(path) > recently)
        fs::last_write_time(path,
                            recently - std::chrono::hours(10'000) + std::chrono::minutes(++aged_));
    };
    for (const auto& entry : fs::recursive_directory_iterator(home_.path())) set(entry.path());
    set(home_.path());
  }

  Roots roots() const {
    return find_roots([&](const char* name) -> std::optional<std::string> {
      const std::string_view wanted = name;
      if (wanted == "HOME") return home_.path().string();
      if (wanted == "CGREP_WSL_USERS_ROOT") return "";
      return std::nullopt;
    });
  }

  fs::path index() const { return index_.path() / "index"; }

  UpdateOptions options() const { return {.opt_in = opt_in_, .exclude = exclude_}; }

  UpdateSummary run() {
    auto summary = update(index(), roots(), options());
    excluded_ = exclude_;
    return summary;
  }

  using Paths = std::multiset<std::string>;

  struct Slow {
    Paths sources{};
    std::size_t other = 0;  // things to do
    bool any() const { return !sources.empty() || other > 0; }
  };

  /// By way of discovery and the ledger.
  Slow slow_look() {
    Slow found;
    History history(index(), History::Mode::read);
    const auto now = roots();
    const auto wanted = options();
    Changes changes(history, now, wanted);
    StoreSummary summary;
    for (const Store* store : stores_to_read(history, wanted)) changes.find(*store, summary);
    for (const auto& changed : changes.sources()) found.sources.insert(changed.source.path);
    found.other = changes.vanished().size();
    const auto opted_in = history.opted_in();
    for (const Store* store : opt_in_)
      if (std::find(opted_in.begin(), opted_in.end(), store) == opted_in.end()) ++found.other;
    if (changes.find_left_out(opted_in) != history.left_out()) ++found.other;
    if (exclude_ != excluded_) ++found.other;
    return found;
  }

  /// What the look says, compared with that.
  void compare(const std::string& step) {
    const auto slow = slow_look();
    Look look(index(), roots(), exclude_);
    const auto& quick = look.finish();
    History history(index(), History::Mode::read);
    const auto generation = generation_of(history);
    const bool nothing = quick.nothing_changed(generation) && quick.reads(opt_in_);
    if (slow.any()) {
      EXPECT_FALSE(nothing) << step;
    }
    quiet_ += nothing ? 1 : 0;
    if (!quick.knows_all(generation) || !quick.reads(opt_in_)) return;
    Paths sources;
    for (const auto& [number, source] : quick.sources) sources.insert(source.path);
    EXPECT_EQ(sources, slow.sources) << step;
    EXPECT_EQ(slow.other, 0u) << step;
    EXPECT_EQ(stale_sources(history, roots(), exclude_), slow.sources.size()) << step;
  }

  /// Every text that is not gone, with its conversation.
  static std::multiset<std::string> texts(const fs::path& index) {
    std::multiset<std::string> found;
    History history(index, History::Mode::read);
    history.for_each_document([&](const StoredDocument& document) {
      if (!document.gone)
        found.insert(history.conversation(document.conversation).key + " " +
                     history.text(document.row));
      return true;
    });
    return found;
  }

  fs::path seen() const { return index() / "seen"; }

  Looked& look() {
    looks_.push_back(std::make_unique<Look>(index(), roots(), exclude_));
    return looks_.back()->finish();
  }

  std::int64_t generation() {
    History history(index(), History::Mode::read);
    return generation_of(history);
  }

  TempDir home_{};
  TempDir index_{};
  LiveDatabase database_{home_.path() / kUser / "globalStorage/state.vscdb"};
  std::vector<const Store*> opt_in_{};
  std::vector<std::string> exclude_{};
  std::vector<std::string> excluded_{};  // when it was last updated
  std::vector<std::unique_ptr<Look>> looks_{};
  int aged_ = 0;
  int quiet_ = 0;  // how often nothing had changed
};

TEST_F(LookTest, NothingChanged) {
  EXPECT_TRUE(look().nothing_changed(generation()));
  EXPECT_FALSE(look().nothing_changed(generation() + 1));
  EXPECT_EQ(look().count(*find_store("transcripts")), 8u);
}

TEST_F(LookTest, AnAppendedLineNamesItsSourceAndChangesTheFileInPlace) {
  home_.append(transcript(3), line("three"));
  age();
  ASSERT_EQ(look().sources.size(), 1u);
  EXPECT_EQ(look().sources[0].second.path, home_.path() / transcript(3));
  struct stat before = {};
  ASSERT_EQ(stat(seen().c_str(), &before), 0);
  const auto summary = run();
  for (const auto& store : summary.stores)
    EXPECT_EQ(store.read, store.store->name == "transcripts" ? 1u : 0u) << store.store->name;
  struct stat after = {};
  ASSERT_EQ(stat(seen().c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_TRUE(look().nothing_changed(generation()));
}

TEST_F(LookTest, AYoungFileIsLookedAtAgain) {
  home_.append(transcript(3), line("three"));
  run();
  EXPECT_EQ(look().sources.size(), 1u);
  age();
  run();
  EXPECT_TRUE(look().nothing_changed(generation()));
}

TEST_F(LookTest, ADamagedFileIsIgnored) {
  const auto good = test::read_file(seen());
  const auto expected = generation();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{7}, std::size_t{71}, good.size() / 2, good.size() - 1}) {
    std::ofstream(seen(), std::ios::binary | std::ios::trunc) << good.substr(0, size);
    EXPECT_FALSE(look().knows_all(expected)) << size;
  }
  // Wherever a byte is wrong, it is ignored, or something is looked at that need not be.
  for (std::size_t at = 0; at < good.size(); at += 3) {
    auto bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x20);
    std::ofstream(seen(), std::ios::binary | std::ios::trunc) << bad;
    EXPECT_FALSE(look().nothing_changed(expected)) << at;
    looks_.clear();
  }
  std::ofstream(seen(), std::ios::binary | std::ios::trunc) << std::string(good.size(), '\0');
  EXPECT_FALSE(look().knows_all(expected));
  run();
  EXPECT_TRUE(look().nothing_changed(generation()));
}

TEST_F(LookTest, WhatWasLeftHalfDoneIsIgnored) {
  auto bytes = test::read_file(seen());
  std::fill_n(bytes.begin() + 8, 8, '\0');  // the generation, while states are changed
  std::ofstream(seen(), std::ios::binary | std::ios::trunc) << bytes;
  EXPECT_FALSE(look().knows_all(generation()));
  EXPECT_FALSE(look().knows_all(0));
}

TEST_F(LookTest, AWriterThatDiedBeforeItChangedTheFileLosesNothing) {
  const auto before = test::read_file(seen());
  home_.append(transcript(3), line("three"));
  age();
  run();
  std::ofstream(seen(), std::ios::binary | std::ios::trunc) << before;
  EXPECT_FALSE(look().knows_all(generation()));
  home_.append(transcript(4), line("four"));
  age();
  run();
  EXPECT_TRUE(look().nothing_changed(generation()));
  EXPECT_EQ(texts(index()).count(id_of(4) + " four"), 1u);
}

TEST_F(LookTest, AFolderThatOthersMayWriteIsNotBelieved) {
  const auto before = generation();
  EXPECT_TRUE(look().knows_all(before));
  chmod(index().c_str(), 0770);
  EXPECT_FALSE(look().knows_all(before));
}

TEST_F(LookTest, OtherSettingsAreNotThese) {
  exclude_ = {"home-ada-p1"};
  EXPECT_FALSE(look().knows_all(generation()));
  exclude_.clear();
  fs::create_directories(home_.path() / ".cursor-server/data");
  EXPECT_FALSE(look().knows_all(generation()));
}

TEST_F(LookTest, AWorkspaceThatBecameAnotherIsSeen) {
  write(fs::path(kUser) / "workspaceStorage/w1/workspace.json", workspace("b"));
  age();
  EXPECT_FALSE(look().nothing_changed(generation()));
  run();
  std::size_t plans = 0;
  for (const auto& text : texts(index())) plans += text.find("another plan") != std::string::npos;
  EXPECT_EQ(plans, 1u);
}

TEST_F(LookTest, NeverMissesWhatDiscoveryFinds) {
  const char* const given = std::getenv("CGREP_SEED");
  const auto seed = given != nullptr ? static_cast<unsigned>(std::stoul(given))
                    : std::getenv("CGREP_SOAK") != nullptr ? std::random_device()()
                                                           : 1;
  SCOPED_TRACE("CGREP_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int end) {
    return static_cast<int>(random() % static_cast<unsigned>(end));
  };
  int made = 8;
  const auto path = [&] { return home_.path() / transcript(below(made)); };
  const auto if_there = [&](const fs::path& file, const auto& change) {
    if (fs::exists(file)) change(file);
  };
  std::string old_seen = test::read_file(seen());
  const fs::path other_root = home_.path() / ".cursor-server/data";
  using Step = std::pair<std::string, std::function<void()>>;
  const std::vector<Step> steps = {
      {"append",
       [&] {
         if_there(path(), [&](const fs::path& file) {
           std::ofstream(file, std::ios::app) << line("more " + std::to_string(random()));
         });
       }},
      {"rewrite",
       [&] {
         if_there(path(), [&](const fs::path& file) {
           std::ofstream(file, std::ios::trunc) << line("new " + std::to_string(random()));
         });
       }},
      {"delete", [&] { if_there(path(), [](const fs::path& file) { fs::remove(file); }); }},
      {"delete folder", [&] { fs::remove_all(path().parent_path()); }},
      {"new", [&] { write(transcript(made++), line("begin " + std::to_string(random()))); }},
      {"rename",
       [&] {
         if_there(path().parent_path(), [&](const fs::path& folder) {
           fs::rename(folder, folder.parent_path() / id_of(5000 + made++));
         });
       }},
      {"subagent",
       [&] {
         if_there(path().parent_path(), [&](const fs::path& folder) {
           fs::create_directories(folder / "subagents");
           std::ofstream(folder / "subagents" / (id_of(7000 + below(40)) + ".jsonl"))
               << line("sub");
         });
       }},
      {"replace",
       [&] {
         if_there(path(), [&](const fs::path& file) {
           const auto time = fs::last_write_time(file);
           auto bytes = test::read_file(file);
           std::replace(bytes.begin(), bytes.end(), 'n', 'm');
           std::ofstream(file.string() + ".tmp") << bytes;
           fs::last_write_time(file.string() + ".tmp", time);
           fs::rename(file.string() + ".tmp", file);
         });
       }},
      {"commit", [&] { database_.add_bubble(below(4), below(50)); }},
      {"checkpoint", [&] { database_.exec("PRAGMA wal_checkpoint(TRUNCATE)"); }},
      {"new root",
       [&] { LiveDatabase(other_root / "User/globalStorage/state.vscdb").add_bubble(7, 1); }},
      {"root goes", [&] { fs::remove_all(other_root.parent_path()); }},
      {"plan",
       [&] {
         write(".cursor/plans/p" + std::to_string(below(5)) + ".plan.md",
               "# plan " + std::to_string(random()) + "\n");
       }},
      {"workspace",
       [&] {
         write(fs::path(kUser) / "workspaceStorage/w1/workspace.json",
               workspace(below(2) == 0 ? "a" : "b"));
       }},
      {"terminal",
       [&] {
         write(".cursor/projects/home-ada-p1/terminals/" + std::to_string(below(5)) + ".txt",
               "$ ls\n");
       }},
      {"opt in", [&] { opt_in_ = {find_store(below(2) == 0 ? "terminals" : "chats")}; }},
      {"exclude",
       [&] {
         exclude_ =
             below(2) == 0 ? std::vector<std::string>{} : std::vector<std::string>{"home-ada-p1"};
       }},
      {"chat",
       [&] {
         LiveDatabase(home_.path() / ".cursor/chats/0123" / id_of(below(made)) / "store.db");
       }},
      {"old file comes back",
       [&] { std::ofstream(seen(), std::ios::binary | std::ios::trunc) << old_seen; }},
      {"keep the file", [&] { old_seen = fs::exists(seen()) ? test::read_file(seen()) : ""; }},
      {"one store",
       [&] {
         auto some = options();
         some.stores = {find_store("transcripts")};
         some.opt_in.clear();
         some.exclude = excluded_;
         update(index(), roots(), some);
       }},
      {"nothing", [] {}},
  };
  for (int round = 0; round < 60; ++round) {
    std::string done;
    for (int count = below(3); count >= 0; --count) {
      const auto& step = steps[static_cast<std::size_t>(below(static_cast<int>(steps.size())))];
      step.second();
      done += step.first + ", ";
    }
    if (below(8) > 0) age();
    compare(done);
    if (below(3) == 0) continue;
    run();
    compare(done + "update");
    if (HasFailure()) return;
  }
  EXPECT_GT(quiet_, 5);
  // What was read by looks is what one who goes through everything finds; but of a root that is
  // not there, or a workspace that nobody opens any more, nothing is gone.
  LiveDatabase(other_root / "User/globalStorage/state.vscdb").add_bubble(7, 1);
  fs::remove_all(home_.path() / "a");
  fs::remove_all(home_.path() / "b");
  age();
  run();
  auto kept = texts(index());
  std::erase_if(kept, [](const std::string& text) {
    return text.starts_with("x ") || text.starts_with("y ");
  });
  const auto fresh = index_.path() / "fresh";
  opt_in_ = History(index(), History::Mode::read).opted_in();
  update(fresh, roots(), options());
  EXPECT_EQ(kept, texts(fresh));
}

}  // namespace
}  // namespace cgrep
