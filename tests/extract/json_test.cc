#include "extract/json.h"

#include <gtest/gtest.h>

#include "extract/input_file.h"
#include "extract/json_reader.h"

namespace cgrep {
namespace {

TEST(JsonTest, ReadsEveryKindOfValue) {
  const auto json =
      Json::parse(R"({"n":null,"b":true,"i":-7,"d":2.5,"s":"x","a":[1,"y"],"o":{"k":"v"}})");
  ASSERT_TRUE(json);
  EXPECT_TRUE(json->find("n")->is_null());
  EXPECT_EQ(json->find("b")->boolean(), true);
  EXPECT_EQ(json->find("i")->integer(), -7);
  EXPECT_EQ(json->find("d")->number(), 2.5);
  EXPECT_EQ(json->find("d")->integer(), std::nullopt);
  EXPECT_EQ(json->text("s"), "x");
  EXPECT_EQ(json->find("a")->array()->size(), 2u);
  EXPECT_EQ(json->find("o")->text("k"), "v");
}

TEST(JsonTest, KeepsTheOrderOfMembers) {
  const auto json = Json::parse(R"({"z":1,"a":2,"m":3})");
  std::string keys;
  for (const auto& [key, value] : *json->object()) keys += key;
  EXPECT_EQ(keys, "zam");
}

TEST(JsonTest, TakesWhatIsMissingOrOfAnotherKindAsAbsent) {
  const auto json = Json::parse(R"({"s":"x","i":1})");
  EXPECT_EQ(json->find("none"), nullptr);
  EXPECT_EQ(json->text("i"), "");
  EXPECT_EQ(json->find("s")->integer(), std::nullopt);
  EXPECT_EQ(json->find("s")->find("k"), nullptr);
  EXPECT_EQ(json->find("s")->array(), nullptr);
  EXPECT_EQ(Json().object(), nullptr);
}

TEST(JsonTest, RefusesWhatIsNotJson) {
  for (const char* text : {"", " ", "{", "nothing", "{}{}", "[1,]"})
    EXPECT_FALSE(Json::parse(text)) << text;
  EXPECT_FALSE(Json::parse(std::string(5000, '[')));
}

TEST(JsonTest, QuotesSoThatReadingGivesTheSame) {
  const std::string text =
      "tab\t nl\n cr\r quote\" back\\ bell\a nul" + std::string(1, '\0') + " 木🪐";
  EXPECT_EQ(json_quote("a\"b\n"), R"("a\"b\n")");
  EXPECT_EQ(*Json::parse(json_quote(text))->string(), text);
  EXPECT_EQ(json_quote("\xFF"), "\"\uFFFD\"");
  EXPECT_EQ(json_quote(text).find('\n'), std::string::npos);
}

TEST(JsonReaderTest, ReadsALargeRecordInPlaceAsInACopy) {
  std::string text = "{\"a\":[";
  for (int i = 0; i < 700'000; ++i) text += "\"\\u00e9x\",";
  text += "1]}";
  ASSERT_GT(text.size(), 4u << 20);
  JsonReader copying;
  JsonReader in_place;
  std::string bytes;
  put_padded(text, bytes);
  const auto copied = copying.parse(std::string_view(text));
  ASSERT_TRUE(copied);
  const auto printed = simdjson::minify(*copied);
  for (const auto& found : {in_place.parse(bytes), in_place.parse_padded(bytes)}) {
    ASSERT_TRUE(found);
    EXPECT_TRUE(simdjson::minify(*found) == printed);
  }
}

TEST(JsonReaderTest, RefusesWhatWouldTakeTooMuchMemory) {
  constexpr std::size_t kSize = 5u << 20;
  JsonReader reader(4 * kSize);
  std::string numbers = "[";
  while (numbers.size() < kSize) numbers += "1,";
  EXPECT_FALSE(reader.parse(numbers + "1]"));
  EXPECT_TRUE(reader.parse("\"" + std::string(kSize, 'x') + "\""));
  EXPECT_FALSE(reader.parse("\"" + std::string(kSize, '\xff') + "\""));
  EXPECT_TRUE(reader.parse("[1]"));
}

// What is estimated is what simdjson allocates and fills: a word or two of the tape, an index,
// bytes.
TEST(JsonReaderTest, KnowsWhatParsingTakes) {
  EXPECT_EQ(memory_to_parse("[]"), 2u * 12);
  EXPECT_EQ(memory_to_parse("[1, 22]"), 2u * 12 + 2 * 20 + 4);
  EXPECT_EQ(memory_to_parse(R"({"a":"\"]"})"), 2u * 12 + 4 + (17 + 3) + (17 + 5));
  EXPECT_EQ(memory_to_parse("\"open"), 17u + 5);
}

TEST(JsonReaderTest, RepairsLoneSurrogatesAndKeepsPairs) {
  EXPECT_EQ(repaired_json(R"("\ud83e\ude90 \ud83e \ude90 \ud83ex")"),
            R"("\ud83e\ude90 \uFFFD \uFFFD \uFFFDx")");
  EXPECT_EQ(repaired_json(R"("\\ud83e")"), R"("\\ud83e")");
  EXPECT_EQ(repaired_json(R"("\ud83e\ud83e\ude90")"), R"("\uFFFD\ud83e\ude90")");
  EXPECT_EQ(repaired_json("\"\\ud83"), "\"\\ud83");
  EXPECT_EQ(repaired_json("\"\\"), "\"\\");
}

TEST(JsonReaderTest, ReadsDamagedStrings) {
  const auto text = [](std::string_view bytes) -> std::string {
    JsonReader reader;
    const auto value = reader.parse(bytes);
    return value ? std::string(value->get_string().value()) : "(not JSON)";
  };
  EXPECT_EQ(text(R"("cut \ud83d")"), "cut \uFFFD");
  EXPECT_EQ(text(R"("low \udc00")"), "low \uFFFD");
  EXPECT_EQ(text("\"bad \xFF\""), "bad \uFFFD");
  EXPECT_EQ(text("\"a\x02z\""), "a z");
  EXPECT_EQ(text(std::string_view("\0\0\"x\"\0", 6)), "x");
  EXPECT_EQ(text("\xEF\xBB\xBF\"x\""), "x");
  EXPECT_EQ(text("\"bad \xFF and open"), "(not JSON)");
}

TEST(JsonReaderTest, CanBeUsedAgainAfterLargeAndBrokenRecords) {
  JsonReader reader;
  EXPECT_TRUE(reader.parse("\"" + std::string(9u << 20, 'x') + "\""));
  EXPECT_FALSE(reader.parse("{\"a\":"));
  EXPECT_TRUE(reader.parse("{\"a\":1}"));
  EXPECT_FALSE(reader.parse(""));
}

TEST(JsonReaderTest, FindsTheFirstTextAmongKeys) {
  JsonReader reader;
  const auto value = *reader.parse(R"({"a":"","b":7,"c":"x","n":null})");
  EXPECT_EQ(text_of(value, {"none", "a", "b", "n", "c"}), "x");
  EXPECT_EQ(text_of(value, "b"), "");
  EXPECT_FALSE(member(value, "n"));
  EXPECT_FALSE(member(*member(value, "c"), "k"));
}

TEST(JsonReaderTest, TakesTimesAsNumbersAndTexts) {
  JsonReader reader;
  const auto value = *reader.parse(
      R"([1772438700000, 1772438700, "1772438700000", "2026-03-02T08:05:00Z", 812.4, [], null])");
  std::vector<std::int64_t> times;
  for (const JsonElement item : value.get_array()) times.push_back(time_of(item).value_or(0));
  const std::int64_t t = 1772438700000;
  EXPECT_EQ(times, (std::vector<std::int64_t>{t, t, t, t, 0, 0, 0}));
}

}  // namespace
}  // namespace cgrep
