// commits: commits whose lines Cursor has counted, in ai-code-tracking.db (see ai_tracking.h)
//   One document per commit of scored_commits, which has a row per branch that it is on.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "extract/ai_tracking.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/stores.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kTable = "scored_commits";

struct Commit {
  std::string hash{};
  std::string message{};
  std::string branches{};
  std::optional<std::int64_t> time{};
};

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_ai_tracking(*find_store("commits"), roots, folders, found);
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

Commit commit_of(const std::string& hash, const std::vector<Row>& rows) {
  Commit commit{.hash = hash};
  for (const auto& row : rows) {
    if (commit.message.empty()) commit.message = trimmed(row[2]);
    if (!row[1].empty()) commit.branches += (commit.branches.empty() ? "" : "\n") + row[1];
    if (!commit.time) commit.time = parse_commit_time(row[3]);
    if (!commit.time) commit.time = parse_time(row[4]);
  }
  return commit;
}

/// What changed since the reading that returned the source's mark. Of each commit it is noted,
/// under a hash of its name, when its rows were written, and a hash of its text, which is compared
/// once a day.
class Reader {
 public:
  Reader(const Source& source, SourceDatabase& database, Sink& sink)
      : database_(database),
        sink_(sink),
        since_(rows_since(database, source.mark, kTable, {"commitHash"})),
        conversation_(made_up_conversation(source)),
        read_before_(!source.mark.empty()) {}

  std::string read() {
    const auto name_of = [](std::string_view text) { return repaired_utf8(text); };
    const auto commits = group_rows(database_, kTable, {"commitHash", "branchName", "scoredAt"},
                                    sink_, name_of, "commit without a hash");
    if (!commits) return {};
    if (!since_ || !since_->first || any_vanished(*commits)) {
      for (const auto& part : sink_.noted_parts()) sink_.forget_note(part);
      if (read_before_ || !commits->empty()) sink_.whole(conversation_);
    } else {
      sink_.more(conversation_);
    }
    const bool complete = for_each_group(
        database_, kTable, {"commitHash", "branchName", "commitMessage", "commitDate", "scoredAt"},
        to_read(*commits), sink_,
        [&](const Group& commit, const std::vector<Row>& rows) { tell(commit, rows); });
    if (!commits->empty())
      Claims(conversation_, sink_).add(Fact::title, rung::title::plan, "commits");
    return complete && since_ ? since_->now.text() : std::string();
  }

 private:
  using Group = RowGroups::value_type;

  static std::string part_of(const Group& commit) {
    return fmt::format("{:016x}", hash64(commit.first));
  }

  bool any_vanished(const RowGroups& commits) {
    std::set<std::string> parts;
    for (const auto& commit : commits) parts.insert(part_of(commit));
    const auto noted = sink_.noted_parts();
    return std::any_of(noted.begin(), noted.end(),
                       [&](const std::string& part) { return !parts.contains(part); });
  }

  // In the order in which they were counted.
  std::vector<const Group*> to_read(const RowGroups& commits) {
    std::vector<const Group*> found;
    for (const auto& commit : commits) {
      const auto noted = sink_.noted(part_of(commit));
      if (since_->compare || !noted ||
          !noted->starts_with(fmt::format("{:x} ", commit.second.written)))
        found.push_back(&commit);
    }
    std::sort(found.begin(), found.end(), [](const Group* a, const Group* b) {
      return a->second.rows.front() < b->second.rows.front();
    });
    return found;
  }

  void tell(const Group& commit, const std::vector<Row>& rows) {
    auto document = document_of(commit_of(commit.first, rows), conversation_);
    document.position = static_cast<std::uint64_t>(commit.second.rows.front());
    const auto time = static_cast<std::uint64_t>(document.time ? document.time->ms : 0);
    const auto note = fmt::format("{:x} {:x}", commit.second.written, hash64(document.text, time));
    if (sink_.noted(part_of(commit)) == note) return;
    deliver(std::move(document), sink_);
    sink_.note(part_of(commit), note);
  }

  SourceDatabase& database_;
  Sink& sink_;
  std::optional<RowsSince> since_;
  std::string conversation_;
  bool read_before_;
};

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    return Reader(source, database, sink).read();
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
                              .version = 2,
                              .database = true,
                              .discover = discover,
                              .extract = extract};

}  // namespace cgrep
