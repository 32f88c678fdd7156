// Every flag of every command does something: with it the answer is another than without. A flag
// that is declared, and neither asked for here nor named as tested elsewhere, fails.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/corpus_home.h"
#include "cli/option_table.h"

namespace cgrep::test {
namespace {

using Words = std::vector<std::string>;

struct Try {
  std::string flag{};  // its long name
  Words without{};     // the line it is added to, without the command
  Words value{};
};

// Filters of documents, after words that all commands with filters can do with.
const std::vector<Try> kFilters = {
    {"store", {}, {"plans"}},
    {"project", {}, {"tidelab"}},
    {"here", {}, {}},
    {"role", {}, {"user"}},
    {"since", {}, {"2026-06"}},
    {"until", {}, {"2026-01"}},
    {"conversation", {}, {"3f2a9c1e"}},
    {"model", {}, {"gpt-4"}},
    {"tool", {}, {"Shell"}},
    {"file", {}, {"refresh.ts"}},
    {"no-subagents", {}, {}},
    {"gone", {}, {}},
    {"no-gone", {}, {}},
};
const std::vector<Try> kPatterns = {
    {"whole-words", {"tokens"}, {}},      {"fixed-strings", {"efresh_tok"}, {}},
    {"extended-regexp", {"tok.n"}, {}},   {"regexp", {"--role", "user"}, {"token"}},
    {"ignore-case", {"-F", "TOKEN"}, {}}, {"case-sensitive", {"TOKEN"}, {}},
    {"smart-case", {"TOKEN"}, {}},        {"line-regexp", {"-F", "token"}, {}},
    {"perl-regexp", {"token"}, {}},       {"sort", {"token"}, {"oldest"}},
    {"limit", {"token"}, {"1"}},          {"json", {"token"}, {}},
    {"color", {"token"}, {"always"}},     {"list", {"token"}, {}},
    {"null", {"-l", "token"}, {}},
};
const std::vector<Try> kReading = {
    {"turn", {"3f2a9c1e:9"}, {}},   {"tools", {"3f2a9c1e"}, {"none"}},
    {"thinking", {"3f2a9c1e"}, {}}, {"no-thinking", {"--thinking", "3f2a9c1e"}, {}},
    {"all", {"3f2a9c1e"}, {}},
};
const std::map<std::string, std::vector<Try>> kOthers = {
    {"search",
     {{"strict", {"token", "--refresh", "never"}, {}},
      {"explain", {"token"}, {}},
      {"list-without", {"token"}, {}},
      {"count", {"token"}, {}},
      {"quiet", {"token"}, {}},
      {"by", {"token"}, {"role"}},
      {"line-number", {"-N", "token"}, {}},
      {"no-line-number", {"token"}, {}},
      {"heading", {"token"}, {}},
      {"no-heading", {"--heading", "token"}, {}},
      {"after-context", {"token"}, {"1"}},
      {"before-context", {"token"}, {"1"}},
      {"context", {"token"}, {"1"}},
      {"around", {"token"}, {"1"}},
      {"only-matching", {"token"}, {}},
      {"max-count", {"token"}, {"1"}}}},
    {"log", {}},
    {"show",
     {{"role", {"3f2a9c1e"}, {"user"}},
      {"json", {"3f2a9c1e"}, {}},
      {"heading", {"--no-heading", "3f2a9c1e"}, {}},
      {"no-heading", {"3f2a9c1e"}, {}},
      {"color", {"3f2a9c1e"}, {"always"}}}},
    {"export",
     {{"format", {"3f2a9c1e"}, {"html"}},
      {"query", {"3f2a9c1e"}, {"token"}},
      {"limit", {"--query", "token"}, {"1"}}}},
    {"stats",
     {{"by", {}, {"role"}}, {"limit", {}, {"1"}}, {"json", {}, {}}, {"color", {}, {"always"}}}},
    {"status", {{"json", {}, {}}}},
    {"stores", {{"json", {}, {}}}},
    {"fields", {}},
    {"doctor", {{"json", {}, {}}}},
    {"hook", {{"json", {"status"}, {}}}},
    {"index", {{"store", {}, {"plans"}}, {"full", {}, {}}, {"rebuild", {}, {}}, {"quiet", {}, {}}}},
    {"forget",
     {{"query", {"--dry-run", "--gone"}, {"token"}},
      {"gone", {"--dry-run", "--query", "token"}, {}},
      {"store", {"--dry-run", "--query", "token"}, {"plans"}},
      {"project", {"--dry-run", "--query", "token"}, {"tidelab"}},
      {"role", {"--dry-run", "--query", "token"}, {"user"}},
      {"since", {"--dry-run", "--query", "token"}, {"2026-06"}},
      {"until", {"--dry-run", "--query", "token"}, {"2026-01"}}}},
    {"resume", {}},
    {"completion", {}},
    {"help", {}},
};
// What each command with filters needs besides.
const std::map<std::string, Words> kFiltered = {
    {"search", {"token"}}, {"log", {}}, {"stats", {}}, {"export", {"--query", "token"}}};

// These have tests of their own: what they change is no answer, or takes more than one line.
const std::set<std::string> kElsewhere = {
    "refresh", "refresh-budget", "pager",       "redact",  "no-redact", "index",
    "root",    "json-schema",    "fields json", "version", "help",      "output",
    "force",   "compact",        "lazy",        "exec",    "yes",       "dry-run"};

std::vector<Try> tries_of(const std::string& command) {
  std::vector<Try> tries = kOthers.at(command);
  const auto add = [&](const std::vector<Try>& more) {
    tries.insert(tries.end(), more.begin(), more.end());
  };
  if (command == "search" || command == "log") add(kPatterns);
  if (command == "show" || command == "export") add(kReading);
  if (const auto words = kFiltered.find(command); words != kFiltered.end())
    for (Try filter : kFilters) {
      filter.without = words->second;
      tries.push_back(std::move(filter));
    }
  return tries;
}

class FlagsTest : public CorpusHome {
 protected:
  FlagsTest() {
    make("home");
    cgrep({"index", "-q"});
    std::filesystem::remove_all(transcripts() / "8c41d7aa-90be-4f57-b2c3-1d6f0e9a3b58");
    cgrep({"index", "-q"});
  }

  std::filesystem::path transcripts() const {
    return home() / ".cursor/projects/home-mira-lanternpost/agent-transcripts";
  }

  /// A new conversation, with a damaged line; says which.
  std::string say_something() {
    const std::string id = "feed" + std::to_string(1000 + said_++) + "-0000-4000-8000-000000000000";
    std::filesystem::create_directories(transcripts() / id);
    std::ofstream(transcripts() / id / (id + ".jsonl"))
        << R"({"role":"user","message":{"content":[{"type":"text","text":"a new word"}]}})"
        << "\n{\"role\":\n";
    return id;
  }

  const RunResult& answer(const Words& words) {
    const auto [known, added] = answers_.try_emplace(words);
    if (added) known->second = cgrep(words);
    return known->second;
  }

 private:
  std::map<Words, RunResult> answers_{};
  int said_ = 0;
};

TEST_F(FlagsTest, EachChangesTheAnswer) {
  for (const auto& [command, others] : kOthers)
    for (const Try& each : tries_of(command)) {
      Words words{command};
      words.insert(words.end(), each.without.begin(), each.without.end());
      const RunResult& without = answer(words);
      words.push_back("--" + each.flag);
      words.insert(words.end(), each.value.begin(), each.value.end());
      const RunResult& with = answer(words);
      EXPECT_NE(without.code, 2) << command << " " << each.flag << ": " << without.err;
      EXPECT_TRUE(with.code != without.code || with.out != without.out)
          << command << " --" << each.flag << " changes nothing";
    }
}

TEST_F(FlagsTest, RefreshIsLeftOutWhereItIsRefused) {
  for (const std::string command : {"search", "log", "show", "export", "resume", "stats", "doctor"})
    for (const Words& refused : {Words{"--refresh", "never"}, Words{"--refresh-budget", "0"}}) {
      const std::string id = say_something();
      Words words{command};
      if (command == "search") words.insert(words.end(), {"-l", "new"});
      if (command == "show" || command == "export" || command == "resume") words.push_back(id);
      Words as_it_is = words;
      as_it_is.insert(as_it_is.end(), refused.begin(), refused.end());
      words.insert(words.end(), {"--refresh", "always"});
      const auto before = cgrep(as_it_is);
      const auto after = cgrep(words);
      EXPECT_TRUE(before.out != after.out || before.err != after.err)
          << command << " " << refused.front() << " changes nothing\n"
          << before.out << before.err;
    }
}

TEST_F(FlagsTest, OfEachCommand) {
  for (const Command& command : all_commands())
    EXPECT_TRUE(kOthers.contains(std::string(command.name))) << command.name;
}

TEST_F(FlagsTest, EachIsTried) {
  for (const auto& [name, others] : kOthers) {
    std::set<std::string> tried = kElsewhere;
    for (const Try& each : tries_of(name)) tried.insert(each.flag);
    OptionTable table;
    for (const Command& command : all_commands())
      if (command.name == name) command.declare(table);
    for (const Option& option : table)
      for (const std::string& flag : option.longs())
        EXPECT_TRUE(tried.contains(flag) || tried.contains(name + " " + flag))
            << name << " --" << flag;
  }
}

TEST_F(FlagsTest, ShortNamesMeanTheSame) {
  const std::vector<std::pair<Words, Words>> same = {
      {{"-w", "tokens"}, {"--whole-words", "tokens"}},
      {{"-F", "efresh_tok"}, {"--fixed-strings", "efresh_tok"}},
      {{"-E", "tok.n"}, {"--extended-regexp", "tok.n"}},
      {{"-e", "tok.n"}, {"--regexp", "tok.n"}},
      {{"-F", "-i", "TOKEN"}, {"-F", "--ignore-case", "TOKEN"}},
      {{"-s", "Token"}, {"--case-sensitive", "Token"}},
      {{"-S", "Token"}, {"--smart-case", "Token"}},
      {{"-x", "-F", "token"}, {"--line-regexp", "-F", "token"}},
      {{"-P", "token"}, {"--perl-regexp", "token"}},
      {{"-p", "tidelab", "csv"}, {"--project", "tidelab", "csv"}},
      {{"-l", "token"}, {"--list", "token"}},
      {{"-L", "token"}, {"--list-without", "token"}},
      {{"-c", "token"}, {"--count", "token"}},
      {{"-q", "token"}, {"--quiet", "token"}},
      {{"-N", "-n", "token"}, {"--no-line-number", "--line-number", "token"}},
      {{"-N", "token"}, {"--no-line-number", "token"}},
      {{"-A1", "token"}, {"--after-context", "1", "token"}},
      {{"-B1", "token"}, {"--before-context", "1", "token"}},
      {{"-C1", "token"}, {"--context", "1", "token"}},
      {{"-o", "token"}, {"--only-matching", "token"}},
      {{"-0", "-l", "token"}, {"--null", "-l", "token"}},
      {{"-m1", "token"}, {"--max-count", "1", "token"}},
  };
  for (const auto& [brief, full] : same) {
    const RunResult& a = answer(brief);
    const RunResult& b = answer(full);
    EXPECT_EQ(a.code, b.code) << brief.front();
    EXPECT_EQ(a.out, b.out) << brief.front();
  }
}

}  // namespace
}  // namespace cgrep::test
