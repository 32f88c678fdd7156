// prompts: what was typed, apart from its conversation
//   state.vscdb of all windows and of each workspace, ItemTable
//     aiService.prompts       [{"text", "commandType"}], or {"prompts": [...]}; oldest first
//     aiService.generations   [{"unixMs", "type", "textDescription"}]: when the same text was sent;
//                             of type "apply" it is a file's name
//   prompt_history.json       ["text"], oldest first: of the CLI, in ~/.cursor and
//   ~/.config/cursor;
//                             of a session, in chats/<hash>/<id>/ and acp-sessions/<id>/
// All of them are windows that roll on: a prompt is known by its text.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/input_file.h"
#include "extract/json_reader.h"
#include "extract/source_search.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/utf8.h"
#include "extract/whole_mark.h"
#include "hash.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kKeys = {"aiService.prompts", "aiService.generations"};
constexpr std::string_view kHistory = "prompt_history.json";

void add_histories(SourceSearch& search, const fs::path& root) {
  const auto add = [&](const fs::path& session) { search.add_file(session, kHistory, root); };
  search.add_file(root, kHistory, root);
  search.for_each_folder(root / "chats", root,
                         [&](const fs::path& hash) { search.for_each_folder(hash, root, add); });
  search.for_each_folder(root / "acp-sessions", root, add);
}

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  const Store& store = *find_store("prompts");
  discover_state_databases(store, roots, folders, found, Where::everywhere);
  SourceSearch search(store, folders, found);
  for (const auto& root : roots.data) add_histories(search, root);
  for (const auto& root : roots.config) add_histories(search, root);
}

struct Prompt {
  std::string text{};
  std::optional<std::int64_t> time{};
};

struct Prompts {
  std::vector<Prompt> list{};
  bool complete = true;  // no list had to be left out
};

class Reader {
 public:
  explicit Reader(Sink& sink) : sink_(sink) {}

  // Adds what stands in the list, which may be a member of an object.
  void read(std::string_view bytes, std::string_view where, std::string_view member_name) {
    if (trimmed(bytes).empty()) return;
    auto value = json_.parse(bytes);
    if (!value) return unusable("not JSON", where);
    if (value->is_object()) value = member(*value, member_name);
    if (!value || !value->is_array()) return unusable("not a list", where);
    std::size_t number = 0;
    for (const JsonElement entry : simdjson::dom::array(*value)) read_entry(entry, where, ++number);
  }

  Prompts take() { return std::exchange(prompts_, {}); }

 private:
  void read_entry(JsonElement entry, std::string_view where, std::size_t number) {
    std::string_view text;
    if (entry.get(text) != simdjson::SUCCESS) {
      if (text_of(entry, "type") == "apply") return;
      text = text_of(entry, {"text", "prompt", "textDescription"});
      if (text.empty() && !has_text(entry))
        return problem("not a prompt", fmt::format("{} entry {}", where, number));
    }
    text = trimmed(text);
    if (text.empty()) return;
    const auto time = member(entry, "unixMs");
    prompts_.list.push_back({repaired_utf8(text), time ? time_of(*time) : std::nullopt});
  }

  // Even if it is an empty one.
  static bool has_text(JsonElement entry) {
    return member(entry, "text") || member(entry, "prompt") || member(entry, "textDescription");
  }

  void unusable(std::string_view what, std::string_view where) {
    prompts_.complete = false;
    problem(what, std::string(where));
  }

  void problem(std::string_view what, std::string where) {
    sink_.problem({.what = std::string(what), .example = std::move(where), .passing = true});
  }

  Sink& sink_;
  JsonReader json_{};
  Prompts prompts_{};
};

// Gives prompts the times of equal generations, in their order; generations that no prompt is left
// for follow. Equal texts in a row were one prompt, sent again.
std::vector<Prompt> paired(std::vector<Prompt> prompts, const std::vector<Prompt>& generations) {
  std::map<std::string_view, std::deque<const Prompt*>> waiting;
  for (const auto& generation : generations) waiting[generation.text].push_back(&generation);
  std::set<const Prompt*> used;
  for (auto& prompt : prompts) {
    const auto found = waiting.find(prompt.text);
    if (found == waiting.end() || found->second.empty()) continue;
    prompt.time = found->second.front()->time;
    used.insert(found->second.front());
    found->second.pop_front();
  }
  for (const auto& generation : generations)
    if (!used.contains(&generation)) prompts.push_back(generation);
  const auto end = std::unique(prompts.begin(), prompts.end(),
                               [](const auto& a, const auto& b) { return a.text == b.text; });
  prompts.erase(end, prompts.end());
  return prompts;
}

// Each text once, where it was typed last.
std::vector<Prompt> without_repetition(std::vector<Prompt> prompts) {
  std::set<std::string> seen;
  std::vector<Prompt> kept;
  for (auto prompt = prompts.rbegin(); prompt != prompts.rend(); ++prompt)
    if (seen.insert(prompt->text).second) kept.push_back(std::move(*prompt));
  std::reverse(kept.begin(), kept.end());
  return kept;
}

void deliver_all(std::vector<Prompt> prompts, const Source& source, const std::string& conversation,
                 Sink& sink) {
  std::uint64_t position = 0;
  for (auto& prompt : prompts) {
    Document document{.store = source.store->name, .conversation = conversation};
    document.role = Role::prompt;
    document.text = std::move(prompt.text);
    if (prompt.time) document.time = Time{*prompt.time};
    document.position = ++position;
    deliver(std::move(document), sink);
  }
}

std::string extract_database(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    const auto items = read_items(database, kKeys, sink);
    WholeMark mark(source.mark);
    if (mark.was_read(items.hash)) return source.mark;
    Reader reader(sink);
    reader.read(items.values[0], kKeys[0], "prompts");
    auto typed = reader.take();
    reader.read(items.values[1], kKeys[1], "generations");
    const auto generated = reader.take();
    if (!items.complete || !typed.complete || !generated.complete) {
      // Half of what there is must not make the other half gone.
      if (!source.mark.empty()) return source.mark;
      mark.incomplete();
    }
    auto prompts = paired(std::move(typed.list), generated.list);
    if (!prompts.empty()) {
      const auto conversation = made_up_conversation(source);
      mark.begin(conversation, sink);
      deliver_all(std::move(prompts), source, conversation, sink);
      const Claims claims(conversation, sink);
      claims.add(Fact::title, rung::title::plan, "prompts of the IDE");
      claims.add(Fact::workspace, rung::project::workspace_list, workspace_of(source));
      claims.add(Fact::surface, rung::any::only, "ide");
      claims.add_time(Fact::seen, database.mtime_ms());
    }
    return mark.end(items.hash, sink);
  });
}

// Absent for the histories of all sessions.
std::optional<std::string> session_of(const Source& source) {
  const auto folder = source.path.parent_path();
  if (folder == source.root) return std::nullopt;
  return conversation_id(folder.filename().string());
}

std::string extract_history(const Source& source, Sink& sink) {
  const InputFile file(source);
  const auto bytes = file.whole();
  WholeMark mark(source.mark);
  if (!bytes) {
    sink.problem({.what = "file over 64 MB", .example = "file", .passing = true});
    return source.mark;
  }
  Reader reader(sink);
  reader.read(*bytes, "file", "prompts");
  auto prompts = reader.take();
  if (!prompts.complete) return source.mark;
  if (!prompts.list.empty()) {
    const auto session = session_of(source);
    const auto conversation = session ? *session : made_up_conversation(source);
    mark.begin(conversation, sink);
    deliver_all(without_repetition(std::move(prompts.list)), source, conversation, sink);
    const Claims claims(conversation, sink);
    if (!session) claims.add(Fact::title, rung::title::plan, "prompt history");
    claims.add_time(Fact::seen, file.mtime_ms());
  }
  return mark.end(hash64(*bytes), sink);
}

std::string extract(const Source& source, Sink& sink) {
  return source.path.filename() == kHistory ? extract_history(source, sink)
                                            : extract_database(source, sink);
}

constexpr std::array<std::string_view, 3> kAliases = {"prompt", "prompt-history", "generation"};

}  // namespace

extern constinit const Store prompts;
constinit const Store prompts{.id = 6,
                              .name = "prompts",
                              .summary = "prompts that were typed",
                              .searched = Searched::by_default,
                              .aliases = kAliases,
                              .version = 1,
                              .database = true,
                              .discover = discover,
                              .extract = extract};

}  // namespace cgrep
