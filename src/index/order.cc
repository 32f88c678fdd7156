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

void order_documents(Database& database, std::int64_t conversation) {
  // By source, the best first: its documents in order.
  std::map<std::tuple<std::size_t, int, std::string>, std::vector<std::int64_t>> sources;
  auto copies = database.prepare(
      "SELECT 1 << c.store, s.path, c.document, c.position FROM documents d JOIN copies c "
      "ON c.document = d.id JOIN sources s ON s.id = c.source "
      "WHERE d.conversation = ?1 AND c.position >= 0 UNION ALL "
      "SELECT d.stores, s.path, d.id, coalesce(d.place, d.position) FROM documents d "
      "JOIN sources s ON s.id = d.source "
      "WHERE d.conversation = ?1 AND coalesce(d.place, d.position) >= 0 ORDER BY 4");
  copies.bind(1, conversation);
  while (copies.step()) {
    const auto path = copies.blob(1);
    const auto store = std::countr_zero(static_cast<std::uint32_t>(copies.int64(0)));
    sources[{rank_of(store), form_of(path), std::string(path)}].push_back(copies.int64(2));
  }
  copies.reset();
  Order order;
  for (const auto& [source, documents] : sources) order.merge(documents);

  // What no source has any more stays where it was.
  std::unordered_map<std::int64_t, std::int64_t> positions;
  std::vector<std::int64_t> before;
  auto documents = database.prepare(
      "SELECT id, position FROM documents WHERE conversation = ?1 AND position >= 0 "
      "ORDER BY position, number");
  documents.bind(1, conversation);
  while (documents.step()) {
    before.push_back(documents.int64(0));
    positions[documents.int64(0)] = documents.int64(1);
  }
  documents.reset();
  order.merge(before);

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
