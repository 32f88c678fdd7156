// hooks.json: our hooks in, and out again, and not a byte of others changed.
#include "cli/hooks_json.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "error.h"
#include "extract/json.h"

namespace cgrep::test {
namespace {

const std::string kCommand = "/usr/bin/cgrep hook run";

std::string installed(const std::optional<std::string>& text) {
  return with_cursor_hooks(text, kCommand);
}

// The commands of an event's list, as Cursor would read them.
std::vector<std::string> commands(const std::string& text, std::string_view event) {
  std::vector<std::string> found;
  const auto bare = text.starts_with("\xef\xbb\xbf") ? text.substr(3) : text;
  const auto json = Json::parse(bare);
  const Json* hooks = nullptr;
  const Json* list = nullptr;
  for (const auto& [key, value] : *json.value().object())
    if (key == "hooks") hooks = &value;
  for (const auto& [key, value] : *hooks->object())
    if (key == event) list = &value;
  for (const auto& item : *list->array()) found.emplace_back(item.text("command"));
  return found;
}

void expect_comes_and_goes(const std::string& text) {
  const auto with = installed(text);
  for (const auto event : kCursorEvents) {
    const auto found = commands(with, event);
    EXPECT_EQ(std::count(found.begin(), found.end(), kCommand), 1) << event << " in\n" << with;
  }
  EXPECT_EQ(installed(with), with) << "twice is once";
  EXPECT_EQ(without_cursor_hooks(with), text) << with;
  EXPECT_EQ(without_cursor_hooks(text), text);
  const auto other = with_cursor_hooks(text, "'/opt/a b/cgrep' hook run");
  EXPECT_EQ(with_cursor_hooks(other, kCommand), with) << "another path is replaced";
}

TEST(HooksJsonTest, MakesAFileThatIsRemovedWithThem) {
  const auto made = installed(std::nullopt);
  EXPECT_TRUE(
      made.starts_with("{\n  \"hooks\": {\n    \"stop\": [\n      { \"command\": "
                       "\"/usr/bin/cgrep hook run\" }\n    ],\n"))
      << made;
  EXPECT_TRUE(made.ends_with("  },\n  \"version\": 1\n}\n")) << made;
  EXPECT_EQ(installed(made), made);
  EXPECT_EQ(without_cursor_hooks(made), std::nullopt);
  for (const auto event : kCursorEvents)
    EXPECT_EQ(commands(made, event), std::vector<std::string>{kCommand});
}

TEST(HooksJsonTest, RestoresWhatWasThere) {
  for (const char* text :
       {"{}", " { } ", "{\n}\n", "{\"version\":1}", "{\"version\": 1, \"hooks\": {}}",
        "{\n  \"hooks\": {\n  }\n}", "{\"hooks\":{\"stop\":[]}}", "{\"hooks\":{\"stop\":[ ]}}",
        "{\"hooks\": {\"stop\": [{\"command\": \"a\"}], \"beforeReadFile\": []}, \"version\": 1}",
        "{\n\t\"version\": 1,\n\t\"hooks\": {\n\t\t\"stop\": [\n\t\t\t{ \"command\": \"a\" } ,\n"
        "\t\t\t{ \"command\": \"b\", \"timeout\": 3 }\n\t\t]\n\t}\n}\n",
        "\xef\xbb\xbf{\r\n  \"version\": 1,\r\n  \"hooks\": {\r\n  }\r\n}\r\n",
        "{\"hooks\":{\"stop\":[1,\"x\",null,[],{\"command\":7}]},\"other\":[{\"hooks\":3}]}",
        "{\"hooks\":{},\"hooks\":{\"stop\":[{\"command\":\"a\"}]}}",
        "{\"hooks\":{\"stop\":[],\"stop\":[{\"command\":\"a\"}]}}",
        "{\"hooks\":{\"foo\":\"not a list\"},\"version\":1}",
        "{\"h\\u006foks\":{\"st\\u006fp\":[]},\"k\\u00fc\\ud83d\\ude00\":1.5e-3}"})
    expect_comes_and_goes(text);
}

TEST(HooksJsonTest, NestsAsDeepAsItLikes) {
  constexpr std::size_t kDeep = 100'000;
  const auto text = "{\"x\":" + std::string(kDeep, '[') + std::string(kDeep, ']') + "}";
  const auto with = installed(text);
  EXPECT_NE(with, text);
  EXPECT_EQ(without_cursor_hooks(with), text);
}

TEST(HooksJsonTest, EndsLinesAsTheFileDoes) {
  const auto with = installed("{\r\n}\r\n");
  for (std::size_t at = with.find('\n'); at != std::string::npos; at = with.find('\n', at + 1))
    EXPECT_EQ(with[at - 1], '\r') << at;
}

TEST(HooksJsonTest, KeepsWhatOthersAddedMeanwhile) {
  auto text = installed(std::nullopt);
  const std::string theirs = R"({ "command": "theirs" })";
  const auto list = text.find("\"sessionEnd\": [") + 15;
  text.insert(list, theirs + ",");
  const auto after = text.rfind("\"version\"");
  text.insert(after, "\"mine\": true, ");
  const auto left = without_cursor_hooks(text);
  ASSERT_TRUE(left);
  EXPECT_TRUE(cursor_hooks(*left).empty());
  EXPECT_EQ(commands(*left, "sessionEnd"), std::vector<std::string>{"theirs"});
  EXPECT_EQ(Json::parse(*left)->find("mine")->boolean(), true);
  EXPECT_EQ(Json::parse(*left)->find("version")->integer(), 1);
}

TEST(HooksJsonTest, UpdatesAPathAndKeepsTheRestOfTheEntry) {
  const std::string before =
      R"({"hooks":{"stop":[{"timeout": 9, "command":"/old/cgrep hook run"},)"
      R"({"command":"'/o l\/d/cgrep' hook run"}],"x":[{"command":"cgrep hook run"}]}})";
  const auto with = installed(before);
  EXPECT_EQ(commands(with, "stop"), std::vector<std::string>{kCommand});
  EXPECT_EQ(commands(with, "x"), std::vector<std::string>{kCommand});
  EXPECT_NE(with.find(R"({"timeout": 9, "command":"/usr/bin/cgrep hook run"})"), std::string::npos)
      << with;
}

TEST(HooksJsonTest, KnowsItsOwn) {
  for (const char* own : {"cgrep hook run", "/usr/bin/cgrep hook run", "'/a b/cgrep' hook run",
                          "'/it'\\''s/cgrep' hook run"})
    EXPECT_TRUE(is_own_command(own)) << own;
  for (const char* other : {"", "hook run", "cgrep hook", "grep hook run", "/usr/bin/x hook run",
                            "cgrep hook run --x", "/cgrep/other hook run"})
    EXPECT_FALSE(is_own_command(other)) << other;
}

TEST(HooksJsonTest, RefusesWhatIsDamagedOrOfAnotherShape) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "}",
                           "[]",
                           "null",
                           "\"hooks\"",
                           "{\"hooks\":[]}",
                           "{\"hooks\":null}",
                           "{\"hooks\":{\"stop\":{}}}",
                           "{\"hooks\":{\"stop\":null}}",
                           "{} {}",
                           "{}x",
                           "{\"a\":1,}",
                           "{\"a\" 1}",
                           "{a:1}",
                           "{'a':1}",
                           "// x\n{}",
                           "{/* x */}",
                           "{\"a\":01}",
                           "{\"a\":1.}",
                           "{\"a\":+1}",
                           "{\"a\":.5}",
                           "{\"a\":1e}",
                           "{\"a\":tru}",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":\"\\u12g4\"}",
                           "{\"a\":\"\n\"}",
                           "{\"a\":[1 2]}",
                           "{\"a\":[1,]}",
                           "{\"a\":[}",
                           "{\"a\":\"",
                           "{\"hooks\":{\"stop\":[}}"})
    EXPECT_THROW(installed(text), Error) << text;
  for (const char* text : {"", "{", "[]", "// x\n{}"})
    EXPECT_THROW(without_cursor_hooks(text), Error) << text;
}

// Documents with all that JSON has, written in all ways.
class RandomJson {
 public:
  explicit RandomJson(unsigned seed) : random_(seed) {}

  std::string document() {
    std::string text = chance(8) ? "\xef\xbb\xbf" : "";
    text += white();
    std::vector<std::string> members;
    for (int i = below(4); i > 0; --i) members.push_back(member(key(), value(3)));
    if (chance(3)) members.push_back(member("\"version\"", "1"));
    for (int i = chance(6) ? 2 : below(2); i > 0; --i)
      members.push_back(member("\"hooks\"", hooks()));
    std::shuffle(members.begin(), members.end(), random_);
    return text + joined('{', members, '}') + white();
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool chance(int one_in) { return below(one_in) == 0; }

  std::string white() {
    static constexpr const char* kWhite[] = {"", "", " ", "\n", "  ", "\t", "\r\n", "\n    "};
    return kWhite[below(8)];
  }
  std::string key() {
    static constexpr const char* kKeys[] = {"\"a\"",       "\"\"",     "\"k\\\"y\"", "\"hook\"",
                                            "\"\\u00e9\"", "\"stop\"", "\"\\\\\""};
    return kKeys[below(7)];
  }
  std::string member(const std::string& name, const std::string& its) {
    return name + white() + ":" + white() + its;
  }
  std::string joined(char open, const std::vector<std::string>& parts, char close) {
    std::string text(1, open);
    text += white();
    for (std::size_t i = 0; i < parts.size(); ++i)
      text += (i > 0 ? "," + white() : "") + parts[i] + white();
    return text + close;
  }
  std::string value(int depth) {
    static constexpr const char* kScalars[] = {"1",    "-0.5e+7",       "true",  "null",
                                               "\"\"", "\"x,]}\\\"{\"", "false", "\"\\ud800\""};
    if (depth == 0 || chance(2)) return kScalars[below(8)];
    std::vector<std::string> parts;
    const bool object = chance(2);
    for (int i = below(4); i > 0; --i)
      parts.push_back(object ? member(key(), value(depth - 1)) : value(depth - 1));
    return object ? joined('{', parts, '}') : joined('[', parts, ']');
  }
  std::string entry() {
    if (chance(6)) return value(2);
    std::vector<std::string> members = {member("\"command\"", "\"./audit.sh\"")};
    if (chance(3)) members.push_back(member("\"timeout\"", "10"));
    if (chance(5)) members.push_back(member("\"matcher\"", value(2)));
    std::shuffle(members.begin(), members.end(), random_);
    return joined('{', members, '}');
  }
  std::string hooks() {
    static constexpr const char* kEvents[] = {"\"stop\"", "\"sessionEnd\"", "\"subagentStop\"",
                                              "\"afterAgentResponse\"", "\"beforeReadFile\""};
    std::vector<std::string> events;
    for (int i = below(6); i > 0; --i) {
      std::vector<std::string> entries;
      for (int j = below(4); j > 0; --j) entries.push_back(entry());
      events.push_back(member(kEvents[below(5)], joined('[', entries, ']')));
    }
    if (chance(6)) events.push_back(member("\"odd\"", value(2)));
    return joined('{', events, '}');
  }

  std::mt19937 random_;
};

TEST(HooksJsonTest, ComesAndGoesInAnyDocument) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    expect_comes_and_goes(RandomJson(seed).document());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace cgrep::test
