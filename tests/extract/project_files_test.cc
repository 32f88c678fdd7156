// What corpus/ cannot show of the files of projects: large ones, and what becomes of them later.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/stores.h"
#include "extract/utf8.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

class Collecting : public PrintingSink {
 public:
  void document(Document&& document) override { documents.push_back(std::move(document)); }
  std::vector<Document> documents{};
};

class ProjectFilesTest : public testing::Test {
 protected:
  ProjectFilesTest() {
    source.store = find_store("agent-tools");
    source.root = temp.path();
  }

  Collecting read(const std::string& bytes) {
    source.path = temp.write("projects/home-ada-orrery/agent-tools/a.txt", bytes);
    Collecting sink;
    source.mark = source.store->extract(source, sink);
    return sink;
  }

  TempDir temp{};
  Source source{};
};

TEST_F(ProjectFilesTest, KeepsStartAndEndOfALargeFile) {
  std::string bytes;
  for (int line = 0; bytes.size() < 3 * kMaxTextBytes; ++line)
    bytes += "line " + std::to_string(line) + " \u6f6e\n";
  bytes += "the end\n";
  const auto sink = read(bytes);
  ASSERT_EQ(sink.documents.size(), 1u);
  const auto& document = sink.documents[0];
  EXPECT_TRUE(document.truncated);
  EXPECT_LE(document.text.size(), kMaxTextBytes);
  EXPECT_GE(document.text.size(), kMaxTextBytes - 10'000);
  EXPECT_TRUE(document.text.starts_with("line 0 \u6f6e\nline 1 "));
  EXPECT_TRUE(document.text.ends_with("the end"));
  EXPECT_NE(document.text.find("\u6f6e\n\u2026\nline "), std::string::npos);
  EXPECT_EQ(document.text.find("\uFFFD"), std::string::npos);
}

TEST_F(ProjectFilesTest, CutsALineThatIsTooLong) {
  const auto sink = read(std::string(kMaxTextBytes + 1, 'x') + "\n");
  ASSERT_EQ(sink.documents.size(), 1u);
  EXPECT_TRUE(sink.documents[0].truncated);
  EXPECT_GE(sink.documents[0].text.size(), kMaxTextBytes - 100);
}

TEST_F(ProjectFilesTest, KeepsAFileOfTheLargestSizeWhole) {
  const auto sink = read(std::string(kMaxTextBytes, 'x'));
  ASSERT_EQ(sink.documents.size(), 1u);
  EXPECT_FALSE(sink.documents[0].truncated);
  EXPECT_EQ(sink.documents[0].text.size(), kMaxTextBytes);
}

TEST_F(ProjectFilesTest, TakesNulsInAnOutputForDirt) {
  const auto sink = read(std::string(9000, 'x') + std::string(1, '\0') + "y");
  ASSERT_EQ(sink.documents.size(), 1u);
  EXPECT_TRUE(sink.documents[0].text.ends_with("x y"));
}

TEST_F(ProjectFilesTest, TellsWhenAFileWasEmptied) {
  EXPECT_EQ(read("text").documents.size(), 1u);
  EXPECT_EQ(read("").text(), "whole agent-tools-home-ada-orrery\n");
  EXPECT_EQ(read("").text(), "");
}

}  // namespace
}  // namespace cgrep::test
