// commits: commits whose lines Cursor has counted, in ai-code-tracking.db (see ai_tracking.h)
//   One document per commit of scored_commits, which has a row per branch that it is on.
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "extract/ai_tracking.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/stores.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "extract/whole_mark.h"

namespace cgrep {

namespace {

struct Commit {
  std::string hash{};
  std::string message{};
  std::string branches{};
  std::optional<std::int64_t> time{};
};

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_ai_tracking(*find_store("commits"), roots, folders, found);
}

// Returns whether all of them could be read.
bool read_commits(SourceDatabase& database, Sink& sink, std::vector<Commit>& commits) {
  std::map<std::string, std::size_t> places;
  return for_each_row(database, "scored_commits",
                      {"commitHash", "branchName", "commitMessage", "commitDate", "scoredAt"}, sink,
                      [&](const Row& row) {
                        if (row[0].empty())
                          return sink.problem({.what = "commit without a hash",
                                               .example = fmt::format("row {}", row.id),
                                               .passing = true});
                        const auto [place, fresh] =
                            places.try_emplace(repaired_utf8(row[0]), commits.size());
                        if (fresh) commits.push_back({.hash = place->first});
                        auto& commit = commits[place->second];
                        if (commit.message.empty()) commit.message = trimmed(row[2]);
                        if (!row[1].empty())
                          commit.branches += (commit.branches.empty() ? "" : "\n") + row[1];
                        if (!commit.time) commit.time = parse_commit_time(row[3]);
                        if (!commit.time) commit.time = parse_time(row[4]);
                      });
}

Document document_of(const Commit& commit, const std::string& conversation) {
  Document document{.store = "commits", .conversation = conversation, .role = Role::summary};
  for (const auto& part : {commit.message, commit.branches, commit.hash}) {
    if (part.empty()) continue;
    if (!document.text.empty()) document.text += '\n';
    document.text += part;
  }
  document.identity.key = commit.hash;
  if (commit.time) document.time = Time{*commit.time};
  return document;
}

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    std::vector<Commit> commits;
    WholeMark mark(source.mark);
    const bool complete = read_commits(database, sink, commits);
    if (!complete) mark.incomplete();
    if (commits.empty()) return mark.end(0, sink);
    const auto conversation = made_up_conversation(source);
    mark.begin(conversation, sink);
    std::uint64_t position = 0;
    for (const auto& commit : commits) {
      auto document = document_of(commit, conversation);
      document.position = ++position;
      deliver(std::move(document), sink);
    }
    Claims(conversation, sink).add(Fact::title, rung::title::plan, "commits");
    return mark.end(0, sink);
  });
}

constexpr std::array<std::string_view, 2> kAliases = {"commit", "ai-commit"};

}  // namespace

extern constinit const Store commits;
constinit const Store commits{.id = 13,
                              .name = "commits",
                              .summary = "commits with the agent's share in them",
                              .searched = Searched::when_named,
                              .aliases = kAliases,
                              .version = 1,
                              .database = true,
                              .discover = discover,
                              .extract = extract};

}  // namespace cgrep
