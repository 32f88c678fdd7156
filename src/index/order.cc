#include "index/order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "extract/sqlite.h"
#include "extract/stores.h"
#include "index/history.h"

namespace cgrep {

namespace {

// Stores of messages, the richest first.
constexpr std::array<std::string_view, 8> kMessageStores = {
    "bubbles", "chats", "transcripts", "subagents", "agentkv", "legacy-chats", "contexts", "diffs"};

constexpr std::int64_t kBeforeMessages = std::int64_t{1} << 40;
constexpr std::int64_t kPlaces = std::int64_t{1} << 32;  // of a store that stands before them

std::size_t rank_of(std::int64_t store) {
  static const auto ids = [] {
    std::array<int, kMessageStores.size()> found{};
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = find_store(kMessageStores[i])->id;
    return found;
  }();
  return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), store) - ids.begin());
}

// Of one store, the older a form, the less it tells.
int form_of(std::string_view path) {
  constexpr std::array<std::string_view, 2> kOld = {".json", ".txt"};
  for (std::size_t i = 0; i < kOld.size(); ++i)
    if (path.ends_with(kOld[i])) return static_cast<int>(i) + 1;
  return 0;
}

bool holds_messages(const Store& store) {
  return rank_of(store.id) < kMessageStores.size();
}

std::uint32_t message_stores() {
  static const auto bits = [] {
    std::uint32_t all = 0;
    for (const auto name : kMessageStores) all |= store_bit(*find_store(name));
    return all;
  }();
  return bits;
}

class Order {
 public:
  /// What the list does not have yet goes after what it follows here.
  void merge(const std::vector<std::int64_t>& documents) {
    auto after = list_.begin();
    for (const auto document : documents) {
      const auto known = places_.find(document);
      if (known != places_.end())
        after = std::next(known->second);
      else
        places_.emplace(document, list_.insert(after, document));
    }
  }

  const std::list<std::int64_t>& list() const { return list_; }

 private:
  std::list<std::int64_t> list_{};
  std::unordered_map<std::int64_t, std::list<std::int64_t>::iterator> places_{};
};

}  // namespace

std::int64_t reading_position(const Store& store, std::uint64_t position) {
  const auto place = static_cast<std::int64_t>(position);
  return holds_messages(store) ? place : place + store.id * kPlaces - kBeforeMessages;
}

bool any_messages(std::uint32_t stores) {
  return (stores & message_stores()) != 0;
}

bool needs_order(std::uint32_t stores) {
  return (stores & kSeveralSources) != 0 || std::popcount(stores & message_stores()) > 1;
}

namespace {

// A document in its place in a source, or among all.
struct Placed {
  std::int64_t position = 0;
  std::int64_t number = 0;  // of the document in its conversation, or its row
  std::int64_t document = 0;
  friend bool operator<(const Placed& a, const Placed& b) {
    return std::pair(a.position, a.number) < std::pair(b.position, b.number);
  }
};

std::vector<std::int64_t> in_order(std::vector<Placed> placed) {
  std::sort(placed.begin(), placed.end());
  std::vector<std::int64_t> documents;
  documents.reserve(placed.size());
  for (const auto& each : placed) documents.push_back(each.document);
  return documents;
}

// By store and source, the documents of the conversation. Sorted here: SQLite would carry all of a
// row through its sorter.
std::map<std::pair<int, std::int64_t>, std::vector<Placed>> documents_by_source(
    Database& database, std::int64_t conversation) {
  std::map<std::pair<int, std::int64_t>, std::vector<Placed>> found;
  for (const auto* sql :
       {"SELECT 1 << c.store, c.source, c.document, c.position FROM documents d JOIN copies c "
        "ON c.document = d.id WHERE d.conversation = ?1 AND c.position >= 0",
        "SELECT stores, source, id, coalesce(place, position) FROM documents "
        "WHERE conversation = ?1 AND source IS NOT NULL AND coalesce(place, position) >= 0"}) {
    auto rows = database.prepare(sql);
    rows.bind(1, conversation);
    while (rows.step()) {
      const int store = std::countr_zero(static_cast<std::uint32_t>(rows.int64(0)));
      found[{store, rows.int64(1)}].push_back(
          {.position = rows.int64(3), .number = rows.int64(2), .document = rows.int64(2)});
    }
  }
  return found;
}

std::string path_of_source(Database& database, std::int64_t source) {
  auto path = database.prepare("SELECT path FROM sources WHERE id = ?1");
  path.bind(1, source);
  return path.step() ? std::string(path.blob(0)) : std::string();
}

}  // namespace

void order_documents(Database& database, std::int64_t conversation) {
  // By source, the best first.
  std::map<std::tuple<std::size_t, int, std::string>, std::vector<Placed>> sources;
  for (const auto& [of, placed] : documents_by_source(database, conversation)) {
    auto path = path_of_source(database, of.second);
    const int form = form_of(path);
    auto& all = sources[{rank_of(of.first), form, std::move(path)}];
    all.insert(all.end(), placed.begin(), placed.end());
  }
  Order order;
  for (auto& [source, placed] : sources) order.merge(in_order(std::move(placed)));

  // What no source has any more stays where it was.
  std::unordered_map<std::int64_t, std::int64_t> positions;
  std::vector<Placed> before;
  auto documents = database.prepare(
      "SELECT id, position, number FROM documents WHERE conversation = ?1 AND position >= 0");
  documents.bind(1, conversation);
  while (documents.step()) {
    before.push_back({.position = documents.int64(1),
                      .number = documents.int64(2),
                      .document = documents.int64(0)});
    positions[documents.int64(0)] = documents.int64(1);
  }
  documents.reset();
  order.merge(in_order(std::move(before)));

  auto move = database.prepare(
      "UPDATE documents SET place = iif(source IS NULL, NULL, coalesce(place, position)), "
      "position = ?2 WHERE id = ?1");
  std::int64_t position = 0;
  for (const auto document : order.list()) {
    const auto known = positions.find(document);
    if (known == positions.end() || known->second != position) {
      move.bind(1, document);
      move.bind(2, position);
      move.run();
    }
    ++position;
  }
}

}  // namespace cgrep
