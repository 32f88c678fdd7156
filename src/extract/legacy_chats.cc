// legacy-chats: chats of the IDE before it had composers
//   state.vscdb of all windows and of each workspace, ItemTable, two keys:
//   {"tabs": [{"tabId", "chatTitle", "lastSendTime", "bubbles": [{"type": "user", "id", "text"},
//     {"type": "ai", "id", "rawText", "modelType"}]}]}
//   or "chatSessions" of {"id", "title", "createdAt", "lastUpdatedAt", "messages": [{"role",
//   "content", "timestamp"}]}. A user's text may be in "delegate", or in "initText" and "richText",
//   the state of the input box as JSON in a string.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/json_reader.h"
#include "extract/rich_text.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/utf8.h"
#include "extract/whole_mark.h"

namespace cgrep {

namespace {

constexpr std::array<std::string_view, 2> kKeys = {"workbench.panel.aichat.view.aichat.chatdata",
                                                   "workbench.panel.chat.view.chat.chatdata"};

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store("legacy-chats"), roots, folders, found, Where::everywhere);
}

bool is_uuid(std::string_view id) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return std::equal(id.begin(), id.end(), kForm.begin(), kForm.end(), [](char c, char form) {
    const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    return form == '-' ? c == '-' : hex;
  });
}

template <typename Visit>
void for_each(std::optional<JsonElement> array, const Visit& visit) {
  if (!array || !array->is_array()) return;
  for (const JsonElement element : simdjson::dom::array(*array)) visit(element);
}

// A string, or blocks with a text each.
std::string text_of_content(JsonElement message) {
  std::string text(text_of(message, "content"));
  for_each(member(message, "content"), [&](JsonElement block) {
    const auto part = text_of(block, "text");
    if (!part.empty() && !text.empty()) text += '\n';
    text += part;
  });
  return text;
}

std::string text_of_user(JsonElement message) {
  JsonReader inner(JsonReader::kInnerMemory);
  if (const auto text = text_of(message, {"text", "delegate"}); !text.empty())
    return std::string(text);
  if (const auto delegate = member(message, "delegate"))
    if (const auto text = text_of(*delegate, "a"); !text.empty()) return std::string(text);
  for (const char* key : {"initText", "richText"})
    if (auto text = text_of_rich_text(text_of(message, key), inner); !trimmed(text).empty())
      return text;
  if (const auto text = text_of(message, "rawText"); !text.empty()) return std::string(text);
  return text_of_content(message);
}

std::string text_of_reply(JsonElement message) {
  const auto text = text_of(message, {"rawText", "text"});
  return text.empty() ? text_of_content(message) : std::string(text);
}

std::optional<Role> role_of(JsonElement message) {
  const auto name = text_of(message, {"role", "type"});
  if (name == "user" || name == "human") return Role::user;
  if (name == "ai" || name == "assistant" || name == "bot") return Role::assistant;
  return std::nullopt;
}

class Reader {
 public:
  Reader(const Source& source, WholeMark& mark, Sink& sink)
      : source_(source), workspace_(workspace_of(source)), mark_(mark), sink_(sink) {}

  void read(std::string_view key, std::string_view value) {
    key_ = key;
    if (trimmed(value).empty()) return;
    const auto json = json_.parse(value);
    const auto sessions = json ? sessions_of(*json) : std::nullopt;
    if (!sessions) {
      mark_.incomplete();
      return problem(json ? "no chats" : "not JSON", {});
    }
    std::size_t number = 0;
    for_each(sessions, [&](JsonElement session) { read_session(session, ++number); });
  }

 private:
  static std::optional<JsonElement> sessions_of(JsonElement value) {
    for (const char* key : {"tabs", "chatSessions"})
      if (const auto found = member(value, key); found && found->is_array()) return found;
    return std::nullopt;
  }

  // Numbers of tabs are those of their workspace.
  std::string conversation_of(JsonElement session, std::size_t number) const {
    const auto id = text_of(session, {"tabId", "id"});
    if (id.empty()) return fmt::format("{}-{}", made_up_conversation(source_), number);
    if (workspace_.empty() || is_uuid(id)) return conversation_id(id);
    return conversation_id(workspace_ + "-" + std::string(id));
  }

  void read_session(JsonElement session, std::size_t number) {
    if (!session.is_object()) return problem("not a chat", fmt::format(" chat {}", number));
    const auto messages =
        member(session, "bubbles") ? member(session, "bubbles") : member(session, "messages");
    conversation_ = conversation_of(session, number);
    if (!messages || !messages->is_array() || simdjson::dom::array(*messages).size() == 0) return;
    if (!mark_.begin(conversation_, sink_)) return;
    position_ = 0;
    model_.clear();
    ids_.clear();
    for_each(messages, [&](JsonElement message) { read_message(message); });
    claim(session);
  }

  void read_message(JsonElement message) {
    ++position_;
    const auto role = role_of(message);
    if (!role) return problem("no role", fmt::format(" message {}", position_));
    Document document{.store = source_.store->name, .conversation = conversation_, .role = *role};
    document.position = position_;
    document.identity.key = key_of(message);
    if (const auto time = time_of_message(message)) document.time = Time{*time};
    if (role == Role::user) {
      document.text = std::string(trimmed(text_of_user(message)));
      add_attachments(message, document);
    } else {
      document.text = std::string(trimmed(text_of_reply(message)));
      const auto model = text_of(message, {"modelType", "model"});
      if (!model.empty() && model != "default") model_ = model;
    }
    deliver(std::move(document), sink_);
  }

  static std::optional<std::int64_t> time_of_message(JsonElement message) {
    for (const char* key : {"timestamp", "createdAt"})
      if (const auto value = member(message, key))
        if (const auto time = time_of(*value)) return time;
    return std::nullopt;
  }

  // Empty where the id would mean another message of this chat, too.
  std::string key_of(JsonElement message) {
    const auto id = text_of(message, "id");
    if (id.empty() || !ids_.emplace(id).second) return {};
    return conversation_ + "/" + std::string(id);
  }

  // The code that a message is about follows it. Other stores keep the message without it.
  static void add_attachments(JsonElement message, Document& document) {
    const std::string text = document.text;
    for_each(member(message, "selections"), [&](JsonElement selection) {
      const auto code = text_of(selection, {"text", "rawText"});
      if (trimmed(code).empty()) return;
      if (!document.text.empty()) document.text += "\n\n";
      document.text += code;
      document.alike = text;
    });
    if (const auto image = member(message, "image"))
      if (const auto path = text_of(*image, "path"); !path.empty())
        document.files.emplace_back(path);
  }

  void claim(JsonElement session) const {
    const Claims claims(conversation_, sink_);
    const auto title = trimmed(text_of(session, {"chatTitle", "title"}));
    if (title != "New Chat") claims.add(Fact::title, rung::title::legacy, title);
    claims.add_time(Fact::created, member(session, "createdAt"));
    for (const char* key : {"lastUpdatedAt", "lastSendTime", "timestamp"})
      if (const auto value = member(session, key); value && time_of(*value)) {
        claims.add_time(Fact::updated, value);
        break;
      }
    claims.add_model(rung::model::message, model_);
    claims.add(Fact::workspace, rung::project::workspace_list, workspace_);
    claims.add(Fact::surface, rung::any::only, "ide");
  }

  void problem(std::string_view what, const std::string& where) const {
    sink_.problem({.what = std::string(what), .example = key_ + where, .passing = true});
  }

  const Source& source_;
  std::string workspace_;
  WholeMark& mark_;
  Sink& sink_;
  JsonReader json_{};
  std::string key_{};
  std::string conversation_{};
  std::uint64_t position_ = 0;
  std::string model_{};
  std::set<std::string> ids_{};
};

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    const auto items = read_items(database, kKeys, sink);
    WholeMark mark(source.mark);
    if (mark.was_read(items.hash)) return source.mark;
    if (!items.complete) mark.incomplete();
    Reader reader(source, mark, sink);
    for (std::size_t i = 0; i < kKeys.size(); ++i) reader.read(kKeys[i], items.values[i]);
    return mark.end(items.hash, sink);
  });
}

constexpr std::array<std::string_view, 1> kAliases = {"legacy-chat"};

}  // namespace

extern constinit const Store legacy_chats;
constinit const Store legacy_chats{.id = 7,
                                   .name = "legacy-chats",
                                   .summary = "chats of the IDE before it had composers",
                                   .searched = Searched::by_default,
                                   .aliases = kAliases,
                                   .version = 1,
                                   .database = true,
                                   .discover = discover,
                                   .extract = extract};

}  // namespace cgrep
