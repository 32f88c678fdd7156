#include "extract/protobuf.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace cgrep {
namespace {

using namespace std::string_literals;

// `number:value` for each field; `!` where the reader stopped before the end.
std::string read(const std::string& bytes) {
  std::string out;
  WireReader reader(bytes);
  while (const auto field = reader.next())
    out += std::to_string(field->number) + ":" +
           (field->is_bytes() ? std::string(field->bytes) : std::to_string(field->value)) + " ";
  return out + (reader.damaged() ? "!" : "");
}

TEST(WireReaderTest, ReadsAllTypes) {
  EXPECT_EQ(read("\x08\x96\x01\x12\x02hi\x1d\x01\x00\x00\x00\x21\x02\x00\x00\x00\x00\x00\x00\x00"s),
            "1:150 2:hi 3:1 4:2 ");
  EXPECT_EQ(read("\xca\x03\x01x"s), "57:x ");
  EXPECT_EQ(read("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s), "1:18446744073709551615 ");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("\x0a\x00"s), "1: ");
}

TEST(WireReaderTest, StopsWhereTheMessageIsCut) {
  const auto whole = "\x08\x05\x12\x03yes\x1d\x01\x00\x00\x00"s;
  EXPECT_EQ(read(whole), "1:5 2:yes 3:1 ");
  EXPECT_EQ(read(whole.substr(0, 1)), "!");
  EXPECT_EQ(read(whole.substr(0, 3)), "1:5 !");
  EXPECT_EQ(read(whole.substr(0, 6)), "1:5 !");
  EXPECT_EQ(read(whole.substr(0, 10)), "1:5 2:yes !");
}

TEST(WireReaderTest, StopsAtGroupsAndUnknownTypes) {
  EXPECT_EQ(read("\x08\x01\x0b\x08\x01\x0c"s), "1:1 !");
  EXPECT_EQ(read("\x0c"s), "!");
  EXPECT_EQ(read("\x0e\x01"s), "!");
  EXPECT_EQ(read("\x0f\x01"s), "!");
}

TEST(WireReaderTest, RefusesWhatNoNumberIs) {
  EXPECT_EQ(read("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"s), "!");      // 65 bits
  EXPECT_EQ(read("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s), "!");  // 11 bytes
  EXPECT_EQ(read("\x00\x01"s), "!");                                          // field 0
  EXPECT_EQ(read("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s), "!");          // field 2^61
  EXPECT_EQ(read("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01yes"s), "!");   // 2^64 - 1 bytes
  EXPECT_EQ(read("\x0a\x04yes"s), "!");                                       // one too many
}

TEST(WireReaderTest, FindsTheFirstFieldOfItsKind) {
  const auto message =
      "\x08\x07\x0a\x01"
      "a"
      "\x0a\x01"
      "b"
      "\x10\x09"s;
  EXPECT_EQ(wire_text(message, 1), "a");
  EXPECT_EQ(wire_varint(message, 1), 7u);
  EXPECT_EQ(wire_varint(message, 2), 9u);
  EXPECT_FALSE(wire_bytes(message, 2));
  EXPECT_EQ(wire_text(message, 9), "");
}

TEST(WireReaderTest, TellsMessagesFromOtherBytes) {
  EXPECT_TRUE(is_wire_message(""));
  EXPECT_TRUE(is_wire_message("\x0a\x02ls"s));
  EXPECT_FALSE(is_wire_message("just some text"));
}

TEST(WireReaderTest, SurvivesAnyBytes) {
  std::mt19937 random(7);  // NOLINT: the same bytes each time
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random() % 64, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    WireReader reader(bytes);
    std::size_t read = 0;
    while (const auto field = reader.next()) {
      if (!field->is_bytes()) continue;
      ASSERT_GE(field->bytes.data(), bytes.data());
      ASSERT_LE(field->bytes.data() + field->bytes.size(), bytes.data() + bytes.size());
      read += field->bytes.size();
    }
    ASSERT_LE(read, bytes.size());
  }
}

}  // namespace
}  // namespace cgrep
