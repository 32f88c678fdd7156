// What the index keeps and what it lets go: --full, --rebuild, --compact, exclude, retain, and an
// index of an older schema.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "error.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/checked_files.h"
#include "index/copies.h"
#include "index/folder.h"
#include "index/forget.h"
#include "index/history.h"
#include "index/runs.h"
#include "index/salvage.h"
#include "index/seen.h"
#include "index/sha256.h"
#include "index/update.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;
using Lines = std::multiset<std::string>;

/// All that can be asked of an index, without numbers of rows.
Lines printed(const fs::path& index, bool numbers = false) {
  Lines lines;
  History history(index, History::Mode::read);
  history.for_each_document([&](const StoredDocument& document) {
    const auto of = history.conversation(document.conversation);
    lines.insert(fmt::format("document {}{} {} {} {} {} {}", of.key,
                             numbers ? ":" + std::to_string(document.number) : "",
                             name_of(document.role), document.tool, document.gone, document.stores,
                             history.text(document.row)));
    return true;
  });
  history.for_each_conversation([&](const History::Attribution& of) {
    const auto c = history.conversation(of.row);
    lines.insert(fmt::format("conversation {} {} {} {} {} {} {} {}", c.key, c.project, c.slug,
                             c.title, c.parent, c.model, c.mode, c.stores.size()));
    return true;
  });
  const Runs runs(history.words(), history.runs());
  const auto& database = runs.database();
  for (auto term = database.allterms_begin(); term != database.allterms_end(); ++term)
    if ((*term).front() != 'C')  // conversations go by their rows
      lines.insert(fmt::format("term {} {}", *term, database.get_termfreq(*term)));
  return lines;
}

Lines without(const Lines& all, const Lines& some) {
  Lines rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

class KeepingTest : public testing::Test {
 protected:
  void use_demo() { corpus::make_home(fs::path(CGREP_CORPUS) / "home", home()); }

  void transcript(const std::string& id, const std::vector<std::string>& texts,
                  const std::string& slug = "home-ada-widget") {
    std::string lines;
    for (const auto& text : texts)
      lines +=
          R"({"role":"user","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n";
    const auto path = dir_.write(file(id, slug), lines);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(++hours_));
  }

  static fs::path file(const std::string& id, const std::string& slug = "home-ada-widget") {
    return fs::path("home/.cursor/projects") / slug / "agent-transcripts" / id / (id + ".jsonl");
  }

  UpdateSummary run(UpdateOptions options = {}, const std::string& index = "index") {
    const Roots roots = find_roots([](const char*) { return std::nullopt; }, home());
    return update(dir_.path() / index, roots, options);
  }

  /// The same for one store.
  StoreSummary run_of(std::string_view store, const UpdateOptions& options) {
    for (const auto& each : run(options).stores)
      if (each.store->name == store) return each;
    return {};
  }

  static std::vector<const Store*> opt_ins() {
    std::vector<const Store*> stores;
    for (const Store* store : all_stores())
      if (store->searched == Searched::when_named) stores.push_back(store);
    return stores;
  }

  std::set<std::string> texts() {
    std::set<std::string> found;
    History history(index(), History::Mode::read);
    history.for_each_document([&](const StoredDocument& document) {
      const auto key = history.conversation(document.conversation).key;
      found.insert(fmt::format("{}:{} {}{}", key, document.number, history.text(document.row),
                               document.gone ? " gone" : ""));
      return true;
    });
    return found;
  }

  bool anywhere(const std::string& word) {
    for (const auto& entry : fs::recursive_directory_iterator(index()))
      if (entry.is_regular_file() && read_file(entry.path()).find(word) != std::string::npos)
        return true;
    return false;
  }

  void sql(const std::string& statements) {
    Database(uri_of(index() / "history.db", fmt::format("?vfs={}", checked_files())),
             SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI)
        .exec(statements);
    remove_seen(index());  // it does not know of what is written by hand
  }

  /// The first of a table's pages with rows.
  std::vector<std::int64_t> leaf_pages(const std::string& table, std::int64_t count) {
    History history(index(), History::Mode::read);
    auto rows = history.database().prepare(
        "SELECT pageno FROM dbstat WHERE name = ?1 AND pagetype = 'leaf' LIMIT ?2");
    rows.bind(1, table);
    rows.bind(2, count);
    std::vector<std::int64_t> pages;
    while (rows.step()) pages.push_back(rows.int64(0));
    return pages;
  }

  void damage(const std::vector<std::int64_t>& pages) {
    for (const auto page : pages) {
      constexpr std::int64_t kPage = 8192;
      std::fstream(index() / "history.db", std::ios::in | std::ios::out | std::ios::binary)
          .seekp((page - 1) * kPage)
          .write(std::string(kPage, '\x7f').data(), kPage);
    }
  }

  void copy_without_checksums(int schema);
  void make_schema_5();

  fs::path home() const { return dir_.path() / "home"; }
  fs::path index() const { return dir_.path() / "index"; }
  using Texts = std::set<std::string>;

  TempDir dir_{};
  int hours_ = 0;
};

TEST_F(KeepingTest, SmallStepsComeToTheSameAsOne) {
  use_demo();
  // All of one time: which of two stores is read first may decide whose words are kept.
  const auto an_hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& entry : fs::recursive_directory_iterator(home()))
    fs::last_write_time(entry, an_hour_ago);
  UpdateOptions steps;
  for (const char* name : {"bubbles", "composers", "prompts"})
    steps.stores.push_back(find_store(name));
  run(steps, "at once");
  steps.budget = std::chrono::milliseconds(1);
  steps.progress = [](const Progress&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  std::size_t left = run(steps).left;
  const std::size_t sources = left;
  std::size_t rounds = 0;
  for (; left > 0 && rounds < 1000; ++rounds) left = run(steps).left;
  EXPECT_EQ(left, 0u);
  EXPECT_GT(rounds, sources);  // a source with many conversations takes several
  UpdateOptions compact;
  compact.compact = true;  // a row that another replaced is still in its run
  compact.stores = steps.stores;
  run(compact);
  const auto in_steps = printed(index());
  const auto at_once = printed(dir_.path() / "at once");
  EXPECT_EQ(without(in_steps, at_once), Lines());
  EXPECT_EQ(without(at_once, in_steps), Lines());
}

class StateTest : public KeepingTest {
 protected:
  StateTest() {
    fs::create_directories(path().parent_path());
    change("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    set("composerData:c1",
        R"({"fullConversationHeadersOnly":[{"bubbleId":"b1"},{"bubbleId":"b2"}]})");
    set("bubbleId:c1:b1", R"({"type":1,"text":"first"})");
    set("bubbleId:c1:b2", R"({"type":2,"text":"second"})");
    set("other", "x");
  }

  fs::path path() const { return home() / ".config/Cursor/User/globalStorage/state.vscdb"; }

  void change(const std::string& statements) {
    Database(path(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE).exec(statements);
  }
  void set(const std::string& key, const std::string& value) {
    change("INSERT INTO cursorDiskKV VALUES ('" + key + "', '" + value + "')");
  }
};

TEST_F(StateTest, FullSeesWhatIsUpdatedInItsPlaceAndWhatIsDeletedBehindTheHeaders) {
  run();
  EXPECT_EQ(texts(), (Texts{"c1:1 first", "c1:2 second"}));
  change(R"(UPDATE cursorDiskKV SET value = '{"type":1,"text":"other"}' WHERE key LIKE '%b1')");
  change("DELETE FROM cursorDiskKV WHERE key LIKE '%b2'");
  run();
  EXPECT_EQ(texts(), (Texts{"c1:1 first", "c1:2 second"}));  // nobody can tell, cheaply
  const auto summary = run_of("bubbles", {.full = true});
  EXPECT_EQ(summary.documents, 1u);
  EXPECT_EQ(summary.gone, 1u);
  EXPECT_EQ(texts(), (Texts{"c1:1 other", "c1:2 second gone"}));
}

TEST_F(StateTest, AForgottenDocumentStaysOutWhereverItIsAndWhateverItSaysNow) {
  run();
  forget(index(), {.documents = {{"c1", 1}}}, {});
  EXPECT_EQ(texts(), (Texts{"c1:2 second"}));
  transcript("c1", {"first", "third"});  // another store has it, too
  run();
  EXPECT_EQ(texts(), (Texts{"c1:2 second", "c1:3 third"}));
  set("bubbleId:c1:b1", R"({"type":1,"text":"first, and more"})");
  run();
  run({.rebuild = true});
  EXPECT_EQ(texts(), (Texts{"c1:2 second", "c1:3 third"}));
}

TEST_F(KeepingTest, TheListOfWhatWasForgottenDoesNotTellIt) {
  transcript("c1", {"one"});
  run();
  forget(index(), {.conversations = {"c1"}}, {});
  Database database(index() / "history.db", SQLITE_OPEN_READONLY);
  auto entries = database.prepare("SELECT entry FROM kept_out");
  std::size_t count = 0;
  for (; entries.step(); ++count) {
    EXPECT_EQ(entries.blob(0).size(), 16u);
    EXPECT_NE(entries.blob(0), sha256("conversation\nc1").substr(0, 16));  // without salt
  }
  EXPECT_EQ(count, 2u);  // the conversation, and its prompt in the lists of prompts
}

TEST_F(KeepingTest, FullWritesNothingWhereNothingChanged) {
  use_demo();
  run({.opt_in = opt_ins()});
  const auto before = printed(index(), true);
  for (const auto& store : run({.full = true}).stores) {
    EXPECT_EQ(store.read, store.sources) << store.store->name;
    EXPECT_EQ(store.documents, 0u) << store.store->name;
    EXPECT_EQ(store.gone, 0u) << store.store->name;
  }
  EXPECT_EQ(printed(index(), true), before);
}

TEST_F(KeepingTest, ARebuiltIndexEqualsAFreshOne) {
  use_demo();
  run({.opt_in = opt_ins(), .compact = true});
  const auto before = printed(index(), true);
  run({.rebuild = true});
  EXPECT_EQ(without(before, printed(index(), true)), Lines{});
  run({.opt_in = opt_ins(), .compact = true}, "fresh");
  const auto fresh = printed(dir_.path() / "fresh");
  const auto rebuilt = printed(index());
  EXPECT_EQ(without(fresh, rebuilt), Lines{});
  EXPECT_EQ(without(rebuilt, fresh), Lines{});
}

// Damage may take both the text and what tells where it came from.
TEST_F(KeepingTest, ARebuildMendsTextsOfWhatHasLostItsSource) {
  transcript("c1", {"one", "two"});
  run();
  sql("DELETE FROM texts WHERE id = 1; UPDATE documents SET source = NULL, nth = NULL");
  run({.rebuild = true});
  EXPECT_EQ(texts(), (Texts{"c1:1 one", "c1:2 two"}));
}

TEST_F(KeepingTest, ARebuildKeepsWhatIsGoneAndMendsTexts) {
  transcript("c1", {"zero", "one", "two"});
  run();
  transcript("c1", {"one", "two", "three"});
  run();
  const Texts expected = {"c1:1 zero gone", "c1:2 one", "c1:3 two", "c1:4 three"};
  EXPECT_EQ(texts(), expected);
  sql("UPDATE texts SET frame = 'spoilt' WHERE id = 2; DELETE FROM texts WHERE id = 3");
  run({.full = true});
  EXPECT_THROW(texts(), Error);
  run({.rebuild = true});
  EXPECT_EQ(texts(), expected);
}

TEST_F(KeepingTest, ARebuildThatIsInterruptedLeavesWhatWasThere) {
  transcript("c1", {"one"});
  run();
  transcript("c1", {"one", "two"});
  const auto before = printed(index(), true);
  UpdateOptions options{.rebuild = true};
  options.progress = [&](const Progress& progress) {
    EXPECT_EQ(printed(index(), true), before);  // meanwhile
    if (progress.phase == "making words again") throw Error("killed");
  };
  EXPECT_THROW(run(options), Error);
  EXPECT_EQ(printed(index(), true), before);
}

TEST_F(KeepingTest, ADamagedHistoryIsSalvaged) {
  std::vector<std::string> many;
  for (int i = 0; i < 3000; ++i) many.push_back(fmt::format("message number {}", i));
  transcript("c1", many);
  transcript("c2", {"soon gone"});
  run();
  fs::remove(dir_.path() / file("c2"));
  run();
  forget(index(), {.documents = {{"c1", 7}}}, {});
  damage(leaf_pages("texts", 2));
  ASSERT_TRUE(is_damaged(index()));
  const auto summary = run({.rebuild = true});
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_NE(summary.warnings.front().find("history.damaged.db"), std::string::npos);
  EXPECT_TRUE(fs::exists(kept_aside(index())));
  EXPECT_FALSE(is_damaged(index()));
  const auto found = texts();
  EXPECT_EQ(found.size(), 3000u);
  EXPECT_TRUE(found.contains("c1:1 message number 0"));
  EXPECT_TRUE(found.contains("c2:1 soon gone gone"));
  EXPECT_FALSE(found.contains("c1:7 message number 6"));  // forgotten before
  forget(index(), {.documents = {{"c1", 1}}}, {});
  EXPECT_FALSE(fs::exists(kept_aside(index())));
}

// A bit of its row is enough: what is another's is not taken for its own, and stays.
TEST_F(KeepingTest, ACopyOfWhichADocumentWasMistakenFindsItsOwn) {
  use_demo();
  run();
  const auto before = printed(index(), true);
  const std::string one =
      "(SELECT c.document FROM copies c ORDER BY c.source DESC, c.identity LIMIT 1)";
  const std::string of = "(SELECT conversation FROM documents WHERE id = " + one + ")";
  for (const std::string& other :
       {"= " + of + " AND source IS NOT NULL", "= " + of + " AND source IS NULL",
        "!= " + of + " AND source IS NOT NULL"}) {
    SCOPED_TRACE(other);
    sql("UPDATE copies SET document = (SELECT id FROM documents WHERE NOT flags & 1 AND id != " +
        one + " AND conversation " + other + " LIMIT 1) WHERE document = " + one +
        " AND source = (SELECT max(source) FROM copies)");
    damage(leaf_pages("folders", 1));
    ASSERT_TRUE(is_damaged(index()));
    run({.rebuild = true});
    EXPECT_EQ(without(before, printed(index(), true)), Lines{});
    EXPECT_EQ(without(printed(index(), true), before), Lines{});
  }
}

TEST_F(KeepingTest, ARebuildCountsTheStoresOfDocumentsAnew) {
  use_demo();
  run();
  const auto before = printed(index(), true);
  sql("UPDATE documents SET stores = stores | 4");
  run({.rebuild = true});
  EXPECT_EQ(without(before, printed(index(), true)), Lines{});
}

// They stand in an index, too, and are known from there.
TEST_F(KeepingTest, NamesOfConversationsAreSaved) {
  use_demo();
  run();
  const auto before = printed(index(), true);
  damage(leaf_pages("conversations", 1));
  ASSERT_TRUE(is_damaged(index()));
  run({.rebuild = true});
  EXPECT_EQ(without(before, printed(index(), true)), Lines{});
  EXPECT_EQ(without(printed(index(), true), before), Lines{});
}

// Of both, that is: what sources have is told again, under its name; the rest has lost it.
TEST_F(KeepingTest, WhereNamesOfConversationsAreLostSourcesTellThem) {
  use_demo();
  transcript("c1", {"one", "soon gone"});
  run();
  transcript("c1", {"one"});
  run({.compact = true});  // all is in the file
  const auto before = printed(index());
  auto pages = leaf_pages("conversations", 1);
  pages.push_back(leaf_pages("sqlite_autoindex_conversations_1", 1).front());
  damage(pages);
  run({.rebuild = true});
  const auto lost = without(before, printed(index()));
  const auto found = without(printed(index()), before);
  for (const auto& line : lost) EXPECT_NE(line.find("true 2 soon gone"), std::string::npos) << line;
  for (const auto& line : found) EXPECT_NE(line.find(" salvaged-"), std::string::npos) << line;
  EXPECT_EQ(lost.size(), 1u);
  EXPECT_EQ(found.size(), 2u);  // it, and its conversation
}

// Nothing else on it is believed: what sources tell again keeps its number, what is gone is lost.
TEST_F(KeepingTest, OfDocumentsOnADamagedPageOnlyTheNumbersAreSaved) {
  use_demo();
  transcript("c1", {"one", "soon gone", "two"});
  run();
  transcript("c1", {"one", "two"});
  run({.compact = true});
  const auto before = printed(index());
  Database(index() / "history.db", SQLITE_OPEN_READWRITE)  // which writes no checksums
      .exec("UPDATE documents SET tool = 'garbage', stores = 4, position = 1, source = 1");
  ASSERT_TRUE(is_damaged(index()));
  run({.rebuild = true});
  const auto is_term = [](const std::string& line) { return line.starts_with("term "); };
  auto lost = without(before, printed(index()));
  auto added = without(printed(index()), before);
  std::erase_if(lost, is_term);
  std::erase_if(added, is_term);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_NE(lost.begin()->find("soon gone"), std::string::npos);
  EXPECT_EQ(added, Lines{});
}

TEST_F(KeepingTest, AHistoryThatIsNoDatabaseIsMadeAnew) {
  transcript("c1", {"one"});
  run();
  std::ofstream(index() / "history.db", std::ios::binary) << std::string(9000, 'x');
  run({.rebuild = true});
  EXPECT_EQ(texts(), (Texts{"c1:1 one"}));
}

TEST_F(KeepingTest, AHistoryOfWhichNothingIsSavedBecomesThatOfAFirstIndex) {
  use_demo();
  run();
  const auto first = printed(index(), true);
  std::ofstream(index() / "history.db", std::ios::binary) << std::string(9000, 'x');
  run({.rebuild = true});
  EXPECT_EQ(without(first, printed(index(), true)), Lines{});
  EXPECT_EQ(without(printed(index(), true), first), Lines{});
}

TEST_F(KeepingTest, CompactingMakesOneRunOfWhatIsCurrent) {
  for (int i = 0; i < 5; ++i) {
    transcript("c" + std::to_string(i), {"message", fmt::format("old{}", i)});
    run();
  }
  sql("UPDATE documents SET flags = flags");
  const auto before = printed(index(), true);
  const auto summary = run({.compact = true});
  ASSERT_TRUE(summary.compacted);
  EXPECT_LT(summary.compacted->second, summary.compacted->first);
  EXPECT_EQ(printed(index(), true), before);
  EXPECT_EQ(History(index(), History::Mode::read).runs().size(), 1u);
}

TEST_F(KeepingTest, CompactingLeavesNoGaps) {
  transcript("c1", {"one"});
  run();
  // No page becomes free, but all are half empty.
  sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
      "INSERT INTO notes SELECT 999, printf('%05d', i), zeroblob(300) FROM n;"
      "DELETE FROM notes WHERE source = 999 AND part % 2; PRAGMA wal_checkpoint(TRUNCATE)");
  const auto bytes = [&] { return fs::file_size(index() / "history.db"); };
  const auto before = bytes();
  const auto lines = printed(index(), true);
  run({.compact = true});
  EXPECT_LT(bytes(), before - before / 4);
  EXPECT_EQ(printed(index(), true), lines);
  // Nothing to do the second time.
  const auto written = fs::last_write_time(index() / "history.db");
  run({.compact = true});
  EXPECT_EQ(fs::last_write_time(index() / "history.db"), written);
}

TEST_F(KeepingTest, AnIndexOfSchema6IsReadAsItIs) {
  transcript("c1", {"one"});
  run();
  const auto before = printed(index(), true);
  sql("PRAGMA user_version = 6");
  EXPECT_EQ(run_of("transcripts", {}).read, 0u);
  EXPECT_EQ(printed(index(), true), before);
}

TEST_F(KeepingTest, AnExcludedProjectIsKeptOutAndComesBack) {
  transcript("c1", {"one"});
  transcript("c2", {"canarysong"}, "home-ada-secret");
  run();
  EXPECT_TRUE(anywhere("canarysong"));
  run({.exclude = {"home-ada-secret"}});
  EXPECT_EQ(texts(), (Texts{"c1:1 one"}));
  EXPECT_FALSE(anywhere("canarysong"));
  transcript("c2", {"canarysong", "more"}, "home-ada-secret");
  EXPECT_EQ(run_of("transcripts", {.exclude = {"home-ada-secret"}}).read, 0u);
  EXPECT_FALSE(anywhere("canarysong"));
  EXPECT_EQ(run_of("transcripts", {}).read, 1u);  // only what was left out
  EXPECT_EQ(texts(), (Texts{"c1:1 one", "c2:1 canarysong", "c2:2 more"}));
}

// A folder was renamed, and both projects have the conversation.
TEST_F(KeepingTest, WhatAlsoLiesInAnotherProjectIsReadThere) {
  const UpdateOptions without{.exclude = {"home-ada-secret"}};
  transcript("c1", {"one", "canarysong"}, "home-ada-secret");
  transcript("c2", {"deep canarysong"}, "home-ada-secret");
  run();
  transcript("c1", {"one", "two"});
  run();
  run(without);
  EXPECT_EQ(texts(), (Texts{"c1:1 one", "c1:3 two"}));
  EXPECT_FALSE(anywhere("canarysong"));
  transcript("c2", {"said elsewhere"});  // after it was kept out
  run(without);
  EXPECT_EQ(texts(), (Texts{"c1:1 one", "c1:3 two", "c2:1 said elsewhere"}));
  EXPECT_FALSE(anywhere("canarysong"));
  run();
  EXPECT_EQ(texts(), (Texts{"c1:1 one", "c1:3 two", "c1:4 canarysong", "c2:1 said elsewhere",
                            "c2:2 deep canarysong"}));
}

TEST_F(StateTest, AProjectThatIsKnownOnlyAfterReadingIsKeptOutToo) {
  set("composerData:c2",
      R"({"workspaceUri":"file:///home/ada/secret","fullConversationHeadersOnly":[{"bubbleId":"b1"}]})");
  set("bubbleId:c2:b1", R"({"type":1,"text":"canarysong"})");
  run({.exclude = {"/home/ada/secret"}});
  EXPECT_EQ(texts(), (Texts{"c1:1 first", "c1:2 second"}));
  EXPECT_FALSE(anywhere("canarysong"));
  run();
  EXPECT_TRUE(texts().contains("c2:1 canarysong"));
}

TEST_F(KeepingTest, WhatIsGoneForLongEnoughIsRemoved) {
  transcript("c1", {"old canarysong", "kept"});
  transcript("c2", {"there"});
  run();
  transcript("c1", {"kept"});
  constexpr std::int64_t kDay = 86'400'000;
  EXPECT_EQ(run({.retain = kDay}).expired, 0u);
  EXPECT_TRUE(texts().contains("c1:1 old canarysong gone"));
  sql("UPDATE documents SET gone = gone - 2 * 86400000 WHERE gone IS NOT NULL");
  EXPECT_EQ(run({}).expired, 0u);  // forever
  EXPECT_EQ(run({.retain = kDay}).expired, 1u);
  EXPECT_EQ(texts(), (Texts{"c1:2 kept", "c2:1 there"}));
  EXPECT_FALSE(anywhere("canarysong"));
  transcript("c1", {"old canarysong", "kept"});
  run({.retain = kDay});
  EXPECT_TRUE(texts().contains("c1:3 old canarysong"));  // it was not forgotten
}

TEST_F(KeepingTest, WhatComesBackIsNoLongerGoneSinceThen) {
  transcript("c1", {"one", "two"});
  run();
  transcript("c1", {"two"});
  run();
  transcript("c1", {"one", "two"});
  run();
  History history(index(), History::Mode::read);
  auto gone = history.database().prepare("SELECT count(*) FROM documents WHERE gone IS NOT NULL");
  ASSERT_TRUE(gone.step());
  EXPECT_EQ(gone.int64(0), 0);
}

TEST_F(KeepingTest, ARaisedVersionReadsThatStoreAgainAndOnlyThat) {
  use_demo();
  run();
  sql(fmt::format("UPDATE sources SET version = version - 1 WHERE store = {}",
                  find_store("bubbles")->id));
  for (const auto& store : run().stores)
    EXPECT_EQ(store.read, store.store->name == "bubbles" ? store.sources : 0u) << store.store->name;
}

// Of a vanished conversation no mark of another version tells.
TEST_F(StateTest, WhatVanishedBeforeARaisedVersionIsGone) {
  run();
  change("DELETE FROM cursorDiskKV WHERE key LIKE '%c1%'");
  sql("UPDATE sources SET version = version - 1; DELETE FROM notes");
  run();
  EXPECT_EQ(texts(), (Texts{"c1:1 first gone", "c1:2 second gone"}));
}

/// Every copy had a row of its own.
void KeepingTest::make_schema_5() {
  {
    History history(index(), History::Mode::write);
    std::vector<std::int64_t> rows;
    auto own = history.database().prepare("SELECT id FROM documents WHERE source IS NOT NULL");
    while (own.step()) rows.push_back(own.int64(0));
    own.reset();
    for (const auto row : rows) part_copy(history.database(), row);
  }
  sql("DROP TABLE held; DROP INDEX documents_identity; ALTER TABLE documents DROP COLUMN source;"
      "ALTER TABLE documents DROP COLUMN identity; ALTER TABLE documents DROP COLUMN nth;"
      "ALTER TABLE documents DROP COLUMN place; UPDATE claims SET teller = subject WHERE teller = "
      "'='; PRAGMA user_version = 5");
}

/// As SQLite writes it by itself.
void KeepingTest::copy_without_checksums(int schema) {
  const auto file = dir_.path() / "copy.db";
  {
    Database copy(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    auto attach = copy.prepare("ATTACH ?1 AS whole");
    attach.bind(1, (index() / "history.db").string());
    attach.run();
    std::vector<std::string> statements;
    auto tables = copy.prepare("SELECT sql, name, type FROM whole.sqlite_master WHERE sql NOTNULL");
    while (tables.step()) {
      statements.emplace_back(tables.text(0));
      if (tables.text(2) == "table")
        statements.push_back(
            fmt::format("INSERT INTO main.{0} SELECT * FROM whole.{0}", tables.text(1)));
    }
    tables.reset();
    for (const auto& statement : statements) copy.exec(statement);
    copy.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; DETACH whole",
                          0x63677270, schema));
    ASSERT_FALSE(has_checksums(copy));
  }
  fs::rename(file, index() / "history.db");
}

TEST_F(KeepingTest, AnIndexOfSchema5IsMigratedWithAllItHas) {
  transcript("c1", {"one", "two", "two"});
  transcript("c2", {"three"});
  run();
  const auto before = printed(index(), true);
  make_schema_5();
  EXPECT_EQ(run_of("transcripts", {}).read, 0u);
  EXPECT_EQ(printed(index(), true), before);
  run({.rebuild = true});  // finds all of them again
  EXPECT_EQ(printed(index(), true), before);
  transcript("c1", {"one", "two"});
  fs::remove(dir_.path() / file("c2"));
  run();
  EXPECT_EQ(texts(), (Texts{"c1:1 one", "c1:2 two", "c1:3 two gone", "c2:1 three gone"}));
}

TEST_F(KeepingTest, AnIndexOfSchema4LearnsWhatItsCopiesSay) {
  use_demo();
  run({.opt_in = opt_ins()});
  const auto facts = [&] {
    Lines lines;
    History history(index(), History::Mode::read);
    auto rows = history.database().prepare(
        "SELECT c.source, c.identity, c.position, c.flags, c.time, c.origin, d.position FROM "
        "copies c JOIN documents d ON d.id = c.document WHERE (SELECT count(*) FROM copies o WHERE "
        "o.document = d.id) = 1");
    while (rows.step())
      lines.insert(fmt::format("{} {} {} {} {} {} {}", rows.int64(0), rows.int64(1), rows.int64(2),
                               rows.int64(3), rows.text(4), rows.text(5), rows.int64(6)));
    return lines;
  };
  make_schema_5();
  run();
  const auto before = facts();
  ASSERT_GT(before.size(), 100u);
  make_schema_5();
  sql("UPDATE documents SET position = position - ((SELECT store FROM copies c WHERE c.document = "
      "documents.id) << 32) WHERE position < 0;"
      "UPDATE copies SET position = position - (store << 32) WHERE position < 0;"
      "ALTER TABLE copies DROP COLUMN flags; ALTER TABLE copies DROP COLUMN time;"
      "ALTER TABLE copies DROP COLUMN origin; DROP TABLE turns; PRAGMA user_version = 4");
  run();
  EXPECT_EQ(without(facts(), before), Lines{});
  EXPECT_EQ(without(before, facts()), Lines{});
}

TEST_F(KeepingTest, AnIndexOfSchema3GetsChecksumsAndSeals) {
  transcript("c1", {"one", "two"});
  run();
  const auto before = printed(index(), true);
  make_schema_5();
  sql("ALTER TABLE runs DROP COLUMN seal; UPDATE texts SET frame = substr(frame, 6);"
      "ALTER TABLE copies DROP COLUMN flags; ALTER TABLE copies DROP COLUMN time;"
      "ALTER TABLE copies DROP COLUMN origin; DROP TABLE turns");
  copy_without_checksums(3);
  EXPECT_EQ(run_of("transcripts", {}).read, 0u);
  EXPECT_EQ(printed(index(), true), before);
  History history(index(), History::Mode::read);
  EXPECT_TRUE(has_checksums(history.database()));
  for (const auto& each : history.runs()) EXPECT_FALSE(each.seal.empty());
}

// As the release before made it.
TEST_F(KeepingTest, AnIndexOfSchema2IsMigratedWithAllItHas) {
  transcript("c1", {"one", "two"});
  run();
  transcript("c1", {"two"});
  run();
  const auto before = printed(index(), true);
  make_schema_5();
  sql("DROP TABLE turns; DROP TABLE kept_out; DROP TABLE opted_out;"
      "DELETE FROM state WHERE key = 'salt';"
      "ALTER TABLE sources DROP COLUMN skipped; ALTER TABLE documents DROP COLUMN gone;"
      "ALTER TABLE dropped DROP COLUMN purge; ALTER TABLE runs DROP COLUMN seal;"
      "ALTER TABLE copies DROP COLUMN flags; ALTER TABLE copies DROP COLUMN time;"
      "ALTER TABLE copies DROP COLUMN origin;"
      "UPDATE texts SET frame = substr(frame, 6); PRAGMA user_version = 2");
  EXPECT_EQ(run_of("transcripts", {}).read, 0u);
  EXPECT_EQ(printed(index(), true), before);
  EXPECT_EQ(run({.retain = 86'400'000}).expired, 0u);  // gone since it is known
  EXPECT_EQ(run({.retain = -60'000}).expired, 1u);
  forget(index(), {.conversations = {"c1"}}, {});
  run({.rebuild = true});
  EXPECT_EQ(texts(), Texts{});
}

TEST_F(KeepingTest, AnIndexOfSchema4IsMigratedWithAllItHas) {
  transcript("c1", {"one", "two"});
  transcript("c2", {"three"});
  run();
  forget(index(), {.conversations = {"c2"}}, {});
  const auto before = printed(index(), true);
  make_schema_5();
  sql("DROP TABLE turns; ALTER TABLE copies DROP COLUMN flags;"
      "ALTER TABLE copies DROP COLUMN time; ALTER TABLE copies DROP COLUMN origin;"
      "PRAGMA user_version = 4");
  EXPECT_EQ(run_of("transcripts", {}).read, 0u);
  EXPECT_EQ(printed(index(), true), before);
  run({.turn = Turn{.conversation = "c1", .generation = "g", .time = 1'000}});
  {
    History history(index(), History::Mode::read);
    const auto conversation = history.conversation(history.row_of_conversation("c1").value());
    EXPECT_EQ(conversation.last->ms, 1'000);
  }
  run({.rebuild = true});
  EXPECT_FALSE(texts().contains("c2:1 three"));
}

TEST_F(KeepingTest, TheNameOfAForgottenFileGoesWithTheFile) {
  transcript("c1-zeppelin", {"one"}, "home-ada-airship");
  transcript("c2", {"two"});
  run();
  EXPECT_TRUE(anywhere("zeppelin"));
  forget(index(), {.conversations = {"c1-zeppelin"}}, {});
  fs::remove_all(dir_.path() / "home/.cursor/projects/home-ada-airship");
  run();
  EXPECT_FALSE(anywhere("zeppelin"));
  EXPECT_FALSE(anywhere("airship"));
}

TEST_F(KeepingTest, AFileThatComesBackIsKnownAgain) {
  transcript("c1", {"one", "two"});
  transcript("c2", {"other"});
  run();
  fs::remove_all((dir_.path() / file("c1")).parent_path());
  run();
  EXPECT_EQ(texts(), (Texts{"c1:1 one gone", "c1:2 two gone", "c2:1 other"}));
  transcript("c1", {"one", "two", "three"});
  run();
  EXPECT_EQ(texts(), (Texts{"c1:1 one", "c1:2 two", "c1:3 three", "c2:1 other"}));
  Database database(index() / "history.db", SQLITE_OPEN_READONLY);
  auto sources = database.prepare("SELECT count(*) FROM sources");
  ASSERT_TRUE(sources.step());
  EXPECT_EQ(sources.int64(0), 2);
}

TEST_F(KeepingTest, AForgottenConversationTakesItsAgentsAlong) {
  transcript("c1", {"one"});
  dir_.write("home/.cursor/projects/home-ada-widget/agent-transcripts/c1/subagents/c2.jsonl",
             R"({"role":"user","message":{"content":[{"type":"text","text":"canarysong"}]}})"
             "\n");
  run();
  ASSERT_TRUE(texts().contains("c2:1 canarysong"));
  forget(index(), {.conversations = {"c1"}}, {});
  EXPECT_EQ(texts(), Texts{});
  dir_.write("home/.cursor/projects/home-ada-widget/agent-transcripts/c1/subagents/c3.jsonl",
             R"({"role":"user","message":{"content":[{"type":"text","text":"canarysong"}]}})"
             "\n");
  run();
  EXPECT_EQ(texts(), Texts{});
  EXPECT_FALSE(anywhere("canarysong"));
}

// An interrupted removal is completed by the next writer.
TEST_F(KeepingTest, WhatIsLeftToCleanIsCleanedByTheNext) {
  transcript("c1", {"one"});
  run();
  sql("INSERT OR REPLACE INTO state VALUES ('cleaning', 2); INSERT INTO dropped VALUES (1, 1)");
  run();
  History history(index(), History::Mode::read);
  EXPECT_TRUE(history.dropped().empty());
}

TEST(Sha256Test, HashesAsTheStandardSays) {
  const auto hex = [](const std::string& bytes) {
    std::string text;
    for (const char byte : sha256(bytes))
      text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
  };
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

}  // namespace
}  // namespace cgrep::test
