#include "extract/bubble_rows.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "extract/bubble.h"
#include "extract/bubble_note.h"
#include "extract/composer.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kBubbles = "bubbles";
constexpr std::string_view kSubagents = "subagents";
constexpr std::string_view kTask = "task-";

// Bubbles at the end of a conversation that are read again with it.
constexpr std::size_t kUnsettled = 3;

// Position of the first orphan: after all bubbles that will ever be in a conversation.
constexpr std::uint64_t kOrphans = std::uint64_t{1} << 32;

// What is known of a conversation before its bubbles are read.
struct Composer {
  enum class State : std::uint8_t { missing, deleted, unreadable, present };
  State state = State::missing;
  std::vector<BubbleHeader> headers{};
  std::optional<std::int64_t> created{};
  bool child = false;
  std::string bytes{};  // kept only while it may hold messages itself
  BubbleShape shape{};  // of its row
};

// A bubble to be read: where it is and where it belongs.
struct Place {
  std::string key{};
  std::size_t index = 0;  // among the keys of its conversation
  std::uint64_t position = 0;
  std::optional<std::int64_t> header_time{};
  bool orphan = false;
};

// A conversation while its bubbles are read, one after the other.
struct Telling {
  std::string_view store{};
  std::string conversation{};
  bool delegated = false;                 // the next prompt is
  bool again = false;                     // they were read before
  std::optional<std::int64_t> time{};     // of the last one that has any
  std::optional<std::int64_t> created{};  // of the conversation
  std::size_t rank = 0;                   // bubbles before the next one, without orphans
  Told told{};
};

// What of the conversation is settled once it was told so far.
void settle(BubbleNote& note, const Telling& telling) {
  note.delegated = telling.delegated;
  note.time = telling.time;
  note.settled_told = telling.told;
}

// Its bubbles, if all of them were read at once.
using Rows = std::optional<std::span<const KeyedRow>>;

template <typename Keyed>
std::vector<std::string_view> views_of(const Keyed& keyed) {
  std::vector<std::string_view> views;
  views.reserve(keyed.size());
  for (const auto& each : keyed)
    if constexpr (requires { each.key; })
      views.push_back(each.key);
    else
      views.push_back(each);
  return views;
}

// The keys of its bubbles begin here, and end before that.
std::string first_key(std::string_view raw) {
  return fmt::format("bubbleId:{}:", raw);
}
std::string last_key(std::string_view raw) {
  return fmt::format("bubbleId:{};", raw);
}

// Hands everything on, and counts problems.
class Troubles : public Sink {
 public:
  explicit Troubles(Sink& to) : to_(to) {}
  std::size_t count() const { return count_; }

  void document(Document&& document) override { to_.document(std::move(document)); }
  void claim(Claim claim) override { to_.claim(std::move(claim)); }
  void problem(Problem problem) override {
    ++count_;
    to_.problem(std::move(problem));
  }
  void whole(std::string_view conversation) override { to_.whole(conversation); }
  void more(std::string_view conversation) override { to_.more(conversation); }
  void vanished(std::string_view key) override { to_.vanished(key); }
  std::optional<std::string> noted(std::string_view part) override { return to_.noted(part); }
  void note(std::string_view part, std::string_view text) override { to_.note(part, text); }
  void forget_note(std::string_view part) override { to_.forget_note(part); }
  std::vector<std::string> noted_parts() override { return to_.noted_parts(); }
  void so_far(std::string_view mark) override { to_.so_far(mark); }

 private:
  Sink& to_;
  std::size_t count_ = 0;
};

// No longer there, though its key is.
bool is_emptied(const KeyedValue& value) {
  return value.state == KeyedValue::State::null ||
         (value.state == KeyedValue::State::present && value.bytes.empty());
}

Telling telling_of(const std::string& raw, const Composer& composer) {
  const bool task = raw.starts_with(kTask);
  return {.store = task ? kSubagents : kBubbles,
          .conversation = conversation_id(raw),
          .delegated = task || composer.child,
          .time = composer.created,
          .created = composer.created};
}

// Of the first bubbles: what they are, where they stand, and what they have of the conversation.
std::uint64_t order_of(const Composer& composer, std::span<const Place> places) {
  std::uint64_t hash = composer.child ? 1 : 0;
  const auto add = [&hash](const auto& number) {
    hash = hash64({reinterpret_cast<const char*>(&number), sizeof number}, hash);
  };
  add(composer.created.value_or(0));
  for (const auto& place : places) {
    hash = hash64(place.key, hash);
    add(place.position);
    add(place.header_time.value_or(0));
  }
  return hash;
}

std::size_t count_in_order(const std::vector<Place>& places) {
  return static_cast<std::size_t>(
      std::find_if(places.begin(), places.end(), [](const Place& place) { return place.orphan; }) -
      places.begin());
}

// Decides what is settled after this reading; the rest of it is noted while they are delivered.
void settle_order(BubbleNote& note, const Composer& composer, std::span<const Place> in_order) {
  note.in_order = !composer.headers.empty();
  note.settled = in_order.size() - std::min(in_order.size(), kUnsettled);
  note.order = order_of(composer, in_order.first(note.settled));
}

// Whether all bubbles that were there still are.
bool all_are_there(const BubbleNote& before, const std::string& composer_key,
                   const std::vector<Place>& places) {
  std::vector<std::uint32_t> now = {BubbleShape::hash_of_key(composer_key)};
  for (const auto& place : places) now.push_back(BubbleShape::hash_of_key(place.key));
  std::sort(now.begin(), now.end());
  return std::all_of(before.shapes.begin(), before.shapes.end(), [&](const BubbleShape& shape) {
    return std::binary_search(now.begin(), now.end(), shape.key);
  });
}

}  // namespace

struct BubbleRows::Impl {
  Impl(SourceDatabase& from, const StateConversations& known, Sink& to)
      : database(from), conversations(known), sink(to), table(from), bubbles(sink) {}

  bool read(const std::string& raw, const Keys* changed);
  bool differ(const std::string& raw, DailyLook& look);
  Composer load_composer(const std::string& raw);
  BubbleNote read_whole(const std::string& raw, const Composer& composer);
  std::optional<BubbleNote> read_more(const std::string& raw, const Composer& composer,
                                      const BubbleNote& before, const Keys& keys);
  std::vector<Place> places(const std::string& raw, const Composer& composer,
                            std::span<const std::string_view> keys);
  std::vector<Place> places_by_time(std::span<const std::string_view> keys);
  void deliver(const std::vector<Place>& places, const Rows& rows, Telling& telling,
               BubbleNote& note);
  BubbleFacts deliver_bubble(JsonElement bubble, const Place& place, Telling& telling);
  void deliver_inline(const std::string& conversation, std::string_view store, JsonElement composer,
                      const std::string& key);
  Keys deliver_children(const std::string& raw);
  bool deliver_child(const std::string& id, const std::string& parent,
                     const std::string& bubble_key);
  void lose_child(const std::string& id);

  SourceDatabase& database;
  const StateConversations& conversations;
  Troubles sink;
  KeyedTable table;
  BubbleReader bubbles;
  JsonReader json{};
  JsonReader inner{JsonReader::kInnerMemory};
  std::map<std::string, std::string> children{};  // just read: id → key of its bubble
};

bool BubbleRows::Impl::differ(const std::string& raw, DailyLook& look) {
  const auto note = BubbleNote::parse(sink.noted(raw).value_or(std::string()));
  if (!note) return true;
  const auto composer_key = fmt::format("composerData:{}", raw);
  const auto composer = table.value(composer_key);
  std::vector<BubbleShape> now;
  const auto add = [&](const std::string& key, const KeyedValue& value) {
    look.read(value.bytes.size());
    if (value.state != KeyedValue::State::missing) now.emplace_back(key, value.bytes, false);
  };
  add(composer_key, composer);
  if (composer.state != KeyedValue::State::null)  // else its bubbles do not count
    table.values(table.keys(first_key(raw), last_key(raw)), add);
  auto before = note->shapes;
  for (auto& shape : before) shape.orphan = false;
  std::sort(now.begin(), now.end());
  std::sort(before.begin(), before.end());
  return now != before;
}

bool BubbleRows::Impl::read(const std::string& raw, const Keys* changed) {
  const bool has_composer =
      std::binary_search(conversations.composers.begin(), conversations.composers.end(), raw);
  const auto before = BubbleNote::parse(sink.noted(raw).value_or(std::string()));
  const bool as_before = before && before->composer == has_composer;
  if (as_before && changed == nullptr) return false;
  const auto troubles = sink.count();
  const auto composer = load_composer(raw);
  std::optional<BubbleNote> note;
  if (as_before) note = read_more(raw, composer, *before, *changed);
  if (!note) note = read_whole(raw, composer);
  note->composer = has_composer;
  if (has_composer) note->shapes.push_back(composer.shape);
  std::sort(note->shapes.begin(), note->shapes.end());
  note->trouble = sink.count() != troubles || composer.state == Composer::State::unreadable;
  sink.note(raw, note->text());
  return true;
}

Composer BubbleRows::Impl::load_composer(const std::string& raw) {
  Composer composer;
  const auto value = table.value(fmt::format("composerData:{}", raw));
  composer.shape = BubbleShape(fmt::format("composerData:{}", raw), value.bytes, false);
  if (value.state == KeyedValue::State::null) composer.state = Composer::State::deleted;
  if (value.state == KeyedValue::State::null || value.state == KeyedValue::State::missing ||
      (value.state == KeyedValue::State::present && value.bytes.empty()))
    return composer;
  composer.state = Composer::State::unreadable;  // the store composers tells of it
  const auto document = json.parse(value.bytes);
  if (!document || !document->is_object()) return composer;
  composer.state = Composer::State::present;
  composer.headers = headers_of(*document);
  if (const auto created = member(*document, "createdAt")) composer.created = time_of(*created);
  composer.child = !parent_of(*document).empty();
  composer.bytes = value.bytes;
  return composer;
}

BubbleNote BubbleRows::Impl::read_whole(const std::string& raw, const Composer& composer) {
  BubbleNote note;
  const auto conversation = conversation_id(raw);
  const bool deleted = composer.state == Composer::State::deleted;
  const auto rows = deleted ? std::nullopt : table.rows(first_key(raw), last_key(raw));
  const auto keys =
      rows || deleted ? std::vector<std::string>() : table.keys(first_key(raw), last_key(raw));
  const auto found = places(raw, composer, rows ? views_of(*rows) : views_of(keys));
  // Damage makes nothing gone.
  if (found.empty() && composer.state == Composer::State::unreadable) {
    sink.more(conversation);
    return note;
  }
  sink.whole(conversation);
  if (!found.empty()) {
    settle_order(note, composer, std::span(found).first(count_in_order(found)));
    auto telling = telling_of(raw, composer);
    deliver(found, rows, telling, note);
  } else if (const auto document = json.parse(composer.bytes)) {
    deliver_inline(conversation, raw.starts_with(kTask) ? kSubagents : kBubbles, *document,
                   fmt::format("composerData:{}", raw));
  }
  const auto told = deliver_children(raw);
  if (const auto before = conversations.children.find(raw); before != conversations.children.end())
    for (const auto& child : before->second)
      if (!told.contains(child)) lose_child(child);
  return note;
}

// Only the end, and what was written since; absent when more than that happened.
std::optional<BubbleNote> BubbleRows::Impl::read_more(const std::string& raw,
                                                      const Composer& composer,
                                                      const BubbleNote& before, const Keys& keys) {
  if (before.trouble || !before.in_order || composer.headers.empty()) return std::nullopt;
  const auto there = table.keys(first_key(raw), last_key(raw));
  const auto all = places(raw, composer, views_of(there));
  const auto in_order = std::span(all).first(count_in_order(all));
  if (before.settled > in_order.size() ||
      order_of(composer, in_order.first(before.settled)) != before.order ||
      std::any_of(in_order.begin(), in_order.begin() + static_cast<std::ptrdiff_t>(before.settled),
                  [&](const Place& place) { return keys.contains(place.key); }) ||
      !all_are_there(before, fmt::format("composerData:{}", raw), all))
    return std::nullopt;

  BubbleNote note;
  settle_order(note, composer, in_order);
  if (note.settled < before.settled) {
    note.settled = before.settled;
    note.order = before.order;
  }
  std::vector<Place> some(in_order.begin() + static_cast<std::ptrdiff_t>(before.settled),
                          in_order.end());
  for (std::size_t i = 0; i < before.settled; ++i)
    if (const auto* shape = before.find(all[i].key)) note.shapes.push_back(*shape);
  for (std::size_t i = in_order.size(); i < all.size(); ++i) {
    const auto* shape = before.find(all[i].key);
    if (shape == nullptr || !shape->orphan || keys.contains(all[i].key))
      some.push_back(all[i]);
    else
      note.shapes.push_back(*shape);
  }
  auto telling = telling_of(raw, composer);
  telling.again = true;
  telling.rank = before.settled;
  telling.delegated = before.delegated;
  telling.time = before.time;
  telling.told = before.settled_told;
  sink.more(telling.conversation);
  const auto troubles = sink.count();
  deliver(some, std::nullopt, telling, note);
  if (sink.count() != troubles) return std::nullopt;         // what it said before is gone
  if (!note.told.follows(before.told)) return std::nullopt;  // a claim has to be withdrawn
  deliver_children(raw);
  return note;
}

// The bubbles in reading order: as the headers say, then those that no header names. The latter
// have places that do not depend on how many there are.
std::vector<Place> BubbleRows::Impl::places(const std::string& raw, const Composer& composer,
                                            std::span<const std::string_view> keys) {
  if (composer.headers.empty()) return places_by_time(keys);
  auto key = first_key(raw);
  const auto prefix = key.size();
  std::vector<bool> named(keys.size());
  std::vector<Place> places;
  places.reserve(keys.size());
  for (std::size_t i = 0; i < composer.headers.size(); ++i) {
    key.resize(prefix);
    key += composer.headers[i].id;
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    const auto index = static_cast<std::size_t>(found - keys.begin());
    if (found == keys.end() || *found != key || named[index]) continue;
    named[index] = true;
    places.push_back({key, index, i, composer.headers[i].time, false});
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!named[i])
      places.push_back(
          {std::string(keys[i]), i, kOrphans + (hash64(keys[i]) >> 32u), std::nullopt, true});
  return places;
}

// Without headers: by time, and those without one after what was written before them.
std::vector<Place> BubbleRows::Impl::places_by_time(std::span<const std::string_view> keys) {
  struct Timed {
    std::int64_t row = 0;
    std::int64_t time = 0;
    std::size_t index = 0;
  };
  std::vector<Timed> found;
  if (keys.empty()) return {};
  database.snapshot([&](Database& snapshot) {
    found.clear();
    auto rows = snapshot.prepare("SELECT rowid FROM cursorDiskKV WHERE key = ?1");
    for (std::size_t i = 0; i < keys.size(); ++i) {
      rows.bind(1, keys[i]);
      if (rows.step()) found.push_back({rows.int64(0), 0, i});
      rows.reset();
    }
  });
  std::sort(found.begin(), found.end(),
            [](const Timed& a, const Timed& b) { return a.row < b.row; });
  std::vector<std::string> in_order;
  in_order.reserve(found.size());
  for (const auto& timed : found) in_order.emplace_back(keys[timed.index]);
  std::size_t at = 0;
  std::int64_t last = 0;
  table.values(in_order, [&](const std::string&, const KeyedValue& value) {
    const auto bubble = json.parse(value.bytes);
    if (const auto time =
            bubble ? BubbleReader::time_of_bubble(JsonMembers(*bubble)) : std::nullopt)
      last = *time;
    found[at++].time = last;
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const Timed& a, const Timed& b) { return a.time < b.time; });
  std::vector<Place> places;
  places.reserve(found.size());
  for (const auto& timed : found)
    places.push_back(
        {std::string(keys[timed.index]), timed.index, places.size(), std::nullopt, false});
  return places;
}

void BubbleRows::Impl::deliver(const std::vector<Place>& places, const Rows& rows, Telling& telling,
                               BubbleNote& note) {
  if (telling.rank == note.settled) settle(note, telling);
  const auto tell = [&](const Place& place, const KeyedValue& value) {
    if (!place.orphan && telling.rank++ == note.settled) settle(note, telling);
    note.shapes.emplace_back(place.key, value.bytes, place.orphan);
    if (!usable(value, place.key, sink)) {
      if (telling.again && is_emptied(value)) lose_bubble(place.key, sink);
      return;
    }
    const auto bubble = json.parse_padded(value.bytes);
    if (!bubble) return sink.problem({.what = "bubble is not JSON", .example = place.key});
    const auto facts = deliver_bubble(*bubble, place, telling);
    if (!facts.child_id.empty()) children.try_emplace(facts.child_id, place.key);
  };
  note.shapes.reserve(note.shapes.size() + places.size());
  if (rows) {
    for (const auto& place : places) tell(place, (*rows)[place.index].value);
  } else {
    std::vector<std::string> keys;
    keys.reserve(places.size());
    for (const auto& place : places) keys.push_back(place.key);
    std::size_t next = 0;
    table.values(keys,
                 [&](const std::string&, const KeyedValue& value) { tell(places[next++], value); });
  }
  note.told = telling.told;
  telling.told.claim(telling.conversation, sink);
}

// What is no longer part of the conversation tells nothing of it but whom it started.
BubbleFacts BubbleRows::Impl::deliver_bubble(JsonElement bubble, const Place& place,
                                             Telling& telling) {
  BubblePlace to{.store = telling.store,
                 .conversation = telling.conversation,
                 .key = place.key,
                 .position = place.position,
                 .orphan = place.orphan,
                 .delegated = telling.delegated && !place.orphan,
                 .again = telling.again};
  const auto time = place.orphan ? telling.created : telling.time;
  if (place.header_time)
    to.time = Time{*place.header_time, TimeOrigin::native};
  else if (time)
    to.time = Time{*time, TimeOrigin::session};
  auto facts = bubbles.read(bubble, to);
  if (place.orphan) {
    BubbleFacts started;
    started.children = facts.children;
    telling.told.add(started);
    return facts;
  }
  if (place.header_time) telling.time = place.header_time;
  if (facts.time) telling.time = facts.time;
  if (facts.user) telling.delegated = false;  // only the first prompt is the other agent's
  telling.told.add(facts);
  return facts;
}

void BubbleRows::Impl::deliver_inline(const std::string& conversation, std::string_view store,
                                      JsonElement composer, const std::string& key) {
  const auto found = inline_bubbles_of(composer, inner);
  const auto draft = trimmed(found.draft);
  if (found.bubbles.empty() && draft.empty()) return;
  Telling telling{.store = store,
                  .conversation = conversation,
                  .delegated = store == kSubagents || !parent_of(composer).empty()};
  if (const auto created = member(composer, "createdAt")) telling.time = time_of(*created);
  Keys ids;
  std::uint64_t position = 0;
  for (const JsonElement bubble : found.bubbles) {
    std::string id(text_of(bubble, {"bubbleId", "id"}));
    if (id.empty() || !ids.insert(id).second) id = fmt::to_string(position);
    deliver_bubble(bubble, {.key = fmt::format("{}#{}", key, id), .position = position}, telling);
    ++position;
  }
  if (!draft.empty()) {
    Document document{.store = store, .conversation = conversation, .role = Role::user};
    document.text = std::string(draft);
    document.identity.key = key + "#draft";
    if (telling.time) document.time = Time{*telling.time, TimeOrigin::session};
    cgrep::deliver(std::move(document), sink);
  }
  telling.told.claim(conversation, sink);
}

// Conversations of agents that stand inside the bubbles of their calls go with these. Returns the
// ids of those that were there.
BubbleRows::Keys BubbleRows::Impl::deliver_children(const std::string& raw) {
  Keys told;
  for (const auto& [id, bubble] : std::exchange(children, {})) {
    if (!deliver_child(id, conversation_id(raw), bubble)) continue;
    sink.note(fmt::format("{}{}", kInside, id), raw);
    told.insert(id);
  }
  return told;
}

// False when it is not there, or has rows of its own. What is damaged is not lost.
bool BubbleRows::Impl::deliver_child(const std::string& id, const std::string& parent,
                                     const std::string& bubble_key) {
  const auto value = table.value(bubble_key);
  const auto bubble = json.parse(value.bytes);
  const auto call = bubble ? member(*bubble, "toolFormerData") : std::nullopt;
  const auto more = call ? member(*call, "additionalData") : std::nullopt;
  if (!more) return false;
  const auto prefix = fmt::format("bubbleId:{}{}:", kTask, text_of(*call, "toolCallId"));
  if (!table.keys_with(prefix, 1).empty()) return false;
  JsonReader document(JsonReader::kInnerMemory);
  const auto composer = document.parse(text_of(*more, "composerData"));
  if (!composer || !composer->is_object()) {
    sink.problem({.what = "conversation inside a bubble is not JSON", .example = bubble_key});
    return true;
  }
  sink.whole(id);
  deliver_inline(id, kSubagents, *composer, bubble_key + "#child");
  Claims(id, sink).add(Fact::parent, rung::any::hint, parent);
  return true;
}

void BubbleRows::Impl::lose_child(const std::string& id) {
  sink.forget_note(fmt::format("{}{}", kInside, id));
  const bool has_rows =
      std::any_of(conversations.all.begin(), conversations.all.end(),
                  [&](const std::string& raw) { return conversation_id(raw) == id; });
  if (!has_rows) sink.whole(id);
}

BubbleRows::BubbleRows(SourceDatabase& database, const StateConversations& conversations,
                       Sink& sink)
    : impl_(std::make_unique<Impl>(database, conversations, sink)) {}

BubbleRows::~BubbleRows() = default;

bool BubbleRows::read(const std::string& raw, const Keys* changed) {
  return impl_->read(raw, changed);
}

bool BubbleRows::differ(const std::string& raw, DailyLook& look) {
  return impl_->differ(raw, look);
}

void BubbleRows::deliver_inline(const std::string& conversation, std::string_view store,
                                JsonElement composer, const std::string& key) {
  impl_->deliver_inline(conversation, store, composer, key);
}

void BubbleRows::lose_child(const std::string& id) {
  impl_->lose_child(id);
}

}  // namespace cgrep
