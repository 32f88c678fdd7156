#include "index/writer.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/folder.h"
#include "index/runs.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;

/// Plays extractors: tells the writer what sources say, and reads back what the index made of it.
class WriterTest : public testing::Test {
 protected:
  struct Said {
    std::string text{};
    Role role = Role::user;
    std::string key{};
    std::optional<Time> time{};
  };

  void SetUp() override {
    history_.emplace(dir_.path(), History::Mode::write);
    writer_.emplace(*history_);
  }

  void reopen() {
    writer_.reset();
    history_.reset();
    SetUp();
  }

  /// Delivers the texts as the whole of what a source holds, or as what was appended to it.
  ReadingCounts read(const std::string& path, const std::vector<Said>& said, bool whole = true,
                     const char* store = "transcripts", const std::string& conversation = "c1") {
    Sink& sink = begin(path, store);
    if (whole) sink.whole(conversation);
    for (const auto& each : said)
      sink.document({.store = store,
                     .conversation = conversation,
                     .role = each.role,
                     .time = each.time,
                     .text = each.text,
                     .identity = {each.key},
                     .position = ++position_});
    return end();
  }

  Sink& begin(const std::string& path, const char* store = "transcripts") {
    Source source{.store = find_store(store), .path = path};
    return writer_->begin_reading(writer_->source_row(source), *source.store);
  }

  ReadingCounts end() {
    const auto counts = writer_->end_reading({1, 1, 1}, {}, "mark");
    writer_->commit();
    return counts;
  }

  /// `number role text [gone] stores` of each document, in reading order.
  std::vector<std::string> documents(const std::string& conversation = "c1") {
    std::vector<std::string> lines;
    const auto row = history_->row_of_conversation(conversation);
    if (!row) return lines;
    history_->for_each_document(*row, [&](const StoredDocument& document) {
      std::string line = std::to_string(document.number) + ' ' +
                         std::string(name_of(document.role)) + ' ' + history_->text(document.row);
      if (document.gone) line += " gone";
      for (const auto store : store_names(document.stores)) line += ' ' + std::string(store);
      lines.push_back(line);
      return true;
    });
    return lines;
  }

  /// Rows of the current documents that the runs find for a word.
  std::set<std::int64_t> rows_with(const std::string& word) {
    std::set<std::int64_t> rows;
    const auto named = history_->runs();
    if (named.empty()) return rows;
    const auto dropped = history_->dropped();
    const Runs runs(history_->words(), named);
    const auto& database = runs.database();
    for (auto post = database.postlist_begin(word); post != database.postlist_end(word); ++post)
      rows.insert(runs.row_of(*post));
    for (const auto row : dropped) rows.erase(row);
    return rows;
  }

  /// Whether its blocks are in the order of their keys, which Xapian's own writer leaves open: a
  /// bit of the second number after the revision.
  bool written_directly(const cgrep::Run& run) const {
    return (test::read_file(history_->words() / run.name / "iamglass").at(34) & 2) != 0;
  }

  Conversation conversation(const std::string& key = "c1") {
    return history_->conversation(history_->row_of_conversation(key).value());
  }

  using Lines = std::vector<std::string>;

  TempDir dir_{};
  std::optional<History> history_{};
  std::optional<IndexWriter> writer_{};
  std::uint64_t position_ = 0;
};

TEST_F(WriterTest, NumbersDocumentsInReadingOrder) {
  read("/a", {{"why"}, {"because", Role::assistant}, {"thanks"}});
  EXPECT_EQ(documents(), (Lines{"1 user why transcripts", "2 assistant because transcripts",
                                "3 user thanks transcripts"}));
}

TEST_F(WriterTest, ReadingAgainChangesNothing) {
  read("/a", {{"why"}, {"because", Role::assistant}});
  const auto before = documents();
  const auto rows = rows_with("why");
  const auto counts = read("/a", {{"why"}, {"because", Role::assistant}});
  EXPECT_EQ(counts.documents, 0u);
  EXPECT_EQ(counts.gone, 0u);
  EXPECT_EQ(documents(), before);
  EXPECT_EQ(rows_with("why"), rows);
  EXPECT_EQ(history_->runs().size(), 1u);
}

TEST_F(WriterTest, KeepsEqualTextsApart) {
  read("/a", {{"continue"}, {"continue"}, {"continue"}});
  EXPECT_EQ(documents().size(), 3u);
  read("/a", {{"continue"}, {"continue"}, {"continue"}});
  EXPECT_EQ(documents().size(), 3u);
}

TEST_F(WriterTest, AppendedTextsFollow) {
  read("/a", {{"continue"}, {"continue"}});
  read("/a", {{"continue"}, {"done", Role::assistant}}, /*whole=*/false);
  EXPECT_EQ(documents(), (Lines{"1 user continue transcripts", "2 user continue transcripts",
                                "3 user continue transcripts", "4 assistant done transcripts"}));
  EXPECT_EQ(rows_with("continue").size(), 3u);
}

TEST_F(WriterTest, OneTextInTwoStoresIsOneDocument) {
  read("/a", {{"continue"}, {"continue"}, {"only here"}});
  read("/b", {{"continue "}, {"continue"}, {"only\nthere"}}, true, "bubbles");
  EXPECT_EQ(documents(),
            (Lines{"1 user continue transcripts bubbles", "2 user continue transcripts bubbles",
                   "3 user only here transcripts", "4 user only\nthere bubbles"}));
  EXPECT_EQ(conversation().stores, (std::vector<std::string_view>{"transcripts", "bubbles"}));
}

TEST_F(WriterTest, RolesAndConversationsKeepEqualTextsApart) {
  read("/a", {{"yes"}, {"yes", Role::assistant}});
  read("/b", {{"yes"}}, true, "transcripts", "c2");
  EXPECT_EQ(documents().size(), 2u);
  EXPECT_EQ(documents("c2").size(), 1u);
}

TEST_F(WriterTest, WhatItsSourceNoLongerHasIsGoneButFound) {
  read("/a", {{"first"}, {"second"}});
  const auto counts = read("/a", {{"second"}});
  EXPECT_EQ(counts.gone, 1u);
  const auto lines = documents();
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()),
            (std::set<std::string>{"1 user first gone transcripts", "2 user second transcripts"}));
  EXPECT_EQ(rows_with("first").size(), 1u);
}

TEST_F(WriterTest, WhatComesBackKeepsItsNumber) {
  read("/a", {{"first"}, {"second"}});
  read("/a", {});
  read("/a", {{"first"}, {"second"}, {"third"}});
  EXPECT_EQ(documents(), (Lines{"1 user first transcripts", "2 user second transcripts",
                                "3 user third transcripts"}));
}

TEST_F(WriterTest, WhatAnotherSourceStillHasIsNotGone) {
  read("/a", {{"first"}});
  read("/b", {{"first"}}, true, "bubbles");
  EXPECT_EQ(read("/a", {}).gone, 0u);
  EXPECT_EQ(documents(), (Lines{"1 user first bubbles"}));
}

TEST_F(WriterTest, AVanishedSourceLeavesItsTextsGone) {
  read("/a", {{"first"}});
  const auto row = writer_->source_row({.store = find_store("transcripts"), .path = "/a"});
  EXPECT_EQ(writer_->vanished(row).gone, 1u);
  writer_->commit();
  EXPECT_EQ(documents(), (Lines{"1 user first gone transcripts"}));
}

TEST_F(WriterTest, AKeyedDocumentThatChangesKeepsItsNumberAndGetsANewRow) {
  read("/a", {{"partial ans", Role::assistant, "b1"}, {"next", Role::user, "b2"}});
  const auto before = rows_with("partial");
  read("/a", {{"partial answer, now whole", Role::assistant, "b1"}, {"next", Role::user, "b2"}});
  const auto lines = documents();
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()),
            (std::set<std::string>{"1 assistant partial answer, now whole transcripts",
                                   "2 user next transcripts"}));
  EXPECT_EQ(rows_with("partial").size(), 1u);
  EXPECT_NE(rows_with("partial"), before);
  EXPECT_TRUE(rows_with("ans").empty());
}

TEST_F(WriterTest, WhatIsNotCommittedNeverHappened) {
  read("/a", {{"first"}});
  Sink& sink = begin("/a");
  sink.document({.store = "transcripts", .conversation = "c1", .text = "lost"});
  reopen();
  EXPECT_EQ(documents(), (Lines{"1 user first transcripts"}));
  EXPECT_TRUE(rows_with("lost").empty());
}

TEST_F(WriterTest, LitterOfADeadWriterIsRemoved) {
  std::filesystem::create_directories(history_->words() / "run-99");
  dir_.write("words/run-99/postlist.glass", "half of it");
  reopen();
  EXPECT_FALSE(std::filesystem::exists(history_->words() / "run-99"));
}

TEST_F(WriterTest, AnAbandonedReadingKeepsWhatItDeliveredAndLosesNothing) {
  read("/a", {{"first"}, {"second"}});
  Sink& sink = begin("/a");
  sink.whole("c1");
  sink.document({.store = "transcripts", .conversation = "c1", .text = "third"});
  writer_->abandon_reading();
  writer_->commit();
  EXPECT_EQ(documents().size(), 3u);
  for (const auto& line : documents()) EXPECT_EQ(line.find("gone"), std::string::npos) << line;
}

TEST_F(WriterTest, CountsProblemsByKindAndForgetsThoseThatPassed) {
  Sink& sink = begin("/a");
  sink.problem({.what = "not JSON", .example = "12"});
  sink.problem({.what = "not JSON", .example = "99"});
  sink.problem({.what = "half-written last line", .example = "120", .passing = true});
  EXPECT_EQ(end().problems, 3u);
  const auto problems = [&] {
    for (const auto& count : history_->store_counts())
      if (count.store->name == "transcripts") return count.problems;
    return std::size_t{0};
  };
  EXPECT_EQ(problems(), 3u);
  begin("/a");
  end();
  EXPECT_EQ(problems(), 2u);
}

TEST_F(WriterTest, TakesTheProjectFromTheLowestRung) {
  Sink& sink = begin("/a");
  sink.document({.store = "transcripts", .conversation = "c1", .text = "fix the build\nplease"});
  sink.claim({"c1", Fact::project, rung::project::tools, "/guessed"});
  sink.claim({"c1", Fact::slug, rung::any::only, "home-ada-widget"});
  end();
  EXPECT_EQ(conversation().project, "/guessed");
  EXPECT_EQ(conversation().title, "fix the build");

  Sink& other = begin("/trusted", "repo-meta");
  other.claim(
      {slug_subject("home-ada-widget"), Fact::project, rung::project::trusted, "/home/ada/widget"});
  end();
  EXPECT_EQ(conversation().project, "/home/ada/widget");
  EXPECT_EQ(conversation().slug, "home-ada-widget");
}

TEST_F(WriterTest, DocumentsWithoutATimeFallBackOnTheirConversations) {
  Sink& sink = begin("/a");
  sink.document({.store = "transcripts", .conversation = "c1", .text = "hello"});
  sink.claim({"c1", Fact::seen, rung::any::only, "5000"});
  end();
  EXPECT_EQ(conversation().last, (Time{5000, TimeOrigin::mtime}));
  Sink& meta = begin("/m", "repo-meta");
  meta.claim({"c1", Fact::updated, rung::any::only, "4000"});
  end();
  EXPECT_EQ(conversation().last, (Time{4000, TimeOrigin::session}));
}

TEST_F(WriterTest, WordsCanBeMadeAgainFromHistory) {
  read("/a", {{"first word"}, {"second word"}});
  read("/a", {{"second word"}});
  const auto rows = rows_with("word");
  writer_->rebuild_words();
  EXPECT_EQ(rows_with("word"), rows);
  EXPECT_EQ(history_->runs().size(), 1u);
}

TEST_F(WriterTest, ManySmallCommitsLeaveFewRuns) {
  for (int i = 0; i < 100; ++i) {
    read("/a", {{"message number " + std::to_string(i)}}, /*whole=*/false);
    writer_->merge();
    ASSERT_LT(history_->runs().size(), 24u);
  }
  EXPECT_EQ(rows_with("message").size(), 100u);
}

TEST_F(WriterTest, ManySmallCommitsTakeNoMoreRoomThanOne) {
  std::string words;
  for (int i = 0; i < 200; ++i) words += fmt::format("word{} ", i);
  for (int i = 0; i < 64; ++i) {
    read("/a", {{words + std::to_string(i)}}, /*whole=*/false);
    writer_->merge();
  }
  ASSERT_EQ(history_->runs().size(), 1u);
  const auto bytes = [&] {
    return std::filesystem::file_size(history_->words() / history_->runs().front().name /
                                      "postlist.glass");
  };
  const auto grown = bytes();
  writer_->rebuild_words();
  EXPECT_EQ(grown, bytes());
}

TEST_F(WriterTest, RunsAreMergedThoughATextIsDamaged) {
  for (int i = 0; i < 8; ++i) read("/a", {{"message " + std::to_string(i)}}, /*whole=*/false);
  history_->database().exec("UPDATE texts SET frame = x'28b52ffd00' WHERE id = 3");
  writer_->merge();
  EXPECT_EQ(history_->runs().size(), 1u);
  EXPECT_EQ(rows_with("message").size(), 8u);
}

TEST_F(WriterTest, RetiredRunsStayForReadersThatAreAboutToOpenThem) {
  for (int i = 0; i < 8; ++i) read("/a", {{"message " + std::to_string(i)}}, /*whole=*/false);
  const auto before = history_->runs();
  writer_->merge();
  EXPECT_EQ(history_->runs().size(), 1u);
  for (const auto& run : before)
    EXPECT_TRUE(std::filesystem::exists(history_->words() / run.name)) << run.name;
  history_->database().exec("UPDATE retired SET at = 0");
  reopen();
  for (const auto& run : before)
    EXPECT_FALSE(std::filesystem::exists(history_->words() / run.name)) << run.name;
}

TEST_F(WriterTest, ProbesOnceWhetherRunsCanBeWrittenDirectly) {
  read("/a", {{"first"}});
  EXPECT_TRUE(written_directly(history_->runs().back()));
  EXPECT_FALSE(history_->makes_runs_slowly());
  EXPECT_FALSE(std::filesystem::exists(history_->words() / "probe"));
  // Whatever was found for another Xapian, it is probed again.
  history_->database().exec("UPDATE state SET value = 1 - value WHERE key = 'direct_runs'");
  reopen();
  EXPECT_TRUE(history_->makes_runs_slowly());
  read("/a", {{"second"}}, /*whole=*/false);
  EXPECT_TRUE(written_directly(history_->runs().back()));
  EXPECT_FALSE(history_->makes_runs_slowly());
}

TEST_F(WriterTest, FallsBackToXapiansWriter) {
  read("/a", {{"first"}});
  history_->database().exec("UPDATE state SET value = -value WHERE key = 'direct_runs'");
  reopen();
  read("/a", {{"second message"}, {"third message"}}, /*whole=*/false);
  EXPECT_FALSE(written_directly(history_->runs().back()));
  EXPECT_TRUE(history_->makes_runs_slowly());
  EXPECT_EQ(rows_with("first"), (std::set<std::int64_t>{1}));
  EXPECT_EQ(rows_with("message"), (std::set<std::int64_t>{2, 3}));
  writer_->rebuild_words();
  EXPECT_EQ(rows_with("first"), (std::set<std::int64_t>{1}));
}

TEST_F(WriterTest, AReaderKeepsItsSnapshot) {
  read("/a", {{"first"}});
  History reader(dir_.path(), History::Mode::read);
  read("/a", {{"second"}}, /*whole=*/false);
  EXPECT_EQ(reader.document_count(), 1u);
  EXPECT_EQ(reader.runs().size(), 1u);
  EXPECT_EQ(history_->document_count(), 2u);
}

TEST_F(WriterTest, AddressesAreTheShortestUniquePrefixes) {
  read("/a", {{"x"}}, true, "transcripts", "3f2a9c1e-aaaa");
  read("/b", {{"x"}}, true, "transcripts", "3f2a9c1e-abcd");
  read("/c", {{"x"}}, true, "transcripts", "77777777-abcd");
  EXPECT_EQ(conversation("3f2a9c1e-aaaa").address, "3f2a9c1e-aa");
  EXPECT_EQ(conversation("3f2a9c1e-abcd").address, "3f2a9c1e-ab");
  EXPECT_EQ(conversation("77777777-abcd").address, "77777777");
}

}  // namespace
}  // namespace cgrep
