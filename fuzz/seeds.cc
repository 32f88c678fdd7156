// fuzz-seeds CORPUS DESTINATION: seeds for each target, from the homes of the corpus.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "corpus/make_home.h"
#include "extract/sqlite.h"
#include "fuzz/rows.h"
#include "support/temp_dir.h"

namespace cgrep::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestSeed = 64u << 10;

class Seeds {
 public:
  explicit Seeds(fs::path destination) : destination_(std::move(destination)) {}

  void add(const std::string& target, std::string_view bytes) {
    if (bytes.empty() || bytes.size() > kLargestSeed) return;
    const auto folder = destination_ / target;
    fs::create_directories(folder);
    std::ofstream(folder / std::to_string(count_[target]++), std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  // Whichever store reads it: the first byte chooses, as the targets say.
  void add_for_each(const std::string& target, std::string_view bytes, int first, int last) {
    for (int i = first; i <= last; ++i) add(target, static_cast<char>(i) + std::string(bytes));
  }

  void add_file(const fs::path& path);

 private:
  void add_state(const fs::path& path, std::string_view bytes);
  void add_text(const fs::path& path, std::string_view bytes);

  fs::path destination_;
  std::map<std::string, std::size_t> count_{};
};

void Seeds::add_state(const fs::path& path, std::string_view bytes) {
  add_for_each("database", bytes, 0, 4);
  try {
    for (const auto& row : read_rows(path, state_tables())) {
      add("state_rows", printed_rows({row}));
      add("json", row.value);
    }
    const auto rows = read_rows(path, state_tables());
    add("state_rows", printed_rows(rows));
    const test::TempDir made;
    add("left_behind", make_wal(made.path() / "state.vscdb", state_tables(), rows));
  } catch (const SqliteError&) {
    return;  // the damaged ones are seeds of whole files
  }
}

void Seeds::add_text(const fs::path& path, std::string_view bytes) {
  const auto name = path.string();
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (name.ends_with(".jsonl")) add("transcript_jsonl", bytes);
  if (has("agent-transcripts") && name.ends_with(".json")) add("transcript_json", bytes);
  if (has("agent-transcripts") && name.ends_with(".txt")) add("transcript_txt", bytes);
  if (has("/plans/")) add_for_each("project_file", bytes, 0, 0);
  if (has("/plans/") || has("SKILL.md")) add("front_matter", bytes);
  if (has("/terminals/")) add_for_each("project_file", bytes, 1, 1);
  if (has("SKILL.md")) add_for_each("project_file", bytes, 5, 5);
  if (has("prompt_history")) add_for_each("project_file", bytes, 6, 6);
  if (has(".workspace-trusted")) add_for_each("project_file", bytes, 7, 7);
  if (has("meta.json")) add_for_each("project_file", bytes, 8, 8);
  for (const auto* target : {"words", "shown", "html", "redact", "query", "exact"})
    if (name.ends_with(".md") || name.ends_with(".txt")) add(target, bytes);
}

void Seeds::add_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::file_size(path, ignored) > 8 * kLargestSeed) return;
  const auto bytes = test::read_file(path);
  const auto name = path.filename().string();
  if (name == "state.vscdb") return add_state(path, bytes);
  if (name == "ai-code-tracking.db") return add_for_each("database", bytes, 6, 8);
  if (name != "store.db") return add_text(path, bytes);
  add_for_each("database", bytes, 5, 5);
  try {
    const auto rows = read_rows(path, chat_tables());
    add("chat_rows", printed_rows(rows));
    for (const auto& row : rows) add(row.table == "blobs" ? "protobuf" : "json", row.value);
  } catch (const SqliteError&) {
    return;
  }
}

// What no file of the corpus holds by itself.
void add_typed(Seeds& seeds) {
  for (const auto* text :
       {"2h", "3d", "2w", "6mo", "1y", "today", "yesterday", "monday", "now", "2026", "2026-08",
        "2026-08-01", "2026-08-01T10:00:05.123+02:00", "2026-08..2026-09", "..3d",
        "Tuesday, Jun 9, 2026, 2:44 PM (UTC-4)", "Tue Jun 9 15:06:48 2026 +0200", "1781016250000"})
    seeds.add("times", text);
  for (const auto* text :
       {"file:///home/ada/my%20app", "vscode-remote://wsl%2Bubuntu/home/ada",
        "/home/ada/my_app.v2home-ada-my-app-v2", "D:\\work\\app", "task-call_x\nfc_y"})
    seeds.add("paths", text);
  for (const auto* text :
       {"auth bug", "\"exact phrase\" OR hook*", "a NEAR/3 b NOT (c OR role:user)", "title:\"x y\"",
        "date:2026-08..2026-09", "=fix -rf --no-verify std:: C:\\x", "( ) ( NOT"}) {
    seeds.add("query", std::string(text) + '\0' + "the auth bug, an exact phrase, and hooks");
    seeds.add("exact", std::string(text) + '\0' + "the auth bug, an exact phrase, and hooks");
  }
  for (const auto* text :
       {"E[0-9]{4}:", "(?i:a|b)+$", "^\\s*x", "\\bfoo_bar::baz\\b", "[[:alpha:]]é"})
    seeds.add("exact", std::string(text) + '\0' + "E0308: foo_bar::baz\n  x é\n");
  for (const auto* text :
       {"{}", "{\"version\": 1, \"hooks\": {\"stop\": [ ]}}",
        "{\n  \"hooks\": {\n    \"stop\": [{ \"command\": \"./audit.sh\", \"timeout\": 3 }]\n  "
        "}\n}\n",
        "\xef\xbb\xbf{\"hooks\":{\"stop\":[{\"command\":\"'/a b/cgrep' hook run\"}],\"x\":1}}\r\n",
        "{\"hooks\":{},\"hooks\":{\"st\\u006fp\":[1,\"x\",null]},\"k\":-1.5e-3}"})
    seeds.add("hooks_json", text);
  for (const auto* text : {"a", "a\n# >>> cgrep hook >>>\neval this\n# <<< cgrep hook <<<\nb\n",
                           "# >>> cgrep hook, which made this file >>>\n# <<< cgrep hook <<<"})
    seeds.add("hook_block", text);
  seeds.add("hook_event",
            R"({"conversation_id":"44444444-dddd-4000-8000-000000000004","generation_id":"g-1",)"
            R"("hook_event_name":"stop","transcript_path":"/home/ada/x.jsonl","session_id":"s"})");
  seeds.add("config", "# all\nlimit = 5\ncolor = \"never\"\nexclude = ~/client-*\n");
}

int run(const fs::path& corpus, const fs::path& destination) {
  Seeds seeds(destination);
  add_typed(seeds);
  for (const auto& entry : fs::recursive_directory_iterator(corpus)) {
    if (entry.path().filename() != "home" || !entry.is_directory()) continue;
    if (entry.path().parent_path().filename() == "huge-value") continue;  // too large for a seed
    const test::TempDir made;
    corpus::make_home(entry.path(), made.path() / "home");
    for (const auto& file : fs::recursive_directory_iterator(made.path() / "home"))
      if (file.is_regular_file()) seeds.add_file(file.path());
  }
  return 0;
}

}  // namespace
}  // namespace cgrep::fuzz

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: fuzz-seeds CORPUS DESTINATION\n", stderr);
    return 2;
  }
  try {
    return cgrep::fuzz::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz-seeds: %s\n", error.what());
    return 2;
  }
}
