// composers: what the IDE keeps of its conversations beside their messages
//   User/globalStorage/state.vscdb
//     cursorDiskKV  composerData:<id>            title, summary, todos, queued prompts; claims
//     composerHeaders                            a row per conversation; claims
//     ItemTable     composer.composerHeaders     the same of recent ones; claims
//                   glass.localAgentProjects.v1  projects, and …Membership.v1, who belongs to them
//   User/workspaceStorage/<hash>/state.vscdb
//     ItemTable     composer.composerData        heads of the workspace's conversations; claims
//                   workbench.panel.…            panes that show one of them; claims
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "extract/bubble.h"
#include "extract/composer.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/helpers.h"
#include "extract/one_conversation.h"
#include "extract/paths.h"
#include "extract/rich_text.h"
#include "extract/state_changes.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kComposers = "composers";
constexpr std::int64_t kNewestVersion = 18;

// Ids in panes: 8-4-4-4-12 hex digits.
std::vector<std::string> uuids_in(std::string_view text) {
  constexpr std::size_t kLength = 36;
  const auto is_uuid = [](std::string_view piece) {
    for (std::size_t i = 0; i < kLength; ++i) {
      const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? piece[i] != '-' : std::isxdigit(static_cast<unsigned char>(piece[i])) == 0)
        return false;
    }
    return true;
  };
  std::vector<std::string> found;
  for (std::size_t at = 0; at + kLength <= text.size();) {
    if (is_uuid(text.substr(at, kLength))) {
      found.emplace_back(text.substr(at, kLength));
      at += kLength;
    } else {
      ++at;
    }
  }
  return found;
}

std::optional<std::int64_t> integer(std::optional<JsonElement> value) {
  if (!value) return std::nullopt;
  if (value->is_int64()) return value->get_int64().value();
  if (value->is_double()) return static_cast<std::int64_t>(value->get_double().value());
  return std::nullopt;
}

class ComposerReading {
 public:
  ComposerReading(const Source& source, SourceDatabase& database, Sink& sink)
      : source_(source),
        database_(database),
        sink_(sink),
        table_(database),
        items_(database, "ItemTable"),
        workspace_(workspace_of(source)) {}

  std::string read();
  void read_only(const std::string& raw);

 private:
  using Row = std::map<std::string, std::string>;  // by column

  void read_rows(const StateChanges& changes);
  void read_composers(std::span<const std::string> raws);
  static std::string note_of(const KeyedValue& value);
  void read_composer(const std::string& raw, const KeyedValue& value);
  void read_document(JsonElement composer, const std::string& raw, const std::string& key);
  void deliver(const std::string& conversation, Role role, std::string text, std::string key,
               std::uint64_t position);
  void read_queue(JsonElement composer, const std::string& conversation, const std::string& key);
  void claim_document(JsonElement composer, const std::string& conversation);
  void read_header_table();
  std::vector<Row> header_rows(const std::vector<std::string>& columns, std::int64_t& after);
  void read_header_row(const Row& row);
  void read_header(const std::string& raw, const KeyedValue& value);
  void read_heads(const char* key);
  void read_panes();
  void read_projects();

  const Source& source_;
  SourceDatabase& database_;
  Sink& sink_;
  KeyedTable table_;
  KeyedTable items_;
  std::string workspace_;
  JsonReader json_{};
  JsonReader inner_{JsonReader::kInnerMemory};
};

std::string ComposerReading::read() {
  const StateChanges changes(database_, source_.mark, {"composerData"});
  if (changes.exist()) read_rows(changes);
  // Claims from lists: they are small, and told again whenever anything changed.
  sink_.whole({});
  read_header_table();
  for (const auto* key :
       {"composer.composerHeaders", "composer.composerData", "workbench.panel.chat.composerData"})
    read_heads(key);
  if (!workspace_.empty()) read_panes();
  read_projects();
  return changes.exist() ? changes.mark() : "items";
}

// Noted of each is a hash of it.
void ComposerReading::read_rows(const StateChanges& changes) {
  const auto all = conversations_of(table_, "composerData");
  for (const auto& part : sink_.noted_parts()) {
    if (part == DailyLook::kPart) continue;
    const bool gone = !std::binary_search(all.begin(), all.end(), part);
    if (gone) sink_.whole(conversation_id(part));
    if (gone || changes.everything()) sink_.forget_note(part);
  }
  std::vector<std::string> changed;
  for (const auto& raw : all)
    if (changes.has(fmt::format("composerData:{}", raw)) || !sink_.noted(raw))
      changed.push_back(raw);
  constexpr std::size_t kTogether = 32;
  const auto some = [&](std::size_t i) {
    const auto begin = i * kTogether;
    return std::span(changed).subspan(begin, std::min(kTogether, changed.size() - begin));
  };
  const std::size_t count = (changed.size() + kTogether - 1) / kTogether;
  struct Helper {
    Helper(const Source& source, Sink& sink)
        : database(source, SourceDatabase::Values::small), reading(source, database, sink) {}
    SourceDatabase database;
    ComposerReading reading;
  };
  Helpers helpers({.count = changes.everything() ? count : 0, .reader = [&](Sink& sink) {
                     auto helper = std::make_shared<Helper>(source_, sink);
                     return [&, helper](std::size_t i) { helper->reading.read_composers(some(i)); };
                   }});
  for (std::size_t i = 0; i < count; ++i) {
    if (!helpers.deliver(sink_)) read_composers(some(i));
    sink_.so_far(changes.so_far());
  }
  DailyLook look(changes, sink_);
  for (const auto& raw : all) {
    if (!look.wants(raw)) continue;
    const auto value = table_.value(fmt::format("composerData:{}", raw));
    look.read(value.bytes.size());
    if (sink_.noted(raw) != note_of(value)) read_composer(raw, value);
    look.done(raw);
  }
  look.end();
}

void ComposerReading::read_composers(std::span<const std::string> raws) {
  std::vector<std::string> keys;
  keys.reserve(raws.size());
  for (const auto& raw : raws) keys.push_back(fmt::format("composerData:{}", raw));
  std::size_t index = 0;
  table_.values(keys, [&](const std::string&, const KeyedValue& value) {
    read_composer(raws[index++], value);
  });
}

// What lists say of it is told by the next reading of all.
void ComposerReading::read_only(const std::string& raw) {
  if (!table_.exists()) return;
  const auto value = table_.value(fmt::format("composerData:{}", raw));
  if (value.state != KeyedValue::State::missing) read_composer(raw, value);
}

std::string ComposerReading::note_of(const KeyedValue& value) {
  return fmt::format("{:x}", hash64(value.bytes));
}

void ComposerReading::read_composer(const std::string& raw, const KeyedValue& value) {
  const auto key = fmt::format("composerData:{}", raw);
  const auto conversation = conversation_id(raw);
  const auto composer = json_.parse(value.bytes);
  const bool readable = composer && composer->is_object();
  const bool empty = value.bytes.empty() && value.state != KeyedValue::State::damaged &&
                     value.state != KeyedValue::State::too_big;
  // Damage makes nothing gone.
  readable || empty ? sink_.whole(conversation) : sink_.more(conversation);
  sink_.note(raw, note_of(value));
  if (!usable(value, key, sink_)) return;
  if (!readable) return sink_.problem({.what = "composerData is not JSON", .example = key});
  check_version(*composer, "composerData", kNewestVersion, key, sink_);
  read_document(*composer, raw, key);
}

void ComposerReading::deliver(const std::string& conversation, Role role, std::string text,
                              std::string key, std::uint64_t position) {
  Document document{.store = kComposers, .conversation = conversation, .role = role};
  document.text = std::move(text);
  document.identity.key = std::move(key);
  document.position = position;
  cgrep::deliver(std::move(document), sink_);
}

void ComposerReading::read_document(JsonElement composer, const std::string& raw,
                                    const std::string& key) {
  const auto conversation = conversation_id(raw);
  claim_document(composer, conversation);

  std::string title(trimmed(text_of(composer, "name")));
  const bool empty_tab = title.empty() && headers_of(composer).empty() &&
                         inline_bubbles_of(composer, inner_).bubbles.empty();
  const auto subtitle = trimmed(text_of(composer, "subtitle"));
  if (!subtitle.empty() && subtitle != "New chat" && !empty_tab)
    title += (title.empty() ? "" : "\n") + std::string(subtitle);
  deliver(conversation, Role::title, std::move(title), key + "/title", 0);

  // Text, or objects around it.
  auto summary = member(composer, "latestConversationSummary");
  while (summary && summary->is_object()) summary = member(*summary, "summary");
  if (summary)
    deliver(conversation, Role::summary, std::string(string_of(*summary)), key + "/summary", 1);

  std::string todos;
  for_each_item(composer, "todos", [&](JsonElement item) {
    const auto content = item.is_string() ? string_of(item) : text_of(item, {"content", "title"});
    if (trimmed(content).empty()) return;
    if (!todos.empty()) todos += '\n';
    todos += content;
  });
  deliver(conversation, Role::prompt, std::move(todos), key + "/todos", 2);
  read_queue(composer, conversation, key);
}

// Prompts that wait for their turn.
void ComposerReading::read_queue(JsonElement composer, const std::string& conversation,
                                 const std::string& key) {
  std::uint64_t position = 3;
  for_each_item(composer, "queueItems", [&](JsonElement item) {
    std::string text(item.is_string() ? string_of(item)
                                      : text_of(item, {"text", "prompt", "content", "message"}));
    if (trimmed(text).empty())
      if (const auto rich = text_of(item, "richText"); !rich.empty())
        text = text_of_rich_text(rich, inner_);
    // The others move up when the first one is sent.
    const auto id = text_of(item, "id");
    const auto name = id.empty() ? fmt::to_string(position) : std::string(id);
    deliver(conversation, Role::prompt, std::move(text), fmt::format("{}/queue-{}", key, name),
            position);
    ++position;
  });
}

void ComposerReading::claim_document(JsonElement composer, const std::string& conversation) {
  claim_head(composer, conversation,
             {.title = rung::title::composer, .project = rung::project::composer}, sink_);
  const Claims claims(conversation, sink_);
  if (const auto model = member(composer, "modelConfig"))
    claims.add_model(rung::model::composer, text_of(*model, "modelName"));
  claims.add(Fact::surface, rung::any::only, "ide");
  auto tokens = integer(member(composer, "contextTokensUsed"));
  if (const auto breakdown = member(composer, "promptTokenBreakdown"); breakdown && !tokens)
    tokens = integer(member(*breakdown, "totalUsedTokens"));
  if (tokens && *tokens > 0) claims.add(Fact::tokens, rung::any::only, fmt::to_string(*tokens));
  for (const auto* list : {"subagentComposerIds", "subComposerIds"})
    for_each_item(composer, list, [&](JsonElement child) {
      const auto id = conversation_id(string_of(child));
      if (!id.empty()) Claims(id, sink_).add(Fact::parent, rung::any::only, conversation);
    });
  std::string files;
  std::string folder;
  const auto add_file = [&](JsonElement item) {
    const auto path = path_in(item);
    if (!path.empty()) files += (files.empty() ? "" : "\n") + path;
  };
  for_each_item(composer, "newlyCreatedFiles", add_file);
  claims.add(Fact::files, rung::any::hint, files);
  const auto context = member(composer, "context");
  if (!context) return;
  bool first = true;
  for_each_item(*context, "fileSelections", [&](JsonElement item) {
    const auto path = path_in(item);
    if (!is_absolute_path(path)) return;
    folder = std::exchange(first, false) ? std::string(parent_folder(path))
                                         : common_folder(folder, path);
  });
  claims.add_path(rung::project::attached, folder);
}

// Any set of columns, of which composerId must be one.
void ComposerReading::read_header_table() {
  constexpr std::array<std::string_view, 6> kWanted = {"composerId",    "workspaceId", "createdAt",
                                                       "lastUpdatedAt", "isArchived",  "recency"};
  std::vector<std::string> columns;
  database_.snapshot(
      [&](Database& snapshot) { columns = columns_of(snapshot, "composerHeaders"); });
  std::erase_if(columns, [&](const std::string& column) {
    return std::find(kWanted.begin(), kWanted.end(), column) == kWanted.end();
  });
  if (std::find(columns.begin(), columns.end(), "composerId") == columns.end() ||
      !has_rowids(database_, "composerHeaders"))
    return;
  KeyedTable heads(database_, "composerHeaders", "composerId");
  std::int64_t after = 0;
  for (auto rows = header_rows(columns, after); !rows.empty(); rows = header_rows(columns, after)) {
    std::vector<std::string> ids;
    for (const auto& row : rows) {
      read_header_row(row);
      ids.push_back(row.at("composerId"));
    }
    heads.values(ids,
                 [&](const std::string& id, const KeyedValue& value) { read_header(id, value); });
  }
}

// The next rows without their values, each of which may be large.
std::vector<ComposerReading::Row> ComposerReading::header_rows(
    const std::vector<std::string>& columns, std::int64_t& after) {
  constexpr std::size_t kAtOnce = 500;
  std::vector<Row> rows;
  std::int64_t last = after;
  database_.snapshot([&](Database& snapshot) {
    rows.clear();
    auto found = snapshot.prepare(
        fmt::format("SELECT rowid, {} FROM composerHeaders WHERE rowid > ?1 ORDER BY rowid "
                    "LIMIT ?2",
                    fmt::join(columns, ", ")));
    found.bind(1, after);
    found.bind(2, kAtOnce);
    while (found.step()) {
      auto& row = rows.emplace_back();
      last = found.int64(0);
      for (std::size_t i = 0; i < columns.size(); ++i)
        row[columns[i]] = std::string(found.text(static_cast<int>(i) + 1));
    }
    if (!rows.empty()) require_advance(last > after);
  });
  after = last;
  return rows;
}

void ComposerReading::read_header_row(const Row& row) {
  const auto column = [&](const char* name) {
    const auto found = row.find(name);
    return found != row.end() ? found->second : std::string();
  };
  const auto conversation = conversation_id(column("composerId"));
  if (conversation.empty()) return;
  const Claims claims(conversation, sink_);
  claims.add(Fact::workspace, rung::project::header_workspace, column("workspaceId"));
  claims.add_time(Fact::created, parse_time(column("createdAt")));
  const auto updated = parse_time(column("lastUpdatedAt"));
  const auto recency = parse_time(column("recency"));
  claims.add_time(Fact::updated, std::max(updated, recency));
  if (column("isArchived") == "1") claims.add(Fact::archived, rung::any::only, "1");
}

void ComposerReading::read_header(const std::string& raw, const KeyedValue& value) {
  const auto conversation = conversation_id(raw);
  const auto where = fmt::format("composerHeaders:{}", raw);
  if (conversation.empty() || !usable(value, where, sink_)) return;
  const auto head = json_.parse(value.bytes);
  if (!head || !head->is_object())
    return sink_.problem({.what = "composerHeaders: value is not JSON", .example = where});
  claim_head(*head, conversation, {.title = rung::title::header, .project = rung::project::header},
             sink_);
}

void ComposerReading::read_heads(const char* key) {
  const auto value = items_.value(key);
  if (!usable(value, key, sink_)) return;
  const auto list = json_.parse(value.bytes);
  if (!list) return sink_.problem({.what = "list of composers is not JSON", .example = key});
  const auto read = [&](JsonElement head) {
    const auto conversation = conversation_id(text_of(head, "composerId"));
    if (conversation.empty()) return;
    claim_head(head, conversation, {.title = rung::title::header, .project = rung::project::header},
               sink_);
    Claims(conversation, sink_).add(Fact::workspace, rung::project::workspace_list, workspace_);
  };
  simdjson::dom::array heads;
  if (list->get_array().get(heads) == simdjson::SUCCESS) {
    for (const JsonElement head : heads) read(head);
    return;
  }
  for_each_item(*list, "allComposers", read);
  // Newer versions list only ids here.
  for (const auto* ids : {"selectedComposerIds", "lastFocusedComposerIds"})
    for_each_item(*list, ids, [&](JsonElement id) {
      const auto conversation = conversation_id(string_of(id));
      if (!conversation.empty())
        Claims(conversation, sink_).add(Fact::workspace, rung::project::workspace_list, workspace_);
    });
}

// Keys and values name the conversations that the workspace's panes show.
void ComposerReading::read_panes() {
  std::set<std::string> shown;
  const auto note = [&](std::string_view text) {
    for (auto& id : uuids_in(text)) shown.insert(std::move(id));
  };
  constexpr std::size_t kMaxPanes = 1000;
  const auto panes = items_.keys_with("workbench.panel.composerChatViewPane.", kMaxPanes);
  for (const auto& key : panes) note(key);
  for (const auto& key : items_.keys_with("workbench.panel.aichat.", kMaxPanes)) note(key);
  items_.values(panes, [&](const std::string&, const KeyedValue& value) { note(value.bytes); });
  for (const auto& id : shown)
    Claims(id, sink_).add(Fact::workspace, rung::project::workspace_pane, workspace_);
}

// Projects of the window for agents.
void ComposerReading::read_projects() {
  std::map<std::string, std::string> folders;
  constexpr const char* kProjects = "glass.localAgentProjects.v1";
  constexpr const char* kMembers = "glass.localAgentProjectMembership.v1";
  const auto projects = items_.value(kProjects);
  if (!usable(projects, kProjects, sink_)) return;
  const auto list = json_.parse(projects.bytes);
  simdjson::dom::array entries;
  if (!list || list->get_array().get(entries) != simdjson::SUCCESS)
    return sink_.problem({.what = "no list of projects", .example = kProjects});
  for (const JsonElement project : entries)
    if (const auto workspace = member(project, "workspace"))
      folders[std::string(text_of(project, "id"))] = path_in(*workspace);
  const auto membership = items_.value(kMembers);
  if (!usable(membership, kMembers, sink_)) return;
  const auto members = json_.parse(membership.bytes);
  simdjson::dom::object object;
  if (!members || members->get_object().get(object) != simdjson::SUCCESS)
    return sink_.problem({.what = "no members of projects", .example = kMembers});
  for (const auto& [composer, project] : object)
    if (const auto found = folders.find(std::string(string_of(project))); found != folders.end())
      Claims(conversation_id(composer), sink_)
          .add_path(rung::project::workspace_pane, found->second);
}

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store(kComposers), roots, folders, found, Where::everywhere);
}

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    return ComposerReading(source, database, sink).read();
  });
}

constexpr std::array<std::string_view, 2> kAliases = {"composer", "composer-header"};

}  // namespace

void extract_composer_of(const Source& source, const std::string& conversation, Sink& sink) {
  read_database(source, sink, [&](SourceDatabase& database) {
    ComposerReading(source, database, sink).read_only(conversation);
    return source.mark;
  });
}

extern constinit const Store composers;
constinit const Store composers{.id = 4,
                                .name = kComposers,
                                .summary = "titles, summaries, todos and queued prompts of the IDE",
                                .searched = Searched::by_default,
                                .aliases = kAliases,
                                .version = 2,
                                .database = true,
                                .discover = discover,
                                .extract = extract};

}  // namespace cgrep
