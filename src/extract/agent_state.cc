// ConversationStateStructure, the root. Where it says id, 32 bytes name another blob.
//   1  messages, as the model was given them     id… → JSON (model_message.h)
//   2  turns of older builds                     id… → turn, or a node with more of 1 and 2
//   3  todos                                     id… → {2 content}
//   5  tokens                                    {1 used, 2 max}
//   6  summary   7  plan                         id → {1 text}
//   8  turns                                     id… → {1 agent's turn | 2 shell turn}
//   9  workspaces                                file:///…
//   10 mode
//   11 13 what was summarised                    id… → {1 id… → message, 2 summary, 4 id → message}
//   14 times of the turns                        {2 ms}…
// agent's turn: 1 id → user's message {1 text, 5 simulated}, 2 id… → step, 3 request id
// step: 1 {1 text} | 2 tool call (agent_tool.cc) | 3 {1 thought}
// shell turn: 1 id → command, 2 id → output
// From 9 on, numbers differ between versions: what is found there must look right, too.
//
// When a conversation was summarised, 1 keeps the summary and the last messages; 8 has all turns.
#include "extract/agent_state.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "extract/agent_tool.h"
#include "extract/protobuf.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "extract/wire_texts.h"

namespace cgrep {

namespace {

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxBlobs = 1'000'000;  // of one conversation
constexpr std::size_t kIdBytes = 32;
constexpr std::string_view kBlobPrefix = "agentKv:blob:";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_hex(std::string_view text) {
  return text.size() % 2 == 0 &&
         std::all_of(text.begin(), text.end(), [](char c) { return hex_value(c) >= 0; });
}

std::string to_hex(std::string_view bytes) {
  std::string hex;
  for (const char c : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

// No message begins with this byte: it would be a group.
bool is_json(std::string_view bytes) {
  return bytes.starts_with('{');
}

std::optional<std::int64_t> wire_time(std::string_view message, std::uint32_t number) {
  const auto value = wire_varint(message, number);
  return value ? time_from_number(static_cast<double>(*value)) : std::nullopt;
}

bool is_one_of(std::uint32_t number, std::initializer_list<std::uint32_t> numbers) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

// `{1 {…}}` is a turn, `{1 id}` is not.
std::optional<std::string_view> held_message(std::string_view message, std::uint32_t number) {
  const auto bytes = wire_bytes(message, number);
  return bytes && bytes->size() != kIdBytes ? bytes : std::nullopt;
}

// What may be ids, in a message of unknown kind.
void add_ids(std::string_view message, int depth, std::vector<std::string>& ids) {
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (!field->is_bytes()) continue;
    if (field->bytes.size() == kIdBytes)
      ids.push_back(to_hex(field->bytes));
    else if (depth < kMaxDepth && is_wire_message(field->bytes))
      add_ids(field->bytes, depth + 1, ids);
  }
}

std::vector<std::string> ids_in(std::string_view message) {
  std::vector<std::string> ids;
  if (is_wire_message(message)) add_ids(message, 0, ids);
  return ids;
}

}  // namespace

std::optional<std::string> blob_id(std::string_view bytes) {
  if (bytes.size() == kIdBytes) return to_hex(bytes);
  if (bytes.starts_with(kBlobPrefix)) bytes.remove_prefix(kBlobPrefix.size());
  if (bytes.size() != 2 * kIdBytes || !is_hex(bytes)) return std::nullopt;
  std::string id(bytes);
  for (char& c : id)
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  return id;
}

std::string decoded_blob(std::string value) {
  if (value == std::string_view("\0", 1) || value == "00") return {};
  if (value.empty() || !is_hex(value)) return value;
  std::string bytes;
  bytes.reserve(value.size() / 2);
  for (std::size_t i = 0; i < value.size(); i += 2)
    bytes += static_cast<char>(hex_value(value[i]) * 16 + hex_value(value[i + 1]));
  return bytes;
}

AgentState::AgentState(FetchBlobs fetch, MessageDelivery& to) : fetch_(std::move(fetch)), to_(to) {}

std::vector<AgentState::Item> AgentState::items(const std::string& name, std::string_view message,
                                                std::initializer_list<std::uint32_t> numbers) {
  std::vector<Item> found;
  WireReader reader(message);
  while (const auto field = reader.next()) {
    if (!field->is_bytes() || !is_one_of(field->number, numbers) || field->bytes.empty()) continue;
    if (auto id = blob_id(field->bytes))
      found.push_back({.name = std::move(*id)});
    else
      found.push_back({.name = fmt::format("{}.{}.{}", name, field->number, found.size()),
                       .held = std::string(field->bytes)});
  }
  return found;
}

void AgentState::for_each(const std::vector<Item>& items, const Visit& visit) {
  for (std::size_t begin = 0; begin < items.size() && fetched_ < kMaxBlobs;) {
    if (items[begin].held) {
      visit(begin, items[begin].name, *items[begin].held);
      ++begin;
      continue;
    }
    std::vector<std::string> ids;
    for (auto i = begin; i < items.size() && !items[i].held; ++i) ids.push_back(items[i].name);
    fetched_ += ids.size();
    visited_.insert(ids.begin(), ids.end());
    auto index = begin;
    fetch_(ids, [&](const std::string& id, const std::optional<std::string>& bytes) {
      if (bytes)
        visit(index, id, *bytes);
      else
        complete_ = false;
      ++index;
    });
    begin += ids.size();
  }
  if (fetched_ >= kMaxBlobs && !std::exchange(too_many_, true)) to_.problem("over a million blobs");
}

void AgentState::read(std::string_view root_id, std::string_view root) {
  const std::string name(root_id);
  nodes_.insert(name);
  for_each(items(name, root, {1}), [&](std::size_t, const std::string& id, std::string_view bytes) {
    message(id, bytes, 0);
  });
  archives(name, root);
  turns(name, root);
  notes(name, root);
}

bool AgentState::read_message(const std::string& name, std::string_view bytes) {
  if (!is_json(bytes)) return wrapped_message(name, bytes);
  to_.begin_message(name);
  const auto found = reader_.read(bytes, to_);
  if (found == MessageReader::Found::not_json) to_.problem("not JSON");
  return true;
}

// {4 JSON, 26 ms}, with the JSON in one piece or in several.
bool AgentState::wrapped_message(const std::string& name, std::string_view bytes) {
  std::vector<std::string_view> pieces;
  std::string json;
  WireReader reader(bytes);
  while (const auto field = reader.next())
    if (field->number == 4 && field->is_bytes()) {
      pieces.push_back(field->bytes);
      json += field->bytes;
    }
  if (!is_json(json)) return false;
  to_.begin_message(name);
  to_.message_time(wire_time(bytes, 26));
  if (reader_.read(json, to_) != MessageReader::Found::not_json) return true;
  if (pieces.size() == 1) to_.problem("not JSON");
  for (const auto piece : pieces)
    if (pieces.size() > 1 && reader_.read(piece, to_) == MessageReader::Found::not_json)
      to_.problem("not JSON");
  return true;
}

// What is neither a message nor leads to one is encrypted, or a file that was read: not searched.
void AgentState::message(const std::string& name, std::string_view bytes, int depth) {
  if (!read_message(name, bytes)) node(name, bytes, depth);
}

void AgentState::node(const std::string& name, std::string_view bytes, int depth) {
  if (depth >= kMaxDepth || !is_wire_message(bytes) || !nodes_.insert(name).second) return;
  std::vector<Item> children;
  std::vector<bool> leaves;
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (!field->is_bytes() || !is_one_of(field->number, {1, 2})) continue;
    auto id = blob_id(field->bytes);
    if (!id) continue;
    children.push_back({.name = std::move(*id)});
    leaves.push_back(field->number == 1);
  }
  for_each(children, [&](std::size_t index, const std::string& id, std::string_view child) {
    if (leaves[index])
      message(id, child, depth + 1);
    else
      turn(id, child, depth + 1);
  });
}

// Each is an account of its own: they may overlap.
void AgentState::archives(const std::string& root_id, std::string_view root) {
  auto archives = items(root_id, root, {11, 13});
  std::erase_if(archives, [](const Item& item) { return item.held.has_value(); });
  for_each(archives, [&](std::size_t, const std::string& id, std::string_view archive) {
    if (!is_wire_message(archive) || !nodes_.insert(id).second) return;
    to_.next_account(MessageDelivery::Begins::before);
    for_each(items(id, archive, {1}), [&](std::size_t, const std::string& name,
                                          std::string_view bytes) { message(name, bytes, 1); });
    to_.next_account(MessageDelivery::Begins::here);
    for_each(items(id, archive, {4}), [&](std::size_t, const std::string& name,
                                          std::string_view bytes) { message(name, bytes, 1); });
    to_.next_account(MessageDelivery::Begins::here);
    const auto summary = wire_text(archive, 2);
    if (!valid_utf8(summary)) return;
    to_.begin_message(id);
    to_.begin_part();
    to_.plain(Role::summary, summary);
  });
}

void AgentState::turns(const std::string& root_id, std::string_view root) {
  to_.next_account();
  for_each(items(root_id, root, {2}),
           [&](std::size_t, const std::string& id, std::string_view bytes) { turn(id, bytes, 0); });
  std::vector<std::optional<std::int64_t>> times;
  WireReader reader(root);
  while (const auto field = reader.next())
    if (field->number == 14 && field->is_bytes()) times.push_back(wire_time(field->bytes, 2));
  to_.next_account();
  for_each(items(root_id, root, {8}),
           [&](std::size_t index, const std::string& id, std::string_view bytes) {
             to_.begin_turn(index < times.size() ? times[index] : std::nullopt);
             turn(id, bytes, 0);
           });
}

void AgentState::turn(const std::string& name, std::string_view bytes, int depth) {
  if (is_json(bytes)) return message(name, bytes, depth);
  if (const auto agent = held_message(bytes, 1)) return agent_turn(name, *agent);
  if (const auto shell = held_message(bytes, 2)) return shell_turn(name, *shell);
  message(name, bytes, depth);
}

void AgentState::agent_turn(const std::string& name, std::string_view bytes) {
  to_.request(wire_text(bytes, 3));
  auto parts = items(name, bytes, {1});
  const auto users = parts.size();
  const auto steps = items(name, bytes, {2});
  parts.insert(parts.end(), steps.begin(), steps.end());
  for_each(parts, [&](std::size_t index, const std::string& id, std::string_view part) {
    if (index < users)
      user_message(id, part);
    else
      step(id, part);
  });
}

void AgentState::user_message(const std::string& name, std::string_view bytes) {
  if (is_json(bytes)) return message(name, bytes, kMaxDepth);
  if (!is_wire_message(bytes)) return;  // encrypted
  const auto text = wire_text(bytes, 1);
  to_.begin_message(name);
  to_.begin_part();
  to_.user(text, wire_varint(bytes, 5).value_or(0) != 0);
}

void AgentState::step(const std::string& name, std::string_view bytes) {
  if (is_json(bytes)) return message(name, bytes, kMaxDepth);
  if (!is_wire_message(bytes)) return;  // encrypted
  to_.begin_message(name);
  WireReader reader(bytes);
  while (const auto field = reader.next()) {
    if (!field->is_bytes()) continue;
    to_.begin_part();
    if (field->number == 1)
      to_.reply(Role::assistant, wire_text(field->bytes, 1));
    else if (field->number == 2)
      tool_call(field->bytes);
    else if (field->number == 3)
      to_.reply(Role::thinking, wire_text(field->bytes, 1));
  }
}

void AgentState::tool_call(std::string_view bytes) {
  auto call = read_agent_tool(bytes);
  to_.tool_call(call.name, std::move(call.arguments), call.id);
  to_.begin_part();
  to_.tool_result(call.name, call.result, call.id);
}

void AgentState::shell_turn(const std::string& name, std::string_view bytes) {
  std::array<std::string, 2> held;
  for (const std::uint32_t number : {1u, 2u})
    for_each(
        items(name, bytes, {number}),
        [&](std::size_t, const std::string&, std::string_view found) { held[number - 1] = found; });
  auto call = read_user_shell(held[0], held[1]);
  if (call.arguments.text.empty() && call.result.empty()) return;
  to_.begin_message(name);
  to_.begin_part();
  to_.tool_call(call.name, std::move(call.arguments), {});
  to_.begin_part();
  to_.tool_result(call.name, call.result, {});
}

// What the agent noted for itself, each as it is now.
void AgentState::notes(const std::string& root_id, std::string_view root) {
  struct Note {
    std::uint32_t field;
    std::uint32_t text;
    Role role;
  };
  constexpr std::array<Note, 3> kNotes = {
      {{6, 1, Role::summary}, {7, 1, Role::plan}, {3, 2, Role::prompt}}};
  for (const Note& note : kNotes) {
    to_.next_account(MessageDelivery::Begins::last);
    for_each(items(root_id, root, {note.field}),
             [&](std::size_t, const std::string& id, std::string_view bytes) {
               const auto text = wire_text(bytes, note.text);
               if (is_json(bytes) || !is_wire_message(bytes) || !valid_utf8(text)) return;
               to_.begin_message(id);
               to_.begin_part();
               to_.plain(note.role, text);
             });
  }
}

void AgentState::read_texts_below(std::string_view root_id, std::string_view root) {
  std::vector<std::string> ids = ids_in(root);
  std::unordered_set<std::string> seen(ids.begin(), ids.end());
  seen.emplace(root_id);
  read_texts(std::string(root_id), root);
  for (std::size_t i = 0; i < ids.size() && i < kMaxBlobs; ++i) {
    const auto id = ids[i];
    fetch_({&id, 1}, [&](const std::string&, const std::optional<std::string>& bytes) {
      if (!bytes) return;
      read_texts(id, *bytes);
      for (auto& more : ids_in(*bytes))
        if (seen.insert(more).second) ids.push_back(std::move(more));
    });
  }
}

// Nobody knows who said it. It is called the agent's: most of a conversation is, and what the user
// said stands in other stores, too.
void AgentState::read_texts(const std::string& name, std::string_view bytes) {
  if (!is_wire_message(bytes)) return;
  to_.begin_message(name);
  for (const auto text : wire_texts(bytes)) {
    to_.begin_part();
    if (is_prose(text)) to_.reply(Role::assistant, text);
  }
}

bool AgentState::is_root(std::string_view root) {
  const auto named = items({}, root, {1, 2, 3, 6, 7, 8, 11, 13});
  return std::any_of(named.begin(), named.end(), [](const Item& item) { return !item.held; });
}

void AgentState::claim(std::string_view root, int project_rung, const Claims& claims) {
  constexpr std::array<std::string_view, 6> kModes = {"",     "agent", "ask",
                                                      "plan", "debug", "triage"};
  bool placed = false;
  WireReader reader(root);
  while (const auto field = reader.next()) {
    const bool workspace = is_one_of(field->number, {9, 12}) && field->bytes.starts_with("file://");
    if (workspace && !std::exchange(placed, true)) claims.add_path(project_rung, field->bytes);
  }
  if (const auto mode = wire_varint(root, 10); mode && *mode < kModes.size())
    claims.add(Fact::mode, rung::any::hint, kModes[*mode]);
  if (const auto details = wire_bytes(root, 5))
    if (const auto used = wire_varint(*details, 1); used && *used > 0)
      claims.add(Fact::tokens, rung::any::only, fmt::to_string(*used));
}

}  // namespace cgrep
