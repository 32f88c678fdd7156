// What must never be read: canaries in every place that holds secrets, or copies of whole files.
// They are looked for in all that cgrep keeps and prints, with every store indexed.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "corpus/make_home.h"
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

INSTANTIATE_TEST_SUITE_P(Homes, PrivacyTest, testing::Values("home", "homes/canaries/home"),
                         [](const auto& home) {
                           return std::string(home.index == 0 ? "demo" : "canaries");
                         });

}  // namespace
}  // namespace cgrep::test
