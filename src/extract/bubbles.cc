// bubbles: messages of the IDE
//   User/globalStorage/state.vscdb, table cursorDiskKV
//     bubbleId:<conversation>:<bubble>   a message, or a part of one (bubble.h)
//     composerData:<conversation>        their order; in old versions, the messages themselves
//   User/workspaceStorage/<hash>/state.vscdb, table ItemTable
//     composer.composerData              in very old versions, all of it in a list
// Agents that an agent started in old versions have bubbles under `task-<id of the tool call>`, or
// inside the bubble of the call; they are documents of the store subagents.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "extract/bubble.h"
#include "extract/bubble_note.h"
#include "extract/composer.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/one_conversation.h"
#include "extract/state_changes.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kBubbles = "bubbles";
constexpr std::string_view kSubagents = "subagents";
constexpr std::string_view kTask = "task-";

// Notes of conversations that have no rows of their own; ids in keys hold no colon.
constexpr std::string_view kItem = "item:";      // in ItemTable
constexpr std::string_view kInside = "inside:";  // inside a bubble of another conversation

// Conversations that were written to last. Whatever may have happened to the end of one is seen.
constexpr std::string_view kRecent = "recent:";
constexpr std::size_t kMostRecent = 3;

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

// Hands everything on, and counts problems.
class Troubles : public Sink {
 public:
  explicit Troubles(Sink& to) : to_(to) {}
  std::size_t count() const { return count_; }

  void document(Document document) override { to_.document(std::move(document)); }
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

class StateReading {
 public:
  StateReading(const Source& source, SourceDatabase& database, Sink& sink)
      : source_(source),
        database_(database),
        sink_(sink),
        table_(database),
        changes_(database, source.mark, {"bubbleId", "composerData"}),
        bubbles_(sink_) {}

  std::string read();
  void read_only(const std::string& raw);

 private:
  using Ids = std::set<std::string>;

  void read_rows();
  void begin_rows();
  std::map<std::string, Ids> changed();
  void remember_recent(const std::map<std::string, Ids>& changed);
  void compare_rows();
  bool differs(const std::string& raw, DailyLook& look);
  bool read_conversation(const std::string& raw, const Ids* changed);
  void read_items();
  void read_item_list(JsonElement list, const std::string& hash, Ids& found);
  Composer load_composer(const std::string& raw);
  Telling telling_of(const std::string& raw, const Composer& composer) const;
  BubbleNote read_whole(const std::string& raw, const Composer& composer);
  std::optional<BubbleNote> read_more(const std::string& raw, const Composer& composer,
                                      const BubbleNote& before, const Ids& ids);
  std::vector<Place> places(const std::string& raw, const Composer& composer);
  std::vector<Place> places_by_time(const std::vector<std::string>& keys);
  void deliver(const std::vector<Place>& places, Telling& telling, BubbleNote& note);
  BubbleFacts deliver_bubble(JsonElement bubble, const Place& place, Telling& telling);
  void deliver_inline(const std::string& conversation, std::string_view store, JsonElement composer,
                      const std::string& key);
  void deliver_children(const std::string& raw);
  bool deliver_child(const std::string& id, const std::string& parent,
                     const std::string& bubble_key);
  void lose_child(const std::string& id);

  const Source& source_;
  SourceDatabase& database_;
  Troubles sink_;
  KeyedTable table_;
  StateChanges changes_;
  BubbleReader bubbles_;
  JsonReader json_{};
  JsonReader inner_{JsonReader::kInnerMemory};

  std::vector<std::string> composers_{};  // that have a row
  std::vector<std::string> all_{};        // that have rows, of whatever kind

  std::map<std::string, std::string> children_{};  // just read: id → key of its bubble
  std::map<std::string, Ids> children_before_{};   // by the conversation they stood in
};

std::string StateReading::read() {
  if (changes_.exist()) read_rows();
  read_items();
  return changes_.exist() ? changes_.mark() : "items";
}

// By conversation, the bubbles that were written since the last reading.
std::map<std::string, StateReading::Ids> StateReading::changed() {
  std::map<std::string, Ids> found;
  for (const auto& key : changes_.keys())
    if (const auto parts = split_key(key)) {
      auto& ids = found[std::string(parts->conversation)];
      if (!parts->id.empty()) ids.insert(key);
    }
  return found;
}

void StateReading::read_rows() {
  auto changes = changed();
  remember_recent(changes);
  begin_rows();
  if (const auto recent = sink_.noted(kRecent); recent && !changes_.everything())
    for (std::string_view rest = *recent; !rest.empty();) {
      const auto end = rest.find('\0');
      changes.try_emplace(std::string(rest.substr(0, end)));
      rest.remove_prefix(end + 1);
    }
  for (const auto& raw : all_) {
    const auto change = changes.find(raw);
    if (read_conversation(raw, change != changes.end() ? &change->second : nullptr))
      sink_.so_far(changes_.so_far());
  }
  compare_rows();
}

// What is new was read before.
void StateReading::compare_rows() {
  DailyLook look(changes_, sink_);
  for (const auto& raw : all_) {
    if (!look.wants(raw)) continue;
    if (differs(raw, look)) {
      sink_.forget_note(raw);
      read_conversation(raw, nullptr);
    }
    look.done(raw);
  }
  look.end();
}

// One conversation, by its own keys. What changed is found as ever; where that cannot be told, it
// is read from its start. As the mark stays, what changed is told again by the next reading of all.
void StateReading::read_only(const std::string& raw) {
  if (!changes_.exist()) return;
  const bool has_composer =
      table_.value(fmt::format("composerData:{}", raw)).state != KeyedValue::State::missing;
  const bool has_bubbles = !table_.keys_with(fmt::format("bubbleId:{}:", raw), 1).empty();
  if (!has_composer && !has_bubbles) return;
  if (has_composer) composers_.push_back(raw);
  all_.push_back(raw);
  for (const auto& part : sink_.noted_parts())
    if (part.starts_with(kInside) && sink_.noted(part) == raw)
      children_before_[raw].insert(part.substr(kInside.size()));
  auto changes = changed();
  if (changes_.everything()) sink_.forget_note(raw);
  read_conversation(raw, &changes[raw]);
}

void StateReading::remember_recent(const std::map<std::string, Ids>& changed) {
  std::vector<std::string> recent;
  recent.reserve(changed.size());
  for (const auto& [raw, ids] : changed) recent.push_back(raw + '\0');
  const auto before = sink_.noted(kRecent).value_or(std::string());
  std::string text;
  for (std::size_t i = recent.size() - std::min(recent.size(), kMostRecent); i < recent.size(); ++i)
    text += recent[i];
  std::size_t count = std::min(recent.size(), kMostRecent);
  for (std::string_view rest = before; !rest.empty() && count < kMostRecent;) {
    const auto raw = rest.substr(0, rest.find('\0') + 1);
    rest.remove_prefix(raw.size());
    if (std::find(recent.begin(), recent.end(), raw) != recent.end()) continue;
    text += raw;
    ++count;
  }
  sink_.note(kRecent, text);
}

// Finds the conversations, and tells of those that vanished.
void StateReading::begin_rows() {
  composers_ = conversations_of(table_, "composerData");
  const auto with_bubbles = conversations_of(table_, "bubbleId");
  std::set_union(composers_.begin(), composers_.end(), with_bubbles.begin(), with_bubbles.end(),
                 std::back_inserter(all_));
  for (const auto& part : sink_.noted_parts()) {
    if (part.starts_with(kInside))
      children_before_[sink_.noted(part).value_or(std::string())].insert(
          part.substr(kInside.size()));
    if (part.find(':') != std::string::npos) continue;
    const bool gone = !std::binary_search(all_.begin(), all_.end(), part);
    if (gone) sink_.whole(conversation_id(part));
    if (gone || changes_.everything()) sink_.forget_note(part);
  }
  for (const auto& [raw, children] : children_before_)
    if (!std::binary_search(all_.begin(), all_.end(), raw))
      for (const auto& child : children) lose_child(child);
}

// Whether its rows are others than those that were noted.
bool StateReading::differs(const std::string& raw, DailyLook& look) {
  const auto note = BubbleNote::parse(sink_.noted(raw).value_or(std::string()));
  if (!note) return true;
  const auto composer_key = fmt::format("composerData:{}", raw);
  const auto composer = table_.value(composer_key);
  std::vector<BubbleShape> now;
  const auto add = [&](const std::string& key, const KeyedValue& value) {
    look.read(value.bytes.size());
    if (value.state != KeyedValue::State::missing) now.emplace_back(key, value.bytes, false);
  };
  add(composer_key, composer);
  if (composer.state != KeyedValue::State::null)  // else its bubbles do not count
    table_.values(table_.keys(fmt::format("bubbleId:{}:", raw), fmt::format("bubbleId:{};", raw)),
                  add);
  auto before = note->shapes;
  for (auto& shape : before) shape.orphan = false;
  std::sort(now.begin(), now.end());
  std::sort(before.begin(), before.end());
  return now != before;
}

// `changed`: its bubbles that were written since the last reading; null when nothing was. False
// when there is nothing to read.
bool StateReading::read_conversation(const std::string& raw, const Ids* changed) {
  const bool has_composer = std::binary_search(composers_.begin(), composers_.end(), raw);
  const auto before = BubbleNote::parse(sink_.noted(raw).value_or(std::string()));
  const bool as_before = before && before->composer == has_composer;
  if (as_before && changed == nullptr) return false;
  const auto troubles = sink_.count();
  const auto composer = load_composer(raw);
  std::optional<BubbleNote> note;
  if (as_before) note = read_more(raw, composer, *before, *changed);
  if (!note) note = read_whole(raw, composer);
  note->composer = has_composer;
  if (has_composer) note->shapes.push_back(composer.shape);
  std::sort(note->shapes.begin(), note->shapes.end());
  note->trouble = sink_.count() != troubles || composer.state == Composer::State::unreadable;
  sink_.note(raw, note->text());
  return true;
}

Composer StateReading::load_composer(const std::string& raw) {
  Composer composer;
  const auto value = table_.value(fmt::format("composerData:{}", raw));
  composer.shape = BubbleShape(fmt::format("composerData:{}", raw), value.bytes, false);
  if (value.state == KeyedValue::State::null) composer.state = Composer::State::deleted;
  if (value.state == KeyedValue::State::null || value.state == KeyedValue::State::missing ||
      (value.state == KeyedValue::State::present && value.bytes.empty()))
    return composer;
  composer.state = Composer::State::unreadable;  // the store composers tells of it
  const auto document = json_.parse(value.bytes);
  if (!document || !document->is_object()) return composer;
  composer.state = Composer::State::present;
  composer.headers = headers_of(*document);
  if (const auto created = member(*document, "createdAt")) composer.created = time_of(*created);
  composer.child = !parent_of(*document).empty();
  composer.bytes = value.bytes;
  return composer;
}

Telling StateReading::telling_of(const std::string& raw, const Composer& composer) const {
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
  hash = hash64(fmt::to_string(composer.created.value_or(0)), hash);
  fmt::memory_buffer line;
  for (const auto& place : places) {
    line.clear();
    fmt::format_to(fmt::appender(line), "{} {} {}", place.key, place.position,
                   place.header_time.value_or(0));
    hash = hash64({line.data(), line.size()}, hash);
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

BubbleNote StateReading::read_whole(const std::string& raw, const Composer& composer) {
  BubbleNote note;
  const auto conversation = conversation_id(raw);
  const bool deleted = composer.state == Composer::State::deleted;
  const auto found = deleted ? std::vector<Place>() : places(raw, composer);
  // Damage makes nothing gone.
  if (found.empty() && composer.state == Composer::State::unreadable) {
    sink_.more(conversation);
    return note;
  }
  sink_.whole(conversation);
  if (!found.empty()) {
    settle_order(note, composer, std::span(found).first(count_in_order(found)));
    auto telling = telling_of(raw, composer);
    deliver(found, telling, note);
  } else if (const auto document = json_.parse(composer.bytes)) {
    deliver_inline(conversation, raw.starts_with(kTask) ? kSubagents : kBubbles, *document,
                   fmt::format("composerData:{}", raw));
  }
  deliver_children(raw);
  for (const auto& child : children_before_[raw]) lose_child(child);
  return note;
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

// Only the end, and what was written since; absent when more than that happened.
std::optional<BubbleNote> StateReading::read_more(const std::string& raw, const Composer& composer,
                                                  const BubbleNote& before, const Ids& ids) {
  if (before.trouble || !before.in_order || composer.headers.empty()) return std::nullopt;
  const auto all = places(raw, composer);
  const auto in_order = std::span(all).first(count_in_order(all));
  if (before.settled > in_order.size() ||
      order_of(composer, in_order.first(before.settled)) != before.order ||
      std::any_of(in_order.begin(), in_order.begin() + static_cast<std::ptrdiff_t>(before.settled),
                  [&](const Place& place) { return ids.contains(place.key); }) ||
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
    if (shape == nullptr || !shape->orphan || ids.contains(all[i].key))
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
  sink_.more(telling.conversation);
  const auto troubles = sink_.count();
  deliver(some, telling, note);
  if (sink_.count() != troubles) return std::nullopt;        // what it said before is gone
  if (!note.told.follows(before.told)) return std::nullopt;  // a claim has to be withdrawn
  deliver_children(raw);
  return note;
}

// The bubbles in reading order: as the headers say, then those that no header names. The latter
// have places that do not depend on how many there are.
std::vector<Place> StateReading::places(const std::string& raw, const Composer& composer) {
  const auto prefix = fmt::format("bubbleId:{}:", raw);
  const auto keys = table_.keys(prefix, fmt::format("bubbleId:{};", raw));
  if (composer.headers.empty()) return places_by_time(keys);
  std::vector<bool> named(keys.size());
  std::vector<Place> places;
  places.reserve(keys.size());
  for (std::size_t i = 0; i < composer.headers.size(); ++i) {
    auto key = prefix + composer.headers[i].id;
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    const auto index = static_cast<std::size_t>(found - keys.begin());
    if (found == keys.end() || *found != key || named[index]) continue;
    named[index] = true;
    places.push_back({std::move(key), i, composer.headers[i].time, false});
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!named[i])
      places.push_back({keys[i], kOrphans + (hash64(keys[i]) >> 32u), std::nullopt, true});
  return places;
}

// Without headers: by time, and those without one after what was written before them.
std::vector<Place> StateReading::places_by_time(const std::vector<std::string>& keys) {
  struct Timed {
    std::int64_t row = 0;
    std::int64_t time = 0;
    std::string key{};
  };
  std::vector<Timed> found;
  if (keys.empty()) return {};
  database_.snapshot([&](Database& snapshot) {
    found.clear();
    auto rows = snapshot.prepare("SELECT rowid FROM cursorDiskKV WHERE key = ?1");
    for (const auto& key : keys) {
      rows.bind(1, key);
      if (rows.step()) found.push_back({rows.int64(0), 0, key});
      rows.reset();
    }
  });
  std::sort(found.begin(), found.end(),
            [](const Timed& a, const Timed& b) { return a.row < b.row; });
  std::vector<std::string> in_order;
  in_order.reserve(found.size());
  for (const auto& timed : found) in_order.push_back(timed.key);
  std::size_t at = 0;
  std::int64_t last = 0;
  table_.values(in_order, [&](const std::string&, const KeyedValue& value) {
    const auto bubble = json_.parse(value.bytes);
    if (const auto time =
            bubble ? BubbleReader::time_of_bubble(JsonMembers(*bubble)) : std::nullopt)
      last = *time;
    found[at++].time = last;
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const Timed& a, const Timed& b) { return a.time < b.time; });
  std::vector<Place> places;
  places.reserve(found.size());
  for (auto& timed : found)
    places.push_back({std::move(timed.key), places.size(), std::nullopt, false});
  return places;
}

void StateReading::deliver(const std::vector<Place>& places, Telling& telling, BubbleNote& note) {
  std::vector<std::string> keys;
  keys.reserve(places.size());
  for (const auto& place : places) keys.push_back(place.key);
  std::size_t index = 0;
  if (telling.rank == note.settled) settle(note, telling);
  table_.values(keys, [&](const std::string& key, const KeyedValue& value) {
    const Place& place = places[index++];
    if (!place.orphan && telling.rank++ == note.settled) settle(note, telling);
    note.shapes.emplace_back(key, value.bytes, place.orphan);
    if (!usable(value, key, sink_)) {
      if (telling.again && is_emptied(value)) lose_bubble(key, sink_);
      return;
    }
    const auto bubble = json_.parse_padded(value.bytes);
    if (!bubble) return sink_.problem({.what = "bubble is not JSON", .example = key});
    const auto facts = deliver_bubble(*bubble, place, telling);
    if (!facts.child_id.empty()) children_.try_emplace(facts.child_id, key);
  });
  note.told = telling.told;
  telling.told.claim(telling.conversation, sink_);
}

// What is no longer part of the conversation tells nothing of it but whom it started.
BubbleFacts StateReading::deliver_bubble(JsonElement bubble, const Place& place, Telling& telling) {
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
  auto facts = bubbles_.read(bubble, to);
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

void StateReading::deliver_inline(const std::string& conversation, std::string_view store,
                                  JsonElement composer, const std::string& key) {
  const auto found = inline_bubbles_of(composer, inner_);
  const auto draft = trimmed(found.draft);
  if (found.bubbles.empty() && draft.empty()) return;
  Telling telling{.store = store,
                  .conversation = conversation,
                  .delegated = store == kSubagents || !parent_of(composer).empty()};
  if (const auto created = member(composer, "createdAt")) telling.time = time_of(*created);
  Ids ids;
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
    cgrep::deliver(std::move(document), sink_);
  }
  telling.told.claim(conversation, sink_);
}

// Conversations of agents that stand inside the bubbles of their calls go with these.
void StateReading::deliver_children(const std::string& raw) {
  for (const auto& [id, bubble] : std::exchange(children_, {})) {
    if (!deliver_child(id, conversation_id(raw), bubble)) continue;
    sink_.note(fmt::format("{}{}", kInside, id), raw);
    children_before_[raw].erase(id);
  }
}

// False when it is not there, or has rows of its own. What is damaged is not lost.
bool StateReading::deliver_child(const std::string& id, const std::string& parent,
                                 const std::string& bubble_key) {
  const auto value = table_.value(bubble_key);
  const auto bubble = json_.parse(value.bytes);
  const auto call = bubble ? member(*bubble, "toolFormerData") : std::nullopt;
  const auto more = call ? member(*call, "additionalData") : std::nullopt;
  if (!more) return false;
  const auto prefix = fmt::format("bubbleId:{}{}:", kTask, text_of(*call, "toolCallId"));
  if (!table_.keys_with(prefix, 1).empty()) return false;
  JsonReader document(JsonReader::kInnerMemory);
  const auto composer = document.parse(text_of(*more, "composerData"));
  if (!composer || !composer->is_object()) {
    sink_.problem({.what = "conversation inside a bubble is not JSON", .example = bubble_key});
    return true;
  }
  sink_.whole(id);
  deliver_inline(id, kSubagents, *composer, bubble_key + "#child");
  Claims(id, sink_).add(Fact::parent, rung::any::hint, parent);
  return true;
}

void StateReading::lose_child(const std::string& id) {
  sink_.forget_note(fmt::format("{}{}", kInside, id));
  const bool has_rows = std::any_of(
      all_.begin(), all_.end(), [&](const std::string& raw) { return conversation_id(raw) == id; });
  if (!has_rows) sink_.whole(id);
}

// Heads that are whole documents.
void StateReading::read_items() {
  Ids found;
  bool complete = true;
  KeyedTable items(database_, "ItemTable");
  for (const auto* key : {"composer.composerData", "workbench.panel.chat.composerData"}) {
    const auto value = items.value(key);
    if (value.state == KeyedValue::State::missing || value.state == KeyedValue::State::null)
      continue;
    JsonReader list;
    const auto parsed = list.parse(value.bytes);
    if (parsed)
      read_item_list(*parsed, fmt::format("{:x}", hash64(value.bytes)), found);
    else
      complete = false;  // the store composers tells of it
  }
  for (const auto& part : sink_.noted_parts()) {
    if (!part.starts_with(kItem) || found.contains(part)) continue;
    const auto raw = part.substr(kItem.size());
    if (!complete) {
      // All is read again, but this is not gone.
      if (source_.mark.empty()) sink_.more(conversation_id(raw));
      continue;
    }
    // One that moved to a row of its own was read there.
    if (!std::binary_search(all_.begin(), all_.end(), raw)) sink_.whole(conversation_id(raw));
    sink_.forget_note(part);
  }
}

void StateReading::read_item_list(JsonElement list, const std::string& hash, Ids& found) {
  const auto read = [&](JsonElement head) {
    const std::string raw(text_of(head, "composerId"));
    const auto part = fmt::format("{}{}", kItem, raw);
    if (raw.empty() || found.contains(part) || inline_bubbles_of(head, inner_).bubbles.empty() ||
        std::binary_search(all_.begin(), all_.end(), raw))
      return;
    found.insert(part);
    if (!source_.mark.empty() && sink_.noted(part) == hash) return;
    const auto conversation = conversation_id(raw);
    sink_.whole(conversation);
    deliver_inline(conversation, kBubbles, head, fmt::format("composerData:{}", raw));
    sink_.note(part, hash);
  };
  simdjson::dom::array heads;
  if (list.get_array().get(heads) == simdjson::SUCCESS) {
    for (const JsonElement head : heads) read(head);
    return;
  }
  for_each_item(list, "allComposers", read);
}

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store(kBubbles), roots, folders, found, Where::everywhere);
}

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    return StateReading(source, database, sink).read();
  });
}

constexpr std::array<std::string_view, 1> kAliases = {"bubble"};

}  // namespace

void extract_bubbles_of(const Source& source, const std::string& conversation, Sink& sink) {
  read_database(source, sink, [&](SourceDatabase& database) {
    StateReading(source, database, sink).read_only(conversation);
    return source.mark;
  });
}

extern constinit const Store bubbles;
constinit const Store bubbles{.id = 3,
                              .name = kBubbles,
                              .summary = "messages of the IDE",
                              .searched = Searched::by_default,
                              .aliases = kAliases,
                              .version = 2,
                              .database = true,
                              .discover = discover,
                              .extract = extract};

}  // namespace cgrep
