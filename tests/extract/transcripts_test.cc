// What corpus/ cannot show of transcripts: reading on where it stopped, and very large files.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "extract/json.h"
#include "extract/stores.h"
#include "extract/transcript.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

std::string message(const std::string& role, const std::string& text) {
  return R"({"role":")" + role + R"(","message":{"content":[{"type":"text","text":)" +
         json_quote(text) + "}]}}\n";
}

class CollectingSink : public Sink {
 public:
  void document(Document&& document) override { documents.push_back(std::move(document)); }
  void claim(Claim claim) override { claims.push_back(std::move(claim)); }
  void problem(Problem problem) override { problems.push_back(std::move(problem)); }
  void whole(std::string_view) override { ++wholes; }

  std::vector<Document> documents{};
  std::vector<Claim> claims{};
  std::vector<Problem> problems{};
  int wholes = 0;
};

class TranscriptsTest : public testing::Test {
 protected:
  TranscriptsTest() { source.root = temp.path(); }

  void use(const fs::path& file, std::string_view bytes, const char* store = "transcripts") {
    relative = "projects/home-ada-orrery/agent-transcripts" / file;
    source.store = find_store(store);
    source.path = temp.write(relative, bytes);
  }

  // Reads what is new; the texts that were delivered, after `whole` if all was read.
  std::string read() {
    CollectingSink sink;
    source.mark = source.store->extract(source, sink);
    std::string texts = sink.wholes > 0 ? "whole" : "";
    for (const auto& document : sink.documents) {
      const bool blank = texts.empty();
      texts += (blank ? "" : " ") + document.text;
    }
    last = std::move(sink);
    return texts;
  }

  TempDir temp{};
  fs::path relative{};
  Source source{};
  CollectingSink last{};
};

TEST_F(TranscriptsTest, ReadsOnlyWhatWasAppended) {
  use("c1/c1.jsonl", message("user", "one"));
  EXPECT_EQ(read(), "whole one");
  EXPECT_EQ(read(), "");
  temp.append(relative, message("assistant", "two") + message("user", "three"));
  EXPECT_EQ(read(), "two three");
  EXPECT_EQ(last.wholes, 0);
  temp.append(relative, message("assistant", std::string(9000, 'x')));
  EXPECT_EQ(read(), std::string(9000, 'x'));
  temp.append(relative, message("assistant", "five"));
  EXPECT_EQ(read(), "five");
}

TEST_F(TranscriptsTest, PositionsGrowAcrossReadings) {
  use("c1/c1.jsonl", message("user", "one") + message("user", "two"));
  read();
  const auto first = last.documents;
  temp.append(relative, message("user", "three"));
  read();
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(last.documents.size(), 1u);
  EXPECT_LT(first[0].position, first[1].position);
  EXPECT_LT(first[1].position, last.documents[0].position);
}

TEST_F(TranscriptsTest, KeepsTimeProjectAndPromptAcrossReadings) {
  use("p1/subagents/s1.jsonl",
      message("user",
              "<timestamp>Mar 2, 2026, 8:05 AM (UTC+0)</timestamp>\n"
              "<user_query>go</user_query>") +
          message("user", "<user_info>\nWorkspace Path: /home/ada/ö \"x\"\n</user_info>") +
          R"({"role":"assistant","message":{"content":[{"type":"tool_use","name":"Read",)"
          R"("input":{"path":"/home/ada/orrery/a.c"}}]}})"
          "\n",
      "subagents");
  read();
  EXPECT_TRUE(last.documents.at(0).delegated);
  temp.append(relative, message("user", "more"));
  EXPECT_EQ(read(), "more");
  EXPECT_FALSE(last.documents.at(0).delegated);
  EXPECT_EQ(last.documents.at(0).time, (Time{1772438700000, TimeOrigin::tag}));
  std::string projects;
  for (const auto& claim : last.claims)
    if (claim.fact == Fact::project) projects += claim.value + ";";
  EXPECT_EQ(projects, "/home/ada/ö \"x\";/home/ada/orrery;");
}

TEST_F(TranscriptsTest, ReadsARewrittenFileAsAWhole) {
  use("c1/c1.jsonl", message("user", "one") + message("user", "two"));
  read();
  temp.write(relative, message("user", "ONE") + message("user", "two") + message("user", "three"));
  EXPECT_EQ(read(), "whole ONE two three");
}

TEST_F(TranscriptsTest, NoticesAChangeAtTheStart) {
  const std::string filler = message("user", std::string(500, 'f'));
  use("c1/c1.jsonl", message("user", "old head") + filler);
  read();
  temp.write(relative, message("user", "new head") + filler + message("user", "end"));
  EXPECT_EQ(read(), "whole new head " + std::string(500, 'f') + " end");
}

TEST_F(TranscriptsTest, NoticesAChangeRightBeforeTheEnd) {
  const std::string filler = message("user", std::string(8000, 'f'));
  use("c1/c1.jsonl", filler + message("user", "old tail"));
  read();
  temp.write(relative, filler + message("user", "new tail") + message("user", "end"));
  EXPECT_EQ(read(), "whole " + std::string(8000, 'f') + " new tail end");
}

TEST_F(TranscriptsTest, ReadsAReplacedFileAsAWhole) {
  use("c1/c1.jsonl", message("user", "one"));
  read();
  temp.write("new", message("user", "one") + message("user", "two"));
  fs::rename(temp.path() / "new", source.path);
  EXPECT_EQ(read(), "whole one two");
}

TEST_F(TranscriptsTest, AFileCutToNothingIsWholeAndEmpty) {
  use("c1/c1.jsonl", message("user", "one"));
  read();
  temp.write(relative, "");
  EXPECT_EQ(read(), "whole");
  temp.write(relative, message("user", "again"));
  EXPECT_EQ(read(), "whole again");
}

TEST_F(TranscriptsTest, LeavesAHalfWrittenLineForTheNextTime) {
  const auto line = message("assistant", "two");
  use("c1/c1.jsonl", message("user", "one") + line.substr(0, 30));
  EXPECT_EQ(read(), "whole one");
  ASSERT_EQ(last.problems.size(), 1u);
  EXPECT_EQ(printed(last.problems[0]), "problem \"half-written last line\" at byte " +
                                           std::to_string(message("user", "one").size()) +
                                           " passing");
  temp.append(relative, line.substr(30));
  EXPECT_EQ(read(), "two");
  EXPECT_TRUE(last.problems.empty());
}

TEST_F(TranscriptsTest, ANumberAtTheEndMayStillGrow) {
  use("c1/c1.jsonl", message("user", "one") + "12");
  EXPECT_EQ(read(), "whole one");
  ASSERT_EQ(last.problems.size(), 1u);
  EXPECT_TRUE(last.problems[0].passing);
}

TEST_F(TranscriptsTest, DeliversAWholeRecordWithoutItsNewlineOnce) {
  auto line = message("assistant", "two");
  line.pop_back();
  use("c1/c1.jsonl", message("user", "one") + line);
  EXPECT_EQ(read(), "whole one two");
  temp.append(relative, "\n" + message("user", "three"));
  EXPECT_EQ(read(), "three");
}

TEST_F(TranscriptsTest, AForeignMarkMeansReadingAll) {
  use("c1/c1.jsonl", message("user", "one"));
  for (const char* mark : {"whole", "append", "append 1 2", "append x y z w {}", "\xFF"}) {
    source.mark = mark;
    EXPECT_EQ(read(), "whole one") << mark;
  }
}

TEST_F(TranscriptsTest, ReadsOtherFormsAsAWholeEachTime) {
  use("c1.json", R"([{"role":"user","text":"one"}])");
  EXPECT_EQ(read(), "whole one");
  EXPECT_EQ(read(), "whole one");
  use("c1.txt", "user:\none\n");
  EXPECT_EQ(read(), "whole one");
  EXPECT_EQ(read(), "whole one");
}

TEST_F(TranscriptsTest, ADamagedArrayTakesNothingBack) {
  use("c1.json", R"([{"role":"user","text":"one"}])");
  read();
  temp.write(relative, R"([{"role":"user",)");
  EXPECT_EQ(read(), "");
  EXPECT_EQ(last.wholes, 0);
}

TEST_F(TranscriptsTest, CutsOverlongTextsBetweenCharacters) {
  std::string text = "x";
  while (text.size() <= kMaxTextBytes) text += "木";
  use("c1/c1.jsonl", message("user", text));
  read();
  const auto& document = last.documents.at(0);
  EXPECT_TRUE(document.truncated);
  EXPECT_EQ(document.text.size(), 1 + (kMaxTextBytes - 1) / 3 * 3);
  EXPECT_EQ(document.text, text.substr(0, document.text.size()));
}

TEST_F(TranscriptsTest, PassesOverALineOf100MBInBoundedMemory) {
  use("c1/c1.jsonl", message("user", "one"));
  {
    std::ofstream out(source.path, std::ios::app | std::ios::binary);
    const std::string piece(1u << 20, 'x');
    out << R"({"role":"user","message":{"content":")";
    for (int i = 0; i < 100; ++i) out << piece;
    out << "\"}}\n" << message("user", "two");
  }
  EXPECT_EQ(read(), "whole one two");
  ASSERT_EQ(last.problems.size(), 1u);
  EXPECT_EQ(last.problems[0].what, "line over 64 MB");
  temp.append(relative, message("user", "three"));
  EXPECT_EQ(read(), "three");
}

TEST_F(TranscriptsTest, ResumesBehindAnOverlongFirstLine) {
  use("c1/c1.jsonl", std::string(kMaxRecordBytes + (1u << 20), 'x') + "\n");
  EXPECT_EQ(read(), "whole");
  temp.append(relative, message("user", "two"));
  EXPECT_EQ(read(), "two");
}

TEST_F(TranscriptsTest, AnOverlongLineMayBeHalfWrittenToo) {
  use("c1/c1.jsonl", message("user", "one") + std::string(kMaxRecordBytes + (1u << 20), 'x'));
  EXPECT_EQ(read(), "whole one");
  ASSERT_EQ(last.problems.size(), 1u);
  EXPECT_TRUE(last.problems[0].passing);
  temp.append(relative, "\n" + message("user", "two"));
  EXPECT_EQ(read(), "two");
  ASSERT_EQ(last.problems.size(), 1u);
  EXPECT_EQ(last.problems[0].what, "line over 64 MB");
}

TEST_F(TranscriptsTest, ReadsAHundredThousandOpenQueriesInOneGo) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "user:\n<user_query>\nx\n";
  use("c1.txt", text);
  read();
  EXPECT_EQ(last.documents.size(), 100'000u);
}

// A file can have any name; an address is one word.
TEST_F(TranscriptsTest, AnIdIsOneWordWhateverTheFileIsCalled) {
  for (const char* name : {"a\nb", "\x1b]0;x\a", "c\rd e", "f:1", "\xff"}) {
    use(fs::path(name) / "subagents" / (std::string(name) + ".jsonl"), message("user", "x"),
        "subagents");
    source.mark.clear();
    EXPECT_EQ(read(), "whole x");
    auto names = std::vector<std::string>{last.documents.at(0).conversation};
    for (const auto& claim : last.claims)
      if (claim.fact == Fact::parent) names.push_back(claim.value);
    EXPECT_EQ(names.size(), 2u);
    for (const auto& id : names)
      for (const char c : id) EXPECT_TRUE(static_cast<unsigned char>(c) > ' ' && c != ':') << name;
  }
}

TEST_F(TranscriptsTest, ThrowsWhenTheFileIsNotThere) {
  use("c1/c1.jsonl", "");
  fs::remove(source.path);
  EXPECT_THROW(read(), Unreadable);
}

TEST_F(TranscriptsTest, BlocksOfALineHaveGrowingPositions) {
  use("c1/c1.jsonl", R"({"role":"assistant","message":{"content":["a","b","c"]}})"
                     "\n" +
                         message("user", "d"));
  EXPECT_EQ(read(), "whole a b c d");
  for (std::size_t i = 1; i < last.documents.size(); ++i)
    EXPECT_LT(last.documents[i - 1].position, last.documents[i].position);
}

}  // namespace
}  // namespace cgrep::test
