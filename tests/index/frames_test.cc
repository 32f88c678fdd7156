#include "index/frames.h"

#include <cstdlib>
#include <new>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "error.h"
#include "hash.h"
#include "index/frame_dictionary.h"
#include "support/sanitizers.h"

namespace cgrep {
namespace {

TEST(FramesTest, GiveBackWhatWasPacked) {
  Frames frames;
  for (const std::string& text : {std::string(), std::string("short"), std::string("(\xc2\xb5/"),
                                  std::string(100'000, 'x'), std::string("NUL\0inside", 10)})
    EXPECT_EQ(frames.unpack(std::string(frames.pack(text))), text);
}

TEST(FramesTest, PackRepetitionSmall) {
  Frames frames;
  EXPECT_LT(frames.pack(std::string(100'000, 'x')).size(), 100u);
}

TEST(FramesTest, GrowNoTextByMoreThanItsChecksum) {
  Frames frames;
  EXPECT_EQ(frames.pack("abc").size(), 3u + 5);
}

/// Ends well if it is told that there is no memory for the dictionary.
[[noreturn]] void pack_with_little_memory() {
  void* const some = std::malloc(16 << 10);
  constexpr rlimit kNoMore{.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &kNoMore);
  for (std::size_t size = 1 << 20; size >= 32 << 10; size /= 2)
    while (std::malloc(size) != nullptr) {  // what is left of what the system gave before
    }
  std::free(some);
  try {
    Frames().pack("zeppelin");
  } catch (const std::bad_alloc&) {
    _exit(0);
  }
  _exit(1);
}

// zstd crashes where it is not told.
TEST(FramesTest, SayThatMemoryIsShort) {
  if (test::kSanitized) GTEST_SKIP() << "its memory cannot be limited";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // begins anew: no test has packed yet
  EXPECT_EXIT(pack_with_little_memory(), testing::ExitedWithCode(0), "");
}

TEST(FramesTest, NoticeEveryFlippedBit) {
  Frames frames;
  for (const std::string& text : {std::string("short"), std::string(300, 'x') + "and the rest",
                                  std::string("why does it leak? the buffer is never freed")}) {
    const std::string whole(frames.pack(text));
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      auto frame = whole;
      frame[bit / 8] = static_cast<char>(frame[bit / 8] ^ (1 << bit % 8));
      std::string got = text;
      try {
        got = frames.unpack(frame);
      } catch (const Error&) {
        continue;
      }
      EXPECT_EQ(got, text) << "bit " << bit;
    }
  }
}

TEST(FramesTest, KnowTheSizeOfATextWithoutUnpackingIt) {
  Frames frames;
  for (const std::size_t size : {3u, 10'000u}) {
    const std::string frame(frames.pack(std::string(size, 'x')));
    EXPECT_EQ(unpacked_size(frame.substr(0, 18), frame.size()), size);
  }
}

TEST(FramesTest, SayWhenTheyAreDamaged) {
  Frames frames;
  std::string frame(frames.pack(std::string(10'000, 'x') + "y"));
  EXPECT_THROW(frames.unpack(frame.substr(0, frame.size() - 3)), Error);
  frame[6] = static_cast<char>(frame[6] ^ 0x55);
  EXPECT_THROW(frames.unpack(frame), Error);
}

TEST(FramesTest, ReadThoseOfBeforeThereWasADictionary) {
  constexpr char kFrame[] =
      "\x28\xb5\x2f\xfd\x24\x46\xa5\x01\x00\xc4\x02\x77\x68\x79\x20\x64"
      "\x6f\x65\x73\x20\x69\x74\x20\x6c\x65\x61\x6b\x3f\x20\x74\x68\x65"
      "\x20\x62\x75\x66\x66\x65\x72\x20\x69\x73\x20\x6e\x65\x76\x65\x72"
      "\x20\x66\x72\x65\x65\x64\x2c\x01\x00\x74\x7b\x96\x01\x9b\xec\xb2"
      "\x68";
  EXPECT_EQ(Frames().unpack({kFrame, sizeof kFrame - 1}),
            "why does it leak? the buffer is never freed, the buffer is never freed");
}

TEST(FramesTest, ReadThoseThatNameTheirDictionary) {
  // As schema 6 had them.
  constexpr char kFrame[] =
      "\x28\xb5\x2f\xfd\x25\x01\x46\x35\x01\x00\x73\x42\x06\x97\xec\xbe"
      "\xa0\xdf\x96\xe9\x7a\x3c\x7f\x1b\x04\x02\x3f\x26\xa2\xd8\xf4\x79"
      "\x1e\xb7\x95\x27\x75\xa3\x02\xfc\xbc\xfe\x0f\x02\x27\x2d\x6e\x02"
      "\x9b\xec\xb2\x68";
  EXPECT_EQ(Frames().unpack({kFrame, sizeof kFrame - 1}),
            "why does it leak? the buffer is never freed, the buffer is never freed");
  EXPECT_EQ(unpacked_size({kFrame, 18}, sizeof kFrame - 1), 70u);
}

TEST(FramesTest, HaveNoMagicAndNameNoDictionary) {
  Frames frames;
  const std::string text = "why does it leak? the buffer is never freed, the buffer is never freed";
  EXPECT_EQ(frames.pack(text).size(), 52u - 4 - 1);  // of the one above
}

TEST(FramesTest, TheirDictionaryStaysTheSameForever) {
  // If this fails, no text of any index can be read any more.
  EXPECT_EQ(hash64(frame_dictionary()), 6743187099218067274u);
}

TEST(HashTest, StaysTheSameForever) {
  // Kept in history.db: if this fails, identities of all indexes are lost.
  EXPECT_EQ(hash64(""), 5706795948885657404u);
}

TEST(HashTest, TellsSimilarBytesApart) {
  EXPECT_NE(hash64("auth bug"), hash64("auth bug "));
  EXPECT_NE(hash64(std::string_view("a\0", 2)), hash64("a"));
  EXPECT_NE(hash64("auth bug", 1), hash64("auth bug", 2));
  EXPECT_NE(hash64("0123456789abcdef0123456789abcdef"), hash64("0123456789abcdef"));
}

}  // namespace
}  // namespace cgrep
