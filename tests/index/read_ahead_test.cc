// What is read ahead in another thread arrives as if it were read by the one who asks.
#include "index/read_ahead.h"

#include <atomic>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "extract/folders.h"
#include "extract/printed.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "index/index_dump.h"
#include "index/update.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

Roots roots_of(const fs::path& home) {
  return find_roots([](const char*) { return std::nullopt; }, home);
}

/// All calls, with what is asked for answered as by an index that knows nothing.
class RecordingSink : public PrintingSink {
 public:
  void document(Document&& document) override { line(printed(document)); }
  void claim(Claim claim) override { line(printed(claim) + ' ' + claim.value); }
  void more(std::string_view conversation) override { line("more " + std::string(conversation)); }
  void vanished(std::string_view key) override { line("vanished " + std::string(key)); }
  void so_far(std::string_view mark) override { line("so far " + std::string(mark)); }
};

class ReadAheadTest : public testing::Test {
 protected:
  ReadAheadTest() {
    corpus::make_home(fs::path(CGREP_CORPUS) / "home", home());
    Folders folders;
    for (const Store* each : all_stores())
      if (each->readable()) each->discover(roots_of(home()), folders, sources_);
    for (const auto& source : sources_)
      wanted_.push_back(
          {&source, fs::is_regular_file(source.path) ? fs::file_size(source.path) : 0});
  }

  fs::path home() const { return dir_.path() / "home"; }

  TempDir dir_{};
  std::vector<Source> sources_{};
  std::vector<ReadAhead::Wanted> wanted_{};
};

TEST_F(ReadAheadTest, DeliversWhatExtractorsDeliver) {
  ASSERT_GT(sources_.size(), 20u);
  ReadAhead ahead(wanted_);
  for (const auto& source : sources_) {
    RecordingSink directly;
    const auto mark = source.store->extract(source, directly);
    RecordingSink delivered;
    EXPECT_EQ(ahead.deliver(delivered).mark, mark) << source.path;
    EXPECT_EQ(delivered.text(), directly.text()) << source.path;
  }
}

TEST_F(ReadAheadTest, MakesTheSameIndex) {
  UpdateOptions options;
  options.read_ahead_from = std::numeric_limits<std::uint64_t>::max();
  update(dir_.path() / "one by one", roots_of(home()), options);
  options.read_ahead_from = 0;
  update(dir_.path() / "ahead", roots_of(home()), options);
  EXPECT_EQ(difference(dir_.path() / "ahead", dir_.path() / "one by one"), "");
}

// Extractors of a store that delivers a few documents, more than one piece holds, or fails.
std::atomic<int> begun = 0;

std::string extract_much(const Source& source, Sink& sink) {
  ++begun;
  if (source.path == "unreadable") throw Unreadable("cannot be read");
  sink.note("part", "noted");
  EXPECT_EQ(sink.noted("part"), "noted");
  EXPECT_EQ(sink.noted("other"), std::nullopt);
  EXPECT_EQ(sink.noted_parts(), std::vector<std::string>{"part"});
  for (int i = 0; i < 200; ++i) {
    Document document{.conversation = "c"};
    document.text = std::string(100'000, static_cast<char>('a' + i % 26));
    sink.document(std::move(document));
  }
  sink.forget_note("part");
  EXPECT_EQ(sink.noted("part"), std::nullopt);
  return source.path.string();
}

constinit const Store kMuch{
    .id = 1, .name = "much", .version = 1, .discover = nullptr, .extract = extract_much};

/// Counts documents, and may refuse one.
class CountingSink : public Sink {
 public:
  explicit CountingSink(int refused = -1) : refused_(refused) {}
  void document(Document&& /*document*/) override {
    if (++documents == refused_) throw std::runtime_error("refused");
  }
  void claim(Claim /*claim*/) override {}
  void problem(Problem /*problem*/) override {}
  void whole(std::string_view /*conversation*/) override {}
  void note(std::string_view /*part*/, std::string_view /*text*/) override { ++notes; }

  int documents = 0;
  int notes = 0;

 private:
  int refused_;
};

TEST(ReadAheadOfMuchTest, OneThatCannotBeReadHindersNoOther) {
  const Source first{.store = &kMuch, .path = "first"};
  const Source unreadable{.store = &kMuch, .path = "unreadable"};
  const Source last{.store = &kMuch, .path = "last"};
  ReadAhead ahead({{&first}, {&unreadable}, {&last}});
  CountingSink sink;
  EXPECT_EQ(ahead.deliver(sink).mark, "first");
  EXPECT_EQ(sink.documents, 200);
  EXPECT_EQ(sink.notes, 1);
  EXPECT_THROW(ahead.deliver(sink), Unreadable);
  EXPECT_EQ(sink.documents, 200);
  EXPECT_EQ(ahead.deliver(sink).mark, "last");
  EXPECT_EQ(sink.documents, 400);
}

// Far less than all of it waits in memory, and nobody waits for the rest.
TEST(ReadAheadOfMuchTest, StopsWhenNobodyWantsMore) {
  begun = 0;
  const Source source{.store = &kMuch, .path = "much"};
  {
    ReadAhead ahead(std::vector<ReadAhead::Wanted>(100, {&source, 20u << 20}));
    CountingSink sink(/*refused=*/3);
    EXPECT_THROW(ahead.deliver(sink), std::runtime_error);
  }
  EXPECT_LT(begun, 3);
}

}  // namespace
}  // namespace cgrep::test
