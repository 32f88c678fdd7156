#include "index/join.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "document.h"
#include "error.h"
#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/flags.h"
#include "index/history.h"
#include "index/order.h"
#include "index/turns.h"

namespace cgrep {

namespace {

constexpr std::size_t kFacts = static_cast<std::size_t>(Fact::tokens) + 1;
constexpr std::size_t kMaxTitleBytes = 100;
constexpr int kMaxGenerations = 16;  // of conversations that started each other
constexpr int kLost = 1000;          // what nobody says any more stands so far below

/// The best word on each fact so far.
class Facts {
 public:
  void consider(Fact fact, int rung, std::string_view value) {
    auto& best = best_[static_cast<std::size_t>(fact)];
    if (best && (best->rung < rung || (best->rung == rung && !better(fact, value, best->value))))
      return;
    best = {.rung = rung, .value = std::string(value)};
  }

  const std::string* find(Fact fact) const {
    const auto& best = best_[static_cast<std::size_t>(fact)];
    return best ? &best->value : nullptr;
  }

  /// Whether nobody says it any more.
  bool is_lost(Fact fact) const {
    const auto& best = best_[static_cast<std::size_t>(fact)];
    return best && best->rung >= kLost;
  }

  std::optional<std::int64_t> number(Fact fact) const {
    const auto* value = find(fact);
    return value != nullptr ? parse(*value) : std::nullopt;
  }

 private:
  struct Best {
    int rung = 0;
    std::string value{};
  };

  static std::optional<std::int64_t> parse(std::string_view value) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size()) return std::nullopt;
    return number;
  }

  // Between equals: the widest span of time; else any fixed order, so that it does not matter
  // which source was read first.
  static bool better(Fact fact, std::string_view a, std::string_view b) {
    const auto first = parse(a);
    const auto second = parse(b);
    if (first && second && (fact == Fact::updated || fact == Fact::seen || fact == Fact::tokens))
      return *first > *second;
    if (first && second && fact == Fact::created) return *first < *second;
    return a < b;
  }

  std::array<std::optional<Best>, kFacts> best_{};
};

void collect(Statement& claims, std::string_view subject, Facts& facts, int below = 0) {
  claims.reset();
  claims.bind(1, subject);
  while (claims.step())
    facts.consider(static_cast<Fact>(claims.int64(0)), static_cast<int>(claims.int64(1)) + below,
                   claims.text(2));
}

std::string first_line(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  text = text.substr(begin, text.find('\n', begin) - begin);
  if (text.size() > kMaxTitleBytes) {
    std::size_t end = kMaxTitleBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text = text.substr(0, end);
  }
  return std::string(text.substr(0, text.find_last_not_of(" \t\r") + 1));
}

class Join {
 public:
  explicit Join(History& history) : history_(history), database_(history.database()) {}

  void conversation(std::int64_t row, bool from_start, int generation = 0) {
    key_.reset();
    key_.bind(1, row);
    if (!key_.step()) return;
    const std::string key(key_.text(0));
    const std::string old_project(key_.text(1));
    const auto stores = static_cast<std::uint32_t>(key_.int64(2));
    Facts facts;
    collect(claims_, key, facts);
    if (const auto* slug = facts.find(Fact::slug))
      collect(claims_, slug_subject(*slug), facts, facts.is_lost(Fact::slug) ? kLost : 0);
    add_workspaces(key, facts);
    add_parent(key, facts);

    // The first words are the title, so the order comes first.
    if (needs_order(stores)) order_documents(database_, row);
    const auto title = title_of(row, facts);
    const bool dated = turns_.date(key, row);
    if (from_start || dated) recount(row);
    write(row, facts, title);
    const auto* project = facts.find(Fact::project);
    if ((project != nullptr ? *project : std::string()) != old_project)
      project_changed(row, key, generation);
  }

  void groups(const std::set<std::string>& subjects) {
    for (const auto& subject : subjects) {
      if (!subject.starts_with(slug_subject({}))) continue;
      auto rows = database_.prepare("SELECT id FROM conversations WHERE slug = ?1");
      rows.bind(1, subject.substr(slug_subject({}).size()));
      for (const auto row : all_rows(rows)) conversation(row, false);
    }
    // One pass for all workspaces: claims are not found by their values.
    if (subjects.empty() || !subjects.rbegin()->starts_with(workspace_subject({}))) return;
    auto rows = database_.prepare(
        "SELECT c.id, w.value FROM claims w JOIN conversations c ON c.key = w.subject "
        "WHERE w.fact = ?1");
    rows.bind(1, static_cast<int>(Fact::workspace));
    std::set<std::int64_t> found;
    while (rows.step())
      if (subjects.contains(workspace_subject(rows.text(1)))) found.insert(rows.int64(0));
    rows.reset();
    for (const auto row : found) conversation(row, false);
  }

  // A prompt that also is a message of a conversation of its project (or of any, when it belongs
  // to none) is only shown there.
  void prompts(const std::unordered_set<std::int64_t>& hashes) {
    auto found = database_.prepare(
        "SELECT d.id, d.flags, EXISTS (SELECT 1 FROM documents m JOIN conversations o "
        "ON o.id = m.conversation WHERE m.role = 0 AND m.hash = d.hash AND NOT m.flags & 1 AND "
        "(c.project IS NULL OR "
        "o.project IS c.project)) "
        "FROM documents d JOIN conversations c ON c.id = d.conversation "
        "WHERE d.role = 9 AND d.hash = ?1 AND d.stores = ?2");
    const auto store = static_cast<std::int64_t>(store_bit(*find_store("prompts")));
    std::vector<std::pair<std::int64_t, std::int64_t>> changes;
    for (const auto hash : hashes) {
      found.reset();
      found.bind(1, hash);
      found.bind(2, store);
      while (found.step()) {
        const auto flags = found.int64(1);
        const auto repeated = static_cast<std::int64_t>(flag::repeated);
        const auto now = found.int64(2) != 0 ? flags | repeated : flags & ~repeated;
        if (now != flags) changes.emplace_back(found.int64(0), now);
      }
    }
    auto write = database_.prepare("UPDATE documents SET flags = ?2 WHERE id = ?1");
    for (const auto& [row, flags] : changes) {
      write.bind(1, row);
      write.bind(2, flags);
      write.run();
    }
  }

  std::unordered_set<std::int64_t>& moved_prompts() { return moved_prompts_; }

 private:
  static std::vector<std::int64_t> all_rows(Statement& rows) {
    std::vector<std::int64_t> found;
    while (rows.step()) found.push_back(rows.int64(0));
    rows.reset();
    return found;
  }

  // A workspace's folder is believed as much as the claim that the conversation belongs to it.
  void add_workspaces(const std::string& key, Facts& facts) {
    std::vector<std::pair<int, std::string>> workspaces;
    workspaces_.reset();
    workspaces_.bind(1, key);
    workspaces_.bind(2, static_cast<int>(Fact::workspace));
    while (workspaces_.step())
      workspaces.emplace_back(static_cast<int>(workspaces_.int64(0)), workspaces_.text(1));
    for (const auto& [rung, workspace] : workspaces) {
      Facts of_workspace;
      collect(claims_, workspace_subject(workspace), of_workspace);
      if (const auto* project = of_workspace.find(Fact::project))
        facts.consider(Fact::project, rung, *project);
    }
  }

  void add_parent(const std::string& key, Facts& facts) {
    const auto* parent = facts.find(Fact::parent);
    if (parent == nullptr || *parent == key) return;
    project_of_.reset();
    project_of_.bind(1, *parent);
    if (project_of_.step() && !project_of_.is_null(0))
      facts.consider(Fact::project, rung::project::parent, project_of_.text(0));
    project_of_.reset();
  }

  // Those that it started may belong there, too, and so may prompts that it holds.
  void project_changed(std::int64_t row, const std::string& key, int generation) {
    auto messages = database_.prepare(
        "SELECT DISTINCT hash FROM documents WHERE conversation = ?1 AND role IN (0, 9)");
    messages.bind(1, row);
    for (const auto hash : all_rows(messages)) moved_prompts_.insert(hash);
    if (generation >= kMaxGenerations) return;
    auto children = database_.prepare("SELECT id FROM conversations WHERE parent = ?1");
    children.bind(1, key);
    for (const auto child : all_rows(children)) conversation(child, false, generation + 1);
  }

  // A damaged one is for --rebuild to mend.
  std::string readable_text(std::int64_t document) {
    try {
      return history_.text(document);
    } catch (const Error&) {
      return {};
    }
  }

  // A title that nobody gives any more counts where all that it was given to is gone, too.
  std::optional<std::string> title_of(std::int64_t row, const Facts& facts) {
    const auto* claimed = facts.find(Fact::title);
    if (claimed == nullptr) return title_from_text(row, true);
    const auto words = facts.is_lost(Fact::title) ? title_from_text(row, false) : std::nullopt;
    return words ? words : *claimed;
  }

  std::optional<std::string> title_from_text(std::int64_t row, bool also_gone) {
    first_prompt_.reset();
    first_prompt_.bind(1, row);
    first_prompt_.bind(2, static_cast<int>(Role::user));
    first_prompt_.bind(3, also_gone ? 1 : 0);
    while (first_prompt_.step())
      if (auto line = first_line(readable_text(first_prompt_.int64(0))); !line.empty()) return line;
    return std::nullopt;
  }

  // Nobody says that something is not archived. What is there again without being said to be, is
  // not.
  bool is_archived(std::int64_t row, const Facts& facts) {
    if (facts.find(Fact::archived) == nullptr) return false;
    if (!facts.is_lost(Fact::archived)) return true;
    auto there = database_.prepare(
        "SELECT EXISTS (SELECT 1 FROM documents WHERE conversation = ?1 AND NOT flags & ?2)");
    there.bind(1, row);
    there.bind(2, flag::gone);
    return there.step() && there.int64(0) == 0;
  }

  void recount(std::int64_t row) {
    recount_.bind(1, row);
    recount_.run();
  }

  void write(std::int64_t row, const Facts& facts, const std::optional<std::string>& title) {
    static constexpr std::array kTexts = {Fact::slug, Fact::project, Fact::parent, Fact::model,
                                          Fact::mode, Fact::branch,  Fact::surface};
    write_.bind(1, row);
    int index = 2;
    for (const Fact fact : kTexts) {
      if (const auto* value = facts.find(fact)) write_.bind(index, *value);
      ++index;
    }
    if (title) write_.bind(9, *title);
    write_.bind(10, is_archived(row, facts) ? 1 : 0);
    std::optional<std::int64_t> fallback;
    for (const bool lost : {false, true})
      for (const Fact fact : {Fact::updated, Fact::created})
        if (!fallback && facts.is_lost(fact) == lost) fallback = facts.number(fact);
    auto origin = TimeOrigin::session;
    if (!fallback) {
      fallback = facts.number(Fact::seen);
      origin = TimeOrigin::mtime;
    }
    if (fallback) {
      write_.bind(11, *fallback);
      write_.bind(12, static_cast<int>(origin));
    }
    if (const auto* files = facts.find(Fact::files)) write_.bind(13, *files);
    if (const auto tokens = facts.number(Fact::tokens)) write_.bind(14, *tokens);
    write_.run();
  }

  History& history_;
  Database& database_;
  TurnTimes turns_{database_};
  Statement key_ =
      database_.prepare("SELECT key, project, stores FROM conversations WHERE id = ?1");
  // What nobody says any more stands below all that somebody does.
  Statement claims_ = database_.prepare(
      "SELECT fact, iif(source < 0, rung + 1000, rung), value FROM claims WHERE subject = ?1");
  Statement workspaces_ = database_.prepare(
      "SELECT iif(source < 0, rung + 1000, rung), value FROM claims WHERE subject = ?1 AND "
      "fact = ?2");
  Statement project_of_ = database_.prepare("SELECT project FROM conversations WHERE key = ?1");
  std::unordered_set<std::int64_t> moved_prompts_{};
  Statement first_prompt_ = database_.prepare(
      "SELECT id FROM documents WHERE conversation = ?1 AND role = ?2 AND (?3 OR NOT flags & 1) "
      "ORDER BY flags & 1, position, number");
  Statement recount_ = database_.prepare(
      "UPDATE conversations SET (first, last) = (SELECT min(time), max(time) FROM documents "
      "WHERE conversation = ?1) WHERE id = ?1");
  Statement write_ = database_.prepare(
      "UPDATE conversations SET slug = ?2, project = ?3, parent = ?4, model = ?5, mode = ?6, "
      "branch = ?7, surface = ?8, title = ?9, archived = ?10, fallback = ?11, "
      "fallback_origin = ?12, files = ?13, tokens = ?14 WHERE id = ?1");
};

}  // namespace

void join_conversations(History& history, const Unjoined& unjoined) {
  if (unjoined.empty()) return;
  Join join(history);
  for (const auto& [row, from_start] : unjoined.conversations) join.conversation(row, from_start);
  join.groups(unjoined.groups);
  join.prompts(unjoined.prompts);
  join.prompts(join.moved_prompts());
}

}  // namespace cgrep
