#include "index/index_dump.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/flags.h"
#include "index/history.h"
#include "index/runs.h"

namespace cgrep::test {

namespace {

using Terms = std::unordered_map<std::int64_t, std::string>;

/// Row → its terms with their counts; conversations go by their rows, so they are left out.
Terms terms_of(History& history) {
  Terms terms;
  const Runs runs(history.words(), history.runs());
  const auto& database = runs.database();
  for (auto term = database.allterms_begin(); term != database.allterms_end(); ++term) {
    if ((*term).front() == 'C') continue;
    for (auto at = database.postlist_begin(*term); at != database.postlist_end(*term); ++at)
      terms[runs.row_of(*at)] += fmt::format(" {}*{}", *term, at.get_wdf());
  }
  return terms;
}

std::string columns(const Statement& row, int first, int last) {
  std::string text;
  for (int i = first; i <= last; ++i)
    text += row.is_null(i) ? " -" : fmt::format(" [{}]", row.text(i));
  return text;
}

std::string fact_line(const std::string& key, const char* fact) {
  return fmt::format("conversation {} {} ", key, fact);
}

// Which store's words a tool call has may depend on one that no longer has it.
bool may_differ_in_words(Role role) {
  return role == Role::tool_call;
}

void add_documents(History& history, Lines& lines) {
  const auto terms = terms_of(history);
  std::map<std::string, int> places;
  auto rows = history.database().prepare(
      "SELECT d.id, k.key, d.role, d.stores, d.flags, d.time, d.origin, d.files, d.tool, d.hash "
      "FROM documents d JOIN conversations k ON k.id = d.conversation WHERE NOT d.flags & 1 "
      "ORDER BY d.conversation, d.position, d.number");
  while (rows.step()) {
    const std::string key(rows.text(1));
    std::string stores;
    for (const auto name : store_names(static_cast<std::uint32_t>(rows.int64(3))))
      stores += fmt::format(" {}", name);
    const auto role = static_cast<Role>(rows.int64(2));
    const auto found = terms.find(rows.int64(0));
    auto line =
        fmt::format("document {} {} {} in{} flags {} time, files{} hash {}", key, places[key]++,
                    name_of(role), stores, rows.int64(4), columns(rows, 5, 7), rows.int64(9));
    if (!may_differ_in_words(role))
      line += fmt::format(" tool{}\n{}\n terms{}", columns(rows, 8, 8), history.text(rows.int64(0)),
                          found != terms.end() ? found->second : " none");
    lines.insert(std::move(line));
  }
}

constexpr std::array kFacts = {"slug",   "project", "title", "parent", "model",    "mode",
                               "branch", "surface", "files", "tokens", "archived", "fallback"};

// Each fact a line; the span of times only where nothing is gone, as that counts, too. Without
// times of files, which are only as good as the last reading.
void add_conversations(History& history, const std::set<std::string>& with_gone, Lines& lines) {
  auto rows = history.database().prepare(
      "SELECT key, slug, project, title, parent, model, mode, branch, surface, files, tokens, "
      "archived, iif(fallback_origin = 3, NULL, fallback), first, last FROM conversations c "
      "WHERE EXISTS (SELECT 1 FROM documents WHERE conversation = c.id AND NOT flags & 1)");
  while (rows.step()) {
    const std::string key(rows.text(0));
    for (std::size_t i = 0; i < kFacts.size(); ++i)
      if (const auto column = static_cast<int>(i) + 1; !rows.is_null(column))
        lines.insert(fmt::format("{}{}", fact_line(key, kFacts[i]), rows.text(column)));
    if (!with_gone.contains(key))
      lines.insert(fmt::format("conversation {} from, to{}", key, columns(rows, 13, 14)));
  }
}

std::set<std::string> keys_of(const std::filesystem::path& index, const char* sql) {
  std::set<std::string> keys;
  History history(index, History::Mode::read);
  auto rows = history.database().prepare(sql);
  while (rows.step()) keys.emplace(rows.text(0));
  return keys;
}

// What is gone may have told something that nobody else does.
bool is_told_by_what_is_gone(const std::string& line, const std::set<std::string>& keys,
                             const Lines& other) {
  for (const auto& key : keys)
    for (const auto* fact : kFacts)
      if (const auto begin = fact_line(key, fact); line.starts_with(begin)) {
        const auto found = other.lower_bound(begin);
        return found == other.end() || !found->starts_with(begin);
      }
  return false;
}

void add_problems(History& history, Lines& lines) {
  auto rows = history.database().prepare(
      "SELECT s.path, p.teller, p.what, p.count, p.example, s.store FROM problems p JOIN sources s "
      "ON s.id = p.source");
  while (rows.step()) lines.insert("problem" + columns(rows, 0, 5));
}

}  // namespace

Lines dump(const std::filesystem::path& index, const std::set<std::string>& with_gone) {
  Lines lines;
  History history(index, History::Mode::read);
  add_documents(history, lines);
  add_conversations(history, with_gone, lines);
  add_problems(history, lines);
  return lines;
}

Lines without(const Lines& all, const Lines& some) {
  Lines rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

std::string difference(const std::filesystem::path& index, const std::filesystem::path& other) {
  constexpr const char* kWithGone =
      "SELECT key FROM conversations c WHERE EXISTS (SELECT 1 FROM documents WHERE conversation = "
      "c.id AND flags & 1)";
  auto with_gone = keys_of(index, kWithGone);
  with_gone.merge(keys_of(other, kWithGone));
  const auto one = dump(index, with_gone);
  const auto two = dump(other, with_gone);
  auto lost = keys_of(index,
                      "SELECT c.key FROM conversations c JOIN claims l ON l.source < 0 AND "
                      "(l.subject = c.key OR l.subject = 'slug:' || c.slug OR l.subject LIKE "
                      "'workspace:%')");
  // A conversation that is gone may have told where those belong that it started.
  lost.merge(keys_of(index, "SELECT key FROM conversations WHERE parent IS NOT NULL"));
  lost.insert(with_gone.begin(), with_gone.end());
  std::string text;
  for (const auto& line : without(one, two))
    if (!is_told_by_what_is_gone(line, lost, two)) text += "only in the first: " + line + "\n";
  for (const auto& line : without(two, one)) text += "only in the other: " + line + "\n";
  return text;
}

}  // namespace cgrep::test
