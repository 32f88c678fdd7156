// agentkv: what the IDE's agent sent to the model, in the table cursorDiskKV of state.vscdb
//   agentKv:blob:<sha256>       a message as JSON, or protobuf: bytes, or their hex digits, or `00`
//   agentKv:checkpoint:<id>     the root of a conversation's state: an id in hex, or its bytes
//   composerData:<id>           {"conversationState": "~" + the root itself in base64}
// Blobs belong to a conversation when its state leads to them (agent_state.h). Older builds kept no
// state: then the message of the user that begins a request names it, those in the rows after it
// belong to the same request, and bubbles (bubbleId:<id>:…) tell whose it is.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "extract/agent_state.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/json_reader.h"
#include "extract/message_delivery.h"
#include "extract/source_database.h"
#include "extract/state_database.h"
#include "extract/stores.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kBlob = "agentKv:blob:";
constexpr std::string_view kCheckpoint = "agentKv:checkpoint:";
constexpr std::string_view kComposer = "composerData:";

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store("agentkv"), roots, folders, found, Where::global);
}

// -------------------------------------------------------------------------------------------------
// What was read before

// Lines: `rows <last rowid> <request>`, `state <conversation> <hash>`, `joined <conversation>`.
struct Mark {
  std::int64_t row = 0;                         // of the last blob that was joined by its request
  std::string request{};                        // that it belongs to
  std::map<std::string, std::string> states{};  // conversation → hash of its root
  std::set<std::string> joined{};               // conversations

  std::string text() const {
    auto text = fmt::format("rows {} {}\n", row, request);
    for (const auto& [conversation, hash] : states)
      text += fmt::format("state {} {}\n", conversation, hash);
    for (const auto& conversation : joined) text += fmt::format("joined {}\n", conversation);
    return text;
  }

  static Mark parse(std::string_view text);
};

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= line.size();) {
    const auto end = std::min(line.find(' ', begin), line.size());
    words.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Mark Mark::parse(std::string_view text) {
  Mark mark;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    auto words = words_of(text.substr(begin, end - begin));
    begin = end + 1;
    words.resize(3);
    if (words[0] == "rows") {
      mark.row = std::strtoll(words[1].c_str(), nullptr, 10);
      mark.request = words[2];
    } else if (words[0] == "state") {
      mark.states[words[1]] = words[2];
    } else if (words[0] == "joined") {
      mark.joined.insert(words[1]);
    }
  }
  return mark;
}

// -------------------------------------------------------------------------------------------------
// Values

// Absent when it is not base64.
std::optional<std::string> from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const auto digit = kDigits.find(c == '-' ? '+' : (c == '_' ? '/' : c));
    if (digit == kDigits.npos) return std::nullopt;
    bits = (bits << 6u | static_cast<std::uint32_t>(digit)) & 0xffffu;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xffu);
  }
  return bytes;
}

std::string hash_text(std::string_view bytes) {
  return fmt::format("{:016x}", hash64(bytes));
}

// A blob that no state leads to.
struct Row {
  std::int64_t row = 0;
  std::string id{};
};

struct Request {
  std::string id{};
  std::vector<Row> rows{};
};

// -------------------------------------------------------------------------------------------------

class Reading {
 public:
  Reading(const Source& source, SourceDatabase& database, Sink& sink)
      : source_(source),
        database_(database),
        table_(database),
        sink_(sink),
        before_(Mark::parse(source.mark)) {}

  std::string read() {
    if (!table_.exists()) return {};
    const bool numbered = has_rowids(database_, "cursorDiskKV");
    // Another database, or one that was made anew.
    if (!numbered || last_row() < before_.row) before_.row = 0;
    if (before_.row == 0) forget();
    composers();
    checkpoints();
    if (numbered) requests();
    vanished();
    return now_.text();
  }

 private:
  // Everything is read again; what is no longer there is still gone.
  void forget() {
    for (auto& [conversation, hash] : before_.states) hash.clear();
    before_.request.clear();
  }

  std::int64_t last_row();
  void fetch(std::span<const std::string> ids, const DeliverBlob& deliver);
  FetchBlobs fetcher() {
    return [this](auto ids, const auto& deliver) { fetch(ids, deliver); };
  }

  void composers();
  void composer(const std::string& id, const std::string& key, const KeyedValue& value);
  void checkpoints();
  void conversation(const std::string& id, const std::string& root_id, std::string_view root);
  void claims(const MessageDelivery& to, std::string_view root) const;

  void requests();
  std::vector<Row> new_rows();
  std::vector<Request> gather(const std::vector<Row>& rows);
  std::unordered_map<std::string, std::string> owners(const std::vector<Request>& requests);
  void deliver_joined(const std::string& conversation, const std::vector<Row>& rows);
  void vanished();

  const Source& source_;
  SourceDatabase& database_;
  KeyedTable table_;
  Sink& sink_;
  Mark before_;
  Mark now_{};
  JsonReader json_{};
  std::set<std::string> unscoped_{};             // composers without a state
  std::set<std::string> scoped_{};               // and those with one
  std::set<std::string> deleted_{};              // and those that are no more
  std::set<std::string> kept_{};                 // cannot be read now: stay as they are
  std::set<std::string> told_{};                 // conversations, in this reading
  std::unordered_set<std::string> reached_{};    // blobs
  std::unordered_set<std::string> requested_{};  // requests of conversations with a state
};

std::int64_t Reading::last_row() {
  std::int64_t last = 0;
  database_.snapshot([&](Database& snapshot) {
    auto statement = snapshot.prepare("SELECT max(rowid) FROM cursorDiskKV");
    if (statement.step()) last = statement.int64(0);
  });
  return last;
}

void Reading::fetch(std::span<const std::string> ids, const DeliverBlob& deliver) {
  std::vector<std::string> keys;
  for (const auto& id : ids) keys.push_back(std::string(kBlob) + id);
  table_.values(keys, [&](const std::string& key, KeyedValue value) {
    const auto id = key.substr(kBlob.size());
    if (value.state == KeyedValue::State::present)
      return deliver(id, decoded_blob(std::move(value.bytes)));
    usable(value, key, sink_);
    deliver(id, std::nullopt);
  });
}

void Reading::composers() {
  table_.values(table_.keys_with(kComposer), [&](const std::string& key, const KeyedValue& value) {
    composer(key.substr(kComposer.size()), key, value);
  });
}

void Reading::composer(const std::string& id, const std::string& key, const KeyedValue& value) {
  if (value.state == KeyedValue::State::null) {
    deleted_.insert(id);
    return;
  }
  unscoped_.insert(id);
  if (!usable(value, key, sink_)) {
    if (value.state != KeyedValue::State::present) kept_.insert(conversation_id(id));
    return;
  }
  const auto data = json_.parse(value.bytes);
  auto state = data ? text_of(*data, "conversationState") : std::string_view();
  if (state.starts_with('~')) state.remove_prefix(1);
  const auto root = from_base64(trimmed(state));
  if (!data || !root) {
    kept_.insert(conversation_id(id));
    return sink_.problem({.what = data ? "state is not base64" : "not JSON", .example = key});
  }
  if (AgentState::is_root(*root)) conversation(id, "state", *root);
}

void Reading::checkpoints() {
  table_.values(
      table_.keys_with(kCheckpoint), [&](const std::string& key, const KeyedValue& value) {
        const auto id = key.substr(kCheckpoint.size());
        if (scoped_.contains(id) || deleted_.contains(id) || !usable(value, key, sink_)) return;
        auto root_id = blob_id(value.bytes);
        if (!root_id) root_id = blob_id(trimmed(value.bytes));
        if (!root_id) return sink_.problem({.what = "no id of a blob", .example = key});
        fetch({&*root_id, 1}, [&](const std::string&, const std::optional<std::string>& root) {
          if (root && AgentState::is_root(*root)) conversation(id, *root_id, *root);
        });
      });
}

void Reading::conversation(const std::string& id, const std::string& root_id,
                           std::string_view root) {
  const auto name = conversation_id(id);
  const auto hash = hash_text(root);
  unscoped_.erase(id);
  scoped_.insert(id);
  if (const auto known = before_.states.find(name);
      known != before_.states.end() && known->second == hash) {
    now_.states[name] = hash;
    return;
  }
  sink_.whole(name);
  told_.insert(name);
  MessageDelivery to(source_.store->name, name, name + "/", sink_);
  AgentState state(fetcher(), to);
  state.read(root_id, root);
  claims(to, root);
  if (state.complete()) now_.states[name] = hash;
  reached_.insert(state.visited().begin(), state.visited().end());
  requested_.insert(to.requests().begin(), to.requests().end());
}

void Reading::claims(const MessageDelivery& to, std::string_view root) const {
  const Claims claims(to.conversation(), sink_);
  claims.add(Fact::surface, rung::any::only, "ide");
  AgentState::claim(root, claims);
  to.claims();
  claims.add_time(Fact::seen, database_.mtime_ms());
}

// Blobs that were added since the last time and that no state leads to, as they were written.
std::vector<Row> Reading::new_rows() {
  std::vector<Row> rows;
  database_.snapshot([&](Database& snapshot) {
    rows.clear();
    auto statement = snapshot.prepare(
        "SELECT rowid, key FROM cursorDiskKV WHERE key >= ?1 AND key < ?2 AND rowid > ?3");
    statement.bind(1, kBlob);
    statement.bind(2, end_of_prefix(kBlob));
    statement.bind(3, before_.row);
    while (statement.step())
      rows.push_back({statement.int64(0), std::string(statement.text(1).substr(kBlob.size()))});
  });
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.row < b.row; });
  now_.row = rows.empty() ? before_.row : rows.back().row;
  std::erase_if(rows, [&](const Row& row) { return reached_.contains(row.id); });
  return rows;
}

// Puts rows to their requests.
class Gathering {
 public:
  explicit Gathering(std::string request) : current_(std::move(request)) {}

  void add(const Row& row, const MessageHead& head) {
    if (head.role == "system") {  // another conversation
      current_.clear();
      waiting_.clear();
    }
    if (head.role == "user" && !head.request.empty()) current_ = head.request;
    waiting_.push_back(row);
    if (current_.empty()) return;  // context that comes before the first request
    auto& rows = request().rows;
    rows.insert(rows.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
  }

  const std::string& current() const { return current_; }
  std::vector<Request> take() { return std::move(requests_); }

 private:
  Request& request() {
    const auto [place, added] = places_.try_emplace(current_, requests_.size());
    if (added) requests_.push_back({.id = current_});
    return requests_[place->second];
  }

  std::string current_;
  std::vector<Row> waiting_{};
  std::vector<Request> requests_{};
  std::unordered_map<std::string, std::size_t> places_{};
};

std::vector<Request> Reading::gather(const std::vector<Row>& rows) {
  Gathering gathering(before_.request);
  MessageReader reader;
  std::vector<std::string> ids;
  for (const Row& row : rows) ids.push_back(row.id);
  auto row = rows.begin();
  fetch(ids, [&](const std::string&, const std::optional<std::string>& bytes) {
    const Row& at = *row++;
    if (!bytes || !bytes->starts_with('{')) return;  // files, and all else that was read
    if (const auto head = reader.head(*bytes)) gathering.add(at, *head);
  });
  now_.request = gathering.current();
  auto requests = gathering.take();
  // Those of a branch that its conversation has abandoned.
  std::erase_if(requests, [&](const Request& request) { return requested_.contains(request.id); });
  return requests;
}

// Request → conversation, as bubbles tell it.
std::unordered_map<std::string, std::string> Reading::owners(const std::vector<Request>& requests) {
  std::unordered_set<std::string> open;
  for (const Request& request : requests) open.insert(request.id);
  std::unordered_map<std::string, std::string> owners;
  for (const auto& id : unscoped_) {
    if (open.empty()) break;
    table_.values(table_.keys_with("bubbleId:" + id + ":"),
                  [&](const std::string&, const KeyedValue& value) {
                    if (value.bytes.empty() || open.empty()) return;
                    const auto bubble = json_.parse(value.bytes);
                    if (!bubble) return;  // the store of bubbles says so
                    const std::string request(text_of(*bubble, "requestId"));
                    if (open.erase(request) > 0) owners[request] = id;
                  });
  }
  return owners;
}

void Reading::requests() {
  const auto requests = gather(new_rows());
  const auto owner_of = owners(requests);
  std::vector<std::pair<std::string, std::vector<Row>>> conversations;
  std::unordered_map<std::string, std::size_t> places;
  for (const Request& request : requests) {
    const auto owner = owner_of.find(request.id);
    const auto name = conversation_id(owner != owner_of.end() ? owner->second : request.id);
    const auto [place, added] = places.try_emplace(name, conversations.size());
    if (added) conversations.emplace_back(name, std::vector<Row>());
    auto& rows = conversations[place->second].second;
    rows.insert(rows.end(), request.rows.begin(), request.rows.end());
  }
  for (const auto& [name, rows] : conversations) deliver_joined(name, rows);
}

void Reading::deliver_joined(const std::string& conversation, const std::vector<Row>& rows) {
  const bool appended = before_.row > 0 && before_.joined.contains(conversation);
  if (!appended) sink_.whole(conversation);
  told_.insert(conversation);
  now_.joined.insert(conversation);
  MessageDelivery to(source_.store->name, conversation, conversation + "/", sink_);
  AgentState state(fetcher(), to);
  std::vector<std::string> ids;
  for (const Row& row : rows) ids.push_back(row.id);
  auto row = rows.begin();
  fetch(ids, [&](const std::string& id, const std::optional<std::string>& bytes) {
    to.skip_to(static_cast<std::uint64_t>((row++)->row));
    if (bytes) state.read_message(id, *bytes);
  });
  claims(to, {});
}

// Conversations that were here before, and are not any more.
void Reading::vanished() {
  std::set<std::string> deleted;
  for (const auto& id : deleted_) deleted.insert(conversation_id(id));
  for (const auto& [conversation, hash] : before_.states) {
    if (now_.states.contains(conversation) || told_.contains(conversation)) continue;
    if (kept_.contains(conversation))
      now_.states[conversation] = hash;
    else
      sink_.whole(conversation);
  }
  for (const auto& conversation : before_.joined) {
    if (told_.contains(conversation) || now_.states.contains(conversation)) continue;
    if (before_.row > 0 && !deleted.contains(conversation))
      now_.joined.insert(conversation);
    else
      sink_.whole(conversation);
  }
}

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    return Reading(source, database, sink).read();
  });
}

}  // namespace

extern constinit const Store agentkv;
constinit const Store agentkv{.id = 10,
                              .name = "agentkv",
                              .summary = "what the IDE's agent sent to the model",
                              .searched = Searched::when_named,
                              .version = 1,
                              .database = true,
                              .discover = discover,
                              .extract = extract};

}  // namespace cgrep
