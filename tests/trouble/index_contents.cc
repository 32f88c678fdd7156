#include "trouble/index_contents.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "extract/sqlite.h"
#include "hash.h"
#include "index/checked_files.h"
#include "index/history.h"
#include "index/runs.h"
#include "index/terms.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

/// By row: a hash of its terms and their counts. Conversations go by rows, so these are left out.
std::unordered_map<std::int64_t, std::uint64_t> words_by_row(History& history) {
  std::unordered_map<std::int64_t, std::uint64_t> words;
  const auto named = history.runs();
  if (named.empty()) return words;
  const Runs runs(history.words(), named);
  const auto& database = runs.database();
  for (auto term = database.allterms_begin(); term != database.allterms_end(); ++term) {
    if ((*term).front() == 'C') continue;
    const auto hash = hash64(*term);
    for (auto at = database.postlist_begin(*term); at != database.postlist_end(*term); ++at)
      words[runs.row_of(*at)] += detail::mix(hash, at.get_wdf() + 1);
  }
  return words;
}

std::string time_text(const std::optional<Time>& time) {
  return time ? fmt::format("{} {}", time->ms, name_of(time->origin)) : "none";
}

std::multiset<std::string> without(const std::multiset<std::string>& all,
                                   const std::multiset<std::string>& some) {
  std::multiset<std::string> rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

}  // namespace

IndexContents contents_of(const fs::path& index) {
  IndexContents contents;
  History history(index, History::Mode::read);
  const auto words = words_by_row(history);
  history.for_each_document([&](const StoredDocument& document) {
    const auto found = words.find(document.row);
    contents.documents.insert(fmt::format(
        "{} {} tool={} time={} files={} stores={} flags={}{}{}{}{} words={:x} {}",
        history.conversation(document.conversation).key, name_of(document.role), document.tool,
        time_text(document.time), document.files, document.stores, document.gone,
        document.delegated, document.orphan, document.truncated, document.repeated,
        found == words.end() ? 0 : found->second, history.text(document.row)));
    return true;
  });
  history.for_each_conversation([&](const History::Attribution& of) {
    const auto c = history.conversation(of.row);
    contents.conversations.insert(
        fmt::format("{} project={} slug={} title={} parent={} model={} mode={} branch={} "
                    "surface={} first={} last={} stores={} files={} tokens={} archived={}",
                    c.key, c.project, c.slug, c.title, c.parent, c.model, c.mode, c.branch,
                    c.surface, time_text(c.first), time_text(c.last), c.stores, c.files,
                    c.tokens.value_or(-1), c.archived));
    return true;
  });
  auto sources =
      history.database().prepare("SELECT store, path, version, size, missing, mark FROM sources");
  while (sources.step())
    contents.ledger.insert(fmt::format(
        "{} {} version={} size={} missing={} mark={:x}", sources.int64(0), sources.blob(1),
        sources.int64(2), sources.int64(3), sources.int64(4), hash64(sources.blob(5))));
  return contents;
}

std::string difference(const IndexContents& found, const IndexContents& expected) {
  std::string lines;
  const auto compare = [&](const char* what, const std::multiset<std::string>& one,
                           const std::multiset<std::string>& other) {
    for (const auto& line : without(one, other))
      lines += fmt::format("only there: {} {}\n", what, line);
    for (const auto& line : without(other, one))
      lines += fmt::format("missing: {} {}\n", what, line);
  };
  compare("document", found.documents, expected.documents);
  compare("conversation", found.conversations, expected.conversations);
  compare("source", found.ledger, expected.ledger);
  return lines;
}

void empty_journal(const fs::path& index) {
  Database(uri_of(index / "history.db", fmt::format("?vfs={}", checked_files())),
           SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI)
      .exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

std::vector<std::string> litter_in(const fs::path& index) {
  std::set<std::string> named = {"history.db", "history.db-wal", "history.db-shm", "lock",
                                 "checked",    "seen",           "turns",          "words"};
  History history(index, History::Mode::read);
  for (const auto& run : history.runs()) named.insert("words/" + run.name);
  auto retired = history.database().prepare("SELECT name FROM retired");
  while (retired.step()) named.insert("words/" + std::string(retired.text(0)));
  std::vector<std::string> litter;
  const auto look = [&](const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
      if (const auto name = entry.path().lexically_relative(index).string(); !named.contains(name))
        litter.push_back(name);
  };
  look(index);
  look(index / "words");
  if (fs::exists(index / "turns")) look(index / "turns");
  return litter;
}

}  // namespace cgrep::test
