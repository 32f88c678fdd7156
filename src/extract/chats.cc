// chats: sessions of the CLI and of editors that drive it, each in a database of its own
//   chats/<hash>/<id>/store.db, acp-sessions/<id>/store.db
//   meta   (key, value)   '0': JSON, mostly in hex: latestRootBlobId, name, mode, createdAt, …
//   blobs  (id, data)     messages as JSON, everything else as protobuf, by their SHA-256
// What is said, and in which order, is found from the root on (agent_state.h); other blobs are
// branches that were abandoned. Without a root, all messages count, in the order of their rows.
#include <array>

#include <fmt/format.h>

#include "extract/agent_state.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/folders.h"
#include "extract/json_reader.h"
#include "extract/message_delivery.h"
#include "extract/roots.h"
#include "extract/source_database.h"
#include "extract/source_search.h"
#include "extract/stores.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "store.db";

// folder/<id>/store.db
void add_sessions(const fs::path& folder, const fs::path& root, SourceSearch& search) {
  search.for_each_folder(folder, root,
                         [&](const fs::path& session) { search.add_file(session, kName, root); });
}

// folder/<hash>/<id>/store.db
void add_chats(const fs::path& folder, const fs::path& root, SourceSearch& search) {
  search.for_each_folder(folder, root,
                         [&](const fs::path& hash) { add_sessions(hash, root, search); });
}

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("chats"), folders, found);
  for (const auto& root : roots.data) {
    add_chats(root / "chats", root, search);
    add_sessions(root / "acp-sessions", root, search);
  }
  for (const auto& root : roots.config) add_chats(root / "chats", root, search);
}

struct ChatMeta {
  std::string root{};
  std::string title{};
  std::string mode{};
  std::string model{};
  std::string workspace{};
  std::optional<std::int64_t> created{};
  std::vector<std::pair<std::string, KeyedValue>> unusable{};  // rows

  // An unchanged root is an unchanged conversation.
  std::string mark() const {
    const auto told =
        fmt::format("{}\n{}\n{}\n{}\n{}", title, mode, model, workspace, created.value_or(0));
    return fmt::format("{} {:016x}", root, hash64(told));
  }
};

void set_once(std::string& text, std::string_view value) {
  if (text.empty()) text = value;
}

void add_meta(std::string_view row, JsonReader& json, ChatMeta& meta) {
  const auto value = json.parse(decoded_blob(std::string(row)));
  if (!value || !value->is_object()) return;
  set_once(meta.root, trimmed(text_of(*value, "latestRootBlobId")));
  set_once(meta.title, trimmed(text_of(*value, "name")));
  set_once(meta.mode, text_of(*value, "mode"));
  set_once(meta.model, text_of(*value, "lastUsedModel"));
  set_once(meta.workspace, text_of(*value, "workspacePath"));
  if (const auto created = member(*value, "createdAt"); created && !meta.created)
    meta.created = time_of(*created);
}

// Takes from all rows what is wanted. The key to encrypted blobs is in there, too: it goes no
// further than this.
ChatMeta read_meta(SourceDatabase& database) {
  constexpr std::size_t kMostRows = 100;
  KeyedTable table(database, "meta");
  ChatMeta meta;
  JsonReader json;
  table.values(table.keys("", "\xff", kMostRows), [&](const std::string& key, KeyedValue& row) {
    if (row.state == KeyedValue::State::present)
      add_meta(row.bytes, json, meta);
    else
      meta.unusable.emplace_back("meta " + key, std::move(row));
  });
  return meta;
}

class ChatBlobs {
 public:
  ChatBlobs(SourceDatabase& database, Sink& sink)
      : database_(database),
        sink_(sink),
        blobs_(database, "blobs", "id", "data"),
        other_blobs_(database, "blobs"),
        agent_kv_(database) {}

  bool exist() const { return blobs_.exists() || other_blobs_.exists() || agent_kv_.exists(); }

  void fetch(std::span<const std::string> ids, const DeliverBlob& deliver) {
    KeyedTable& table = blobs_.exists() ? blobs_ : other_blobs_;
    const auto found = [&](const std::string& id, KeyedValue& value) {
      if (value.state == KeyedValue::State::missing) value = agent_kv_.value("agentKv:blob:" + id);
      deliver(id, bytes_of(std::move(value), id));
    };
    if (table.exists()) return table.values(ids, found);
    KeyedValue none;
    for (const auto& id : ids) found(id, none = {});
  }

  std::optional<std::string> value(const std::string& id) {
    std::optional<std::string> found;
    if (!id.empty())
      fetch({&id, 1}, [&](const std::string&, std::optional<std::string> bytes) {
        found = std::move(bytes);
      });
    return found;
  }

  // In the order in which they were written.
  std::vector<std::string> ids() {
    std::vector<std::string> all;
    KeyedTable& table = blobs_.exists() ? blobs_ : other_blobs_;
    if (!has_rowids(database_, "blobs")) return table.keys("", "\xff");
    if (!table.exists()) return all;
    const auto sql =
        fmt::format("SELECT rowid, {} FROM blobs WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
                    blobs_.exists() ? "id" : "key");
    std::int64_t last = -1;
    for (std::size_t read = kIdsAtOnce; read == kIdsAtOnce;) {
      std::vector<std::string> some;
      auto end = last;
      database_.snapshot([&](Database& snapshot) {
        some.clear();
        auto statement = snapshot.prepare(sql);
        statement.bind(1, last);
        statement.bind(2, kIdsAtOnce);
        while (statement.step()) {
          end = statement.int64(0);
          some.emplace_back(statement.text(1));
        }
        if (!some.empty()) require_advance(end > last);
      });
      last = end;
      read = some.size();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

 private:
  static constexpr std::size_t kIdsAtOnce = 10'000;

  std::optional<std::string> bytes_of(KeyedValue value, const std::string& id) {
    if (value.state == KeyedValue::State::present) return decoded_blob(std::move(value.bytes));
    usable(value, id, sink_);
    return std::nullopt;
  }

  SourceDatabase& database_;
  Sink& sink_;
  KeyedTable blobs_;
  KeyedTable other_blobs_;  // with the columns that some builds have
  KeyedTable agent_kv_;
};

void claim_meta(const ChatMeta& meta, const Source& source, const Claims& claims) {
  if (meta.title != "New Agent") claims.add(Fact::title, rung::title::chat, meta.title);
  claims.add_path(rung::project::chat_workspace, meta.workspace);
  claims.add_model(rung::model::chat, meta.model);
  if (meta.mode != "default") claims.add(Fact::mode, rung::any::sure, meta.mode);
  claims.add_time(Fact::created, meta.created);
  const auto folders = source.path.parent_path().parent_path().parent_path();
  if (folders.filename() == "chats") claims.add(Fact::surface, rung::any::only, "cli");
}

// When there is no root, or nothing in it is where it should be: all messages, in the order of
// their rows; without any, what looks like text.
void read_rows(const std::string& root_id, const std::optional<std::string>& root, ChatBlobs& blobs,
               AgentState& state, const MessageDelivery& to) {
  const auto ids = blobs.ids();
  blobs.fetch(ids, [&](const std::string& id, const std::optional<std::string>& bytes) {
    if (bytes) state.read_message(id, *bytes);
  });
  if (to.delivered() > 0) return;
  if (root) return state.read_texts_below(root_id, *root);
  blobs.fetch(ids, [&](const std::string& id, const std::optional<std::string>& bytes) {
    if (bytes) state.read_texts(id, *bytes);
  });
}

bool has_tables(SourceDatabase& database) {
  bool any = false;
  database.snapshot([&](Database& snapshot) {
    any = snapshot.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").step();
  });
  return any;
}

// The next mark; empty unless the same root will give the same again.
std::string read_chat(const Source& source, const ChatMeta& meta, ChatBlobs& blobs,
                      std::int64_t mtime_ms, Sink& sink) {
  const auto conversation = conversation_id(source.path.parent_path().filename().string());
  sink.whole(conversation);
  for (const auto& [key, row] : meta.unusable) usable(row, key, sink);
  MessageDelivery to(source.store->name, conversation, {}, sink);
  AgentState state([&](auto ids, const auto& deliver) { blobs.fetch(ids, deliver); }, to);
  const auto id = blob_id(meta.root).value_or(std::string());
  const auto root = blobs.value(id);
  if (root) state.read(id, *root);
  const bool led = to.delivered() > 0;
  if (!led) read_rows(id, root, blobs, state, to);

  const Claims claims(conversation, sink);
  claim_meta(meta, source, claims);
  if (root) AgentState::claim(*root, rung::project::chat_state, claims);
  to.claims();
  claims.add_time(Fact::seen, mtime_ms);
  return led && state.complete() ? meta.mark() : std::string();
}

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) -> std::string {
    ChatBlobs blobs(database, sink);
    if (!blobs.exist()) {
      if (has_tables(database)) sink.problem({.what = "unknown tables", .example = "file"});
      return {};
    }
    const auto meta = read_meta(database);
    if (!meta.root.empty() && meta.mark() == source.mark) return source.mark;
    return read_chat(source, meta, blobs, database.mtime_ms(), sink);
  });
}

constexpr std::array<std::string_view, 2> kAliases = {"chat", "chat-store"};

}  // namespace

extern constinit const Store chats;
constinit const Store chats{.id = 9,
                            .name = "chats",
                            .summary = "sessions of the CLI, with results of tools",
                            .searched = Searched::when_named,
                            .aliases = kAliases,
                            .version = 1,
                            .database = true,
                            .discover = discover,
                            .extract = extract};

}  // namespace cgrep
