#include "bench/measure/changes.h"

#include <array>
#include <ctime>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "bench/writer.h"

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMedianBytes = 305;
constexpr std::string_view kGrowing = "feedfeed-0000-4000-8000-00000000feed";

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace

std::string NewMessages::next() {
  ++made_;
  return word() + ' ' + text_.prose(random_, kMedianBytes, Language::english);
}

std::string NewMessages::word() const {
  return fmt::format("newword{}", made_);
}

std::string transcript_line(std::string_view text) {
  return R"({"role":"assistant","message":{"content":[{"type":"text","text":)" + quoted(text) +
         "}]}}\n";
}

void set_mtime(const fs::path& path, std::int64_t seconds) {
  const timespec moment{.tv_sec = seconds, .tv_nsec = 0};
  const std::array times{moment, moment};
  utimensat(AT_FDCWD, path.c_str(), times.data(), 0);
}

GrowingTranscript::GrowingTranscript(const fs::path& home)
    : folder_(home / ".cursor/projects/home-mira-project1/agent-transcripts" / kGrowing),
      file_(folder_ / fmt::format("{}.jsonl", kGrowing)),
      time_(std::time(nullptr) - 3600) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
  append("It begins.");
  for (fs::path folder = folder_; folder != home; folder = folder.parent_path())
    set_mtime(folder, time_);
}

GrowingTranscript::~GrowingTranscript() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void GrowingTranscript::append(std::string_view text) {
  std::ofstream(file_, std::ios::app | std::ios::binary) << transcript_line(text);
  set_mtime(file_, ++time_);
}

fs::path state_database(const fs::path& home) {
  return home / ".config/Cursor/User/globalStorage/state.vscdb";
}

OpenIde::OpenIde(const fs::path& home) : started_(std::time(nullptr)) {
  if (sqlite3_open(state_database(home).c_str(), &database_) != SQLITE_OK)
    throw std::runtime_error("state.vscdb: " + std::string(sqlite3_errmsg(database_)));
}

OpenIde::~OpenIde() {
  sqlite3_close(database_);
}

void OpenIde::execute(const char* sql) {
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error("state.vscdb: " + std::string(sqlite3_errmsg(database_)));
}

void OpenIde::add_bubble(std::string_view text) {
  const std::string id = fmt::format("added-{}-{}", started_, ++added_);
  const std::string bubble = fmt::format(
      R"({{"_v":3,"type":2,"bubbleId":"{}","createdAt":"2026-07-02T10:00:00.000Z","text":{}}})", id,
      quoted(text));
  sqlite3_stmt* insert = nullptr;
  execute(
      "BEGIN; CREATE TEMP TABLE IF NOT EXISTS newest AS SELECT substr(key, 14) AS id FROM "
      "cursorDiskKV WHERE rowid = (SELECT max(rowid) FROM cursorDiskKV WHERE key >= "
      "'composerData:' AND key < 'composerData;')");
  sqlite3_prepare_v2(database_,
                     "INSERT INTO cursorDiskKV SELECT 'bubbleId:' || id || ':' || ?1, ?2 FROM "
                     "newest",
                     -1, &insert, nullptr);
  sqlite3_bind_text(insert, 1, id.c_str(), -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 2, bubble.c_str(), -1, SQLITE_STATIC);
  sqlite3_step(insert);
  sqlite3_finalize(insert);
  // As Cursor writes: the row replaces the one before it, and so gets a new rowid.
  execute(
      fmt::format("INSERT INTO cursorDiskKV SELECT key, json_insert(value, "
                  "'$.fullConversationHeadersOnly[#]', json('{{\"bubbleId\":\"{}\",\"type\":2}}'))"
                  " FROM cursorDiskKV WHERE key = (SELECT 'composerData:' || id FROM newest);"
                  "COMMIT",
                  id)
          .c_str());
}

std::uint64_t OpenIde::needed_bytes() {
  sqlite3_stmt* sum = nullptr;
  sqlite3_prepare_v2(
      database_,
      "SELECT sum(length(CAST(key AS BLOB)) + length(CAST(value AS BLOB))) FROM cursorDiskKV WHERE "
      "key >= 'bubbleId:' AND key < 'bubbleId;' OR key >= 'composerData:' AND key < "
      "'composerData;'",
      -1, &sum, nullptr);
  sqlite3_step(sum);
  const auto bytes = static_cast<std::uint64_t>(sqlite3_column_int64(sum, 0));
  sqlite3_finalize(sum);
  return bytes;
}

}  // namespace cgrep::bench
