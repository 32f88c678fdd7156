#include "extract/agent_state.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cgrep {
namespace {

using namespace std::string_literals;

// What is delivered, in the order of positions.
class Documents : public Sink {
 public:
  void document(Document&& document) override { all_.push_back(std::move(document)); }
  void claim(Claim /*claim*/) override {}
  void problem(Problem problem) override { problems_.push_back(problem.what); }
  void whole(std::string_view /*conversation*/) override {}

  std::string texts() const {
    auto sorted = all_;
    std::sort(sorted.begin(), sorted.end(),
              [](const Document& a, const Document& b) { return a.position < b.position; });
    std::string texts;
    for (const auto& document : sorted) texts += (texts.empty() ? "" : " ") + document.text;
    return texts;
  }
  const std::vector<Document>& all() const { return all_; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::vector<Document> all_{};
  std::vector<std::string> problems_{};
};

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string field(std::uint32_t number, const std::string& bytes) {
  return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

// The id that ends in this number.
std::string raw(int number) {
  std::string id(32, '\0');
  id[30] = static_cast<char>(number / 256);
  id[31] = static_cast<char>(number % 256);
  return id;
}

std::string hex(int number) {
  return fmt::format("{:064x}", number);
}

std::string message(const std::string& role, const std::string& text) {
  return fmt::format(R"({{"role":"{}","content":"{}"}})", role, text);
}

class AgentStateTest : public testing::Test {
 protected:
  void read(const std::string& root) {
    AgentState state(
        [this](std::span<const std::string> ids, const DeliverBlob& deliver) {
          for (const auto& id : ids) {
            ++fetched;
            const auto found = blobs.find(id);
            deliver(id, found != blobs.end() ? std::optional(found->second) : std::nullopt);
          }
        },
        to);
    state.read("root", root);
    complete = state.complete();
  }

  std::map<std::string, std::string> blobs{};
  int fetched = 0;
  bool complete = false;
  Documents sink{};
  MessageDelivery to{"chats", "c1", "", sink};
};

TEST_F(AgentStateTest, EndsInACycle) {
  blobs[hex(1)] = field(1, raw(2)) + field(2, raw(3));
  blobs[hex(2)] = field(1, raw(1)) + field(1, raw(4));
  blobs[hex(3)] = field(2, raw(3)) + field(1, raw(1));
  blobs[hex(4)] = message("user", "found");
  read(field(1, raw(1)) + field(2, raw(1)) + field(8, raw(1)) + field(13, raw(1)));
  EXPECT_EQ(sink.texts(), "found");
  EXPECT_LT(fetched, 50);
}

TEST_F(AgentStateTest, EndsInTheDepth) {
  for (int i = 1; i < 5000; ++i) blobs[hex(i)] = field(1, raw(i + 1));
  blobs[hex(5000)] = message("user", "too deep");
  blobs[hex(5001)] = message("user", "found");
  read(field(1, raw(1)) + field(1, raw(5001)));
  EXPECT_EQ(sink.texts(), "found");
  EXPECT_LT(fetched, 100);
}

TEST_F(AgentStateTest, ReadsEachNodeOnce) {
  // Each node names the next one twice: 2^20 ways to the end.
  for (int i = 1; i < 20; ++i) blobs[hex(i)] = field(1, raw(i + 1)) + field(1, raw(i + 1));
  blobs[hex(20)] = message("user", "found");
  read(field(1, raw(1)));
  EXPECT_EQ(sink.texts(), "found found");
  EXPECT_LT(fetched, 100);
}

TEST_F(AgentStateTest, KnowsWhenABlobIsMissing) {
  blobs[hex(1)] = message("user", "found");
  read(field(1, raw(1)));
  EXPECT_TRUE(complete);
  read(field(1, raw(1)) + field(1, raw(2)));
  EXPECT_FALSE(complete);
}

TEST_F(AgentStateTest, PutsWhatTurnsAddWhereItBelongs) {
  blobs[hex(1)] = message("user", "one");
  blobs[hex(2)] = message("assistant", "four");
  blobs[hex(3)] = field(1, "one");
  blobs[hex(4)] = field(3, field(1, "two"));
  blobs[hex(5)] = field(1, field(1, "three"));
  blobs[hex(6)] = field(1, field(1, "four"));
  blobs[hex(7)] = field(1, field(1, "five"));
  blobs[hex(8)] = field(1, field(1, raw(3)) + field(2, raw(4)) + field(2, raw(5)) +
                               field(2, raw(6)) + field(2, raw(7)));
  read(field(1, raw(1)) + field(1, raw(2)) + field(8, raw(8)));
  EXPECT_EQ(sink.texts(), "one two three four five");
}

TEST_F(AgentStateTest, PutsWhatWasSummarisedFirst) {
  blobs[hex(1)] = message("user", "again");
  blobs[hex(2)] = message("assistant", "one");
  blobs[hex(3)] = message("assistant", "two");
  blobs[hex(4)] = message("assistant", "three");
  blobs[hex(5)] = field(1, raw(2)) + field(1, raw(1)) + field(1, raw(3));
  read(field(1, raw(1)) + field(1, raw(4)) + field(11, raw(5)));
  EXPECT_EQ(sink.texts(), "one two again three");
}

TEST_F(AgentStateTest, TellsTwoCallsApartByTheirIds) {
  const auto call = [](const std::string& id) {
    return field(2, field(1, field(1, field(1, "ls"))) + field(57, id));
  };
  blobs[hex(1)] =
      R"({"role":"assistant","content":[{"type":"tool-call","toolCallId":"t2","toolName":"Shell","args":{"command":"ls"}}]})";
  blobs[hex(2)] = call("t1");
  blobs[hex(3)] = call("t2");
  blobs[hex(4)] = field(1, field(2, raw(2)) + field(2, raw(3)));
  read(field(1, raw(1)) + field(8, raw(4)));
  EXPECT_EQ(sink.texts(), "command: ls command: ls");
}

TEST_F(AgentStateTest, GivesEachDocumentItsKey) {
  blobs[hex(1)] = message("user", "again");
  read(field(1, raw(1)) + field(1, raw(1)));
  ASSERT_EQ(sink.all().size(), 2u);
  EXPECT_EQ(sink.all()[0].identity.key, hex(1) + "/0");
  EXPECT_EQ(sink.all()[1].identity.key, hex(1) + "/0#2");
}

TEST_F(AgentStateTest, SurvivesAnyBytes) {
  std::mt19937 random(7);  // NOLINT: the same bytes each time
  const std::vector<std::string> pieces = {
      raw(1), raw(2), raw(3), field(1, raw(1)), field(2, raw(2)), message("user", "hi"), "\n", "{"};
  const auto some_bytes = [&] {
    std::string bytes;
    for (auto count = random() % 6; count > 0; --count) {
      const auto& piece = pieces[random() % pieces.size()];
      const auto number = 1 + random() % 16;
      bytes += random() % 2 == 0 ? field(static_cast<std::uint32_t>(number), piece) : piece;
    }
    if (random() % 4 == 0 && !bytes.empty()) bytes.resize(random() % bytes.size());
    return bytes;
  };
  for (int round = 0; round < 5'000; ++round) {
    for (int i = 1; i <= 3; ++i) blobs[hex(i)] = some_bytes();
    const auto root = some_bytes();
    read(root);
    AgentState::claim(root, rung::project::chat_state, Claims("c1", sink));
    AgentState([](auto, const auto&) {}, to).read_texts_below("root", root);
  }
}

TEST(BlobTest, KnowsIdsInAllForms) {
  EXPECT_EQ(blob_id(raw(7)), hex(7));
  EXPECT_EQ(blob_id(hex(0xab)), hex(0xab));
  EXPECT_EQ(blob_id(fmt::format("{:064X}", 0xab)), hex(0xab));
  EXPECT_EQ(blob_id("agentKv:blob:" + hex(7)), hex(7));
  EXPECT_FALSE(blob_id(""));
  EXPECT_FALSE(blob_id(hex(7).substr(1)));
  EXPECT_FALSE(blob_id(std::string(64, 'g')));
}

TEST(BlobTest, DecodesWhatStandsInRows) {
  EXPECT_EQ(decoded_blob("{\"role\":7}"), "{\"role\":7}");
  EXPECT_EQ(decoded_blob("7b227D"), "{\"}");
  EXPECT_EQ(decoded_blob("00"), "");
  EXPECT_EQ(decoded_blob("\0"s), "");
  EXPECT_EQ(decoded_blob(""), "");
  EXPECT_EQ(decoded_blob("abc"), "abc");
}

TEST(LineNumbersTest, AreTakenAwayFromWhatWasRead) {
  EXPECT_EQ(without_line_numbers("     1|int a;\n     2|\n    10|  b|c\n"), "int a;\n\n  b|c\n");
  EXPECT_EQ(without_line_numbers("1|a"), "a");
  EXPECT_EQ(without_line_numbers("no such file\n  1|a"), "no such file\n  1|a");
  EXPECT_EQ(without_line_numbers("     |a"), "     |a");
  EXPECT_EQ(without_line_numbers(""), "");
}

}  // namespace
}  // namespace cgrep
