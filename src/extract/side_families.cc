// What the IDE keeps beside its messages, in cursorDiskKV of User/globalStorage/state.vscdb
//   diffs     codeBlockDiff:<conversation>:<id>
//             {"newModelDiffWrtV0": [{"original": …, "modified": ["added line", …]}, …], …}
//   contexts  messageRequestContext:<conversation>:<id>
//             {"cursorRules": [{"name", "description", "body"}], "gitStatusRaw": "…", "todos": …}
// The layouts of whole projects in contexts are left out: names of files that nobody spoke of.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "extract/arguments.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/json_reader.h"
#include "extract/state_changes.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

// Absent when nothing in the record is known.
using TextOf = std::optional<std::string> (*)(JsonElement record);

void add_paragraph(std::string& text, std::string_view paragraph, std::string_view between) {
  if (trimmed(paragraph).empty()) return;
  if (!text.empty()) text += between;
  text += paragraph;
}

// The lines of a change, blank ones among them.
std::string added_lines(JsonElement change) {
  std::string lines;
  bool first = true;
  for_each_item(change, "modified", [&](JsonElement line) {
    if (!line.is_string()) return;
    if (!std::exchange(first, false)) lines += '\n';
    lines += string_of(line);
  });
  return lines;
}

bool has_any(JsonElement record, std::span<const std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](std::string_view key) { return member(record, key).has_value(); });
}

std::optional<std::string> text_of_diff(JsonElement diff) {
  constexpr std::array<std::string_view, 2> kKeys = {"newModelDiffWrtV0", "originalModelDiffWrtV0"};
  if (!has_any(diff, kKeys)) return std::nullopt;
  std::string text;
  std::unordered_set<std::string> told;  // mostly, the two lists are the same
  for (const auto key : kKeys)
    for_each_item(diff, key, [&](JsonElement change) {
      auto lines = added_lines(change);
      if (told.insert(lines).second) add_paragraph(text, lines, "\n");
    });
  return text;
}

std::optional<std::string> text_of_context(JsonElement context) {
  constexpr std::array<std::string_view, 8> kKeys = {
      "knowledgeItems",      "todos",       "terminalFiles", "deletedFiles",
      "summarizedComposers", "diffHistory", "gitStatusRaw",  "cursorRules"};
  constexpr std::array<std::string_view, 3> kUnread = {
      "projectLayouts", "attachedFoldersListDirResults", "ideEditorsState"};
  if (!has_any(context, kKeys) && !has_any(context, kUnread)) return std::nullopt;
  std::string text;
  for_each_item(context, "cursorRules", [&](JsonElement rule) {
    for (const auto* key : {"name", "description", "body"})
      add_paragraph(text, text_of(rule, key), "\n");
  });
  for (const auto key : kKeys)
    if (const auto value = member(context, key); value && key != "cursorRules")
      add_paragraph(text, flattened_result(*value), "\n");
  return text;
}

class FamilyReading {
 public:
  FamilyReading(const Source& source, SourceDatabase& database, std::string_view family,
                TextOf text_of_record, Sink& sink)
      : source_(source),
        database_(database),
        sink_(sink),
        table_(database),
        family_(family),
        text_of_record_(text_of_record) {}

  std::string read() {
    const StateChanges changes(database_, source_.mark, {family_});
    if (!changes.exist()) return "none";
    std::set<std::string> changed;
    for (const auto& key : changes.keys())
      if (const auto parts = split_key(key)) changed.emplace(parts->conversation);
    const auto all = conversations_of(table_, family_);
    for (const auto& part : sink_.noted_parts()) {
      if (part == DailyLook::kPart) continue;
      const bool gone = !std::binary_search(all.begin(), all.end(), part);
      if (gone) sink_.whole(conversation_id(part));
      if (gone || changes.everything()) sink_.forget_note(part);
    }
    for (const auto& raw : all) {
      if (sink_.noted(raw) && !changed.contains(raw)) continue;
      read_conversation(raw);
      sink_.so_far(changes.so_far());
    }
    compare(all, changes);
    return changes.mark();
  }

 private:
  void compare(const std::vector<std::string>& all, const StateChanges& changes) {
    DailyLook look(changes, sink_);
    for (const auto& raw : all) {
      if (!look.wants(raw)) continue;
      std::uint64_t hash = 0;
      table_.values(keys_of(raw), [&](const std::string& key, const KeyedValue& value) {
        look.read(value.bytes.size());
        hash = hash_with(hash, key, value);
      });
      if (sink_.noted(raw) != note_of(hash)) read_conversation(raw);
      look.done(raw);
    }
    look.end();
  }

  std::vector<std::string> keys_of(const std::string& raw) {
    return table_.keys_with(fmt::format("{}:{}:", family_, raw));
  }

  // Which rows there are, and what they hold.
  static std::uint64_t hash_with(std::uint64_t hash, const std::string& key,
                                 const KeyedValue& value) {
    return hash64(value.bytes, hash64(key, hash));
  }
  static std::string note_of(std::uint64_t hash) { return fmt::format("{:x}", hash); }

  void read_conversation(const std::string& raw) {
    const auto conversation = conversation_id(raw);
    sink_.whole(conversation);
    std::uint64_t position = 0;
    std::uint64_t hash = 0;
    table_.values(keys_of(raw), [&](const std::string& key, const KeyedValue& value) {
      hash = hash_with(hash, key, value);
      if (!usable(value, key, sink_)) return;
      const auto record = json_.parse(value.bytes);
      if (!record || !record->is_object())
        return sink_.problem({.what = fmt::format("{} is not JSON", family_), .example = key});
      auto text = text_of_record_(*record);
      if (!text)
        return sink_.problem(
            {.what = fmt::format("{} without a field that is known", family_), .example = key});
      Document document{.store = source_.store->name, .conversation = conversation};
      document.role = Role::tool_result;
      document.text = std::move(*text);
      document.identity.key = key;
      document.position = position++;
      deliver(std::move(document), sink_);
    });
    sink_.note(raw, note_of(hash));
    Claims(conversation, sink_).add(Fact::surface, rung::any::only, "ide");
  }

  const Source& source_;
  SourceDatabase& database_;
  Sink& sink_;
  KeyedTable table_;
  std::string family_;
  TextOf text_of_record_;
  JsonReader json_{};
};

std::string extract_family(const Source& source, Sink& sink, std::string_view family, TextOf text) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    return FamilyReading(source, database, family, text, sink).read();
  });
}

void discover_diffs(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store("diffs"), roots, folders, found, Where::global);
}

void discover_contexts(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store("contexts"), roots, folders, found, Where::global);
}

std::string extract_diffs(const Source& source, Sink& sink) {
  return extract_family(source, sink, "codeBlockDiff", text_of_diff);
}

std::string extract_contexts(const Source& source, Sink& sink) {
  return extract_family(source, sink, "messageRequestContext", text_of_context);
}

constexpr std::array<std::string_view, 1> kDiffAliases = {"diff"};
constexpr std::array<std::string_view, 2> kContextAliases = {"context", "request-context"};

}  // namespace

extern constinit const Store diffs;
constinit const Store diffs{.id = 11,
                            .name = "diffs",
                            .summary = "changes that the agent made to files",
                            .searched = Searched::when_named,
                            .aliases = kDiffAliases,
                            .version = 2,
                            .database = true,
                            .discover = discover_diffs,
                            .extract = extract_diffs};

extern constinit const Store contexts;
constinit const Store contexts{.id = 12,
                               .name = "contexts",
                               .summary = "context that was sent with messages",
                               .searched = Searched::when_named,
                               .aliases = kContextAliases,
                               .version = 2,
                               .database = true,
                               .discover = discover_contexts,
                               .extract = extract_contexts};

}  // namespace cgrep
