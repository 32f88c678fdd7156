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
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "extract/bubble_rows.h"
#include "extract/composer.h"
#include "extract/conversation_id.h"
#include "extract/helpers.h"
#include "extract/one_conversation.h"
#include "extract/state_changes.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kBubbles = "bubbles";

// Notes of conversations that have no rows of their own; ids in keys hold no colon.
constexpr std::string_view kItem = "item:";  // in ItemTable
constexpr auto kInside = BubbleRows::kInside;

// Conversations that were written to last. Whatever may have happened to the end of one is seen.
constexpr std::string_view kRecent = "recent:";
constexpr std::size_t kMostRecent = 3;

class StateReading {
 public:
  StateReading(const Source& source, SourceDatabase& database, Sink& sink)
      : source_(source),
        database_(database),
        sink_(sink),
        table_(database),
        changes_(database, source.mark, {"bubbleId", "composerData"}),
        rows_(database, found_, sink) {}

  std::string read();
  void read_only(const std::string& raw);

 private:
  using Keys = BubbleRows::Keys;

  void read_rows();
  void begin_rows();
  std::map<std::string, Keys> changed();
  void remember_recent(const std::map<std::string, Keys>& changed);
  void compare_rows();
  void read_items();
  void read_item_list(JsonElement list, const std::string& hash, std::set<std::string>& found);

  const Source& source_;
  SourceDatabase& database_;
  Sink& sink_;
  KeyedTable table_;
  StateChanges changes_;
  StateConversations found_{};
  BubbleRows rows_;
  JsonReader inner_{JsonReader::kInnerMemory};
};

std::string StateReading::read() {
  if (changes_.exist()) read_rows();
  read_items();
  return changes_.exist() ? changes_.mark() : "items";
}

// By conversation, the bubbles that were written since the last reading.
std::map<std::string, StateReading::Keys> StateReading::changed() {
  std::map<std::string, Keys> found;
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
  // Conversations of which nothing is noted any more have nothing to do with each other. Large
  // values are left to one thread.
  struct Helper {
    Helper(const Source& source, const StateConversations& conversations, Sink& sink)
        : database(source, SourceDatabase::Values::small), rows(database, conversations, sink) {}
    SourceDatabase database;
    BubbleRows rows;
  };
  Helpers helpers(
      {.count = changes_.everything() ? found_.all.size() : 0, .reader = [this](Sink& sink) {
         auto helper = std::make_shared<Helper>(source_, found_, sink);
         return [this, helper](std::size_t i) { helper->rows.read(found_.all[i], nullptr); };
       }});
  for (const auto& raw : found_.all) {
    const auto change = changes.find(raw);
    if (helpers.deliver(sink_) ||
        rows_.read(raw, change != changes.end() ? &change->second : nullptr))
      sink_.so_far(changes_.so_far());
  }
  compare_rows();
}

// What is new was read before.
void StateReading::compare_rows() {
  DailyLook look(changes_, sink_);
  for (const auto& raw : found_.all) {
    if (!look.wants(raw)) continue;
    if (rows_.differ(raw, look)) {
      sink_.forget_note(raw);
      rows_.read(raw, nullptr);
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
  if (has_composer) found_.composers.push_back(raw);
  found_.all.push_back(raw);
  for (const auto& part : sink_.noted_parts())
    if (part.starts_with(kInside) && sink_.noted(part) == raw)
      found_.children[raw].insert(part.substr(kInside.size()));
  auto changes = changed();
  if (changes_.everything()) sink_.forget_note(raw);
  rows_.read(raw, &changes[raw]);
}

void StateReading::remember_recent(const std::map<std::string, Keys>& changed) {
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
  found_.composers = conversations_of(table_, "composerData");
  const auto with_bubbles = conversations_of(table_, "bubbleId");
  std::set_union(found_.composers.begin(), found_.composers.end(), with_bubbles.begin(),
                 with_bubbles.end(), std::back_inserter(found_.all));
  for (const auto& part : sink_.noted_parts()) {
    if (part.starts_with(kInside))
      found_.children[sink_.noted(part).value_or(std::string())].insert(
          part.substr(kInside.size()));
    if (part.find(':') != std::string::npos) continue;
    const bool gone = !std::binary_search(found_.all.begin(), found_.all.end(), part);
    if (gone) sink_.whole(conversation_id(part));
    if (gone || changes_.everything()) sink_.forget_note(part);
  }
  for (const auto& [raw, children] : found_.children)
    if (!std::binary_search(found_.all.begin(), found_.all.end(), raw))
      for (const auto& child : children) rows_.lose_child(child);
}

// Heads that are whole documents.
void StateReading::read_items() {
  std::set<std::string> found;
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
    if (!std::binary_search(found_.all.begin(), found_.all.end(), raw))
      sink_.whole(conversation_id(raw));
    sink_.forget_note(part);
  }
}

void StateReading::read_item_list(JsonElement list, const std::string& hash,
                                  std::set<std::string>& found) {
  const auto read = [&](JsonElement head) {
    const std::string raw(text_of(head, "composerId"));
    const auto part = fmt::format("{}{}", kItem, raw);
    if (raw.empty() || found.contains(part) || inline_bubbles_of(head, inner_).bubbles.empty() ||
        std::binary_search(found_.all.begin(), found_.all.end(), raw))
      return;
    found.insert(part);
    if (!source_.mark.empty() && sink_.noted(part) == hash) return;
    const auto conversation = conversation_id(raw);
    sink_.whole(conversation);
    rows_.deliver_inline(conversation, kBubbles, head, fmt::format("composerData:{}", raw));
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
