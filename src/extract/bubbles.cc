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
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "extract/bubble.h"
#include "extract/composer.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
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

// Far more than a turn has; a search for the time before a bubble ends here.
constexpr std::size_t kLookBack = 50;

// Position of the first orphan: after all bubbles that will ever be in a conversation.
constexpr std::uint64_t kOrphans = std::uint64_t{1} << 32;

std::string note_of(const std::vector<BubbleHeader>& headers, std::size_t count) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < count; ++i) hash = hash64(headers[i].id, hash);
  return fmt::format("{} {:x}", count, hash);
}

// The note of a conversation whose composer has no row.
constexpr std::string_view kNoComposer = "none";

// How many headers were there when the note was made, if those still stand at the beginning.
std::optional<std::size_t> headers_before(const std::string& note,
                                          const std::vector<BubbleHeader>& headers) {
  const auto count = static_cast<std::size_t>(std::strtoull(note.c_str(), nullptr, 10));
  if (count > headers.size() || note != note_of(headers, count)) return std::nullopt;
  return count;
}

// What the bubbles of a conversation say of it, taken together.
class Told {
 public:
  void add(const BubbleFacts& facts) {
    if (!facts.model.empty() && facts.model != "default") model_ = facts.model;
    keep_first(project_, facts.project);
    keep_first(uri_, facts.workspace_uri);
    keep_first(line_, facts.workspace_line);
    tokens_ += facts.tokens;
    children_.insert(facts.children.begin(), facts.children.end());
  }

  void claim(const std::string& conversation, bool whole, Sink& sink) const {
    const Claims claims(conversation, sink);
    claims.add_model(rung::model::message, model_);
    claims.add_path(rung::project::bubble, project_);
    claims.add_path(rung::project::bubble_uri, uri_);
    claims.add_path(rung::project::workspace_line, line_);
    if (whole && tokens_ > 0) claims.add(Fact::tokens, rung::any::hint, fmt::to_string(tokens_));
    claims.add(Fact::surface, rung::any::only, "ide");
    for (const auto& child : children_)
      Claims(child, sink).add(Fact::parent, rung::any::hint, conversation);
  }

 private:
  static void keep_first(std::string& value, const std::string& other) {
    if (value.empty()) value = other;
  }

  std::string model_{};
  std::string project_{};
  std::string uri_{};
  std::string line_{};
  std::int64_t tokens_ = 0;
  std::set<std::string> children_{};
};

// What is known of a conversation before its bubbles are read.
struct Composer {
  enum class State : std::uint8_t { missing, deleted, unreadable, present };
  State state = State::missing;
  std::vector<BubbleHeader> headers{};
  std::optional<std::int64_t> created{};
  bool child = false;
  std::string bytes{};  // kept only while it may hold messages itself
};

// A bubble to be read: where it is and where it belongs.
struct Place {
  std::string key{};
  std::uint64_t position = 0;
  std::optional<std::int64_t> header_time{};
  bool orphan = false;
  std::optional<std::int64_t> time_before{};  // of those before it that are not read now
};

// A conversation while its bubbles are read, one after the other.
struct Telling {
  std::string_view store{};
  std::string conversation{};
  bool delegated = false;              // the next prompt is
  bool again = false;                  // they were read before
  std::optional<std::int64_t> time{};  // of the last one that has any
  Told told{};
};

// No longer there, though its key is.
bool is_emptied(const KeyedValue& value) {
  return value.state == KeyedValue::State::null ||
         (value.state == KeyedValue::State::present && value.bytes.empty());
}

// How much of a conversation is read.
struct Extent {
  bool whole = true;
  bool beginning = true;
};

class StateReading {
 public:
  StateReading(const Source& source, SourceDatabase& database, Sink& sink)
      : source_(source), database_(database), sink_(sink), table_(database), bubbles_(sink) {}

  std::string read();

 private:
  using Ids = std::set<std::string>;

  void read_rows(const StateMark& now);
  void begin_rows(bool everything);
  bool read_conversation(const std::string& raw, const Ids* changed);
  void read_items();
  void read_item_list(JsonElement list, const std::string& hash, Ids& found);
  std::map<std::string, Ids> changed(const StateMark& now, bool& everything);
  Composer load_composer(const std::string& raw);
  void read_whole(const std::string& raw, const Composer& composer);
  bool read_more(const std::string& raw, const Composer& composer, const std::string& note,
                 const Ids& ids);
  std::vector<Place> places(const std::string& raw, const Composer& composer);
  std::vector<Place> places_by_time(const std::vector<std::string>& keys);
  std::optional<std::int64_t> time_before(const std::vector<Place>& places, std::size_t index);
  void deliver(const std::string& raw, const Composer& composer, const std::vector<Place>& places,
               Extent extent);
  BubbleFacts deliver_bubble(JsonElement bubble, const Place& place, Telling& telling);
  void deliver_inline(const std::string& conversation, std::string_view store, JsonElement composer,
                      const std::string& key);
  void deliver_children(const std::string& raw);
  bool deliver_child(const std::string& id, const std::string& parent,
                     const std::string& bubble_key);
  void lose_child(const std::string& id);

  const Source& source_;
  SourceDatabase& database_;
  Sink& sink_;
  KeyedTable table_;
  BubbleReader bubbles_;
  JsonReader json_{};
  JsonReader inner_{};
  std::string mark_{};

  std::vector<std::string> composers_{};  // that have a row
  std::vector<std::string> all_{};        // that have rows, of whatever kind

  std::map<std::string, std::string> children_{};  // just read: id → key of its bubble
  std::map<std::string, Ids> children_before_{};   // by the conversation they stood in
};

std::string StateReading::read() {
  const auto now = mark_now(database_);
  mark_ = now ? now->text() : "items";
  if (now) read_rows(*now);
  read_items();
  return mark_;
}

// By conversation, the bubbles that were written since the last reading.
std::map<std::string, StateReading::Ids> StateReading::changed(const StateMark& now,
                                                               bool& everything) {
  std::map<std::string, Ids> found;
  for (const auto* family : {"bubbleId:", "composerData:"}) {
    const auto keys = changed_keys(database_, source_.mark, now, family);
    everything = !keys;
    if (everything) return {};
    for (const auto& key : *keys)
      if (const auto parts = split_key(key)) {
        auto& ids = found[std::string(parts->conversation)];
        if (!parts->id.empty()) ids.insert(key);
      }
  }
  return found;
}

void StateReading::read_rows(const StateMark& now) {
  bool everything = false;
  const auto changes = changed(now, everything);
  begin_rows(everything);
  for (const auto& raw : all_) {
    const auto change = changes.find(raw);
    // A reading that goes on from here must see again what changed before it began.
    if (read_conversation(raw, change != changes.end() ? &change->second : nullptr))
      sink_.so_far(everything ? mark_ : source_.mark);
  }
}

// Finds the conversations, and tells of those that vanished.
void StateReading::begin_rows(bool everything) {
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
    if (gone || everything) sink_.forget_note(part);
  }
  for (const auto& [raw, children] : children_before_)
    if (!std::binary_search(all_.begin(), all_.end(), raw))
      for (const auto& child : children) lose_child(child);
}

// `changed`: its bubbles that were written since the last reading; null when nothing was. False
// when there is nothing to read.
bool StateReading::read_conversation(const std::string& raw, const Ids* changed) {
  const bool has_composer = std::binary_search(composers_.begin(), composers_.end(), raw);
  const auto note = sink_.noted(raw);
  const bool as_before = note && (*note != kNoComposer) == has_composer;
  if (as_before && changed == nullptr) return false;
  const auto composer = load_composer(raw);
  if (!as_before || !read_more(raw, composer, *note, *changed)) read_whole(raw, composer);
  sink_.note(raw, has_composer ? note_of(composer.headers, composer.headers.size())
                               : std::string(kNoComposer));
  return true;
}

Composer StateReading::load_composer(const std::string& raw) {
  Composer composer;
  const auto value = table_.value(fmt::format("composerData:{}", raw));
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

void StateReading::read_whole(const std::string& raw, const Composer& composer) {
  const auto conversation = conversation_id(raw);
  const bool deleted = composer.state == Composer::State::deleted;
  const auto found = deleted ? std::vector<Place>() : places(raw, composer);
  // Damage makes nothing gone.
  if (found.empty() && composer.state == Composer::State::unreadable)
    return sink_.more(conversation);
  sink_.whole(conversation);
  if (!found.empty())
    deliver(raw, composer, found, {});
  else if (const auto document = json_.parse(composer.bytes))
    deliver_inline(conversation, raw.starts_with(kTask) ? kSubagents : kBubbles, *document,
                   fmt::format("composerData:{}", raw));
  deliver_children(raw);
  for (const auto& child : children_before_[raw]) lose_child(child);
}

// Only what was added at the end or rewritten; false when more than that happened.
bool StateReading::read_more(const std::string& raw, const Composer& composer,
                             const std::string& note, const Ids& ids) {
  const auto before = headers_before(note, composer.headers);
  if (!before || *before == 0) return false;
  const auto all = places(raw, composer);
  std::vector<Place> some;
  bool gap = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool added = !all[i].orphan && all[i].position >= *before;
    const bool wanted = added || ids.contains(all[i].key);
    if (wanted) {
      some.push_back(all[i]);
      if (gap) some.back().time_before = time_before(all, i);
    }
    gap = !wanted;
  }
  sink_.more(conversation_id(raw));
  if (some.empty()) return true;
  deliver(raw, composer, some, {.whole = false, .beginning = some.front().key == all.front().key});
  deliver_children(raw);
  return true;
}

// The bubbles in reading order: as the headers say, then those that no header names.
std::vector<Place> StateReading::places(const std::string& raw, const Composer& composer) {
  const auto prefix = fmt::format("bubbleId:{}:", raw);
  const auto keys = table_.keys(prefix, fmt::format("bubbleId:{};", raw));
  if (composer.headers.empty()) return places_by_time(keys);
  std::unordered_set<std::string> left(keys.begin(), keys.end());
  std::vector<Place> places;
  for (std::size_t i = 0; i < composer.headers.size(); ++i) {
    auto key = prefix + composer.headers[i].id;
    if (left.erase(key) == 0) continue;
    places.push_back({std::move(key), i, composer.headers[i].time, false});
  }
  std::uint64_t position = kOrphans;
  for (const auto& key : keys)
    if (left.contains(key)) places.push_back({key, position++, std::nullopt, true});
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
    if (const auto time = bubble ? BubbleReader::time_of_bubble(*bubble) : std::nullopt)
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

std::optional<std::int64_t> StateReading::time_before(const std::vector<Place>& places,
                                                      std::size_t index) {
  for (std::size_t steps = 0; index > 0 && steps < kLookBack; ++steps) {
    const auto& place = places[--index];
    const auto value = table_.value(place.key);
    const auto bubble = json_.parse(value.bytes);
    if (const auto time = bubble ? BubbleReader::time_of_bubble(*bubble) : std::nullopt)
      return time;
    if (place.header_time) return place.header_time;
  }
  return std::nullopt;
}

void StateReading::deliver(const std::string& raw, const Composer& composer,
                           const std::vector<Place>& places, Extent extent) {
  const bool task = raw.starts_with(kTask);
  Telling telling{.store = task ? kSubagents : kBubbles,
                  .conversation = conversation_id(raw),
                  .delegated = (task || composer.child) && extent.beginning,
                  .again = !extent.whole,
                  .time = composer.created};
  std::vector<std::string> keys;
  keys.reserve(places.size());
  for (const auto& place : places) keys.push_back(place.key);
  std::size_t index = 0;
  table_.values(keys, [&](const std::string& key, const KeyedValue& value) {
    const Place& place = places[index++];
    if (place.time_before) telling.time = place.time_before;
    if (!usable(value, key, sink_)) {
      if (telling.again && is_emptied(value)) lose_bubble(key, sink_);
      return;
    }
    const auto bubble = json_.parse(value.bytes);
    if (!bubble) return sink_.problem({.what = "bubble is not JSON", .example = key});
    const auto facts = deliver_bubble(*bubble, place, telling);
    if (!facts.child_document.empty() && !facts.child_id.empty())
      children_.try_emplace(facts.child_id, key);
  });
  telling.told.claim(telling.conversation, extent.whole, sink_);
}

BubbleFacts StateReading::deliver_bubble(JsonElement bubble, const Place& place, Telling& telling) {
  BubblePlace to{.store = telling.store,
                 .conversation = telling.conversation,
                 .key = place.key,
                 .position = place.position,
                 .orphan = place.orphan,
                 .delegated = telling.delegated,
                 .again = telling.again};
  if (place.header_time)
    to.time = Time{*place.header_time, TimeOrigin::native};
  else if (telling.time)
    to.time = Time{*telling.time, TimeOrigin::session};
  auto facts = bubbles_.read(bubble, to);
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
  telling.told.claim(conversation, true, sink_);
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
  JsonReader document;
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

extern constinit const Store bubbles;
constinit const Store bubbles{.id = 3,
                              .name = kBubbles,
                              .summary = "messages of the IDE",
                              .searched = Searched::by_default,
                              .aliases = kAliases,
                              .version = 1,
                              .database = true,
                              .discover = discover,
                              .extract = extract};

}  // namespace cgrep
