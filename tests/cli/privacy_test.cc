// What must never be read: canaries in every place that holds secrets, or copies of whole files.
// They are looked for in all that cgrep keeps and prints, with every store indexed.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "corpus/make_home.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/history.h"
#include "index/runs.h"
#include "index/vocabulary.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool mentions(const std::string& text, const std::string& token) {
  return lower(text).find(lower(token)) != std::string::npos;
}

class PrivateHome : public testing::Test {
 protected:
  void make(const fs::path& home) { corpus::make_home(home, home_.path() / "home"); }

  RunResult cgrep(std::vector<std::string> words) {
    for (const auto& word :
         {std::string("--root"), (home_.path() / "home").string(), std::string("--index"), index()})
      words.push_back(word);
    return run_cgrep(words);
  }

  std::string index() const { return (home_.path() / "index").string(); }

  void index_everything() {
    for (const Store* store : all_stores())
      if (store->searched == Searched::when_named)
        opted_in_ += (opted_in_.empty() ? "" : ",") + std::string(store->name);
    EXPECT_EQ(cgrep({"index", "-q"}).code, 0);
    const auto result = cgrep({"index", "--store", opted_in_});
    EXPECT_EQ(result.code, 0) << result.err;
    output_ += result.out + result.err;
  }

  /// All that the commands print of the index.
  std::string all_output() {
    std::string all = output_;
    const auto add = [&](const std::vector<std::string>& words) {
      const auto result = cgrep(words);
      all += result.out + result.err;
    };
    for (const char* roles : {"system", "!system"})
      for (const char* format : {"--json", "--heading", "--no-heading"})
        add({"--store", "all," + opted_in_, "--role", roles, format});
    add({"stores"});
    add({"stores", "--json"});
    add({"doctor"});
    add({"doctor", "--json"});
    History history(index(), History::Mode::read);
    history.for_each_conversation([&](const History::Attribution& of) {
      const auto address = history.conversation(of.row).key;
      add({"show", "--all", address});
      add({"show", "--all", "--json", address});
      return true;
    });
    return all;
  }

  /// The places that hold the token: texts, terms, vocabulary, files, output.
  std::set<std::string> places_with(const std::string& token) {
    std::set<std::string> places;
    History history(index(), History::Mode::read);
    history.for_each_document([&](const StoredDocument& document) {
      if (mentions(history.text(document.row), token)) places.insert("texts");
      return true;
    });
    const Runs runs(history.words(), history.runs());
    const auto terms = runs.database();
    for (auto term = terms.allterms_begin(); term != terms.allterms_end(); ++term)
      if (mentions(*term, token)) places.insert("terms");
    for (const auto& vocabulary : runs.vocabularies())
      if (mentions(std::string(vocabulary.words()), token)) places.insert("vocabulary");
    for (const auto& entry : fs::recursive_directory_iterator(index()))
      if (entry.is_regular_file() && mentions(read_file(entry.path()), token))
        places.insert("files");
    if (mentions(all_output(), token)) places.insert("output");
    return places;
  }

  TempDir home_{};
  std::string opted_in_{};
  std::string output_{};
};

class PrivacyTest : public PrivateHome, public testing::WithParamInterface<const char*> {};

TEST_P(PrivacyTest, NoCanaryIsKeptOrPrinted) {
  make(fs::path(CGREP_CORPUS) / GetParam());
  index_everything();
  History history(index(), History::Mode::read);
  EXPECT_GT(history.document_count(), 5U);
  EXPECT_EQ(places_with("CANARY"), std::set<std::string>{});
}

// The same search finds a token that stands where everybody may read.
TEST_F(PrivateHome, ACanaryInATextWouldBeFound) {
  make(fs::path(CGREP_CORPUS) / "homes/canaries/home");
  home_.write(
      "home/.cursor/projects/home-ada-widget/agent-transcripts/c0ffee00-0000-4000-8000-"
      "0000000000bb.jsonl",
      R"({"role":"user","message":{"content":"who is CANARY-singing here"}})"
      "\n");
  index_everything();
  const std::set<std::string> everywhere = {"files", "output", "terms", "texts", "vocabulary"};
  EXPECT_EQ(places_with("CANARY"), everywhere);
}

// No file with secrets is opened at all.
TEST_P(PrivacyTest, NoSecretFileIsOpened) {
  if (run_program({"strace", "-o", "/dev/null", "true"}).code != 0)
    GTEST_SKIP() << "strace is not there, or not allowed";
  make(fs::path(CGREP_CORPUS) / GetParam());
  index_everything();
  fs::remove_all(index());
  const auto log = (home_.path() / "strace").string();
  RunOptions options;
  options.environment = {{"ASAN_OPTIONS", "detect_leaks=0"}};
  const auto result = run_program({"strace", "-f", "-e", "trace=open,openat,openat2", "-o", log,
                                   CGREP_BINARY, "index", "--store", "all," + opted_in_, "--root",
                                   (home_.path() / "home").string(), "--index", index()},
                                  options);
  EXPECT_EQ(result.code, 0) << result.err;
  const auto opened = read_file(log);
  EXPECT_NE(opened.find("state.vscdb"), std::string::npos);
  for (const char* never :
       {"auth.json", "mcp-auth", "cli-config", "mcp.json", ".cursor_info", "storage.json",
        ".backup", ".corrupt", "worker.log", "statsig", "argv.json", "User/History", "checkpoints",
        "worktrees/widget/one", "extensions", "canvas.tsx", "lookup.json", "agent-cli-state",
        "ide_state"})
    EXPECT_EQ(opened.find(never), std::string::npos) << never;
}

// Rows that must never be selected are traps: their values go on in pages that lead nowhere, so
// that who reads one is told that the database is damaged. Who reads only keys is not.
class TrappedRows : public PrivateHome {
 protected:
  static constexpr std::size_t kPage = 4096;

  void add(const std::string& table, const std::string& key, const std::string& value) {
    auto row = state_->prepare("INSERT INTO " + table + " VALUES (?1, ?2)");
    row.bind(1, key);
    row.bind(2, value);
    row.run();
  }

  void trap(const std::string& table, const std::string& key) {
    add(table, key, std::string(3 * kPage, '!'));
  }

  void open() {
    fs::create_directories(path_.parent_path());
    state_.emplace(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    state_->exec("PRAGMA page_size = 4096; PRAGMA journal_mode = DELETE");
    for (const char* table : {"ItemTable", "cursorDiskKV"})
      state_->exec(std::string("CREATE TABLE ") + table +
                   " (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  }

  /// Sets the traps: pages full of the value get a next page that is none.
  void close() {
    state_.reset();
    auto bytes = read_file(path_);
    for (std::size_t at = 0; at + kPage <= bytes.size(); at += kPage)
      if (bytes.find_first_not_of('!', at + 4) >= at + kPage)
        bytes.replace(at, 4, "\xff\xff\xff\xff");
    home_.write("home/.config/Cursor/User/globalStorage/state.vscdb", bytes);
  }

  fs::path path_ = home_.path() / "home/.config/Cursor/User/globalStorage/state.vscdb";
  std::optional<Database> state_{};
};

TEST_F(TrappedRows, AreNeverSelected) {
  open();
  for (const char* key :
       {"cursorAuth/accessToken", "cursorAuth/refreshToken", "cursorAuth/cachedEmail",
        "secret://{\"extensionId\":\"x\",\"key\":\"y\"}", "some.apiKey", "github.auth",
        "x.credentials"})
    trap("ItemTable", key);
  for (const char* key :
       {"checkpointId:c1:x", "ofsContent:c1:x", "composer.content.0123", "secret:x"})
    trap("cursorDiskKV", key);
  add("cursorDiskKV", "bubbleId:88888888-cccc-4000-8000-000000000008:b1",
      R"({"_v":3,"type":1,"text":"a good neighbour"})");
  close();
  index_everything();
  EXPECT_EQ(output_.find("problem"), std::string::npos) << output_;
  EXPECT_EQ(cgrep({"doctor"}).out, "nothing is wrong\n");
  EXPECT_EQ(cgrep({"-l", "neighbour"}).out, "88888888\n");
}

// The trap works: a row that may be read is found damaged.
TEST_F(TrappedRows, WouldBeNoticed) {
  open();
  trap("cursorDiskKV", "bubbleId:88888888-cccc-4000-8000-000000000008:b1");
  close();
  index_everything();
  EXPECT_NE(cgrep({"doctor"}).out.find("damaged"), std::string::npos) << output_;
}

/// Paths and modes, as the system sees them.
class TracedTest : public PrivateHome {
 protected:
  TracedTest() { make(fs::path(CGREP_CORPUS) / "home"); }

  void SetUp() override {
    if (run_program({"strace", "-o", "/dev/null", "true"}).code != 0)
      GTEST_SKIP() << "strace is not there, or not allowed";
  }

  /// Lines of strace, one per call. Files are made with umask 0.
  std::vector<std::string> traced(const std::string& calls, const std::string& words,
                                  std::map<std::string, std::string> environment = {}) {
    const auto log = (home_.path() / "strace").string();
    environment["ASAN_OPTIONS"] = "detect_leaks=0";
    environment["TRACED"] = log;
    environment["TMPDIR"] = (home_.path() / "tmp").string();
    fs::create_directories(home_.path() / "tmp");
    const auto result =
        run_shell("umask 0; strace -f -s 4096 -e trace=" + calls + " -o \"$TRACED\" \"$CGREP\" " +
                      words + " --root " + (home_.path() / "home").string() + " --index " + index(),
                  {.environment = environment});
    EXPECT_LT(result.code, 2) << result.err;
    return lines_of(read_file(log));
  }
};

/// The mode of a call that makes a file or a folder; absent of one that does not.
std::optional<unsigned> mode_made(const std::string& line) {
  const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
  if (!has("mkdir") && !has("O_CREAT") && !has("O_TMPFILE")) return std::nullopt;
  const auto end = line.rfind(") = ");
  if (end == std::string::npos) return std::nullopt;
  const auto comma = line.rfind(", ", end);
  return static_cast<unsigned>(std::stoul(line.substr(comma + 2, end - comma - 2), nullptr, 8));
}

// Not made for all and changed later: a descriptor that somebody opened in between would stay. Nor
// where others have theirs, not even for a moment.
TEST_F(TracedTest, FilesArePrivateFromTheFirstByte) {
  std::size_t made = 0;
  for (const char* words :
       {"index", "index --store chats,agentkv,diffs,terminals", "auth", "index --compact",
        "index --rebuild", "forget --yes --store chats", "doctor"})
    for (const auto& line :
         traced("open,openat,openat2,creat,mkdir,mkdirat,chmod,fchmodat", words)) {
      EXPECT_EQ(line.find("creat("), std::string::npos) << line;
      const auto mode = mode_made(line);
      if (!mode || line.find("/dev/") != std::string::npos) continue;
      ++made;
      EXPECT_EQ(*mode & 077U, 0U) << line;
      EXPECT_NE(line.find(index()), std::string::npos) << line;
    }
  EXPECT_GT(made, 10U);
}

// Also a database whose -wal was left behind is read where it is: a copy could be left behind, too.
TEST_F(TracedTest, NoCopiesAreMade) {
  const auto state = home_.path() / "home/.config/Cursor/User/globalStorage/state.vscdb";
  ASSERT_TRUE(fs::exists(state));
  const auto aside = home_.path() / "aside";
  fs::create_directories(aside);
  {
    Database database(state, SQLITE_OPEN_READWRITE);
    database.exec("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0");
    database.exec(
        R"(INSERT INTO cursorDiskKV VALUES ('bubbleId:88888888-cccc-4000-8000-000000000008:b1',)"
        R"('{"_v":3,"type":1,"text":"left behind"}'))");
    for (const char* name : {"state.vscdb", "state.vscdb-wal"})
      fs::copy_file(state.parent_path() / name, aside / name);
  }
  for (const char* name : {"state.vscdb", "state.vscdb-wal"})
    fs::copy_file(aside / name, state.parent_path() / name, fs::copy_options::overwrite_existing);
  std::size_t made = 0;
  for (const auto& line : traced("open,openat,openat2,creat,mkdir,mkdirat", "index")) {
    if (!mode_made(line) || line.find("/dev/") != std::string::npos) continue;
    ++made;
    EXPECT_NE(line.find(index()), std::string::npos) << line;
  }
  EXPECT_GT(made, 1U);
  EXPECT_EQ(cgrep({"-l", "--refresh", "never", "-F", "left behind"}).out, "88888888\n");
}

// With --root nothing else is looked at, not even by stat: whatever the environment says, whatever
// paths and links the history names. Where a link leads, and that this is outside, its name tells.
TEST_F(TracedTest, ACopiedHomeIsNeverLeft) {
  const auto decoy = home_.path() / "decoy";
  corpus::make_home(fs::path(CGREP_CORPUS) / "home", decoy);
  fs::create_directory_symlink(decoy / ".cursor/projects",
                               home_.path() / "home/.cursor/projects/linked");
  const auto folder = decoy.string();
  const std::map<std::string, std::string> environment = {
      {"HOME", folder},
      {"XDG_CONFIG_HOME", folder + "/.config"},
      {"CURSOR_DATA_DIR", folder + "/.cursor"},
      {"CURSOR_CONFIG_DIR", folder + "/.config/cursor"},
      {"CURSOR_AGENT_HOME", folder + "/.cursor"},
      {"CGREP_WSL_USERS_ROOT", folder}};
  const std::string theirs = "\"" + folder + "/";
  for (const char* words : {"index", "index --full", "auth", "stores", "doctor"})
    for (const auto& line : traced("%file", words, environment)) {
      const auto at = line.find(theirs);
      if (at == std::string::npos || line.find("readlink") != std::string::npos) continue;
      const auto path =
          line.substr(at + theirs.size(), line.find('"', at + 1) - at - theirs.size());
      EXPECT_TRUE(path.starts_with(".config/cgrep")) << words << ": " << line;
    }
}

INSTANTIATE_TEST_SUITE_P(Homes, PrivacyTest, testing::Values("home", "homes/canaries/home"),
                         [](const auto& home) {
                           return std::string(home.index == 0 ? "demo" : "canaries");
                         });

}  // namespace
}  // namespace cgrep::test
