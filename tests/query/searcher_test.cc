#include "query/searcher.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "error.h"
#include "extract/stores.h"
#include "index/overview.h"
#include "index/writer.h"
#include "query/matcher.h"
#include "query/parser.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

using test::TempDir;

class SearcherTest : public testing::Test {
 protected:
  struct Said {
    std::string text{};
    Role role = Role::user;
    std::string conversation = "c1";
    std::string tool{};
    std::optional<Time> time{};
    bool orphan = false;
  };

  /// Indexes one source per conversation.
  void index(const std::vector<Said>& said, const char* store = "transcripts") {
    History history(dir_.path(), History::Mode::write);
    IndexWriter writer(history);
    std::set<std::string> conversations;
    for (const auto& each : said) conversations.insert(each.conversation);
    std::uint64_t position = 0;
    for (const auto& conversation : conversations) {
      const Source source{.store = find_store(store), .path = "/" + conversation};
      Sink& sink = writer.begin_reading(writer.source_row(source), *source.store);
      for (const auto& each : said)
        if (each.conversation == conversation)
          sink.document({.store = store,
                         .conversation = conversation,
                         .role = each.role,
                         .time = each.time,
                         .text = each.text,
                         .tool = each.tool,
                         .position = ++position,
                         .orphan = each.orphan});
      for (const auto& claim : claims_)
        if (claim.conversation == conversation) sink.claim(claim);
      writer.end_reading({}, {}, "");
    }
    writer.commit();
  }

  Request request(const std::string& pattern) {
    Request request;
    request.query = parse_query(pattern).query;
    return request;
  }

  std::vector<std::string> found(const Request& request) {
    History history(dir_.path(), History::Mode::read);
    std::vector<std::string> texts;
    outcome_ = Searcher(history).search(request, [&](const Hit& hit) {
      texts.push_back(hit.text);
      return true;
    });
    return texts;
  }
  std::vector<std::string> found(const std::string& pattern) { return found(request(pattern)); }

  std::vector<std::string> sorted(std::vector<std::string> texts) {
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  using Texts = std::vector<std::string>;

  TempDir dir_{};
  std::vector<Claim> claims_{};
  Outcome outcome_{};
};

TEST_F(SearcherTest, FindsAWordOnlyInTheDocumentThatHasIt) {
  index({{"the lock is held"}, {"the writer is open"}});
  EXPECT_EQ(found("lock"), (Texts{"the lock is held"}));
  EXPECT_TRUE(found("absent").empty());
}

TEST_F(SearcherTest, AllWordsMustBeThere) {
  index({{"auth"}, {"bug"}, {"an auth thing with a bug"}});
  EXPECT_EQ(found("auth bug"), (Texts{"an auth thing with a bug"}));
  EXPECT_EQ(found("auth OR bug").size(), 3u);
  EXPECT_EQ(found("auth NOT bug"), (Texts{"auth"}));
}

TEST_F(SearcherTest, APhraseIsCheckedOnTheText) {
  index({{"the auth bug"}, {"a bug in auth"}, {"auth: bug"}});
  EXPECT_EQ(sorted(found("\"auth bug\"")), (Texts{"auth: bug", "the auth bug"}));
  EXPECT_EQ(found("NOT \"auth bug\""), (Texts{"a bug in auth"}));
}

TEST_F(SearcherTest, PhraseHitsComeFirst) {
  index({{"bug with auth and bug with auth and bug with auth", Role::user, "c1"},
         {"we met the auth bug once more in a long text about nothing else", Role::user, "c2"}});
  EXPECT_EQ(found("auth bug").front(),
            "we met the auth bug once more in a long text about nothing else");
}

TEST_F(SearcherTest, OrphansComeLast) {
  const std::string aside(2000, 'x');
  index({{"the auth bug", Role::user, "c1", "", {}, true},
         {"auth " + aside + " bug", Role::tool_result, "c2"},
         {"the bug of auth", Role::assistant, "c3"}});
  EXPECT_EQ(found("auth bug").back(), "the auth bug");
}

TEST_F(SearcherTest, PromptsThatRepeatAMessageAreFoundOnlyWhenWanted) {
  index({{"why does it leak", Role::prompt, "list"}, {"never leaked", Role::prompt, "list"}},
        "prompts");
  index({{"why does it leak"}});
  EXPECT_EQ(sorted(found("leak")), (Texts{"never leaked", "why does it leak"}));
  auto with_repeated = request("leak");
  with_repeated.filters.repeated = true;
  EXPECT_EQ(found(with_repeated).size(), 3u);
}

TEST_F(SearcherTest, FindsOtherFormsOfAWord) {
  index({{"it was fixed"}, {"this fixes it"}, {"a fix"}, {"prefix"}});
  EXPECT_EQ(sorted(found("fix")), (Texts{"a fix", "it was fixed", "this fixes it"}));
  EXPECT_EQ(found("=fix"), (Texts{"a fix"}));
  EXPECT_EQ(found("fix").front(), "a fix");
}

TEST_F(SearcherTest, FindsCodeTheWayPeopleTypeIt) {
  index({{"call getUserById here"},
         {"foo_bar::baz failed"},
         {"see src/auth/login.ts"},
         {"error E0308"},
         {"git push --no-verify"}});
  EXPECT_EQ(found("getUserById").size(), 1u);
  EXPECT_EQ(found("getuserbyid").size(), 1u);
  EXPECT_EQ(found("user").size(), 1u);
  EXPECT_EQ(found("foo_bar::baz").size(), 1u);
  EXPECT_EQ(found("src/auth/login.ts").size(), 1u);
  EXPECT_EQ(found("E0308").size(), 1u);
  EXPECT_EQ(found("--no-verify").size(), 1u);
}

TEST_F(SearcherTest, FindsOtherFormsOfAnIdentifier) {
  index({{"refresh_token", Role::user, "c1"},
         {"the refresh_tokens", Role::user, "c2"},
         {"refresh_tokamak", Role::user, "c3"},
         {"getUsers", Role::user, "c4"},
         {"getUserland", Role::user, "c5"},
         {"getuser", Role::user, "c6"},
         {"parentId", Role::user, "c7"},
         {"parentIds", Role::user, "c8"}});
  EXPECT_EQ(found("refresh_token"), (Texts{"refresh_token", "the refresh_tokens"}));
  EXPECT_EQ(found("refresh_tokens"), (Texts{"the refresh_tokens", "refresh_token"}));
  EXPECT_EQ(found("getUser"), (Texts{"getuser", "getUsers"}));
  EXPECT_EQ(found("parentId"), (Texts{"parentId", "parentIds"}));
  EXPECT_EQ(found("=refresh_token"), (Texts{"refresh_token"}));
  EXPECT_EQ(found("\"refresh_token\""), (Texts{"refresh_token"}));
}

TEST_F(SearcherTest, FindsLongerIdentifiersByTheirSubWords) {
  index({{"error refresh_token_reused", Role::user, "c1"},
         {"myRefresh_tokens2 x", Role::user, "c2"},
         {"refresh_token", Role::user, "c3"},
         {"a refresh_tokamak", Role::user, "c4"},
         {"call getUserById", Role::user, "c5"},
         {"forgetUserIds", Role::user, "c6"},
         {"getUserland", Role::user, "c7"},
         {"getUser2", Role::user, "c8"},
         {"sha256sum", Role::user, "c9"},
         {"sha2560", Role::user, "c9"}});
  EXPECT_EQ(sorted(found("refresh_token")),
            (Texts{"error refresh_token_reused", "myRefresh_tokens2 x", "refresh_token"}));
  EXPECT_EQ(found("refresh_token").front(), "refresh_token");
  EXPECT_EQ(found("NOT refresh_token").size(), 7u);
  EXPECT_EQ(sorted(found("getUser")), (Texts{"call getUserById", "getUser2"}));
  EXPECT_EQ(found("userBy"), (Texts{"call getUserById"}));
  EXPECT_EQ(found("sha256"), (Texts{"sha256sum"}));
  EXPECT_EQ(found("=refresh_token"), (Texts{"refresh_token"}));
  EXPECT_TRUE(found("=getUser").empty());
  EXPECT_TRUE(found("\"getUser\"").empty());
  Request cased = request("getUser");
  cased.query.cased = true;
  EXPECT_EQ(sorted(found(cased)), (Texts{"call getUserById", "getUser2"}));
  cased.query.text = "getUSER";
  EXPECT_TRUE(found(cased).empty());
}

TEST_F(SearcherTest, LettersThatBecomeAsciiAreNoIdentifier) {
  index({{"the kkk_ab of it"}});
  EXPECT_EQ(found("\u212A\u212A\u212A_ab").size(), 1u);
}

TEST_F(SearcherTest, VeryManyLongerIdentifiersAreFoundByTheirSubWords) {
  std::vector<Said> said;
  for (int i = 0; i < 2500; ++i)
    said.push_back({"x user_ids_" + std::to_string(i), Role::user, "c" + std::to_string(i % 40)});
  said.push_back({"user and id"});
  index(said);
  EXPECT_EQ(found("user_id").size(), 2500u);
}

TEST_F(SearcherTest, WhereALongerIdentifierMatchesIsMarked) {
  index({{"it said xRefreshTokens_reused"}});
  History history(dir_.path(), History::Mode::read);
  std::vector<Span> spans;
  Searcher(history).search(request("refreshToken"), [&](const Hit& hit) {
    spans = hit.lines.at(0).spans;
    return true;
  });
  EXPECT_EQ(spans, (std::vector<Span>{{9, 22}}));
}

TEST_F(SearcherTest, FindsTextWithoutSpaces) {
  index({{"認証のバグを直す"}, {"東京都"}, {"猫"}});
  EXPECT_EQ(found("認証"), (Texts{"認証のバグを直す"}));
  EXPECT_EQ(found("バグ"), (Texts{"認証のバグを直す"}));
  EXPECT_EQ(found("京都"), (Texts{"東京都"}));
  EXPECT_EQ(found("都"), (Texts{"東京都"}));
  EXPECT_EQ(found("猫"), (Texts{"猫"}));
  EXPECT_TRUE(found("東都").empty());
}

TEST_F(SearcherTest, FindsPrefixes) {
  index({{"authentication"}, {"author"}, {"auth"}, {"oauth"}});
  EXPECT_EQ(found("auth*").size(), 3u);
}

TEST_F(SearcherTest, FindsWordsTooLongForTheVocabulary) {
  const std::string word(300, 'q');
  index({{word + " x"}, {std::string(299, 'q') + " y"}});
  EXPECT_EQ(found(word), (Texts{word + " x"}));
}

TEST_F(SearcherTest, FindsWhatHasNoWord) {
  index({{"a && b"}, {"a b"}});
  EXPECT_EQ(found("&&"), (Texts{"a && b"}));
}

TEST_F(SearcherTest, AccentsMayBeLeftOut) {
  index({{"un café"}, {"cafe"}});
  EXPECT_EQ(found("cafe").size(), 2u);
  EXPECT_EQ(found("café"), (Texts{"un café"}));
}

TEST_F(SearcherTest, SystemTextsAreFoundOnlyWhenAskedFor) {
  index({{"secret prompt", Role::system}, {"prompt", Role::user}});
  EXPECT_EQ(found("prompt"), (Texts{"prompt"}));
  EXPECT_EQ(found("prompt role:system"), (Texts{"secret prompt"}));
  auto asked = request("prompt");
  asked.filters.roles.wanted = {Role::system};
  EXPECT_EQ(found(asked), (Texts{"secret prompt"}));
}

TEST_F(SearcherTest, FiltersByRoleToolAndTime) {
  index({{"x one", Role::user, "c1", "", Time{1000}},
         {"x two", Role::assistant, "c1", "", Time{2000}},
         {"x three", Role::tool_call, "c1", "run_terminal_cmd", Time{3000}},
         {"x four", Role::user, "c1"}});
  auto by_role = request("x");
  by_role.filters.roles.unwanted = {Role::user};
  EXPECT_EQ(sorted(found(by_role)), (Texts{"x three", "x two"}));
  auto by_tool = request("x");
  by_tool.filters.tools.wanted = {"bash"};
  EXPECT_EQ(found(by_tool), (Texts{"x three"}));
  auto by_time = request("x");
  by_time.filters.since = 2000;
  by_time.filters.until = 3000;
  EXPECT_EQ(found(by_time), (Texts{"x two"}));
  EXPECT_EQ(outcome_.undated, 1u);
}

TEST_F(SearcherTest, FiltersByAddressesAndRanges) {
  index({{"x one", Role::user, "aaaaaaaa-1"},
         {"x two", Role::user, "aaaaaaaa-1"},
         {"x three", Role::user, "aaaaaaaa-1"},
         {"x four", Role::user, "bbbbbbbb-1"}});
  EXPECT_EQ(found("x conversation:bbbbbbbb"), (Texts{"x four"}));
  EXPECT_EQ(found("x conversation:aaaaaaaa,bbbbbbbb").size(), 4u);
  EXPECT_TRUE(found("x conversation:cccccccc").empty());
  const auto within = [&](std::vector<Address> wanted, std::vector<Address> unwanted) {
    auto asked = request("x");
    asked.filters.conversations = {.wanted = std::move(wanted), .unwanted = std::move(unwanted)};
    return sorted(found(asked));
  };
  EXPECT_EQ(within({{"aaaaaaaa", 2}}, {}), (Texts{"x two"}));
  EXPECT_EQ(within({{"aaaaaaaa", 2, 3}, {"bbbbbbbb"}}, {}), (Texts{"x four", "x three", "x two"}));
  EXPECT_EQ(within({{"aaaaaaaa"}}, {{"aaaaaaaa", 1, 2}}), (Texts{"x three"}));
  EXPECT_EQ(within({}, {{"aaaaaaaa"}}), (Texts{"x four"}));
  EXPECT_EQ(within({{"aaaaaaaa", 9}}, {}), (Texts{}));
}

TEST_F(SearcherTest, FiltersByDatesInThePattern) {
  constexpr std::int64_t kNoon = 1'785'585'600'000;  // 2026-08-01T12:00Z
  constexpr std::int64_t kDay = 86'400'000;
  index({{"x june", Role::user, "c1", "", Time{kNoon - 50 * kDay}},
         {"x now", Role::user, "c1", "", Time{kNoon + 10 * kDay}},
         {"x autumn", Role::user, "c1", "", Time{kNoon + 50 * kDay}}});
  EXPECT_EQ(found("x date:2026-08"), (Texts{"x now"}));
  EXPECT_EQ(sorted(found("x since:2026-08")), (Texts{"x autumn", "x now"}));
  EXPECT_EQ(sorted(found("x until:2026-08")), (Texts{"x june", "x now"}));
  EXPECT_EQ(sorted(found("x date:2026-06..2026-08")), (Texts{"x june", "x now"}));
  EXPECT_TRUE(found("x date:never").empty());
}

TEST_F(SearcherTest, OneHitOfAConversationStandsForAll) {
  index({{"x one", Role::user, "c1"}, {"x two", Role::user, "c1"}, {"x three", Role::user, "c2"}});
  auto conversations = request("x");
  conversations.detail = Detail::conversations;
  EXPECT_EQ(found(conversations).size(), 2u);
  EXPECT_EQ(outcome_.conversations, 2u);
  EXPECT_EQ(outcome_.documents, 3u);
}

TEST_F(SearcherTest, FiltersByWhatTheJoinFound) {
  claims_ = {{"c1", Fact::project, 10, "/home/ada/widget"},
             {"c2", Fact::project, 10, "/home/ada/other"},
             {"c2", Fact::title, 10, "The other title"}};
  index({{"x one", Role::user, "c1"}, {"x two", Role::user, "c2"}, {"x three", Role::user, "c3"}});
  auto by_project = request("x");
  by_project.filters.projects.wanted = {"widget"};
  EXPECT_EQ(found(by_project), (Texts{"x one"}));
  EXPECT_EQ(found("x project:none"), (Texts{"x three"}));
  EXPECT_EQ(found("x title:other"), (Texts{"x two"}));
  EXPECT_EQ(sorted(found("x NOT project:widget")), (Texts{"x three", "x two"}));
  EXPECT_EQ(sorted(found("x (project:widget OR title:other)")), (Texts{"x one", "x two"}));
}

TEST_F(SearcherTest, FiltersByStore) {
  index({{"x one"}});
  EXPECT_EQ(found("x store:transcripts").size(), 1u);
  EXPECT_EQ(found("x store:subagents").size(), 0u);
  EXPECT_EQ(found("x store:!transcripts").size(), 0u);
}

TEST_F(SearcherTest, FiltersAloneGiveAllNewestFirst) {
  index({{"old", Role::user, "c1", "", Time{1000}},
         {"new", Role::user, "c2", "", Time{3000}},
         {"middle", Role::user, "c3", "", Time{2000}}});
  EXPECT_EQ(found("role:user"), (Texts{"new", "middle", "old"}));
}

TEST_F(SearcherTest, SortsByTime) {
  index({{"x old", Role::user, "c1", "", Time{1000}},
         {"x new", Role::user, "c2", "", Time{3000}},
         {"x middle", Role::user, "c1", "", Time{2000}}});
  auto by_time = request("x");
  by_time.sort = Sort::newest;
  EXPECT_EQ(found(by_time), (Texts{"x new", "x middle", "x old"}));
  by_time.sort = Sort::oldest;
  EXPECT_EQ(found(by_time), (Texts{"x old", "x middle", "x new"}));
}

TEST_F(SearcherTest, ALimitCountsConversationsAndSaysWhatIsLeft) {
  index({{"x", Role::user, "c1"},
         {"x x", Role::user, "c1"},
         {"x", Role::user, "c2"},
         {"x", Role::user, "c3"}});
  auto limited = request("x");
  limited.limit = 1;
  found(limited);
  EXPECT_EQ(outcome_.conversations, 1u);
  EXPECT_EQ(outcome_.more_conversations, 2u);
}

TEST_F(SearcherTest, AConversationBeyondTheFirstPageIsStillWhole) {
  std::vector<Said> said;
  for (int i = 0; i < 3000; ++i)
    said.push_back(
        {"common words here " + std::to_string(i), Role::user, "c" + std::to_string(i % 3)});
  index(said);
  auto limited = request("common");
  limited.limit = 1;
  EXPECT_EQ(found(limited).size(), 1000u);
  EXPECT_EQ(outcome_.lines, 1000u);
}

TEST_F(SearcherTest, ScansTheTextsWhenTheWordsAreDamaged) {
  index({{"the auth bug"}, {"nothing"}});
  for (const auto& entry : std::filesystem::directory_iterator(dir_.path() / "words"))
    std::ofstream(entry.path() / "iamglass") << "damaged";
  EXPECT_EQ(found("auth bug"), (Texts{"the auth bug"}));
  EXPECT_TRUE(outcome_.scanned);
}

TEST_F(SearcherTest, NamesConversationsByPrefix) {
  index({{"x", Role::user, "3f2a9c1e-aaaa"}, {"y", Role::user, "3f2a9c1e-abcd"}});
  History history(dir_.path(), History::Mode::read);
  Searcher searcher(history);
  EXPECT_EQ(searcher.find_conversation({.conversation = "3f2a9c1e-ab"}).key, "3f2a9c1e-abcd");
  EXPECT_THROW(searcher.find_conversation({.conversation = "3f2a"}), Error);
  EXPECT_THROW(searcher.find_conversation({.conversation = "nosuch"}), Error);
}

TEST_F(SearcherTest, ReadsConversationsDocumentsAndRanges) {
  index({{"one"}, {"two"}, {"three"}, {"four"}});
  History history(dir_.path(), History::Mode::read);
  Searcher searcher(history);
  const auto read = [&](const std::string& address) {
    Texts texts;
    searcher.read(*parse_address(address), [&](const Hit& hit) {
      texts.push_back(hit.text);
      return true;
    });
    return texts;
  };
  EXPECT_EQ(read("c1").size(), 4u);
  EXPECT_EQ(read("c1:2"), (Texts{"two"}));
  EXPECT_EQ(read("c1:2-3"), (Texts{"two", "three"}));
  EXPECT_EQ(read("c1:3-2"), (Texts{"two", "three"}));
  EXPECT_THROW(read("c1:9"), Error);
  EXPECT_THROW(read("c1:2-9"), Error);
}

// The index narrows, the text decides: whatever is asked, the answer is that of reading everything.
TEST_F(SearcherTest, AnswersLikeAPlainScan) {
  std::mt19937 random(11);
  const std::vector<std::string> words = {
      "auth",        "Auth",        "bug",      "fix",       "fixed",      "café",
      "foo_bar",     "getUserId",   "login.ts", "東京都",    "x",          "E0308",
      "a-b",         "auths",       "fooBar",   "getUser",   "user_id",    "my_user_ids",
      "getUserIds2", "getuseridle", "UserID",   "a_foo_bär", "foo_bars_x", "foo_bar_ä"};
  std::vector<Said> said;
  for (int i = 0; i < 200; ++i) {
    std::string text;
    for (auto n = 1 + random() % 6; n > 0; --n) text += words[random() % words.size()] + " ";
    said.push_back({text, Role::user, "c" + std::to_string(i % 7)});
  }
  index(said);
  const std::vector<std::string> joins = {" ", " ", " OR ", " NOT ", " NEAR/2 "};
  for (int i = 0; i < 300; ++i) {
    std::string pattern = words[random() % words.size()];
    if (random() % 4 == 0) pattern = "\"" + pattern + " " + words[random() % words.size()] + "\"";
    if (random() % 5 == 0) pattern = pattern.substr(0, 2) + "*";
    if (random() % 2 == 0)
      pattern += joins[random() % joins.size()] + words[random() % words.size()];
    const auto answer = found(pattern);
    // The scan is told the forms that the vocabulary has, by asking for the same query again.
    History history(dir_.path(), History::Mode::read);
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path() / "words"))
      std::filesystem::rename(entry.path() / "iamglass", entry.path() / "away");
    Request same = request(pattern);
    std::vector<std::string> scanned;
    const auto outcome = Searcher(history).search(same, [&](const Hit& hit) {
      scanned.push_back(hit.text);
      return true;
    });
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path() / "words"))
      std::filesystem::rename(entry.path() / "away", entry.path() / "iamglass");
    ASSERT_TRUE(outcome.scanned);
    EXPECT_EQ(sorted(answer), sorted(scanned)) << pattern;
  }
}

TEST_F(SearcherTest, WordsMayBeSpreadOverAConversation) {
  index({{"the parser fails", Role::user, "c1"},
         {"a zebra crossed it", Role::assistant, "c1"},
         {"only a parser here", Role::user, "c2"},
         {"nothing but a zebra", Role::user, "c3"}});
  EXPECT_EQ(sorted(found("parser zebra")), (Texts{"a zebra crossed it", "the parser fails"}));
  EXPECT_TRUE(outcome_.spread);
  EXPECT_EQ(outcome_.conversations, 1u);
  EXPECT_TRUE(found("parser zebra absent").empty());
  EXPECT_TRUE(found("parser \"zebra it\"").empty());
  EXPECT_TRUE(found("parser zebra role:user").empty());
  EXPECT_TRUE(found("parser zebra NOT crossed").empty());
}

TEST_F(SearcherTest, OneDocumentWithAllWordsIsEnough) {
  index({{"a parser and a zebra", Role::user, "c1"},
         {"parser", Role::user, "c2"},
         {"zebra", Role::assistant, "c2"}});
  EXPECT_EQ(found("parser zebra"), (Texts{"a parser and a zebra"}));
  EXPECT_FALSE(outcome_.spread);
}

TEST_F(SearcherTest, SpreadWordsAreFoundInManyConversations) {
  std::vector<Said> said;
  for (int i = 0; i < 700; ++i) {
    const auto conversation = "c" + std::to_string(i);
    said.push_back({"apple", Role::user, conversation});
    said.push_back({"pear", Role::assistant, conversation});
  }
  index(said);
  auto asked = request("apple pear");
  asked.sort = Sort::newest;
  EXPECT_EQ(found(asked).size(), 1400u);
  EXPECT_EQ(outcome_.conversations, 700u);
}

TEST_F(SearcherTest, CaseIsCheckedOnTheText) {
  index({{"Auth here"}, {"AUTH there"}, {"auth everywhere"}, {"doAuthNow"}, {"Auths"}});
  auto asked = request("");
  asked.query = parse_query("Auth", {.match_case = Case::sensitive}).query;
  EXPECT_EQ(sorted(found(asked)), (Texts{"Auth here", "Auths", "doAuthNow"}));
  asked.query = parse_query("auth", {.match_case = Case::sensitive}).query;
  EXPECT_EQ(found(asked), (Texts{"auth everywhere"}));
  asked.query = parse_query("AU*", {.match_case = Case::smart}).query;
  EXPECT_EQ(found(asked), (Texts{"AUTH there"}));
  asked.query = parse_query("\"Auth here\"", {.match_case = Case::smart}).query;
  EXPECT_EQ(found(asked), (Texts{"Auth here"}));
  asked.query = parse_query("\"auth HERE\"", {.match_case = Case::sensitive}).query;
  EXPECT_TRUE(found(asked).empty());
  asked.query = parse_query("auth", {.match_case = Case::smart}).query;
  EXPECT_EQ(found(asked).size(), 5u);
}

TEST_F(SearcherTest, DocumentsAroundAMatchComeInReadingOrder) {
  index({{"one"}, {"two"}, {"needle"}, {"four"}, {"five"}, {"six"}, {"needle again"}});
  auto asked = request("needle");
  asked.around = 1;
  EXPECT_EQ(found(asked), (Texts{"two", "needle", "four", "six", "needle again"}));
  EXPECT_EQ(outcome_.documents, 2u);
  asked.around = 100;
  EXPECT_EQ(found(asked).size(), 7u);
}

TEST_F(SearcherTest, FindsByWhatIsKnownOfTheConversation) {
  claims_ = {{.conversation = "c1", .fact = Fact::model, .value = "claude-4-sonnet"},
             {.conversation = "c1", .fact = Fact::branch, .value = "fix/login"},
             {.conversation = "c1", .fact = Fact::mode, .value = "plan"},
             {.conversation = "c1", .fact = Fact::surface, .value = "cli"},
             {.conversation = "c1", .fact = Fact::files, .value = "/home/ada/src/login.ts"},
             {.conversation = "c1", .fact = Fact::archived, .value = "1"},
             {.conversation = "c1", .fact = Fact::parent, .value = "c0"}};
  index({{"text one", Role::user, "c1"}, {"text two", Role::user, "c2"}});
  for (const auto* field : {"model:sonnet", "branch:fix/*", "mode:plan", "surface:cli",
                            "file:login.ts", "is:archived", "is:subagent"}) {
    EXPECT_EQ(found(std::string("text ") + field), (Texts{"text one"})) << field;
    EXPECT_EQ(found(std::string("text NOT ") + field), (Texts{"text two"})) << field;
  }
  EXPECT_EQ(found("model:none"), (Texts{"text two"}));
  EXPECT_EQ(found("text model:!sonnet"), (Texts{"text two"}));
  auto asked = request("text");
  asked.filters.models = {.wanted = {"sonnet"}};
  EXPECT_EQ(found(asked), (Texts{"text one"}));
  asked.filters = {.files = {.unwanted = {"login.ts"}}};
  EXPECT_EQ(found(asked), (Texts{"text two"}));
  asked.filters = {.subagents = false};
  EXPECT_EQ(found(asked), (Texts{"text two"}));
  asked.filters = {.gone = true};
  EXPECT_TRUE(found(asked).empty());
  asked.filters = {.gone = false};
  EXPECT_EQ(found(asked).size(), 2u);
}

TEST_F(SearcherTest, NegatedRolesAndOrphans) {
  index({{.text = "said", .role = Role::user},
         {.text = "said by a tool", .role = Role::tool_result},
         {.text = "said and left", .role = Role::user, .orphan = true}});
  EXPECT_EQ(sorted(found("said NOT role:tool-result")), (Texts{"said", "said and left"}));
  EXPECT_EQ(found("said is:orphan"), (Texts{"said and left"}));
}

TEST_F(SearcherTest, HereIsTheRepositoryOrWhatIsAboveTheFolder) {
  claims_ = {{.conversation = "c1", .fact = Fact::project, .value = "/home/ada/widget"},
             {.conversation = "c2", .fact = Fact::project, .value = "/home/ada/widget/web"},
             {.conversation = "c3", .fact = Fact::project, .value = "/home/ada"}};
  index({{"one", Role::user, "c1"}, {"two", Role::user, "c2"}, {"three", Role::user, "c3"}});
  auto asked = request("");
  asked.filters.here = Here{.roots = {"/home/ada/widget"}, .folder = "/home/ada/widget/src"};
  EXPECT_EQ(sorted(found(asked)), (Texts{"one", "two"}));
  asked.filters.here = Here{.roots = {"/home/ada/other"}, .folder = "/home/ada/other/src"};
  EXPECT_EQ(found(asked), (Texts{"three"}));
  asked.filters.here = Here{.roots = {"/srv"}, .folder = "/srv"};
  EXPECT_TRUE(found(asked).empty());
}

TEST_F(SearcherTest, TiesAreNewerFirstThenByAddress) {
  index({{.text = "equal words", .conversation = "c3", .time = Time{1000}},
         {.text = "equal words", .conversation = "c2", .time = Time{1000}},
         {.text = "equal words", .conversation = "c1", .time = Time{1000}}});
  History history(dir_.path(), History::Mode::read);
  std::vector<std::string> keys;
  Searcher(history).search(request("equal words"), [&](const Hit& hit) {
    keys.push_back(hit.conversation->key);
    return true;
  });
  EXPECT_EQ(keys, (std::vector<std::string>{"c1", "c2", "c3"}));
}

TEST_F(SearcherTest, TiesInTimeGoByAddressAndUndatedComesLast) {
  index({{.text = "words", .conversation = "c9"},
         {.text = "words", .conversation = "c3", .time = Time{1000}},
         {.text = "words", .conversation = "c2", .time = Time{1000}},
         {.text = "words", .conversation = "c1", .time = Time{1000}},
         {.text = "words", .conversation = "c0", .time = Time{2000}},
         {.text = "words", .conversation = "c8"}});
  const auto keys = [&](const std::string& pattern, Sort sort) {
    auto asked = request(pattern);
    if (pattern.empty()) asked.exact = ExactQuery{.patterns = {"words"}, .literal = true};
    asked.sort = sort;
    History history(dir_.path(), History::Mode::read);
    std::string found;
    Searcher(history).search(asked, [&](const Hit& hit) {
      found += hit.conversation->key;
      return true;
    });
    return found;
  };
  EXPECT_EQ(keys("words", Sort::newest), "c0c1c2c3c8c9");
  EXPECT_EQ(keys("words", Sort::oldest), "c1c2c3c0c8c9");
  EXPECT_EQ(keys("", Sort::newest), "c0c1c2c3c8c9");
}

TEST_F(SearcherTest, WhatIsCutHasNothingAroundIt) {
  index(
      {{"one"}, {"needle a"}, {"two"}, {"needle b"}, {"three"}, {"four"}, {"needle c"}, {"five"}});
  auto asked = request("needle");
  asked.around = 1;
  EXPECT_EQ(found(asked).size(), 8u);
  asked.shown.of_conversation = 1;
  // What is cut is still delivered, to be counted.
  EXPECT_EQ(found(asked), (Texts{"one", "needle a", "two", "needle b", "needle c"}));
  EXPECT_EQ(outcome_.documents, 3u);
  EXPECT_EQ(outcome_.conversations, 1u);
}

TEST_F(SearcherTest, APlanIsNoSubagent) {
  claims_ = {{.conversation = "plan", .fact = Fact::parent, .value = "c1"},
             {.conversation = "errand", .fact = Fact::parent, .value = "c1"}};
  index({{"ours", Role::user, "c1"}, {"theirs", Role::user, "errand"}});
  index({{"planned", Role::plan, "plan"}}, "plans");
  EXPECT_EQ(found("is:subagent"), (Texts{"theirs"}));
  History history(dir_.path(), History::Mode::read);
  const Conversations conversations(history);
  for (const Conversation& conversation : conversations.all()) {
    EXPECT_EQ(is_subagent(conversation), conversation.key == "errand") << conversation.key;
    EXPECT_EQ(conversations.started_by(conversation), conversation.key == "c1" ? 1u : 0u);
  }
}

class AdviceTest : public SearcherTest {
 protected:
  std::vector<Advice> advice(const Request& request, bool stores_named = false) {
    EXPECT_TRUE(found(request).empty());
    History history(dir_.path(), History::Mode::read);
    return Searcher(history).advise(request, stores_named);
  }
};

TEST_F(AdviceTest, AMisspeltWordOnlyWhenItWouldFindSomething) {
  index({{"the authentication middleware"}, {"a zebra"}});
  const auto found = advice(request("authentcation middelware"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Advice::Kind::spelling);
  EXPECT_EQ(found[0].words,
            (std::vector<std::pair<std::string, std::string>>{{"authentcation", "authentication"},
                                                              {"middelware", "middleware"}}));
  EXPECT_EQ(found[0].conversations, 1u);
  EXPECT_TRUE(advice(request("authentcation qqqqqqqq")).empty());
  EXPECT_TRUE(advice(request("\"zebra authentcation\"")).empty());
}

TEST_F(AdviceTest, AnyMistakeOfOneLetter) {
  index({{"the scheduler waits"}});
  const std::string word = "scheduler";
  for (std::size_t at = 0; at + 1 < word.size(); ++at) {
    std::string swapped = word;
    std::swap(swapped[at], swapped[at + 1]);
    for (const std::string& typed : {swapped, word.substr(0, at) + word.substr(at + 1),
                                     word.substr(0, at) + "x" + word.substr(at),
                                     word.substr(0, at) + "x" + word.substr(at + 1)}) {
      const auto found = advice(request(typed));
      ASSERT_EQ(found.size(), 1u) << typed;
      EXPECT_EQ(found[0].words.front().second, word) << typed;
    }
  }
}

TEST_F(AdviceTest, WhichFilterRemovedHowMany) {
  index({{"needle", Role::user, "c1"}, {"needle", Role::user, "c2"}});
  auto asked = request("needle");
  asked.filters.roles.wanted = {Role::plan};
  auto found = advice(asked);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].subject, "--role");
  EXPECT_EQ(found[0].conversations, 2u);

  asked.filters.models.wanted = {"gpt-5"};
  found = advice(asked);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Advice::Kind::filters);

  found = advice(request("needle role:plan"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].subject, "role:plan");
}

TEST_F(AdviceTest, WhatTheSystemSaidAndNamedStores) {
  index({{"needle", Role::system, "c1"}, {"pin", Role::user, "c1"}});
  auto found = advice(request("needle"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, Advice::Kind::system);
  auto asked = request("pin");
  asked.filters.stores.wanted = {find_store("plans")};
  found = advice(asked, true);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].subject, "--store");
}

}  // namespace
}  // namespace cgrep
