#include "extract/lines.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract/store.h"
#include "support/sanitizers.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

struct Seen {
  std::uint64_t offset;
  std::string bytes;
  bool ended;
  friend bool operator==(const Seen&, const Seen&) = default;
};

std::vector<Seen> lines_of(const ReadAt& read, std::uint64_t from = 0,
                           std::size_t max = kMaxRecordBytes) {
  std::vector<Seen> seen;
  LineReader reader(read, from, max);
  std::uint64_t end = from;
  for (Line line; reader.next(line); end = line.end) {
    EXPECT_EQ(line.offset, end);
    EXPECT_TRUE(line.overlong || line.end == line.offset + line.raw.size());
    seen.push_back(
        {line.offset, line.overlong ? "(overlong)" : std::string(line.bytes), line.ended});
  }
  return seen;
}

TEST(LinesTest, GivesLinesWithTheirOffsets) {
  EXPECT_EQ(lines_of(reading("a\n\nbc\n")),
            (std::vector<Seen>{{0, "a", true}, {2, "", true}, {3, "bc", true}}));
  EXPECT_EQ(lines_of(reading("")), std::vector<Seen>{});
  EXPECT_EQ(lines_of(reading("a\nb\n"), 2), (std::vector<Seen>{{2, "b", true}}));
  EXPECT_EQ(lines_of(reading("a\n"), 7), std::vector<Seen>{});
}

TEST(LinesTest, SaysWhenTheLastLineHasNoEnd) {
  EXPECT_EQ(lines_of(reading("a\nb")), (std::vector<Seen>{{0, "a", true}, {2, "b", false}}));
}

TEST(LinesTest, TakesOffCarriageReturnsAndTheFirstBom) {
  EXPECT_EQ(lines_of(reading("\xEF\xBB\xBF"
                             "a\r\n\xEF\xBB\xBF"
                             "b\r")),
            (std::vector<Seen>{{0, "a", true},
                               {6,
                                "\xEF\xBB\xBF"
                                "b",
                                false}}));
}

TEST(LinesTest, KeepsNulBytes) {
  const std::string bytes("a\0b\n\0\n", 6);
  EXPECT_EQ(lines_of(reading(bytes)), (std::vector<Seen>{{0, std::string("a\0b", 3), true},
                                                         {4, std::string(1, '\0'), true}}));
}

TEST(LinesTest, ReadsLinesOverTheEdgesOfChunks) {
  std::string bytes;
  std::vector<Seen> expected;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::string line(i * 37 % 5000, static_cast<char>('a' + i % 26));
    expected.push_back({bytes.size(), line, true});
    bytes += line + '\n';
  }
  EXPECT_EQ(lines_of(reading(bytes)), expected);
  const auto in_drops = [&](std::uint64_t offset, char* into, std::size_t size) {
    return reading(bytes)(offset, into, std::min<std::size_t>(size, 7));
  };
  EXPECT_EQ(lines_of(in_drops), expected);
}

TEST(LinesTest, PassesOverLinesThatAreTooLong) {
  const std::string bytes = "a\n" + std::string(600'000, 'x') + "\nb\n" + std::string(600'000, 'y');
  EXPECT_EQ(lines_of(reading(bytes), 0, 1000), (std::vector<Seen>{{0, "a", true},
                                                                  {2, "(overlong)", true},
                                                                  {600'003, "b", true},
                                                                  {600'005, "(overlong)", false}}));
}

TEST(LinesTest, NeedsBoundedMemoryForALineOf512MB) {
  if (test::kThreadSanitizer) GTEST_SKIP() << "the shadow of the memory counts too";
  static constexpr std::uint64_t kLine = 512u << 20;
  const auto long_line = [](std::uint64_t offset, char* into, std::size_t size) {
    constexpr std::uint64_t kEnd = kLine + 3;  // a newline and two more bytes
    const auto count = std::min<std::uint64_t>(size, kEnd - std::min(offset, kEnd));
    std::memset(into, 'x', count);
    if (offset <= kLine && kLine < offset + count) into[kLine - offset] = '\n';
    return static_cast<std::size_t>(count);
  };
  const auto peak_mb = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
  };
  const auto before = peak_mb();
  const auto seen = lines_of(long_line);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], (Seen{0, "(overlong)", true}));
  EXPECT_EQ(seen[1].offset, kLine + 1);
  EXPECT_LT(peak_mb() - before, 300);
}

TEST(InputFileTest, OpensRegularFilesOnly) {
  const test::TempDir temp;
  const auto& root = temp.path();
  temp.write("file", "bytes");
  mkfifo((root / "pipe").c_str(), 0600);
  std::filesystem::create_directory(root / "folder");
  EXPECT_EQ(InputFile(root / "file", root).bytes(1, 3), "yte");
  EXPECT_EQ(InputFile(root / "file", root).whole(), "bytes");
  for (const char* name : {"pipe", "folder", "absent"})
    EXPECT_THROW(InputFile(root / name, root), Unreadable) << name;
  EXPECT_THROW(InputFile("/dev/null", root), Unreadable);
}

TEST(InputFileTest, FollowsLinksInsideTheRootOnly) {
  const test::TempDir temp;
  const auto root = temp.path() / "root";
  temp.write("outside", "o");
  temp.write("root/inside", "i");
  std::filesystem::create_symlink("inside", root / "good");
  std::filesystem::create_symlink("../outside", root / "bad");
  std::filesystem::create_symlink("circle", root / "circle");
  EXPECT_EQ(InputFile(root / "good", root).whole(), "i");
  EXPECT_THROW(InputFile(root / "bad", root), Unreadable);
  EXPECT_THROW(InputFile(root / "circle", root), Unreadable);
}

TEST(InputFileTest, DoesNotLoadMoreThanARecord) {
  const test::TempDir temp;
  const auto path = temp.write("large", "");
  std::filesystem::resize_file(path, kMaxRecordBytes + 1);
  EXPECT_EQ(InputFile(path, temp.path()).whole(), std::nullopt);
}

TEST(InputFileTest, ComparesWholeLevels) {
  EXPECT_TRUE(is_inside("/a/b/c", "/a/b"));
  EXPECT_TRUE(is_inside("/a/b", "/a/b"));
  EXPECT_FALSE(is_inside("/a/bc", "/a/b"));
  EXPECT_FALSE(is_inside("/a", "/a/b"));
  EXPECT_TRUE(is_inside("/a", "/"));
}

}  // namespace
}  // namespace cgrep
