// One row per member of an event, in the order in which it is printed. A command that prints
// another event, or another member, adds its row here; a test reads real output against this.
#include "cli/json_schema.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "cli/json_object.h"
#include "document.h"
#include "error.h"

namespace cgrep {
namespace {

struct Member {
  std::string_view name{};
  std::string_view type{};  // see schema_of
};

struct Event {
  std::string_view name{};
  std::string_view description{};
  std::vector<Member> members{};
};

constexpr auto kDocument = std::to_array<Member>({
    {"address", "string"},
    {"conversation", "string"},
    {"parent", "text"},
    {"store", "text"},
    {"stores", "strings"},
    {"role", "role"},
    {"project", "text"},
    {"time", "time"},
    {"time_source", "time source"},
    {"title", "text"},
    {"model", "text"},
    {"mode", "text"},
    {"branch", "text"},
    {"tool", "text"},
    {"files", "strings"},
    {"source", "text"},
    {"gone", "flag"},
});
constexpr auto kLine = std::to_array<Member>({
    {"address", "string"},
    {"conversation", "string"},
    {"lines", "lines"},
    {"line_number", "count"},
    {"submatches", "submatches"},
});
constexpr auto kSummary = std::to_array<Member>({
    {"matched_conversations", "count"},
    {"matched_documents", "count"},
    {"matched_lines", "count"},
    {"elapsed_ms", "number"},
    {"spread", "flag"},
    {"advice", "advice"},
    {"coverage", "coverage"},
});
constexpr auto kCoverage = std::to_array<Member>({
    {"complete", "flag"},
    {"refreshed", "flag"},
    {"stale_sources", "known count"},
    {"problems", "count"},
    {"not_searched", "not searched"},
});
constexpr auto kStore = std::to_array<Member>({
    {"name", "string"},
    {"summary", "text"},
    {"class", "class"},
    {"locations", "strings"},
    {"sources", "count"},
    {"indexed", "flag"},
    {"not_indexed_because", "text"},
    {"indexed_sources", "known count"},
    {"stale_sources", "known count"},
    {"documents", "known count"},
    {"gone", "known count"},
    {"truncated", "known count"},
    {"problems", "known count"},
    {"newest", "time"},
});
constexpr auto kFinding = std::to_array<Member>({
    {"what", "string"},
    {"advice", "text"},
    {"store", "text"},
    {"count", "count"},
    {"example", "text"},
    {"source", "text"},
    {"level", "level"},
});

constexpr auto kConversation = std::to_array<Member>({
    {"address", "string"},
    {"conversation", "string"},
    {"parent", "text"},
    {"project", "text"},
    {"title", "text"},
    {"first", "time"},
    {"last", "time"},
    {"time_source", "time source"},
    {"model", "text"},
    {"mode", "text"},
    {"branch", "text"},
    {"surface", "text"},
    {"stores", "strings"},
    {"documents", "count"},
    {"user_documents", "count"},
    {"gone", "count"},
    {"archived", "flag"},
    {"subagents", "count"},
    {"tokens", "known count"},
});
constexpr auto kTotals = std::to_array<Member>({
    {"conversations", "count"},
    {"subagents", "count"},
    {"documents", "count"},
    {"gone", "count"},
    {"text_bytes", "count"},
    {"index_bytes", "count"},
    {"first", "time"},
    {"last", "time"},
    {"tokens", "known count"},
});
constexpr auto kStatus = std::to_array<Member>({
    {"index", "string"},
    {"exists", "flag"},
    {"documents", "known count"},
    {"conversations", "known count"},
    {"stores", "known count"},
    {"newest", "time"},
    {"bytes", "known count"},
    {"updated", "time"},
    {"checked", "time"},
    {"stale_sources", "known count"},
});
constexpr auto kHook = std::to_array<Member>({
    {"name", "string"},
    {"file", "string"},
    {"installed", "flag"},
    {"current", "flag"},
    {"command", "text"},
    {"problem", "text"},
});
constexpr auto kField = std::to_array<Member>({
    {"name", "string"},
    {"alias", "text"},
    {"help", "string"},
    {"example", "string"},
    {"list", "flag"},
});

std::vector<Member> with(std::span<const Member> members, std::initializer_list<Member> more) {
  std::vector<Member> all(members.begin(), members.end());
  all.insert(all.end(), more);
  return all;
}

std::vector<Event> events() {
  return {
      {"begin", "A document with a hit begins", with(kDocument, {})},
      {"match", "A matching line of it; offsets are in bytes", with(kLine, {{"score", "number"}})},
      {"context", "A line beside a match", with(kLine, {})},
      {"end", "The document ends", {{"address", "string"}, {"conversation", "string"}}},
      {"summary", "The end of an answer, from search, --by and log", with(kSummary, {})},
      {"conversation", "A conversation, from log", with(kConversation, {})},
      {"count",
       "Conversations and documents that have these values, from --by and stats",
       {{"by", "strings"},
        {"values", "values"},
        {"conversations", "count"},
        {"documents", "count"},
        {"tokens", "known count"}}},
      {"totals", "All that passed the filters, from stats", with(kTotals, {})},
      {"status", "The state of the index, from status", with(kStatus, {})},
      {"field", "A field of patterns, from fields", with(kField, {})},
      {"hook", "A hook that can be installed, from hook status", with(kHook, {})},
      {"document", "A document, from show", with(kDocument, {{"text", "string"}})},
      {"store", "A store, from stores", with(kStore, {})},
      {"finding", "What is wrong or worth knowing, from doctor", with(kFinding, {})},
  };
}

std::string object_of(std::span<const Member> members);

std::string choice_of(std::span<const std::string_view> names) {
  JsonObject choice;
  choice.texts("enum", names);
  return choice.printed();
}

std::string array_of(const std::string& items) {
  return JsonObject().string("type", "array").raw("items", items).printed();
}

std::string schema_of(std::string_view type) {
  constexpr auto kClasses = std::to_array<std::string_view>({"default", "opt-in", "catalogue"});
  constexpr auto kWhy = std::to_array<std::string_view>({"opt-in", "default-stores"});
  constexpr auto kLevels = std::to_array<std::string_view>({"problem", "note"});
  constexpr auto kText = std::to_array<Member>({{"text", "string"}});
  constexpr auto kSubmatch =
      std::to_array<Member>({{"match", "lines"}, {"start", "count"}, {"end", "count"}});
  constexpr auto kNotSearched = std::to_array<Member>(
      {{"store", "string"}, {"why", "why"}, {"sources", "count"}, {"only_there", "count"}});
  constexpr auto kAdvice = std::to_array<Member>({{"kind", "string"},
                                                  {"subject", "text"},
                                                  {"suggestion", "text"},
                                                  {"conversations", "count"}});
  if (type == "string" || type == "number") return JsonObject().string("type", type).printed();
  if (type == "flag") return R"({"type":"boolean"})";
  if (type == "count") return R"({"type":"integer","minimum":0})";
  // Absent is null; an empty text is never printed.
  if (type == "text" || type == "time source") return R"({"type":["string","null"],"minLength":1})";
  if (type == "known count") return R"({"type":["integer","null"],"minimum":0})";
  if (type == "time") return R"({"type":["string","null"],"format":"date-time","minLength":20})";
  if (type == "strings") return array_of(R"({"type":"string"})");
  if (type == "values") return array_of(R"({"type":["string","null"]})");
  if (type == "advice") return array_of(object_of(kAdvice));
  if (type == "role") return choice_of(kRoleNames);
  if (type == "class") return choice_of(kClasses);
  if (type == "why") return choice_of(kWhy);
  if (type == "level") return choice_of(kLevels);
  if (type == "lines") return object_of(kText);
  if (type == "coverage") return object_of(kCoverage);
  if (type == "submatches") return array_of(object_of(kSubmatch));
  if (type == "not searched") return array_of(object_of(kNotSearched));
  throw Error(fmt::format("no schema of '{}'", type));
}

std::string object_of(std::span<const Member> members) {
  JsonObject properties;
  std::vector<std::string_view> names;
  for (const Member& member : members) {
    properties.raw(member.name, schema_of(member.type));
    names.push_back(member.name);
  }
  return JsonObject()
      .string("type", "object")
      .object("properties", properties)
      .texts("required", std::span(std::as_const(names)))
      .flag("additionalProperties", false)
      .printed();
}

std::string event_schema(const Event& event) {
  constexpr auto kMembers = std::to_array<std::string_view>({"type", "data"});
  JsonObject properties;
  properties.object("type", JsonObject().string("const", event.name))
      .raw("data", object_of(event.members));
  return JsonObject()
      .string("description", event.description)
      .string("type", "object")
      .object("properties", properties)
      .texts("required", std::span<const std::string_view>(kMembers))
      .flag("additionalProperties", false)
      .printed();
}

}  // namespace

std::string json_schema() {
  std::string events_array;
  for (const Event& event : events())
    events_array += (events_array.empty() ? "[\n" : ",\n") + event_schema(event);
  return JsonObject()
             .string("$schema", "https://json-schema.org/draft/2020-12/schema")
             .string("title", "cgrep --json")
             .string("description", "One event: a line of what cgrep prints with --json")
             .raw("oneOf", events_array + "\n]")
             .printed() +
         "\n";
}

}  // namespace cgrep
