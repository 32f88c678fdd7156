#include "index/update.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/checks.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/runs.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;
namespace fs = std::filesystem;

constexpr const char* kId = "3f2a9c1e-0000-4000-8000-000000000001";

std::string line(const std::string& role, const std::string& text) {
  return R"({"role":")" + role + R"(","message":{"content":[{"type":"text","text":")" + text +
         "\"}]}}\n";
}

class UpdateTest : public testing::Test {
 protected:
  static fs::path transcript(const std::string& id = kId) {
    return fs::path(".cursor/projects/home-ada-widget/agent-transcripts") / id / (id + ".jsonl");
  }

  void write(const std::string& bytes, const std::string& id = kId) {
    home_.write(transcript(id), bytes);
    age(transcript(id));
  }

  /// As if it had been written long ago: what is young is looked at again.
  void age(const fs::path& relative) {
    auto path = home_.path() / relative;
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(++hours_));
    while ((path = path.parent_path()) != home_.path())
      fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(500));
  }

  UpdateSummary run(UpdateOptions options = {}) {
    const Roots roots = find_roots([](const char*) { return std::nullopt; }, home_.path());
    return update(index(), roots, options);
  }

  static StoreSummary of(const UpdateSummary& summary, std::string_view store = "transcripts") {
    for (const auto& each : summary.stores)
      if (each.store->name == store) return each;
    return {};
  }

  fs::path index() const { return index_.path() / "index"; }

  std::vector<std::string> texts(const std::string& id = kId) {
    std::vector<std::string> lines;
    History history(index(), History::Mode::read);
    const auto row = history.row_of_conversation(id);
    if (!row) return lines;
    history.for_each_document(*row, [&](const StoredDocument& document) {
      lines.push_back(std::to_string(document.number) + ' ' + history.text(document.row) +
                      (document.gone ? " gone" : ""));
      return true;
    });
    return lines;
  }

  using Lines = std::vector<std::string>;

  TempDir home_{};
  TempDir index_{};
  int hours_ = 0;
};

TEST_F(UpdateTest, ReadsWhatIsThere) {
  write(line("user", "why does it leak") + line("assistant", "the buffer"));
  const auto summary = of(run());
  EXPECT_EQ(summary.sources, 1u);
  EXPECT_EQ(summary.read, 1u);
  EXPECT_EQ(summary.documents, 2u);
  EXPECT_EQ(texts(), (Lines{"1 why does it leak", "2 the buffer"}));
}

TEST_F(UpdateTest, ReadsNothingWhenNothingChanged) {
  write(line("user", "one"));
  run();
  const auto summary = of(run());
  EXPECT_EQ(summary.sources, 1u);
  EXPECT_EQ(summary.read, 0u);
}

TEST_F(UpdateTest, AnAppendedLineCostsThatLine) {
  write(line("user", "one") + line("assistant", "two"));
  run();
  home_.append(transcript(), line("user", "three"));
  const auto summary = of(run());
  EXPECT_EQ(summary.read, 1u);
  EXPECT_EQ(summary.documents, 1u);
  EXPECT_EQ(texts(), (Lines{"1 one", "2 two", "3 three"}));
}

TEST_F(UpdateTest, ARewrittenFileIsReplacedAndKeepsItsNumbers) {
  write(line("user", "one") + line("assistant", "two"));
  run();
  write(line("user", "zero") + line("assistant", "two") + line("user", "three"));
  const auto summary = of(run());
  EXPECT_EQ(summary.documents, 2u);
  EXPECT_EQ(summary.gone, 1u);
  auto lines = texts();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (Lines{"1 one gone", "2 two", "3 zero", "4 three"}));
}

TEST_F(UpdateTest, AnEmptiedFileLosesNothing) {
  write(line("user", "one"));
  run();
  write("");
  EXPECT_EQ(of(run()).gone, 1u);
  EXPECT_EQ(texts(), (Lines{"1 one gone"}));
  write(line("user", "one"));
  run();
  EXPECT_EQ(texts(), (Lines{"1 one"}));
}

TEST_F(UpdateTest, AHalfWrittenLineIsReadOnceItIsComplete) {
  const auto second = line("assistant", "two");
  write(line("user", "one") + second.substr(0, 20));
  EXPECT_EQ(of(run()).problems, 1u);
  EXPECT_EQ(texts(), (Lines{"1 one"}));
  home_.append(transcript(), second.substr(20));
  EXPECT_EQ(of(run()).problems, 0u);
  EXPECT_EQ(texts(), (Lines{"1 one", "2 two"}));
  History history(index(), History::Mode::read);
  for (const auto& count : history.store_counts()) EXPECT_EQ(count.problems, 0u);
}

TEST_F(UpdateTest, ADeletedFileIsGone) {
  write(line("user", "one"));
  run();
  fs::remove_all((home_.path() / transcript()).parent_path());
  EXPECT_EQ(of(run()).gone, 1u);
  EXPECT_EQ(texts(), (Lines{"1 one gone"}));
  EXPECT_EQ(of(run()).gone, 0u);
}

TEST_F(UpdateTest, AnUnmountedRootIsNotGone) {
  write(line("user", "one"));
  run();
  fs::rename(home_.path() / ".cursor", home_.path() / "elsewhere");
  EXPECT_EQ(of(run()).gone, 0u);
  EXPECT_EQ(texts(), (Lines{"1 one"}));
}

TEST_F(UpdateTest, AFolderThatCannotBeReadIsNotGone) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  write(line("user", "one"));
  run();
  const auto folder = home_.path() / ".cursor/projects/home-ada-widget";
  fs::permissions(folder, fs::perms::none);
  const auto summary = run();
  fs::permissions(folder, fs::perms::owner_all);
  EXPECT_EQ(of(summary).gone, 0u);
  EXPECT_FALSE(summary.warnings.empty());
  EXPECT_EQ(texts(), (Lines{"1 one"}));
}

TEST_F(UpdateTest, AFolderInPlaceOfAFileHurtsNobodyElse) {
  write(line("user", "one"));
  const std::string other = "77777777-0000-4000-8000-000000000002";
  fs::create_directories(home_.path() / transcript(other));
  EXPECT_EQ(of(run()).documents, 1u);
}

TEST_F(UpdateTest, ALinkOutOfTheRootIsNotFollowedAndSaid) {
  write(line("user", "one"));
  const TempDir elsewhere;
  fs::create_directory_symlink(elsewhere.path(), home_.path() / ".cursor/projects/linked");
  const auto summary = run();
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings.front().find("projects/linked: left out"), std::string::npos);
  EXPECT_EQ(of(summary).documents, 1u);
}

TEST_F(UpdateTest, OnlySourcesUnderAPath) {
  const std::string other = "77777777-0000-4000-8000-000000000002";
  write(line("user", "one"));
  write(line("user", "other"), other);
  UpdateOptions options;
  options.paths = {(home_.path() / transcript(other)).parent_path()};
  run(options);
  EXPECT_TRUE(texts().empty());
  EXPECT_EQ(texts(other), (Lines{"1 other"}));
}

TEST_F(UpdateTest, ARebuildReadsAllAgainAndKeepsWhatIsGone) {
  write(line("user", "one") + line("user", "two"));
  run();
  write(line("user", "two"));
  run();
  UpdateOptions options;
  options.rebuild = true;
  EXPECT_EQ(of(run(options)).read, 1u);
  auto lines = texts();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (Lines{"1 one gone", "2 two"}));
}

TEST_F(UpdateTest, DamagedWordsAreMadeAgainWithoutTheSources) {
  write(line("user", "one"));
  run();
  fs::remove_all(home_.path() / ".cursor");
  for (const auto& entry : fs::directory_iterator(index() / "words"))
    std::ofstream(entry.path() / "iamglass") << "damaged";
  const auto summary = run();
  ASSERT_EQ(summary.warnings.size(), 1u);
  History history(index(), History::Mode::read);
  const Runs runs(history.words(), history.runs());
  EXPECT_EQ(runs.database().get_termfreq("one"), 1u);
}

TEST_F(UpdateTest, AnotherWriterIsWaitedForOrLeftAlone) {
  write(line("user", "one"));
  run();
  auto lock = WriterLock::try_take(index());
  ASSERT_TRUE(lock);
  UpdateOptions options;
  options.wait = false;
  EXPECT_FALSE(run(options).busy);  // nothing is to be written
  home_.append(transcript(), line("user", "two"));
  EXPECT_TRUE(run(options).busy);
  lock.reset();
  EXPECT_FALSE(run(options).busy);
}

TEST_F(UpdateTest, ABudgetReadsTheNewestFirstAndCatchesUp) {
  const std::string ids[] = {"77777777-0000-4000-8000-000000000003",
                             "77777777-0000-4000-8000-000000000001",
                             "77777777-0000-4000-8000-000000000002"};
  for (const auto& id : ids) write(line("user", "one"), id);  // each older than the one before
  UpdateOptions options;
  options.budget = std::chrono::milliseconds(1);
  options.progress = [](const Progress&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  for (std::size_t read = 1; read <= 3; ++read) {
    EXPECT_EQ(run(options).left, 3 - read);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(texts(ids[i]).size(), i < read ? 1u : 0u);
  }
}

TEST_F(UpdateTest, WithoutAnyTimeItOnlyLooks) {
  const std::string other = "77777777-0000-4000-8000-000000000002";
  write(line("user", "one"));
  run();
  fs::remove_all((home_.path() / transcript()).parent_path());
  write(line("user", "other"), other);
  UpdateOptions options;
  options.budget = std::chrono::milliseconds(0);
  const auto summary = run(options);
  EXPECT_EQ(summary.left, 2u);
  EXPECT_EQ(of(summary).read, 0u);
  EXPECT_EQ(texts(), (Lines{"1 one"}));
  EXPECT_TRUE(texts(other).empty());
}

TEST_F(UpdateTest, WhoAsksWhileItReadsIsHeard) {
  const std::string other = "77777777-0000-4000-8000-000000000002";
  write(line("user", "one"));
  UpdateOptions options;
  options.paths = {home_.path() / transcript()};  // who asks wants all
  int asked = 0;
  options.progress = [&](const Progress&) {
    if (asked++ > 0) return;
    write(line("user", "other"), other);
    UpdateOptions lazy;
    lazy.lazy = true;
    EXPECT_TRUE(run(lazy).busy);
  };
  EXPECT_EQ(of(run(options)).documents, 2u);
  EXPECT_EQ(texts(other), (Lines{"1 other"}));
  EXPECT_FALSE(is_check_asked_for(index()));
}

// However many ask, and however often: then one of them looks.
TEST_F(UpdateTest, WhoIsAskedAllTheTimeLeavesItToOthersInTheEnd) {
  write(line("user", "one"));
  std::atomic<bool> ended = false;
  std::thread asking([&] {
    while (!ended) {
      ask_for_check(index());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  const auto began = std::chrono::steady_clock::now();
  run();
  ended = true;
  asking.join();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(60));
}

TEST_F(UpdateTest, AMarkWhoseMakerDiedIsGoodForOneCheck) {
  write(line("user", "one"));
  run();
  ask_for_check(index());
  run();
  EXPECT_FALSE(is_check_asked_for(index()));
}

// Nobody waits for a writer, or looks twice, for what one look tells.
TEST_F(UpdateTest, ALookAnswersWhoAskedBefore) {
  write(line("user", "one"));
  run();
  UpdateOptions lazy;
  lazy.lazy = true;
  note_check(index(), *last_check(index()) - 3'000'000'000);
  ask_for_check(index());
  const auto writing = WriterLock::try_take(index());
  ASSERT_TRUE(writing);
  EXPECT_FALSE(run(lazy).busy);
  EXPECT_FALSE(is_check_asked_for(index()));
}

TEST_F(UpdateTest, WhoCannotWriteLeavesTheMarkOfWhoAskedBefore) {
  write(line("user", "one"));
  run();
  write(line("user", "two"));
  ask_for_check(index());
  const auto writing = WriterLock::try_take(index());
  ASSERT_TRUE(writing);
  UpdateOptions options;
  options.wait = false;
  EXPECT_TRUE(run(options).busy);
  EXPECT_TRUE(is_check_asked_for(index()));
}

TEST_F(UpdateTest, TheLazyLookAgainAfterTwoSeconds) {
  const std::string other = "77777777-0000-4000-8000-000000000002";
  write(line("user", "one"));
  run();
  write(line("user", "other"), other);
  UpdateOptions lazy;
  lazy.lazy = true;
  EXPECT_TRUE(run(lazy).young);
  EXPECT_TRUE(texts(other).empty());
  note_check(index(), *last_check(index()) - 2'000'000'000);
  EXPECT_FALSE(run(lazy).young);
  EXPECT_EQ(texts(other), (Lines{"1 other"}));
  // A clock that was set back does not stop it.
  note_check(index(), *last_check(index()) + 3'600'000'000'000);
  EXPECT_FALSE(run(lazy).young);
}

TEST_F(UpdateTest, TheIndexIsPrivateWhateverTheUmask) {
  write(line("user", "one"));
  const auto before = umask(0);
  run();
  umask(before);
  EXPECT_EQ(fs::status(index()).permissions(), fs::perms::owner_all);
  for (const auto& entry : fs::recursive_directory_iterator(index()))
    EXPECT_EQ(entry.status().permissions() & (fs::perms::group_all | fs::perms::others_all),
              fs::perms::none)
        << entry.path();
}

TEST_F(UpdateTest, AFolderThatOthersMayWriteIsRefused) {
  fs::create_directories(index());
  fs::permissions(index(), fs::perms::all);
  EXPECT_THROW(run(), Error);
}

// Somebody else's history.db would be read, and believed.
TEST_F(UpdateTest, NorIsItReadOnceOthersMayWriteThere) {
  write(line("user", "one"));
  run();
  EXPECT_NO_THROW(History(index(), History::Mode::read));
  for (const auto other : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(index(), fs::perms::owner_all | other);
    EXPECT_THROW(History(index(), History::Mode::read), Error);
  }
  fs::permissions(index(), fs::perms::owner_all | fs::perms::others_read);
  EXPECT_NO_THROW(History(index(), History::Mode::read));
}

TEST_F(UpdateTest, AnIndexOfANewerSchemaIsLeftAlone) {
  write(line("user", "one"));
  run();
  { History(index(), History::Mode::write).database().exec("PRAGMA user_version = 99"); }
  const auto before = test::read_file(index() / "history.db");
  for (const bool rebuild : {false, true}) try {
      run({.rebuild = rebuild});
      FAIL();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("newer cgrep"), std::string::npos) << error.what();
    }
  EXPECT_THROW(History(index(), History::Mode::read), Error);
  EXPECT_EQ(test::read_file(index() / "history.db"), before);
}

}  // namespace
}  // namespace cgrep
