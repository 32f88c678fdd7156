#include "index/living_home.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "support/temp_dir.h"

namespace cgrep::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kState =
    "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
    "CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);"
    "CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt "
    "INTEGER, lastUpdatedAt INTEGER, isArchived INTEGER, isSubagent INTEGER, recency INTEGER, "
    "checkpointAt INTEGER, value TEXT);";
constexpr const char* kChat =
    "CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);"
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);";
constexpr const char* kTracking =
    "CREATE TABLE conversation_summaries (conversationId TEXT PRIMARY KEY, title TEXT, tldr TEXT, "
    "overview TEXT, summaryBullets TEXT, model TEXT, mode TEXT, updatedAt INTEGER);"
    "CREATE TABLE ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT, fileExtension TEXT, fileName "
    "TEXT, requestId TEXT, conversationId TEXT, timestamp INTEGER, createdAt INTEGER, model TEXT);"
    "CREATE TABLE scored_commits (commitHash TEXT, branchName TEXT, commitMessage TEXT, commitDate "
    "TEXT, scoredAt INTEGER, PRIMARY KEY (commitHash, branchName));"
    "CREATE TABLE tracking_state (key TEXT, value TEXT);";

std::string quoted(const std::string& json) {
  std::string text = "\"";
  for (const char c : json) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string hex(std::uint64_t number) {
  return fmt::format("{:064x}", number * 0x9e3779b97f4a7c15);
}

std::string bytes_of_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

// A root in protobuf: field 1, the messages.
std::string root_of(const std::vector<std::string>& blobs) {
  std::string root;
  for (const auto& id : blobs) root += std::string("\x0a\x20") + bytes_of_hex(id);
  return root;
}

}  // namespace

LivingHome::LivingHome(fs::path home, std::uint64_t seed) : home_(std::move(home)), random_(seed) {
  fs::create_directories(home_ / ".cursor/projects");
  open_state();
  for (int i = 0; i < 4; ++i) append_bubble();
  for (int i = 0; i < 4; ++i) append_line();
}

std::string LivingHome::step() {
  static constexpr std::array kSteps = {
      Step{12, "append a line", &LivingHome::append_line},
      Step{2, "append half a line", &LivingHome::append_half_line},
      Step{3, "end a half line", &LivingHome::end_half_line},
      Step{3, "rewrite a transcript", &LivingHome::rewrite_transcript},
      Step{2, "empty a transcript", &LivingHome::empty_transcript},
      Step{3, "replace a transcript", &LivingHome::replace_transcript},
      Step{1, "delete a transcript", &LivingHome::delete_transcript},
      Step{4, "subagent", &LivingHome::subagent},
      Step{1, "transcript of an old form", &LivingHome::old_transcript},
      Step{4, "transcript in another project", &LivingHome::transcript_elsewhere},
      Step{2, "old form of a transcript", &LivingHome::old_form_of_a_transcript},
      Step{14, "append a bubble", &LivingHome::append_bubble},
      Step{3, "append a bubble before its header", &LivingHome::append_bubble_before_its_header},
      Step{6, "rewrite the last bubble", &LivingHome::rewrite_last_bubble},
      Step{3, "rewrite a bubble", &LivingHome::rewrite_bubble},
      Step{3, "reuse the highest row", &LivingHome::reuse_highest_row},
      Step{3, "update in place", &LivingHome::update_in_place},
      Step{2, "update a composer in place", &LivingHome::update_composer_in_place},
      Step{3, "update in place, as long as before", &LivingHome::update_in_place_as_long},
      Step{2, "delete a bubble", &LivingHome::delete_bubble},
      Step{2, "damage a bubble", &LivingHome::damage_bubble},
      Step{2, "reorder headers", &LivingHome::reorder_headers},
      Step{3, "rename a conversation", &LivingHome::rename_conversation},
      Step{2, "archive a conversation", &LivingHome::archive_conversation},
      Step{2, "delete a conversation", &LivingHome::delete_conversation},
      Step{1, "delete a composer", &LivingHome::delete_composer},
      Step{1, "VACUUM", &LivingHome::vacuum},
      Step{3, "checkpoint", &LivingHome::checkpoint},
      Step{1, "swap the database", &LivingHome::swap_database},
      Step{3, "row of composerHeaders", &LivingHome::header_row},
      Step{2, "list of composers", &LivingHome::composer_list},
      Step{3, "prompts of the IDE", &LivingHome::ide_prompts},
      Step{2, "legacy chat", &LivingHome::legacy_chat},
      Step{3, "diffs and contexts", &LivingHome::side_rows},
      Step{4, "blobs of the agent", &LivingHome::agent_blobs},
      Step{2, "workspace", &LivingHome::workspace},
      Step{2, "registry of plans", &LivingHome::plan_registry},
      Step{6, "chat", &LivingHome::chat},
      Step{3, "meta.json", &LivingHome::chat_meta},
      Step{3, "prompt history", &LivingHome::prompt_history},
      Step{3, "summary", &LivingHome::summary},
      Step{2, "hash of code", &LivingHome::code_hash},
      Step{2, "commit", &LivingHome::commit},
      Step{1, "delete a commit", &LivingHome::delete_commit},
      Step{2, "update tracking in place", &LivingHome::update_tracking_in_place},
      Step{3, "plan", &LivingHome::plan},
      Step{3, "file of a project", &LivingHome::project_file},
      Step{2, "where a project is", &LivingHome::project_meta},
      Step{1, "new root", &LivingHome::new_root},
      Step{3, "conversation of another root", &LivingHome::conversation_of_another_root},
      Step{1, "touch", &LivingHome::touch},
  };
  int all = 0;
  for (const auto& each : kSteps) all += each.weight;
  auto at = static_cast<int>(below(static_cast<std::uint64_t>(all)));
  const auto* chosen = kSteps.begin();
  while ((at -= chosen->weight) >= 0) ++chosen;
  (this->*chosen->run)();
  return chosen->name;
}

void LivingHome::tick() {
  set("tick", fmt::format("{}", ++counter_));
  const auto tracking = home_ / ".cursor/ai-tracking/ai-code-tracking.db";
  if (!fs::exists(tracking)) return;
  auto insert =
      database(tracking, kTracking).prepare("INSERT INTO tracking_state VALUES ('t', ?1)");
  insert.bind(1, ++counter_);
  insert.run();
}

std::string LivingHome::words(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("{}w{}", text.empty() ? "" : " ", below(300));
  return text;
}

std::string LivingHome::conversation() {
  return fmt::format("c0ffee{:02}-0000-4000-8000-000000000000", below(12));
}

std::string LivingHome::folder() {
  return fmt::format("/home/ada/p{}", below(3));
}

std::string LivingHome::slug() {
  return fmt::format("home-ada-p{}", below(3));
}

std::int64_t LivingHome::now() {
  return clock_ += 1000;
}

LivingHome::Said LivingHome::new_message() {
  if (chance(5)) return {chance(50) ? "user" : "assistant", "go on"};
  const auto text = fmt::format("m{} {}", ++counter_, words(3 + below(12)));
  const auto kind = below(10);
  if (kind < 3) return {"user", text};
  if (kind < 7) return {"assistant", text};
  if (kind < 8) return {"thinking", text};
  return {"tool", fmt::format("{}/f{}.c", folder(), below(40))};
}

// What the others have of the conversation already, or something new.
LivingHome::Said LivingHome::said(const std::string& store, const std::string& conversation) {
  auto& script = scripts_[conversation];
  auto& place = places_[store + conversation];
  if (place >= script.size()) script.push_back(new_message());
  if (chance(5)) ++place;  // one that this store does not have
  if (place >= script.size()) script.push_back(new_message());
  return script[place++];
}

void LivingHome::write(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<fs::path> LivingHome::files(std::string_view below, std::string_view end) {
  std::vector<fs::path> found;
  if (!fs::exists(home_ / below)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(home_ / below))
    if (entry.is_regular_file() && entry.path().native().ends_with(end))
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

fs::path LivingHome::any_file(std::string_view below_folder, std::string_view end) {
  const auto all = files(below_folder, end);
  return all.empty() ? fs::path() : all[below(all.size())];
}

// ---- transcripts

fs::path LivingHome::transcript(const std::string& conversation, const char* end) {
  return home_ / ".cursor/projects" / fmt::format("home-ada-p{}", conversation[7] % 3) /
         "agent-transcripts" / conversation / (conversation + end);
}

LivingHome::Json LivingHome::line(const Said& message) {
  if (message.kind == "tool")
    return fmt::format(
        R"({{"role":"assistant","message":{{"content":[{{"type":"tool_use","name":"Read","input":{{"path":"{}"}}}}]}}}})"
        "\n",
        message.text);
  const bool thought = message.kind == "thinking";
  return fmt::format(R"({{"role":"{}","message":{{"content":[{{"type":"{}","{}":"{}"}}]}}}})"
                     "\n",
                     message.kind == "user" ? "user" : "assistant", thought ? "thinking" : "text",
                     thought ? "thinking" : "text", message.text);
}

void LivingHome::append_line() {
  const auto id = conversation();
  const auto path = transcript(id);
  if (halves_.contains(path)) return;
  std::string lines;
  for (auto count = 1 + below(3); count > 0; --count) lines += line(said("transcript", id));
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::app | std::ios::binary) << lines;
}

void LivingHome::append_half_line() {
  const auto path = any_file(".cursor/projects", ".jsonl");
  if (path.empty() || halves_.contains(path)) return;
  const auto whole = line(new_message());
  const auto half = 1 + below(whole.size() - 2);
  std::ofstream(path, std::ios::app | std::ios::binary) << whole.substr(0, half);
  halves_[path] = whole.substr(half);
}

void LivingHome::end_half_line() {
  if (halves_.empty()) return;
  const auto half = halves_.extract(halves_.begin());
  std::ofstream(half.key(), std::ios::app | std::ios::binary) << half.mapped();
}

// Something in the middle is other than before.
void LivingHome::rewrite_transcript() {
  const auto path = any_file(".cursor/projects", ".jsonl");
  if (path.empty()) return;
  std::string lines;
  std::ifstream in(path);
  for (std::string each; std::getline(in, each);) {
    if (chance(20)) continue;
    lines += chance(20) ? line(new_message()) : each + "\n";
  }
  halves_.erase(path);
  write(path, lines);
}

void LivingHome::empty_transcript() {
  const auto path = any_file(".cursor/projects", ".jsonl");
  if (path.empty()) return;
  const auto before = read_file(path);
  halves_.erase(path);
  write(path, "");
  if (chance(50)) write(path, before.substr(0, before.find('\n') + 1) + line(new_message()));
}

void LivingHome::replace_transcript() {
  const auto path = any_file(".cursor/projects", ".jsonl");
  if (path.empty()) return;
  auto bytes = read_file(path);
  if (halves_.erase(path) > 0) bytes = bytes.substr(0, bytes.rfind('\n') + 1);
  if (chance(50)) bytes += line(new_message());
  const auto other = path.parent_path() / "new";
  write(other, bytes);
  fs::rename(other, path);
}

void LivingHome::delete_transcript() {
  const auto path = any_file(".cursor/projects", ".jsonl");
  if (path.empty()) return;
  halves_.erase(path);
  fs::remove(path);
}

void LivingHome::subagent() {
  const auto id = conversation();
  const auto path =
      transcript(id).parent_path() / "subagents" /
      fmt::format("5ab{:02}{}-0000-4000-8000-000000000000.jsonl", below(3), id.substr(5, 3));
  if (halves_.contains(path)) return;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::app | std::ios::binary)
      << line(fs::exists(path) && fs::file_size(path) > 0 ? new_message() : Said{"user", words(6)});
}

void LivingHome::old_transcript() {
  const auto id = fmt::format("01d{:05}-0000-4000-8000-000000000000", below(4));
  if (chance(50))
    return write(transcript(id, ".txt"),
                 fmt::format("user:\n{}\n\nassistant:\n{}\n", words(6), words(6)));
  auto one = line(new_message());
  auto two = line(new_message());
  one.pop_back();
  two.pop_back();
  write(transcript(id, ".json"), "[" + one + "," + two + "]");
}

// One that another project, or another form, has as well.
void LivingHome::transcript_elsewhere() {
  const auto id = conversation();
  const auto path =
      home_ / ".cursor/projects/home-ada-elsewhere/agent-transcripts" / id / (id + ".jsonl");
  if (halves_.contains(path)) return;
  std::string lines;
  for (auto count = 1 + below(3); count > 0; --count) lines += line(said("elsewhere", id));
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::app | std::ios::binary) << lines;
}

void LivingHome::old_form_of_a_transcript() {
  const auto id = conversation();
  std::string text;
  for (auto count = 1 + below(3); count > 0; --count) {
    const auto message = said("txt", id);
    text += fmt::format("{}:\n{}\n\n", message.kind == "user" ? "user" : "assistant", message.text);
  }
  write(transcript(id, ".txt"), text);
}

// ---- state.vscdb

Database& LivingHome::database(const fs::path& path, const char* schema) {
  auto& found = databases_[path];
  if (found) return *found;
  fs::create_directories(path.parent_path());
  const bool known = fs::exists(path);
  found = std::make_unique<Database>(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  found->exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;");
  if (!known) found->exec(schema);
  return *found;
}

void LivingHome::open_state() {
  database(state_, kState);
}

void LivingHome::set(const std::string& key, const std::string& value, const char* table) {
  auto insert =
      database(state_, kState).prepare(fmt::format("INSERT INTO {} VALUES (?1, ?2)", table));
  insert.bind(1, key);
  insert.bind(2, value);
  insert.run();
}

void LivingHome::erase(const std::string& key, const char* table) {
  auto remove =
      database(state_, kState).prepare(fmt::format("DELETE FROM {} WHERE key = ?1", table));
  remove.bind(1, key);
  remove.run();
}

std::vector<std::string> LivingHome::keys(const std::string& prefix, const char* table) {
  std::vector<std::string> found;
  auto rows = database(state_, kState)
                  .prepare(fmt::format("SELECT key FROM {} WHERE key LIKE '{}%' ORDER BY key",
                                       table, prefix));
  while (rows.step()) found.emplace_back(rows.text(0));
  return found;
}

std::string LivingHome::any_key(const std::string& prefix, const char* table) {
  const auto all = keys(prefix, table);
  return all.empty() ? std::string() : all[below(all.size())];
}

std::string LivingHome::value(const std::string& key, const char* table) {
  auto row =
      database(state_, kState).prepare(fmt::format("SELECT value FROM {} WHERE key = ?1", table));
  row.bind(1, key);
  return row.step() ? std::string(row.text(0)) : std::string();
}

LivingHome::Json LivingHome::bubble(const Said& message) {
  std::string json = fmt::format(R"({{"_v":3,"type":{})", message.kind == "user" ? 1 : 2);
  if (message.kind == "tool")
    json += fmt::format(
        R"(,"text":"","toolFormerData":{{"tool":40,"name":"read_file_v2","status":"completed","params":{},"result":{}}})",
        quoted(fmt::format(R"({{"targetFile":"{}"}})", message.text)),
        quoted(fmt::format(R"({{"contents":"{}"}})", words(4))));
  else if (message.kind == "thinking")
    json += fmt::format(R"(,"text":"","thinking":{{"text":"{}"}})", message.text);
  else
    json += fmt::format(R"(,"text":"{}")", message.text);
  if (chance(60)) json += fmt::format(R"(,"createdAt":{})", now());
  if (chance(20)) json += fmt::format(R"(,"modelInfo":{{"modelName":"model-{}"}})", below(4));
  if (chance(10)) json += fmt::format(R"(,"workspaceProjectDir":"{}")", folder());
  if (chance(10)) json += fmt::format(R"(,"tokenCount":{{"inputTokens":{}}})", below(100));
  return json + "}";
}

void LivingHome::write_composer(const std::string& id) {
  std::string headers;
  for (const auto& bubble : headers_[id])
    headers += fmt::format(R"({}{{"bubbleId":"{}"}})", headers.empty() ? "" : ",", bubble);
  std::string json = fmt::format(R"({{"_v":17,"composerId":"{}","createdAt":1781016250000)", id);
  if (names_.contains(id)) json += fmt::format(R"(,"name":"{}")", names_[id]);
  if (archived_.contains(id)) json += R"(,"isArchived":true)";
  if (chance(20)) json += fmt::format(R"(,"todos":[{{"content":"{}"}}])", words(3));
  if (chance(20))
    json += fmt::format(R"(,"latestConversationSummary":{{"summary":"{}"}})", words(5));
  if (chance(20)) json += fmt::format(R"(,"modelConfig":{{"modelName":"model-{}"}})", below(4));
  set("composerData:" + id, json + R"(,"fullConversationHeadersOnly":[)" + headers + "]}");
}

void LivingHome::append_bubble() {
  const auto id = conversation();
  for (auto count = 1 + below(3); count > 0; --count) {
    headers_[id].push_back(fmt::format("b{}", ++counter_));
    set(fmt::format("bubbleId:{}:{}", id, headers_[id].back()), bubble(said("bubble", id)));
  }
  write_composer(id);
}

void LivingHome::append_bubble_before_its_header() {
  const auto id = conversation();
  headers_[id].push_back(fmt::format("b{}", ++counter_));
  if (chance(50)) return write_composer(id);
  set(fmt::format("bubbleId:{}:{}", id, headers_[id].back()), bubble(said("bubble", id)));
}

void LivingHome::rewrite_last_bubble() {
  const auto id = conversation();
  if (headers_[id].empty()) return;
  const auto key = fmt::format("bubbleId:{}:{}", id, headers_[id].back());
  auto text = value(key);
  const auto at = text.find(R"("text":")");
  if (at == std::string::npos) return set(key, bubble(new_message()));
  set(key, text.insert(at + 8, words(2) + " "));
}

void LivingHome::rewrite_bubble() {
  const auto key = any_key("bubbleId:");
  if (!key.empty()) set(key, chance(10) ? "" : bubble(new_message()));
}

// Deletes the last rows; those that are written next get their numbers.
void LivingHome::reuse_highest_row() {
  auto& state = database(state_, kState);
  state.exec(
      fmt::format("DELETE FROM cursorDiskKV WHERE rowid > (SELECT max(rowid) - {} FROM "
                  "cursorDiskKV)",
                  1 + below(3)));
  append_bubble();
}

void LivingHome::update_in_place() {
  const auto key = any_key("bubbleId:");
  if (key.empty()) return;
  auto update =
      database(state_, kState).prepare("UPDATE cursorDiskKV SET value = ?2 WHERE key = ?1");
  update.bind(1, key);
  update.bind(2, bubble(new_message()));
  update.run();
}

void LivingHome::update_composer_in_place() {
  const auto key = any_key("composerData:");
  auto json = value(key);
  if (json.empty()) return;
  auto update =
      database(state_, kState).prepare("UPDATE cursorDiskKV SET value = ?2 WHERE key = ?1");
  update.bind(1, key);
  update.bind(2, json.insert(1, fmt::format(R"("subtitle":"{}",)", words(4))));
  update.run();
}

// Another digit in a word of the text: of any row that is read.
void LivingHome::update_in_place_as_long() {
  constexpr std::array kFamilies = {
      "bubbleId:", "composerData:", "codeBlockDiff:", "messageRequestContext:"};
  const auto key = any_key(kFamilies[below(kFamilies.size())]);
  auto json = value(key);
  const auto at = json.find(" w");
  if (at == std::string::npos) return;
  json[at + 2] = json[at + 2] == '1' ? '2' : '1';
  auto update =
      database(state_, kState).prepare("UPDATE cursorDiskKV SET value = ?2 WHERE key = ?1");
  update.bind(1, key);
  update.bind(2, json);
  update.run();
}

void LivingHome::delete_bubble() {
  if (const auto key = any_key("bubbleId:"); !key.empty()) erase(key);
}

void LivingHome::damage_bubble() {
  if (const auto key = any_key("bubbleId:"); !key.empty()) set(key, R"({"_v":3,"type":1,"te)");
}

void LivingHome::reorder_headers() {
  const auto id = conversation();
  auto& headers = headers_[id];
  if (headers.size() < 2) return;
  if (chance(50))
    std::swap(headers[below(headers.size())], headers[below(headers.size())]);
  else
    headers.erase(headers.begin() + static_cast<std::ptrdiff_t>(below(headers.size())));
  write_composer(id);
}

void LivingHome::rename_conversation() {
  const auto id = conversation();
  names_[id] = words(3);
  if (headers_.contains(id)) write_composer(id);
}

void LivingHome::archive_conversation() {
  const auto id = conversation();
  if (archived_.erase(id) == 0) archived_.insert(id);
  if (headers_.contains(id)) write_composer(id);
}

// The row stays, without a value; its bubbles may stay as well.
void LivingHome::delete_conversation() {
  const auto key = any_key("composerData:");
  if (key.empty()) return;
  const auto id = key.substr(13);
  headers_.erase(id);
  if (chance(50)) {
    auto null = database(state_, kState).prepare("INSERT INTO cursorDiskKV VALUES (?1, NULL)");
    null.bind(1, key);
    null.run();
  } else {
    erase(key);
  }
  if (chance(70))
    for (const auto& bubble : keys("bubbleId:" + id)) erase(bubble);
}

void LivingHome::delete_composer() {
  if (const auto key = any_key("composerData:"); !key.empty()) erase(key);
}

void LivingHome::vacuum() {
  database(state_, kState).exec("VACUUM");
}

void LivingHome::checkpoint() {
  database(state_, kState)
      .exec(chance(50) ? "PRAGMA wal_checkpoint(TRUNCATE)" : "PRAGMA wal_checkpoint(PASSIVE)");
}

// Another profile was copied over it.
void LivingHome::swap_database() {
  const auto other = home_ / "other.vscdb";
  database(state_, kState).exec("PRAGMA wal_checkpoint(TRUNCATE)");
  databases_.erase(state_);
  fs::copy_file(state_, other, fs::copy_options::overwrite_existing);
  {
    Database changed(other, SQLITE_OPEN_READWRITE);
    changed.exec("DELETE FROM cursorDiskKV WHERE rowid % 7 = 3");
    changed.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  fs::remove(state_.string() + "-wal");
  fs::remove(state_.string() + "-shm");
  fs::rename(other, state_);
  for (const char* end : {"-wal", "-shm"}) fs::remove(other.string() + end);
  if (chance(80)) open_state();
}

void LivingHome::header_row() {
  auto& state = database(state_, kState);
  const auto id = conversation();
  if (chance(20)) {
    auto remove = state.prepare("DELETE FROM composerHeaders WHERE composerId = ?1");
    remove.bind(1, id);
    return remove.run();
  }
  auto insert = state.prepare(
      "INSERT OR REPLACE INTO composerHeaders VALUES (?1, ?2, ?3, ?3, ?4, 0, ?3, 0, ?5)");
  insert.bind(1, id);
  insert.bind(2, fmt::format("ws{}", below(3)));
  insert.bind(3, now());
  insert.bind(4, chance(30) ? 1 : 0);
  insert.bind(
      5, fmt::format(R"({{"composerId":"{}","name":"{}","unifiedMode":"agent"}})", id, words(2)));
  insert.run();
}

void LivingHome::composer_list() {
  std::string heads;
  for (auto count = below(4); count > 0; --count)
    heads += fmt::format(R"({}{{"composerId":"{}","name":"{}"}})", heads.empty() ? "" : ",",
                         conversation(), words(2));
  set("composer.composerHeaders", R"({"allComposers":[)" + heads + "]}", "ItemTable");
}

void LivingHome::ide_prompts() {
  std::string prompts;
  for (auto count = 1 + below(6); count > 0; --count) {
    const auto& script = scripts_[conversation()];
    const auto text = script.empty() || chance(50) ? words(2) : script[below(script.size())].text;
    prompts += fmt::format(R"({}{{"text":"{}"}})", prompts.empty() ? "" : ",", text);
  }
  set("aiService.prompts", "[" + prompts + "]", "ItemTable");
}

void LivingHome::legacy_chat() {
  std::string tabs;
  for (auto count = below(4); count > 0; --count)
    tabs += fmt::format(
        R"({}{{"tabId":"tab{}","chatTitle":"{}","bubbles":[{{"type":"user","text":"{}"}}]}})",
        tabs.empty() ? "" : ",", count, words(2), words(5));
  set("workbench.panel.aichat.view.aichat.chatdata", R"({"tabs":[)" + tabs + "]}", "ItemTable");
}

void LivingHome::side_rows() {
  const auto id = conversation();
  const bool diff = chance(50);
  const std::string family = diff ? "codeBlockDiff" : "messageRequestContext";
  if (chance(25)) {
    if (const auto key = any_key(family + ":"); !key.empty()) erase(key);
    return;
  }
  set(fmt::format("{}:{}:{}", family, id, below(5)),
      diff ? fmt::format(R"({{"newModelDiffWrtV0":[{{"modified":["{}"]}}]}})", words(4))
           : fmt::format(R"({{"gitStatusRaw":"{}"}})", words(4)));
}

// A conversation's messages by its checkpoint, or by requests.
void LivingHome::agent_blobs() {
  const auto id = conversation();
  auto& blobs = blobs_["kv" + id];
  blobs.push_back(hex(++counter_));
  set("agentKv:blob:" + blobs.back(),
      fmt::format(R"({{"role":"{}","content":"{}"}})", chance(50) ? "user" : "assistant",
                  said("agentkv", id).text));
  const auto root = hex(++counter_);
  set("agentKv:blob:" + root, root_of(blobs));
  set("agentKv:checkpoint:" + id, root);
}

void LivingHome::workspace() {
  const auto name = fmt::format("ws{}", below(3));
  const auto storage = home_ / ".config/Cursor/User/workspaceStorage" / name;
  write(storage / "workspace.json", fmt::format(R"({{"folder":"file://{}"}})", folder()));
  auto& items = database(storage / "state.vscdb", kState);
  auto insert = items.prepare("INSERT INTO ItemTable VALUES (?1, ?2)");
  insert.bind(1, "composer.composerData");
  insert.bind(2, fmt::format(R"({{"allComposers":[{{"composerId":"{}","name":"{}"}}]}})",
                             conversation(), words(2)));
  insert.run();
  insert.bind(1, "aiService.prompts");
  insert.bind(2, fmt::format(R"([{{"text":"{}"}}])", words(3)));
  insert.run();
}

void LivingHome::plan_registry() {
  std::string plans;
  for (auto count = below(3); count > 0; --count)
    plans += fmt::format(
        R"({}"id{}":{{"name":"{}","uri":{{"fsPath":"/x/plan{}.plan.md"}},"createdBy":"{}"}})",
        plans.empty() ? "" : ",", count, words(2), below(4), conversation());
  set("composer.planRegistry", "{" + plans + "}", "ItemTable");
}

// ---- the rest

void LivingHome::chat() {
  const auto id = conversation();
  auto& store = database(home_ / ".cursor/chats/0123" / id / "store.db", kChat);
  auto& blobs = blobs_[id];
  blobs.push_back(hex(++counter_));
  auto insert = store.prepare("INSERT OR REPLACE INTO blobs VALUES (?1, ?2)");
  const auto message = said("chat", id);
  insert.bind(1, blobs.back());
  insert.bind_blob(2, fmt::format(R"({{"role":"{}","content":"{}"}})",
                                  message.kind == "user" ? "user" : "assistant", message.text));
  insert.run();
  const auto root = hex(++counter_);
  insert.bind(1, root);
  insert.bind_blob(2, root_of(blobs));
  insert.run();
  auto meta = store.prepare("INSERT OR REPLACE INTO meta VALUES ('0', ?1)");
  meta.bind(1, fmt::format(R"({{"latestRootBlobId":"{}","name":"{}","createdAt":1781016250000}})",
                           root, chance(80) ? "chat" : words(2)));
  meta.run();
}

void LivingHome::chat_meta() {
  const auto path = home_ / ".cursor/chats/0123" / conversation() / "meta.json";
  std::string json = R"({"createdAtMs":1781016250000)";
  if (chance(60)) json += fmt::format(R"(,"title":"{}")", words(2));
  if (chance(60)) json += fmt::format(R"(,"cwd":"{}")", folder());
  write(path, json + "}");
}

void LivingHome::prompt_history() {
  std::string prompts;
  for (auto count = below(5); count > 0; --count)
    prompts += fmt::format(R"({}"{}")", prompts.empty() ? "" : ",", words(2));
  write(chance(50) ? home_ / ".cursor/prompt_history.json"
                   : home_ / ".cursor/chats/0123" / conversation() / "prompt_history.json",
        "[" + prompts + "]");
}

void LivingHome::summary() {
  auto& tracking = database(home_ / ".cursor/ai-tracking/ai-code-tracking.db", kTracking);
  const auto id = conversation();
  if (chance(25)) {
    auto remove = tracking.prepare("DELETE FROM conversation_summaries WHERE conversationId = ?1");
    remove.bind(1, id);
    return remove.run();
  }
  auto insert = tracking.prepare(
      "INSERT OR REPLACE INTO conversation_summaries VALUES (?1, ?2, ?3, '', '', ?4, 'agent', ?5)");
  insert.bind(1, id);
  insert.bind(2, words(2));
  insert.bind(3, words(6));
  insert.bind(4, fmt::format("model-{}", below(4)));
  insert.bind(5, now());
  insert.run();
}

void LivingHome::code_hash() {
  auto& tracking = database(home_ / ".cursor/ai-tracking/ai-code-tracking.db", kTracking);
  if (chance(20)) {
    tracking.exec(
        "DELETE FROM ai_code_hashes WHERE rowid = (SELECT min(rowid) FROM "
        "ai_code_hashes)");
    return;
  }
  auto insert = tracking.prepare(
      "INSERT INTO ai_code_hashes VALUES (?1, 'composer', 'c', ?2, 'r', ?3, ?4, ?4, ?5)");
  insert.bind(1, fmt::format("h{}", ++counter_));
  insert.bind(2, fmt::format("{}/f{}.c", folder(), below(9)));
  insert.bind(3, conversation());
  insert.bind(4, now());
  insert.bind(5, fmt::format("model-{}", below(4)));
  insert.run();
}

void LivingHome::commit() {
  auto& tracking = database(home_ / ".cursor/ai-tracking/ai-code-tracking.db", kTracking);
  auto insert =
      tracking.prepare("INSERT OR REPLACE INTO scored_commits VALUES (?1, ?5, ?2, ?3, ?4)");
  insert.bind(1, fmt::format("{:040x}", below(6) + 1));
  insert.bind(2, words(5));
  insert.bind(3, "2026-06-09");
  insert.bind(4, now());
  insert.bind(5, chance(70) ? "main" : "side");
  insert.run();
}

void LivingHome::delete_commit() {
  auto& tracking = database(home_ / ".cursor/ai-tracking/ai-code-tracking.db", kTracking);
  tracking.exec(
      "DELETE FROM scored_commits WHERE rowid = (SELECT rowid FROM scored_commits "
      "ORDER BY commitHash LIMIT 1)");
}

void LivingHome::update_tracking_in_place() {
  auto& tracking = database(home_ / ".cursor/ai-tracking/ai-code-tracking.db", kTracking);
  constexpr std::array kUpdates = {
      "UPDATE conversation_summaries SET tldr = ?1, updatedAt = ?2 WHERE rowid % 3 = ?2 % 3",
      "UPDATE conversation_summaries SET tldr = ?1 WHERE rowid % 3 = ?2 % 3",
      "UPDATE scored_commits SET commitMessage = ?1 WHERE rowid % 3 = ?2 % 3",
      "UPDATE ai_code_hashes SET fileName = ?1, timestamp = ?2 WHERE rowid % 5 = ?2 % 5",
      "DELETE FROM ai_code_hashes WHERE ?1 != '' AND rowid % 7 = ?2 % 7",
      "UPDATE ai_code_hashes SET model = ?1, hash = hash || ?2 WHERE rowid = (SELECT max(rowid) "
      "FROM ai_code_hashes)"};
  auto update = tracking.prepare(kUpdates[below(kUpdates.size())]);
  update.bind(1, words(2));
  update.bind(2, now() + static_cast<std::int64_t>(below(100)));
  update.run();
}

void LivingHome::plan() {
  const auto path = home_ / ".cursor/plans" / fmt::format("plan{}.plan.md", below(4));
  if (chance(25)) {
    fs::remove(path);
    return;
  }
  write(path,
        fmt::format("---\nname: {}\noverview: {}\n---\n\n{}\n", words(2), words(4), words(9)));
}

void LivingHome::project_file() {
  constexpr std::array kNames = {"terminals/1.txt", "agent-tools/a.txt", "uploads/u.md",
                                 "agent-notes/shared/n.md"};
  const auto path = chance(80)
                        ? home_ / ".cursor/projects" / slug() / kNames[below(kNames.size())]
                        : home_ / ".cursor/skills" / fmt::format("s{}", below(2)) / "SKILL.md";
  if (chance(25)) {
    fs::remove(path);
    return;
  }
  write(path, words(10));
}

void LivingHome::project_meta() {
  const auto path = home_ / ".cursor/projects" / slug() / "repo.json";
  if (chance(25))
    fs::remove(path);
  else
    write(path, fmt::format(R"({{"workspacePath":"{}"}})", folder()));
}

// Another edition of the IDE.
void LivingHome::new_root() {
  const auto path = home_ / ".config/Cursor Nightly/User/globalStorage/state.vscdb";
  auto& nightly = database(path, kState);
  auto insert = nightly.prepare("INSERT INTO cursorDiskKV VALUES (?1, ?2)");
  insert.bind(1,
              fmt::format("bubbleId:d00d{}-0000-4000-8000-000000000000:n{}", below(3), ++counter_));
  insert.bind(2, bubble(new_message()));
  insert.run();
}

// Both editions have a conversation, each in its own way.
void LivingHome::conversation_of_another_root() {
  const auto path = home_ / ".config/Cursor Nightly/User/globalStorage/state.vscdb";
  auto& nightly = database(path, kState);
  const auto id = conversation();
  auto& headers = headers_["nightly" + id];
  auto insert = nightly.prepare("INSERT INTO cursorDiskKV VALUES (?1, ?2)");
  headers.push_back(fmt::format("n{}", ++counter_));
  insert.bind(1, fmt::format("bubbleId:{}:{}", id, headers.back()));
  insert.bind(2, bubble(said("nightly", id)));
  insert.run();
  std::string list;
  for (const auto& each : headers)
    list += fmt::format(R"({}{{"bubbleId":"{}"}})", list.empty() ? "" : ",", each);
  insert.bind(1, "composerData:" + id);
  insert.bind(2, fmt::format(R"({{"_v":17,"fullConversationHeadersOnly":[{}]}})", list));
  insert.run();
}

// Another time, the same bytes.
void LivingHome::touch() {
  const auto path = any_file(".cursor", "");
  if (!path.empty() && !path.native().ends_with("-shm"))
    fs::last_write_time(path, fs::file_time_type::clock::now());
}

}  // namespace cgrep::test
