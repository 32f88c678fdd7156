// The index narrows and the text decides: an exact search finds what reading every text finds.
#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/stores.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/writer.h"
#include "query/exact.h"
#include "query/searcher.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;

// Words as they come in histories: identifiers, paths, other scripts, accents in both forms, long
// hashes, letters whose case is odd.
const std::vector<std::string>& odd_words() {
  static const std::vector<std::string> words = {
      "auth",
      "Auth",
      "getUser_by_id",
      "foo_bar::baz",
      "src/auth/login.ts",
      "E0308",
      "--no-verify",
      "café",
      "cafe\xcc\x81",
      "naïve",
      "ÄRGER",
      "straße",
      "STRASSE",
      "ſet",
      "set",
      "\xe2\x84\xaa"
      "elvin",
      "kelvin",
      "привет",
      "Привет",
      "й",
      "и\xcc\x86",
      "東京都",
      "東京",
      "ひらがな",
      "カタカナ",
      "한국어",
      "αβγ",
      "ΑΒΓ",
      "x",
      "a-b",
      "1234",
      "3.14",
      "don't",
      "C:\\x",
      "{\"a\":1}",
      "end\r",
      "\t",
      "é\xcc\xa3",
      "\xf0\x9f\x98\x80",
      "ab\xf0\x9f\x98\x80"
      "cd",
      std::string(70, 'q') + "needle" + std::string(10, 'z'),
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123"};
  return words;
}

class ExactSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    History history(dir_.path(), History::Mode::write);
    IndexWriter writer(history);
    // Several runs, as after several updates.
    for (int source = 0; source < 3; ++source) {
      Source of{.store = find_store("transcripts"), .path = "source-" + std::to_string(source)};
      Sink& sink = writer.begin_reading(writer.source_row(of), *of.store);
      for (int i = 0; i < 60; ++i) {
        texts_.push_back(random_text());
        sink.document({.store = "transcripts",
                       .conversation = "c" + std::to_string(source * 10 + i % 7),
                       .role = Role::user,
                       .text = texts_.back()});
      }
      writer.end_reading({1, 1, 1}, {}, "mark");
      writer.commit();
    }
  }

  std::string random_text() {
    static const std::vector<std::string> between = {" ", " ", " ", "", "\n", ", ", "_", "."};
    std::string text;
    for (auto n = 1 + random_() % 8; n > 0; --n) text += pick(odd_words()) + pick(between);
    return text;
  }

  const std::string& pick(const std::vector<std::string>& from) {
    return from[random_() % from.size()];
  }

  /// A piece of a text, cut at characters.
  std::string cut() {
    const auto& text = pick(texts_);
    const auto is_start = [&](std::size_t at) {
      return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    };
    std::size_t begin = random_() % text.size();
    while (!is_start(begin)) --begin;
    std::size_t end = begin + 1 + random_() % 9;
    while (!is_start(end)) ++end;
    auto piece = text.substr(begin, end - begin);
    return piece.substr(0, piece.find('\n'));
  }

  std::string quoted(const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
    return out;
  }

  std::string random_regex() {
    switch (random_() % 13) {
      case 0:
        return quoted(cut()) + ".*" + quoted(cut());
      case 1:
        return quoted(cut()) + "|" + quoted(cut());
      case 2:
        return "^" + quoted(cut());
      case 3:
        return quoted(cut()) + "$";
      case 4:
        return "[a-f]+" + quoted(cut());
      case 5:
        return quoted(cut()) + "(" + quoted(cut()) + ")?";
      case 6:
        return "\\b" + quoted(cut()) + "\\b";
      case 7:
        return (random_() % 2 == 0 ? "(?i)" : "\\A[^x]?") + quoted(cut()) + "\\s*$";
      case 8:
        return "(?:" + quoted(cut()) + ")*";  // matches nothing, too
      case 9:
        return random_() % 2 == 0 ? "^$" : "x?";
      case 10:
        return "[[:upper:]]{2,}|\\p{Greek}+|" + quoted(cut());
      case 11:
        return "(?i:" + quoted(cut()) + ")[^\\s]";
      default:
        return "\\w{2}" + quoted(cut()) + "\\d*";
    }
  }

  ExactQuery random_query() {
    ExactQuery query;
    query.literal = random_() % 2 == 0;
    for (auto n = 1 + random_() % 5 / 4; n > 0; --n)
      query.patterns.push_back(query.literal ? cut() : random_regex());
    query.match_case = static_cast<Case>(random_() % 3);
    query.whole_words = random_() % 6 == 0;
    query.whole_lines = random_() % 12 == 0;
    return query;
  }

  static std::multiset<std::string> searched(Searcher& searcher, const ExactQuery& query) {
    Request request;
    request.exact = query;
    std::multiset<std::string> found;
    searcher.search(request, [&](const Hit& hit) {
      found.insert(hit.text);
      EXPECT_FALSE(hit.lines.empty());
      return true;
    });
    return found;
  }

  std::multiset<std::string> scanned(const ExactQuery& query) const {
    const ExactMatcher matcher(query);
    std::multiset<std::string> found;
    for (const auto& text : texts_) {
      const bool any = !matcher.lines(text).empty();
      EXPECT_EQ(matcher.matches(text), any);
      if (any) found.insert(text);
    }
    return found;
  }

  TempDir dir_{};
  std::mt19937 random_{7};
  std::vector<std::string> texts_{};
};

// CGREP_SOAK_SECONDS and CGREP_SEED let it go on for longer, with other patterns.
std::int64_t setting(const char* name, std::int64_t otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::atoll(value) : otherwise;
}

TEST_F(ExactSearchTest, FindsWhatAPlainScanFinds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(setting("CGREP_SOAK_SECONDS", 0));
  random_.seed(static_cast<unsigned>(setting("CGREP_SEED", 7)));
  History history(dir_.path(), History::Mode::read);
  Searcher searcher(history);
  std::size_t found = 0;
  std::size_t rounds = 0;
  for (; rounds < 2000 || Clock::now() < end; ++rounds) {
    const auto query = random_query();
    const auto expected = scanned(query);
    ASSERT_EQ(searched(searcher, query), expected)
        << testing::PrintToString(query.patterns) << " literal " << query.literal << " case "
        << static_cast<int>(query.match_case) << " words " << query.whole_words;
    found += expected.size();
  }
  EXPECT_GT(found, rounds) << "the patterns fit too little to prove anything";
  RecordProperty("rounds", std::to_string(rounds));
}

TEST_F(ExactSearchTest, ARareLiteralReadsFewTexts) {
  History history(dir_.path(), History::Mode::read);
  Request request;
  request.exact = ExactQuery{.patterns = {"er_by_i"}, .literal = true};
  const auto plan = Searcher(history).explain(request);
  EXPECT_NE(plan.find("needs:  er_by_i"), std::string::npos) << plan;
  EXPECT_EQ(plan.find("all 180 texts"), std::string::npos) << plan;
}

}  // namespace
}  // namespace cgrep
