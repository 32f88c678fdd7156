// What the IDE keeps beside its messages, in cursorDiskKV of User/globalStorage/state.vscdb
//   diffs     codeBlockDiff:<conversation>:<id>
//             {"newModelDiffWrtV0": [{"original": …, "modified": ["added line", …]}, …], …}
//   contexts  messageRequestContext:<conversation>:<id>
//             {"cursorRules": [{"name", "description", "body"}], "gitStatusRaw": "…", "todos": …}
// The layouts of whole projects in contexts are left out: names of files that nobody spoke of.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "extract/arguments.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/json_reader.h"
#include "extract/state_changes.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

using TextOf = std::string (*)(JsonElement record);

void add_paragraph(std::string& text, std::string_view paragraph, std::string_view between) {
  if (trimmed(paragraph).empty()) return;
  if (!text.empty()) text += between;
  text += paragraph;
}

std::string text_of_diff(JsonElement diff) {
  std::string text;
  for (const auto* key : {"newModelDiffWrtV0", "originalModelDiffWrtV0"}) {
    for_each_item(diff, key, [&](JsonElement change) {
      std::string lines;
      for_each_item(change, "modified",
                    [&](JsonElement line) { add_paragraph(lines, string_of(line), "\n"); });
      if (text.find(lines) == std::string::npos) add_paragraph(text, lines, "\n");
    });
  }
  return text;
}

std::string text_of_context(JsonElement context) {
  std::string text;
  for_each_item(context, "cursorRules", [&](JsonElement rule) {
    for (const auto* key : {"name", "description", "body"})
      add_paragraph(text, text_of(rule, key), "\n");
  });
  for (const auto* key : {"knowledgeItems", "todos", "terminalFiles", "deletedFiles",
                          "summarizedComposers", "diffHistory", "gitStatusRaw"})
    if (const auto value = member(context, key))
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
    const auto now = mark_now(database_);
    if (!now) return "none";
    const auto changes = changed_keys(database_, source_.mark, *now, family_ + ":");
    std::set<std::string> changed;
    for (const auto& key : changes.value_or(std::vector<std::string>()))
      if (const auto parts = split_key(key)) changed.emplace(parts->conversation);
    const auto all = conversations_of(table_, family_);
    for (const auto& part : sink_.noted_parts()) {
      const bool gone = !std::binary_search(all.begin(), all.end(), part);
      if (gone) sink_.whole(conversation_id(part));
      if (gone || !changes) sink_.forget_note(part);
    }
    for (const auto& raw : all) {
      if (changes && !changed.contains(raw) && sink_.noted(raw)) continue;
      read_conversation(raw);
      sink_.note(raw, "read");
      sink_.so_far(now->text());
    }
    return now->text();
  }

 private:
  void read_conversation(const std::string& raw) {
    const auto conversation = conversation_id(raw);
    sink_.whole(conversation);
    const auto keys = table_.keys_with(fmt::format("{}:{}:", family_, raw));
    std::uint64_t position = 0;
    table_.values(keys, [&](const std::string& key, const KeyedValue& value) {
      if (!usable(value, key, sink_)) return;
      const auto record = json_.parse(value.bytes);
      if (!record || !record->is_object())
        return sink_.problem({.what = fmt::format("{} is not JSON", family_), .example = key});
      Document document{.store = source_.store->name, .conversation = conversation};
      document.role = Role::tool_result;
      document.text = text_of_record_(*record);
      document.identity.key = key;
      document.position = position++;
      deliver(std::move(document), sink_);
    });
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
                            .version = 1,
                            .database = true,
                            .discover = discover_diffs,
                            .extract = extract_diffs};

extern constinit const Store contexts;
constinit const Store contexts{.id = 12,
                               .name = "contexts",
                               .summary = "context that was sent with messages",
                               .searched = Searched::when_named,
                               .aliases = kContextAliases,
                               .version = 1,
                               .database = true,
                               .discover = discover_contexts,
                               .extract = extract_contexts};

}  // namespace cgrep
