#include "index/removal.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "document.h"
#include "extract/append_mark.h"
#include "extract/stores.h"
#include "index/history.h"
#include "index/order.h"
#include "index/path_lines.h"
#include "index/text_hash.h"

namespace cgrep {

namespace {

const char* const kPromptsWith =
    "SELECT id FROM documents WHERE role = 9 AND hash = ?1 AND stores = ?2";

std::int64_t bit_of_prompts() {
  return static_cast<std::int64_t>(store_bit(*find_store("prompts")));
}

void run(Database& database, const std::string& sql, std::int64_t value) {
  auto statement = database.prepare(sql);
  statement.bind(1, value);
  statement.run();
}

void run(Database& database, const std::string& sql, const std::string& value) {
  auto statement = database.prepare(sql);
  statement.bind(1, value);
  statement.run();
}

std::string key_of(Database& database, std::int64_t conversation) {
  auto key = database.prepare("SELECT key FROM conversations WHERE id = ?1");
  key.bind(1, conversation);
  return key.step() ? std::string(key.text(0)) : std::string();
}

}  // namespace

Removal::Removal(Database& database, KeptOut& kept_out, Unjoined& unjoined,
                 std::optional<KeptOutBy> by)
    : database_(database), kept_out_(kept_out), unjoined_(unjoined), by_(by) {}

std::vector<std::int64_t> Removal::rows(const std::string& sql, std::int64_t value) {
  std::vector<std::int64_t> found;
  auto statement = database_.prepare(sql);
  statement.bind(1, value);
  while (statement.step()) found.push_back(statement.int64(0));
  return found;
}

void Removal::conversation(std::int64_t row) {
  const auto key = key_of(database_, row);
  if (key.empty()) return;
  if (by_) kept_out_.add(kept_out::conversation(key), *by_);
  auto said = database_.prepare(
      "SELECT DISTINCT hash FROM documents WHERE conversation = ?1 "
      "AND role = 0");
  said.bind(1, row);
  while (said.step()) {
    unjoined_.prompts.insert(said.int64(0));
    if (by_) kept_out_.add(kept_out::prompt(said.int64(0)), *by_);
  }
  said.reset();
  for (const auto document : rows("SELECT id FROM documents WHERE conversation = ?1", row))
    remove_row(document);
  for (const auto* sql :
       {"DELETE FROM claims WHERE subject = ?1", "DELETE FROM problems WHERE teller = ?1",
        "DELETE FROM turns WHERE conversation = ?1"})
    run(database_, sql, key);
  // Those that it started may have had their project from it.
  auto children = database_.prepare("SELECT id FROM conversations WHERE parent = ?1");
  children.bind(1, key);
  while (children.step()) unjoined_.conversations.try_emplace(children.int64(0), false);
  children.reset();
  run(database_, "DELETE FROM held WHERE conversation = ?1", row);
  run(database_, "DELETE FROM conversations WHERE id = ?1", row);
  touched_.erase(row);
}

void Removal::document(std::int64_t row) {
  auto found = database_.prepare(
      "SELECT d.conversation, d.hash, d.role, c.key, t.frame, d.files FROM documents d JOIN "
      "conversations c "
      "ON c.id = d.conversation LEFT JOIN texts t ON t.id = d.id WHERE d.id = ?1");
  found.bind(1, row);
  if (!found.step()) return;
  const auto conversation = found.int64(0);
  const auto hash = found.int64(1);
  const auto role = static_cast<Role>(found.int64(2));
  const std::string key(found.text(3));
  const std::string frame(found.blob(4));
  const std::string files(found.text(5));
  found.reset();
  if (role == Role::user || role == Role::prompt) unjoined_.prompts.insert(hash);
  if (by_ && role == Role::user) kept_out_.add(kept_out::prompt(hash), *by_);
  if (by_) {
    keep_out(row, key, hash);
    const auto text = text_in(frame);
    remove_titles_from(key, text);
    find_repeated(conversation, key, text, files);
  }
  remove_row(row);
  touched_.insert(conversation);
}

// A damaged one has nothing to compare titles with.
std::string Removal::text_in(const std::string& frame) {
  try {
    return frames_.unpack(frame);
  } catch (const Error&) {
    return {};
  }
}

void Removal::keep_out(std::int64_t row, const std::string& key, std::int64_t hash) {
  kept_out_.add(kept_out::text(key, hash), *by_);
  for (const auto identity :
       rows("SELECT identity FROM copies WHERE document = ?1 UNION ALL SELECT identity FROM "
            "documents WHERE id = ?1 AND identity IS NOT NULL",
            row))
    kept_out_.add(kept_out::identity(key, identity), *by_);
}

// Those that may tell of it: the rest of the source is no longer read from where it ended.
void Removal::reset_marks(std::int64_t row) {
  std::vector<std::int64_t> telling;
  auto sources = database_.prepare(
      "SELECT id, mark FROM sources WHERE id IN (SELECT source FROM copies WHERE document = ?1 "
      "UNION ALL SELECT source FROM documents WHERE id = ?1)");
  sources.bind(1, row);
  while (sources.step())
    if (AppendMark::is_one(sources.blob(1))) telling.push_back(sources.int64(0));
  sources.reset();
  for (const auto source : telling)
    run(database_, "UPDATE sources SET mark = x'' WHERE id = ?1", source);
}

void Removal::remove_row(std::int64_t row) {
  if (by_) reset_marks(row);
  if (by_ && by_ != KeptOutBy::forget)
    run(database_,
        "UPDATE sources SET skipped = 1 WHERE id IN (SELECT source FROM copies WHERE "
        "document = ?1 UNION ALL SELECT source FROM documents WHERE id = ?1)",
        row);
  for (const auto* sql : {"DELETE FROM documents WHERE id = ?1", "DELETE FROM texts WHERE id = ?1",
                          "DELETE FROM copies WHERE document = ?1",
                          "INSERT OR REPLACE INTO dropped (id, purge) VALUES (?1, 1)"})
    run(database_, sql, row);
  removed_.push_back(row);
}

// Titles are often cut from what was said.
void Removal::remove_titles_from(const std::string& key, std::string_view text) {
  std::vector<std::string> titles;
  std::string in_text;
  std::string in_title;
  const auto said = folded_space(text, in_text);
  auto claims = database_.prepare("SELECT value FROM claims WHERE subject = ?1 AND fact = ?2");
  claims.bind(1, key);
  claims.bind(2, static_cast<int>(Fact::title));
  while (claims.step())
    if (const auto title = folded_space(claims.text(0), in_title);
        !title.empty() && said.find(title) != std::string_view::npos)
      titles.emplace_back(claims.text(0));
  claims.reset();
  for (const auto& title : titles) remove_title(key, title);
}

void Removal::remove_title(const std::string& key, const std::string& title) {
  if (by_) kept_out_.add(kept_out::text(key, text_hash(title, Role::title)), *by_);
  auto remove =
      database_.prepare("DELETE FROM claims WHERE subject = ?1 AND fact = ?2 AND value = ?3");
  remove.bind(1, key);
  remove.bind(2, static_cast<int>(Fact::title));
  remove.bind(3, title);
  remove.run();
}

std::vector<Removal::PathClaim> Removal::path_claims(const std::string& key) {
  std::vector<PathClaim> found;
  auto claims =
      database_.prepare("SELECT fact, rung, source, teller, value FROM claims WHERE subject = ?1");
  claims.bind(1, key);
  while (claims.step())
    if (is_told_by_documents(static_cast<Fact>(claims.int64(0)), static_cast<int>(claims.int64(1))))
      found.push_back({.fact = claims.int64(0),
                       .rung = claims.int64(1),
                       .source = claims.int64(2),
                       .teller = std::string(claims.text(3)),
                       .paths = split_paths(claims.text(4))});
  return found;
}

// Files that the document named, and folders of them.
void Removal::find_repeated(std::int64_t conversation, const std::string& key,
                            std::string_view text, std::string_view files) {
  for (auto& claim : path_claims(key))
    for (auto& path : claim.paths)
      if (text.find(path) != std::string_view::npos || files.find(path) != std::string_view::npos)
        repeated_[conversation].insert(std::move(path));
}

// Takes off the list what is still there for all to read.
void Removal::keep_what_others_say(std::int64_t conversation, std::set<std::string>& paths) {
  auto others = database_.prepare(
      "SELECT t.frame, d.files FROM documents d LEFT JOIN texts t ON t.id = d.id "
      "WHERE d.conversation = ?1");
  others.bind(1, conversation);
  while (!paths.empty() && others.step()) {
    const auto text = text_in(std::string(others.blob(0)));
    const auto files = others.text(1);
    std::erase_if(paths, [&](const std::string& path) {
      return text.find(path) != std::string::npos || files.find(path) != std::string_view::npos;
    });
  }
}

void Removal::remove_paths(const std::string& key, const std::set<std::string>& paths) {
  for (const auto& path : paths) kept_out_.add(kept_out::path(key, path), *by_);
  for (auto& claim : path_claims(key)) {
    const auto is_removed = [&](const std::string& path) { return paths.contains(path); };
    if (std::erase_if(claim.paths, is_removed) == 0) continue;
    const bool none = claim.paths.empty();
    auto change = database_.prepare(fmt::format(
        "{} WHERE subject = ?1 AND fact = ?2 AND rung = ?3 AND source = ?4 AND teller = ?5",
        none ? "DELETE FROM claims" : "UPDATE claims SET value = ?6"));
    change.bind(1, key);
    change.bind(2, claim.fact);
    change.bind(3, claim.rung);
    change.bind(4, claim.source);
    change.bind(5, claim.teller);
    if (!none) change.bind(6, joined_paths(claim.paths));
    change.run();
  }
}

void Removal::store(const Store& store) {
  const auto bit = static_cast<std::int64_t>(store_bit(store));
  std::vector<std::int64_t> held;
  auto copies = database_.prepare(
      "SELECT id FROM documents WHERE stores & ?1 != 0 UNION SELECT c.document FROM copies c "
      "WHERE c.store = ?2");
  copies.bind(1, bit);
  copies.bind(2, store.id);
  while (copies.step()) held.push_back(copies.int64(0));
  copies.reset();
  run(database_, "DELETE FROM copies WHERE store = ?1", store.id);
  for (const auto row : held) {
    const auto others = rows("SELECT stores FROM documents WHERE id = ?1", row);
    if (others.empty()) continue;
    if ((others.front() & ~bit) == 0) {
      document(row);
      continue;
    }
    auto keep = database_.prepare("UPDATE documents SET stores = stores & ~?2 WHERE id = ?1");
    keep.bind(1, row);
    keep.bind(2, bit);
    keep.run();
    touched_.insert(rows("SELECT conversation FROM documents WHERE id = ?1", row).front());
    // Whose words they are, nobody knows: the others say them again.
    run(database_,
        "UPDATE sources SET version = 0 WHERE id IN (SELECT source FROM copies WHERE "
        "document = ?1)",
        row);
  }
  constexpr const char* kItsSources = "(SELECT id FROM sources WHERE store = ?1)";
  for (const auto* table : {"claims", "problems", "notes", "copies", "held"})
    run(database_, fmt::format("DELETE FROM {} WHERE abs(source) IN {}", table, kItsSources),
        store.id);
  run(database_,
      fmt::format("UPDATE documents SET source = NULL, identity = NULL, nth = NULL, place = NULL "
                  "WHERE source IN {}",
                  kItsSources),
      store.id);
  run(database_, "DELETE FROM sources WHERE store = ?1", store.id);
  run(database_, "DELETE FROM opted_in WHERE store = ?1", store.id);
  if (store.searched == Searched::by_default) kept_out_.add_store(store);
}

void Removal::finish() {
  for (const auto conversation : std::exchange(touched_, {})) {
    const auto key = key_of(database_, conversation);
    const bool emptied =
        rows("SELECT 1 FROM documents WHERE conversation = ?1 LIMIT 1", conversation).empty();
    if (auto repeated = repeated_.extract(conversation); repeated && !emptied) {
      keep_what_others_say(conversation, repeated.mapped());
      remove_paths(key, repeated.mapped());
    }
    if (emptied) remove_claims_of_emptied(key);
    recount_stores(conversation);
    run(database_, "UPDATE conversations SET title = NULL WHERE id = ?1", conversation);
    unjoined_.conversations[conversation] = true;
  }
}

// Of what is not there any more nothing is left to be told.
void Removal::remove_claims_of_emptied(const std::string& key) {
  std::vector<std::string> titles;
  auto claims = database_.prepare("SELECT value FROM claims WHERE subject = ?1 AND fact = ?2");
  claims.bind(1, key);
  claims.bind(2, static_cast<int>(Fact::title));
  while (claims.step()) titles.emplace_back(claims.text(0));
  claims.reset();
  if (by_) {
    for (const auto& title : titles) remove_title(key, title);
    std::set<std::string> paths;
    for (auto& claim : path_claims(key)) paths.insert(claim.paths.begin(), claim.paths.end());
    remove_paths(key, paths);
  }
  run(database_,
      "DELETE FROM claims WHERE subject = ?1 AND source NOT IN (SELECT id FROM sources WHERE "
      "missing = 0)",
      key);
}

void Removal::recount_stores(std::int64_t conversation) {
  std::int64_t stores = 0;
  for (const auto bits :
       rows("SELECT DISTINCT stores FROM documents WHERE conversation = ?1", conversation))
    stores |= bits;
  auto write =
      database_.prepare("UPDATE conversations SET stores = ?2 | (stores & ?3) WHERE id = ?1");
  write.bind(1, conversation);
  write.bind(2, stores);
  write.bind(3, kSeveralSources);
  write.run();
}

void Removal::recount_all() {
  for (const auto row : rows("SELECT id FROM conversations WHERE id > ?1", 0)) recount_stores(row);
}

std::vector<std::int64_t> documents_of(Database& database,
                                       const std::vector<std::int64_t>& conversations) {
  std::vector<std::int64_t> found;
  auto rows = database.prepare("SELECT id FROM documents WHERE conversation = ?1");
  for (const auto conversation : conversations) {
    rows.bind(1, conversation);
    while (rows.step()) found.push_back(rows.int64(0));
    rows.reset();
  }
  return found;
}

std::vector<std::int64_t> with_equals(Database& database, const std::vector<std::int64_t>& rows) {
  std::set<std::int64_t> all(rows.begin(), rows.end());
  auto about = database.prepare("SELECT conversation, hash, role FROM documents WHERE id = ?1");
  auto equals = database.prepare("SELECT id FROM documents WHERE conversation = ?1 AND hash = ?2");
  auto prompts = database.prepare(kPromptsWith);
  for (const auto row : rows) {
    about.bind(1, row);
    if (about.step()) {
      equals.bind(1, about.int64(0));
      equals.bind(2, about.int64(1));
      while (equals.step()) all.insert(equals.int64(0));
      equals.reset();
      prompts.bind(1, about.int64(1));
      prompts.bind(2, bit_of_prompts());
      while (about.int64(2) == 0 && prompts.step()) all.insert(prompts.int64(0));
      prompts.reset();
    }
    about.reset();
  }
  return {all.begin(), all.end()};
}

std::vector<std::int64_t> with_children(Database& database, const std::vector<std::int64_t>& rows) {
  std::set<std::int64_t> all(rows.begin(), rows.end());
  auto children = database.prepare(
      "SELECT c.id FROM conversations p JOIN conversations c ON c.parent = p.key WHERE p.id = ?1");
  std::vector<std::int64_t> to_do = rows;
  while (!to_do.empty()) {
    children.bind(1, to_do.back());
    to_do.pop_back();
    while (children.step())
      if (all.insert(children.int64(0)).second) to_do.push_back(children.int64(0));
    children.reset();
  }
  return {all.begin(), all.end()};
}

}  // namespace cgrep
