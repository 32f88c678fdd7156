// agentkv: what the IDE's agent sent to the model, in the table cursorDiskKV of state.vscdb
//   agentKv:blob:<sha256>       a message as JSON, or protobuf: bytes, or their hex digits, or `00`
//   agentKv:checkpoint:<id>     the root of a conversation's state: an id in hex, or its bytes
//   composerData:<id>           {"conversationState": "~" + the root itself in base64}
// Blobs belong to a conversation when its state leads to them (agent_state.h). Older builds kept no
// state: then the message of the user that begins a request names it, those in the rows after it
// belong to the same request, and bubbles (bubbleId:<id>:…) tell whose it is.
#include <algorithm>
#include <charconv>
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
#include "extract/state_changes.h"
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

// What was last looked at in the table, then how far blobs were put to requests:
// `<state mark>\n<last rowid> <request>`. What was read of conversations is noted with each: `state
// <hash of its root>`, `joined`, or `deleted`.
struct Mark {
  std::string state{};
  std::int64_t row = 0;
  std::string request{};  // that the last one belongs to

  std::string text() const { return fmt::format("{}\n{} {}", state, row, request); }
  static Mark parse(std::string_view text);
};

Mark Mark::parse(std::string_view text) {
  Mark mark;
  const auto end_of_state = text.find('\n');
  if (end_of_state == std::string_view::npos) return mark;
  mark.state = text.substr(0, end_of_state);
  text.remove_prefix(end_of_state + 1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mark.row);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (error == std::errc() && !text.empty()) mark.request = text.substr(1);
  return mark;
}

constexpr std::string_view kJoined = "joined";
constexpr std::string_view kDeleted = "deleted";
constexpr std::string_view kState = "state";
constexpr std::string_view kIncomplete = "state, not all of it";

std::string state_note(std::string_view root, bool complete) {
  return complete ? fmt::format("{} {:016x}", kState, hash64(root)) : std::string(kIncomplete);
}

// Reports what is looked at each time the source is read.
class Passing : public Sink {
 public:
  explicit Passing(Sink& to) : to_(to) {}
  void document(Document&& /*document*/) override {}
  void claim(Claim /*claim*/) override {}
  void whole(std::string_view /*conversation*/) override {}
  void problem(Problem problem) override {
    problem.passing = true;
    to_.problem(std::move(problem));
  }

 private:
  Sink& to_;
};

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

// A blob that no state leads to.
struct Row {
  std::int64_t row = 0;
  std::string id{};
};

struct Request {
  std::string id{};
  std::vector<Row> rows{};
};

class Reading {
 public:
  Reading(const Source& source, SourceDatabase& database, Sink& sink)
      : source_(source),
        database_(database),
        table_(database),
        sink_(sink),
        passing_(sink),
        before_(Mark::parse(source.mark)),
        changes_(database, before_.state, {"composerData", "agentKv"}) {}

  std::string read() {
    if (!changes_.exist()) return {};
    // Another database, or one that was made anew.
    if (changes_.everything()) before_ = {};
    now_ = before_;
    now_.state = changes_.mark();
    read_notes();
    conversations();
    if (has_rowids(database_, "cursorDiskKV")) requests();
    vanished();
    return now_.text();
  }

 private:
  void read_notes();
  void fetch(std::span<const std::string> ids, const DeliverBlob& deliver);
  FetchBlobs fetcher() {
    return [this](auto ids, const auto& deliver) { fetch(ids, deliver); };
  }

  void conversations();
  bool is_as_before(const std::string& id);
  bool read_composer(const std::string& id);
  void read_checkpoint(const std::string& id);
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
  Passing passing_;
  Mark before_;
  StateChanges changes_;
  Mark now_{};
  JsonReader json_{};
  std::set<std::string> unscoped_{};             // composers without a state
  std::set<std::string> deleted_{};              // and those that are no more
  std::set<std::string> kept_{};                 // cannot be read now: stay as they are
  std::set<std::string> present_{};              // conversations that are here, read or not
  std::map<std::string, std::string> notes_{};   // of the last reading, by conversation
  std::unordered_set<std::string> reached_{};    // blobs
  std::unordered_set<std::string> requested_{};  // requests of conversations with a state
};

// When everything is read again, they only tell what was there.
void Reading::read_notes() {
  for (const auto& conversation : sink_.noted_parts()) {
    notes_[conversation] = sink_.noted(conversation).value_or(std::string());
    if (!changes_.everything()) continue;
    notes_[conversation].clear();
    sink_.forget_note(conversation);
  }
}

void Reading::fetch(std::span<const std::string> ids, const DeliverBlob& deliver) {
  std::vector<std::string> keys;
  for (const auto& id : ids) keys.push_back(std::string(kBlob) + id);
  table_.values(keys, [&](const std::string& key, KeyedValue& value) {
    const auto id = key.substr(kBlob.size());
    if (value.state == KeyedValue::State::present)
      return deliver(id, decoded_blob(std::move(value.bytes)));
    usable(value, key, sink_);
    deliver(id, std::nullopt);
  });
}

// A composer says it, or a checkpoint; only those that were written since are read.
void Reading::conversations() {
  const auto composers = conversations_of(table_, kComposer.substr(0, kComposer.size() - 1));
  std::set<std::string> all(composers.begin(), composers.end());
  for (const auto& key : table_.keys_with(kCheckpoint)) all.insert(key.substr(kCheckpoint.size()));
  for (const auto& id : all) {
    const bool has_composer = std::binary_search(composers.begin(), composers.end(), id);
    if (has_composer) unscoped_.insert(id);
    if (is_as_before(id)) continue;
    if (!has_composer || !read_composer(id)) read_checkpoint(id);
  }
}

// Then it is only put where it belongs. Once a day all are read again.
bool Reading::is_as_before(const std::string& id) {
  if (changes_.everything() || changes_.compare() || changes_.has(std::string(kComposer) + id) ||
      changes_.has(std::string(kCheckpoint) + id))
    return false;
  const auto name = conversation_id(id);
  const auto known = notes_.find(name);
  const std::string note = known != notes_.end() ? known->second : std::string();
  if (note == kIncomplete) return false;
  if (note.starts_with(kState)) present_.insert(name);
  if (note == kDeleted) deleted_.insert(id);
  if (note.starts_with(kState) || note == kDeleted) unscoped_.erase(id);
  return true;
}

// True when there is nothing more to know of the conversation.
bool Reading::read_composer(const std::string& id) {
  const auto key = std::string(kComposer) + id;
  const auto value = table_.value(key);
  const auto name = conversation_id(id);
  if (value.state == KeyedValue::State::null) {
    unscoped_.erase(id);
    deleted_.insert(id);
    return true;
  }
  if (!usable(value, key, passing_)) {
    if (value.state != KeyedValue::State::present) kept_.insert(name);
    return false;
  }
  const auto data = json_.parse(value.bytes);
  auto state = data ? text_of(*data, "conversationState") : std::string_view();
  if (state.starts_with('~')) state.remove_prefix(1);
  const auto root = from_base64(trimmed(state));
  if (!data || !root) {
    kept_.insert(name);
    passing_.problem({.what = data ? "state is not base64" : "not JSON", .example = key});
    return false;
  }
  if (!AgentState::is_root(*root)) return false;
  conversation(id, "state", *root);
  return true;
}

void Reading::read_checkpoint(const std::string& id) {
  const auto key = std::string(kCheckpoint) + id;
  const auto value = table_.value(key);
  if (!usable(value, key, passing_)) return;
  auto root_id = blob_id(value.bytes);
  if (!root_id) root_id = blob_id(trimmed(value.bytes));
  if (!root_id) return passing_.problem({.what = "no id of a blob", .example = key});
  fetch({&*root_id, 1}, [&](const std::string&, const std::optional<std::string>& root) {
    if (root && AgentState::is_root(*root)) conversation(id, *root_id, *root);
  });
}

void Reading::conversation(const std::string& id, const std::string& root_id,
                           std::string_view root) {
  const auto name = conversation_id(id);
  unscoped_.erase(id);
  present_.insert(name);
  const auto known = notes_.find(name);
  if (known != notes_.end() && known->second == state_note(root, true)) return;
  sink_.whole(name);
  MessageDelivery to(source_.store->name, name, name + "/", sink_);
  AgentState state(fetcher(), to);
  state.read(root_id, root);
  claims(to, root);
  reached_.insert(state.visited().begin(), state.visited().end());
  requested_.insert(to.requests().begin(), to.requests().end());
  sink_.note(name, state_note(root, state.complete()));
  // Only when all blobs are put to requests, it is known what no state leads to.
  if (!changes_.everything()) sink_.so_far(source_.mark);
}

void Reading::claims(const MessageDelivery& to, std::string_view root) const {
  const Claims claims(to.conversation(), sink_);
  claims.add(Fact::surface, rung::any::only, "ide");
  // It says where the conversation was, which may be long ago: composers know better.
  AgentState::claim(root, rung::project::bubble_uri, claims);
  to.claims();
  claims.add_time(Fact::seen, database_.mtime_ms());
}

// Blobs that were added since the last time and that no state leads to, as they were written.
std::vector<Row> Reading::new_rows() {
  std::vector<std::string> keys;
  if (changes_.everything()) {
    keys = table_.keys_with(kBlob);
  } else {
    for (const auto& key : changes_.keys())
      if (key.starts_with(kBlob)) keys.push_back(key);
  }
  std::vector<Row> rows;
  database_.snapshot([&](Database& snapshot) {
    rows.clear();
    auto number = snapshot.prepare("SELECT rowid FROM cursorDiskKV WHERE key = ?1");
    for (const auto& key : keys) {
      number.bind(1, key);
      if (number.step()) rows.push_back({number.int64(0), key.substr(kBlob.size())});
      number.reset();
    }
  });
  std::erase_if(rows, [&](const Row& row) { return row.row <= before_.row; });
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
  ids.reserve(rows.size());
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
  const auto known = notes_.find(conversation);
  if (known != notes_.end() && known->second == kJoined)
    sink_.more(conversation);
  else
    sink_.whole(conversation);
  present_.insert(conversation);
  MessageDelivery to(source_.store->name, conversation, conversation + "/", sink_);
  AgentState state(fetcher(), to);
  std::vector<std::string> ids;
  ids.reserve(rows.size());
  for (const Row& row : rows) ids.push_back(row.id);
  auto row = rows.begin();
  fetch(ids, [&](const std::string& id, const std::optional<std::string>& bytes) {
    to.skip_to(static_cast<std::uint64_t>((row++)->row));
    if (bytes) state.read_message(id, *bytes);
  });
  claims(to, {});
  sink_.note(conversation, kJoined);
}

// Conversations that were here before, and are not any more.
void Reading::vanished() {
  std::set<std::string> deleted;
  for (const auto& id : deleted_) deleted.insert(conversation_id(id));
  for (const auto& [conversation, note] : notes_) {
    const bool joined = note == kJoined && !deleted.contains(conversation);
    if (joined || present_.contains(conversation) || kept_.contains(conversation)) continue;
    if (note != kDeleted) sink_.whole(conversation);
    sink_.forget_note(conversation);
  }
  for (const auto& conversation : deleted)
    if (!present_.contains(conversation)) sink_.note(conversation, kDeleted);
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
                              .version = 2,
                              .database = true,
                              .discover = discover,
                              .extract = extract};

}  // namespace cgrep
