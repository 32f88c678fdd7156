// Damage to any file of the index: cgrep answers as before, or says what is wrong and what helps;
// it never crashes, never loops and never answers wrongly. CGREP_SOAK=N makes N times as many.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "corpus/make_home.h"
#include "index/folder.h"
#include "support/faults.h"
#include "support/temp_dir.h"
#include "trouble/index_contents.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

enum class Kind { flip, zero, garbage, cut, empty, remove, insert };
constexpr Kind kKinds[] = {Kind::flip,  Kind::zero,   Kind::garbage, Kind::cut,
                           Kind::empty, Kind::remove, Kind::insert};
constexpr const char* kNames[] = {"flip", "zero", "garbage", "cut", "empty", "remove", "insert"};

std::string not_gone(std::string line) {
  const auto flags = line.find("flags=true");
  return flags == std::string::npos ? line : line.replace(flags, 10, "flags=false");
}

/// Who said it, and what. The name of a conversation may be lost, and with it when that was.
std::string without_name(const std::string& line) {
  const auto role = line.find(' ');
  return line.substr(role, line.find(" time=") - role) + line.substr(line.find(" words="));
}

class DamageTest : public testing::Test {
 protected:
  DamageTest() {
    corpus::make_home(fs::path(CGREP_CORPUS) / "home", dir_.path() / "home");
    for (int i = 0; i < 3; ++i) {
      transcript(fmt::format("aaaaaaaa-000{}", i), 40 + i);
      EXPECT_EQ(cgrep({"index", "-q"}, base()).code, 0);
    }
    fs::remove_all(transcript_path("aaaaaaaa-0001").parent_path());  // only the index has it now
    EXPECT_EQ(cgrep({"index", "-q"}, base()).code, 0);
    empty_journal(base());  // what stands in it is lost when it is damaged
    before_ = contents_of(base());
    for (const auto& words : questions()) answers_.push_back(cgrep(words, base()));
  }

  fs::path base() const { return dir_.path() / "base"; }
  fs::path index() const { return dir_.path() / "index"; }
  fs::path transcript_path(const std::string& id) const {
    return dir_.path() / "home/.cursor/projects/home-ada-w/agent-transcripts" / id /
           (id + ".jsonl");
  }

  void transcript(const std::string& id, int messages) {
    std::string lines;
    for (int i = 0; i < messages; ++i)
      lines += fmt::format(
          R"({{"role":"user","message":{{"content":[{{"type":"text","text":"{} says zeppelin{} {}"}}]}}}})"
          "\n",
          id, i, std::string(static_cast<std::size_t>(20 * i), 'a'));
    const auto path = dir_.write(transcript_path(id).lexically_relative(dir_.path()), lines);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  /// With a limit of time: exit 124 means that it looped.
  RunResult cgrep(std::vector<std::string> words, const fs::path& folder,
                  Variables environment = {}) const {
    words.insert(words.begin(), {"timeout", "60", CGREP_BINARY});
    words.insert(words.end(),
                 {"--root", (dir_.path() / "home").string(), "--index", folder.string()});
    environment.insert({{"TZ", "UTC"}, {"LC_ALL", "C.UTF-8"}});
    return run_program(words, {.environment = environment});
  }

  static const std::vector<std::vector<std::string>>& questions() {
    static const std::vector<std::vector<std::string>> all = {
        {"zeppelin7", "--refresh", "never", "--sort", "newest"},
        {"-F", "ppelin1", "--refresh", "never"},
        {"zeppelin3*", "--refresh", "never", "--sort", "newest"},
        {"--role", "assistant", "the", "--refresh", "never", "--sort", "newest", "--limit", "0"},
        {"show", "aaaaaaaa-0001", "--refresh", "never"},
        {"log", "--refresh", "never"},
        {"-c", "zeppelin* OR auth", "--refresh", "never", "--sort", "newest"}};
    return all;
  }

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(base()))
      if (entry.is_regular_file()) found.push_back(entry.path().lexically_relative(base()));
    std::sort(found.begin(), found.end());
    return found;
  }

  void restore() {
    fs::remove_all(index());
    fs::copy(base(), index(), fs::copy_options::recursive);
    fs::permissions(index(), fs::perms::owner_all);
  }

  std::uint64_t random(std::uint64_t below) { return below == 0 ? 0 : random_() % below; }

  /// False when the bytes stay as they were.
  bool damage(const fs::path& path, Kind kind) {
    if (kind == Kind::remove) return fs::remove(path);
    auto bytes = read_file(path);
    const auto whole = bytes;
    const auto at = random(bytes.size());
    const auto length = std::min<std::uint64_t>(1 + random(9000), bytes.size() - at);
    switch (kind) {
      case Kind::flip:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random(8)));
        break;
      case Kind::zero:
        bytes.replace(at, length, length, '\0');
        break;
      case Kind::garbage:
        for (auto i = at; i < at + length; ++i) bytes[i] = static_cast<char>(random_());
        break;
      case Kind::cut:
        bytes.resize(at);
        break;
      case Kind::insert:
        bytes.insert(at, "x");
        break;
      default:
        bytes.clear();
    }
    if (bytes == whole) return false;
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
    return true;
  }

  void expect_no_harm(const RunResult& result, const std::string& what) {
    EXPECT_LE(result.code, 2) << what << ": " << result.err;
    EXPECT_EQ(result.err.find("unexpected"), std::string::npos) << what << ": " << result.err;
    if (result.code == 2) {
      EXPECT_TRUE(result.err.find("cgrep: ") != std::string::npos) << what << ": " << result.err;
      EXPECT_NE(result.err.find("hint: "), std::string::npos) << what << ": " << result.err;
    }
  }

  /// The answer that the whole index gives, or, if it may, an error.
  void expect_true_answers(bool may_fail) {
    for (std::size_t i = 0; i < questions().size(); ++i) {
      const auto what = fmt::format("{}", fmt::join(questions()[i], " "));
      const auto result = cgrep(questions()[i], index());
      expect_no_harm(result, what);
      if (may_fail && result.code == 2) continue;
      EXPECT_EQ(result.code, answers_[i].code) << what << ": " << result.err;
      EXPECT_TRUE(result.out == answers_[i].out) << "another answer: " << what << result.err;
    }
    for (const char* command : {"status", "stores"})
      expect_no_harm(cgrep({command}, index()), command);
    expect_no_harm(cgrep({"doctor", "--refresh", "never"}, index()), "doctor");
  }

  static std::int64_t rounds() {
    const char* soak = std::getenv("CGREP_SOAK");
    return soak != nullptr ? std::max(std::atoi(soak), 1) : 1;
  }

  /// Damages each file in all these ways; in the short form, in some.
  template <typename Check>
  void for_each_damage(const std::function<bool(const fs::path&)>& wanted, std::vector<Kind> kinds,
                       std::size_t few, Check&& check) {
    for (std::int64_t round = 0; round < rounds(); ++round)
      for (const auto& file : files()) {
        if (!wanted(file)) continue;
        std::shuffle(kinds.begin(), kinds.end(), seeds_);
        if (std::getenv("CGREP_SOAK") != nullptr) few = kinds.size();
        for (std::size_t i = 0; i < std::min(few, kinds.size()); ++i) {
          const Kind kind = kinds[i];
          restore();
          const char* again = std::getenv("CGREP_SEED");  // that of a failure
          const auto seed = again != nullptr ? std::strtoul(again, nullptr, 10) : seeds_();
          random_.seed(seed);
          if (!damage(index() / file, kind)) continue;
          ++damages_;
          SCOPED_TRACE(fmt::format("{} {} with seed {}", kNames[static_cast<int>(kind)],
                                   file.string(), seed));
          check();
          if (HasFailure()) return;
        }
      }
    fmt::print("{} damages\n", damages_);
  }

  void expect_what_sources_have(const IndexContents& found) const {
    for (const auto& line : before_.documents)
      if (line.find("flags=true") == std::string::npos) {  // not gone
        EXPECT_TRUE(found.documents.contains(line)) << line;
      }
  }

  static std::vector<Kind> all_kinds() { return {std::begin(kKinds), std::end(kKinds)}; }

  TempDir dir_{};
  IndexContents before_{};
  std::vector<RunResult> answers_{};
  std::mt19937_64 random_{};
  // The short form does the same in every run: who breaks it knows that it was his change.
  std::mt19937_64 seeds_{std::getenv("CGREP_SOAK") != nullptr ? std::random_device()() : 1};
  int damages_ = 0;
};

TEST_F(DamageTest, DamagedWordsAreNoticedAndMadeAgain) {
  const auto is_word_file = [](const fs::path& file) { return *file.begin() == "words"; };
  for_each_damage(is_word_file, all_kinds(), 1, [&] {
    expect_true_answers(false);
    const auto doctor = cgrep({"doctor", "--refresh", "never"}, index());
    EXPECT_EQ(doctor.code, 1) << doctor.out;
    EXPECT_NE(doctor.out.find("words"), std::string::npos) << doctor.out;
    const auto again = cgrep({"index", "-q"}, index());
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(difference(contents_of(index()), before_), "");
    EXPECT_EQ(litter_in(index()), std::vector<std::string>{});
  });
}

TEST_F(DamageTest, WordsThatRotUnderTheirMtimeAreFoundByWhoReadsAll) {
  for (const auto& file : files()) {
    if (*file.begin() != "words") continue;
    for (const char* command : {"--full", "--compact"}) {
      if (std::getenv("CGREP_SOAK") == nullptr && random_() % 3 != 0) continue;
      restore();
      // Copied, and so of other times: the index is told that they are well.
      ASSERT_EQ(cgrep({"index", "-q"}, index()).code, 0);
      const auto path = index() / file;
      const auto then = fs::last_write_time(path);
      if (!damage(path, Kind::flip)) continue;
      fs::last_write_time(path, then);
      const auto doctor = cgrep({"doctor", "--refresh", "never"}, index());
      EXPECT_EQ(doctor.code, 1) << doctor.out;
      EXPECT_NE(doctor.out.find(file.filename().string() + " is damaged"), std::string::npos)
          << doctor.out;
      EXPECT_EQ(cgrep({"index", "-q", command}, index()).code, 0);
      EXPECT_EQ(difference(contents_of(index()), before_), "") << file << ' ' << command;
    }
  }
}

// SQLite would take the rest of the page for zeros.
TEST_F(DamageTest, AHistoryThatEndsWithinAPage) {
  for (const std::uintmax_t missing : {1u, 9u, 300u, 2000u, 5000u, 8000u}) {
    SCOPED_TRACE(missing);
    restore();
    const auto history = index() / "history.db";
    fs::resize_file(history, fs::file_size(history) - missing);
    expect_true_answers(/*may_fail=*/true);
  }
}

TEST_F(DamageTest, ADamagedHistoryIsSaidAndSalvaged) {
  const auto is_history = [](const fs::path& file) { return file == "history.db"; };
  std::vector<Kind> kinds = all_kinds();
  for (int i = 0; i < 12; ++i) kinds.push_back(Kind::flip);
  for_each_damage(is_history, kinds, 5, [&] {
    expect_true_answers(true);
    const auto doctor = cgrep({"doctor", "--refresh", "never"}, index());
    EXPECT_EQ(doctor.code, 1);
    EXPECT_NE(doctor.out.find(index_exists(index()) ? "history.db" : "no index"), std::string::npos)
        << doctor.out;
    expect_no_harm(cgrep({"index", "-q"}, index()), "index");
    const auto again = cgrep({"index", "-q", "--rebuild"}, index());
    ASSERT_EQ(again.code, 0) << again.err;
    // All that the sources have; what is gone is saved as far as it can be read.
    const auto found = contents_of(index());
    expect_what_sources_have(found);
    // One whose tie to its source was lost is kept as gone, beside what the source has.
    std::set<std::string> said;
    for (const auto& line : before_.documents) said.insert(without_name(line));
    for (const auto& line : found.documents)
      EXPECT_TRUE(before_.documents.contains(line) || before_.documents.contains(not_gone(line)) ||
                  (line.starts_with("salvaged-") && not_gone(line) != line &&
                   said.contains(without_name(line))))
          << line;
    EXPECT_EQ(cgrep({"doctor", "--refresh", "never"}, index()).code,
              cgrep({"doctor", "--refresh", "never"}, base()).code);
  });
}

// Seeds that failed once, as long as the index is laid out as it was then: rows out of order, a row
// that says it is longer than any can be, the name of a tool.
TEST_F(DamageTest, WhatCouldNotBeSalvagedOnceIsSalvaged) {
  constexpr std::pair<Kind, std::uint64_t> kDamages[] = {
      {Kind::garbage, 693489157}, {Kind::garbage, 4097097694}, {Kind::zero, 1183129798}};
  for (const auto& [kind, seed] : kDamages) {
    restore();
    random_.seed(seed);
    ASSERT_TRUE(damage(index() / "history.db", kind));
    const auto again = cgrep({"index", "-q", "--rebuild"}, index());
    ASSERT_EQ(again.code, 0) << again.err;
    expect_what_sources_have(contents_of(index()));
  }
}

// A process that died leaves its journal behind; the next reads it as far as it is whole.
TEST_F(DamageTest, ADamagedJournalIsReadAsFarAsItIsWhole) {
  transcript("aaaaaaaa-0003", 3);
  const std::vector<std::string> command = {"index", "-q"};
  restore();
  const CallCounter counter(dir_.path() / "counter");
  ASSERT_EQ(cgrep(command, index(), counter.variables()).code, 0);
  const auto after = contents_of(index());
  auto calls = counter.count();
  do {  // as late as it can be
    ASSERT_GT(--calls, 0);
    restore();
    cgrep(command, index(), killed_at(calls));
  } while (!fs::exists(index() / "history.db-wal") ||
           fs::file_size(index() / "history.db-wal") == 0);
  fs::rename(base(), dir_.path() / "before");
  fs::rename(index(), base());
  const auto is_journal = [](const fs::path& file) {
    return file == "history.db-wal" || file == "history.db-shm";
  };
  for_each_damage(is_journal, all_kinds(), 2, [&] {
    for (const auto& question : questions())
      expect_no_harm(cgrep(question, index()), question.front());
    const auto found = contents_of(index());
    for (const auto& line : found.documents)
      EXPECT_TRUE(before_.documents.contains(line) || after.documents.contains(line)) << line;
    EXPECT_EQ(cgrep(command, index()).code, 0);
    EXPECT_EQ(difference(contents_of(index()), after), "");
  });
}

TEST_F(DamageTest, OtherFilesDoNotMatter) {
  const auto is_other = [](const fs::path& file) { return file == "lock" || file == "checked"; };
  for_each_damage(is_other, {Kind::garbage, Kind::insert, Kind::remove}, 1, [&] {
    expect_true_answers(false);
    EXPECT_EQ(cgrep({"index", "-q"}, index()).code, 0);
    EXPECT_EQ(difference(contents_of(index()), before_), "");
  });
}

}  // namespace
}  // namespace cgrep::test
