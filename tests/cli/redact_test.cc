// --redact in what search and show print. Tokens are put together from pieces: see
// tests/query/redact_test.cc.
#include "query/redact.h"

#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "extract/json.h"

namespace cgrep::test {
namespace {

class RedactionTest : public HistoryHome {
 protected:
  RedactionTest() {
    const std::string key = "-----BEGIN PRIVATE" + std::string(" KEY-----\n") + random(64) + "\n" +
                            random(64) + "\n-----END PRIVATE" + " KEY-----";
    conversation(kLogin, {{"user", "deploy with " + token_ + " and notes, then deploy again"},
                          {"assistant", "before\n" + key + "\nkeyword after"}});
  }

  static std::string random(int count) {
    return example_of({.example = "{" + std::to_string(count) + "}"});
  }

  static bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }

  std::string token_ = "gh" + ("p_" + random(36));
};

TEST_F(RedactionTest, NothingIsMaskedUnlessAskedFor) {
  EXPECT_TRUE(has(cgrep({"deploy"}).out, token_));
  EXPECT_TRUE(has(cgrep({"show", "11111111"}).out, token_));
  EXPECT_TRUE(has(cgrep({"--redact", "--no-redact", "deploy"}).out, token_));
}

TEST_F(RedactionTest, SearchMasksLinesAndKeepsMatches) {
  EXPECT_EQ(cgrep({"--redact", "deploy"}).out,
            "11111111:1:1:deploy with [redacted:github-token] and notes, then deploy again\n");
  const auto printed = cgrep({"--redact", "--json", "deploy"}).out;
  EXPECT_FALSE(has(printed, token_));
  std::size_t seen = 0;
  for (const std::string& line : lines_of(printed)) {
    const auto event = Json::parse(line);
    ASSERT_TRUE(event);
    if (event->text("type") != "match") continue;
    ++seen;
    const Json* data = event->find("data");
    const auto text = data->find("lines")->text("text");
    const auto& matches = *data->find("submatches")->array();
    ASSERT_EQ(matches.size(), 2u);
    for (const Json& match : matches) {
      const auto begin = static_cast<std::size_t>(*match.find("start")->integer());
      const auto end = static_cast<std::size_t>(*match.find("end")->integer());
      EXPECT_EQ(text.substr(begin, end - begin), "deploy");
    }
  }
  EXPECT_EQ(seen, 1u) << printed;
}

TEST_F(RedactionTest, WhoLooksForASecretSeesItsMask) {
  const auto found = cgrep({"--redact", "-F", token_});
  EXPECT_EQ(found.code, 0);
  EXPECT_FALSE(has(found.out, token_));
  EXPECT_TRUE(has(found.out, "[redacted:github-token]"));
}

TEST_F(RedactionTest, ASecretOfSeveralLinesKeepsLineNumbers) {
  EXPECT_EQ(cgrep({"--redact", "-B1", "keyword"}).out,
            "11111111:2-5-[redacted:private-key]\n11111111:2:6:keyword after\n");
  EXPECT_EQ(cgrep({"show", "--redact", "--no-heading", "11111111:2"}).out,
            "before\n[redacted:private-key]\nkeyword after\n");
}

TEST_F(RedactionTest, TitlesAreMaskedToo) {
  const auto shown = cgrep({"show", "--redact", "11111111"}).out;
  EXPECT_FALSE(has(shown, token_.substr(0, 20))) << shown;
  const auto json = cgrep({"show", "--redact", "--json", "11111111"}).out;
  EXPECT_FALSE(has(json, token_.substr(0, 20))) << json;
}

// A title is cut out of the first question: the rest of a token has no shape of its own.
TEST_F(RedactionTest, ATokenThatATitleCutsIsMasked) {
  conversation(kDocker, {{"user", std::string(80, 'x') + " with " + token_}});
  const auto shown = cgrep({"show", "--redact", "22222222"}).out;
  EXPECT_FALSE(has(shown, token_.substr(0, 8))) << shown;
}

}  // namespace
}  // namespace cgrep::test
