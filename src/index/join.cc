#include "index/join.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "document.h"
#include "extract/sqlite.h"
#include "index/history.h"

namespace cgrep {

namespace {

constexpr std::size_t kFacts = static_cast<std::size_t>(Fact::archived) + 1;
constexpr std::size_t kMaxTitleBytes = 100;

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
    if (first && second && (fact == Fact::updated || fact == Fact::seen)) return *first > *second;
    if (first && second && fact == Fact::created) return *first < *second;
    return a < b;
  }

  std::array<std::optional<Best>, kFacts> best_{};
};

void collect(Statement& claims, std::string_view subject, Facts& facts) {
  claims.reset();
  claims.bind(1, subject);
  while (claims.step())
    facts.consider(static_cast<Fact>(claims.int64(0)), static_cast<int>(claims.int64(1)),
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

  void conversation(std::int64_t row, bool from_start) {
    key_.reset();
    key_.bind(1, row);
    if (!key_.step()) return;
    const std::string key(key_.text(0));
    const bool titled = !key_.is_null(1);
    Facts facts;
    collect(claims_, key, facts);
    if (const auto* slug = facts.find(Fact::slug)) collect(claims_, slug_subject(*slug), facts);

    std::optional<std::string> title;
    if (const auto* claimed = facts.find(Fact::title))
      title = *claimed;
    else if (from_start || !titled)
      title = title_from_text(row);
    if (from_start) recount(row);
    write(row, facts, title);
  }

  void slug(const std::string& slug) {
    auto rows = database_.prepare("SELECT id FROM conversations WHERE slug = ?1");
    rows.bind(1, slug);
    std::vector<std::int64_t> found;
    while (rows.step()) found.push_back(rows.int64(0));
    for (const auto row : found) conversation(row, false);
  }

 private:
  std::optional<std::string> title_from_text(std::int64_t row) {
    first_prompt_.reset();
    first_prompt_.bind(1, row);
    first_prompt_.bind(2, static_cast<int>(Role::user));
    while (first_prompt_.step())
      if (auto line = first_line(history_.text(first_prompt_.int64(0))); !line.empty()) return line;
    return std::nullopt;
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
    write_.bind(10, facts.find(Fact::archived) != nullptr ? 1 : 0);
    auto fallback = facts.number(Fact::updated);
    if (!fallback) fallback = facts.number(Fact::created);
    auto origin = TimeOrigin::session;
    if (!fallback) {
      fallback = facts.number(Fact::seen);
      origin = TimeOrigin::mtime;
    }
    if (fallback) {
      write_.bind(11, *fallback);
      write_.bind(12, static_cast<int>(origin));
    }
    write_.run();
  }

  History& history_;
  Database& database_;
  Statement key_ = database_.prepare("SELECT key, title FROM conversations WHERE id = ?1");
  Statement claims_ = database_.prepare("SELECT fact, rung, value FROM claims WHERE subject = ?1");
  Statement first_prompt_ = database_.prepare(
      "SELECT id FROM documents WHERE conversation = ?1 AND role = ?2 ORDER BY position, number");
  Statement recount_ = database_.prepare(
      "UPDATE conversations SET (first, last) = (SELECT min(time), max(time) FROM documents "
      "WHERE conversation = ?1) WHERE id = ?1");
  Statement write_ = database_.prepare(
      "UPDATE conversations SET slug = ?2, project = ?3, parent = ?4, model = ?5, mode = ?6, "
      "branch = ?7, surface = ?8, title = coalesce(?9, title), archived = ?10, fallback = ?11, "
      "fallback_origin = ?12 WHERE id = ?1");
};

}  // namespace

void join_conversations(History& history, const Unjoined& unjoined) {
  if (unjoined.empty()) return;
  Join join(history);
  for (const auto& [row, from_start] : unjoined.conversations) join.conversation(row, from_start);
  for (const auto& slug : unjoined.slugs) join.slug(slug);
}

}  // namespace cgrep
