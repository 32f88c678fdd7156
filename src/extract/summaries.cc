// summaries: what Cursor noted about conversations, in ai-code-tracking.db (see ai_tracking.h)
//   conversation_summaries is a document each; its bullets are a JSON array, lines with dashes, or
//   just text. Which lines of code a conversation wrote, ai_code_hashes, tells more about it.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "extract/ai_tracking.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/json_reader.h"
#include "extract/paths.h"
#include "extract/stores.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "extract/whole_mark.h"

namespace cgrep {

namespace {

constexpr std::size_t kMostFiles = 1000;

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_ai_tracking(*find_store("summaries"), roots, folders, found);
}

void add_line(std::string& text, std::string_view line) {
  line = trimmed(line);
  for (const std::string_view bullet : {"- ", "* ", "\u2022"})
    if (line.starts_with(bullet)) {
      line = trimmed(line.substr(bullet.size()));
      break;
    }
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

std::string flattened_bullets(std::string_view bullets) {
  std::string text;
  JsonReader json;
  const auto value = json.parse(bullets);
  if (value && value->is_array()) {
    for (const JsonElement bullet : simdjson::dom::array(*value)) {
      std::string_view line;
      if (bullet.get(line) != simdjson::SUCCESS) line = text_of(bullet, {"text", "content"});
      add_line(text, line);
    }
    return text;
  }
  while (!bullets.empty()) {
    const auto end = bullets.find('\n');
    add_line(text, bullets.substr(0, end));
    bullets.remove_prefix(end == std::string_view::npos ? bullets.size() : end + 1);
  }
  return text;
}

// The folder that holds all files of the conversation; empty when they lie all over the place.
std::string folder_of(const TrackedConversation& conversation) {
  std::string folder;
  for (const auto& [name, lines] : conversation.files) {
    if (!is_absolute_path(name)) continue;
    const auto parent = parent_folder(name);
    folder = folder.empty() ? std::string(parent) : common_folder(folder, parent);
    if (folder.empty()) break;
  }
  return folder;
}

void claim_lines(const TrackedConversation& conversation, const Claims& claims) {
  claims.add_model(rung::model::hashes, conversation.lines.model());
  claims.add_path(rung::project::hashes, folder_of(conversation));
  for (const auto& [fact, time] : {std::pair(Fact::created, conversation.lines.first),
                                   std::pair(Fact::updated, conversation.lines.last)})
    if (time) claims.add(fact, rung::any::hint, fmt::to_string(*time));
  std::string files;
  std::size_t count = 0;
  for (const auto& [name, lines] : conversation.files) {
    if (++count > kMostFiles) break;
    files += (files.empty() ? "" : "\n") + name;
  }
  claims.add(Fact::files, rung::any::hint, files);
}

class Reader {
 public:
  Reader(const Source& source, TrackedConversations tracked, Sink& sink)
      : source_(source), tracked_(std::move(tracked)), mark_(source.mark), sink_(sink) {}

  std::string read(SourceDatabase& database) {
    const bool complete = for_each_row(database, "conversation_summaries",
                                       {"conversationId", "title", "tldr", "overview",
                                        "summaryBullets", "model", "mode", "updatedAt"},
                                       sink_, [&](const Row& row) { read_summary(row); });
    if (!complete) mark_.incomplete();
    auto mark = mark_.end(0, sink_);
    sink_.whole({});  // of conversations without a summary
    for (const auto& [id, conversation] : tracked_) claim_lines(conversation, Claims(id, sink_));
    return mark;
  }

 private:
  void read_summary(const Row& row) {
    if (row[0].empty())
      return sink_.problem({.what = "summary of no conversation",
                            .example = fmt::format("row {}", row.id),
                            .passing = true});
    const auto id = conversation_id(row[0]);
    const auto time = parse_time(row[7]);
    Document document{.store = source_.store->name, .conversation = id, .role = Role::summary};
    document.identity.key = id;
    if (time) document.time = Time{*time};
    for (const auto& part : {row[1], row[2], row[3], flattened_bullets(row[4])}) {
      const auto paragraph = trimmed(part);
      if (paragraph.empty()) continue;
      if (!document.text.empty()) document.text += "\n\n";
      document.text += paragraph;
    }
    if (document.text.empty() || !mark_.begin(id, sink_)) return;
    deliver(std::move(document), sink_);
    claim(row, id, time);
  }

  void claim(const Row& row, const std::string& id, std::optional<std::int64_t> time) {
    const Claims claims(id, sink_);
    claims.add(Fact::title, rung::title::summary, trimmed(row[1]));
    claims.add_model(rung::model::summary, row[5]);
    claims.add(Fact::mode, rung::any::hint, row[6]);
    claims.add_time(Fact::updated, time);
    if (const auto tracked = tracked_.find(id); tracked != tracked_.end()) {
      claim_lines(tracked->second, claims);
      tracked_.erase(tracked);
    }
  }

  const Source& source_;
  TrackedConversations tracked_;
  WholeMark mark_;
  Sink& sink_;
};

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    return Reader(source, read_code_hashes(database, sink), sink).read(database);
  });
}

constexpr std::array<std::string_view, 2> kAliases = {"summary", "ai-summary"};

}  // namespace

extern constinit const Store summaries;
constinit const Store summaries{.id = 5,
                                .name = "summaries",
                                .summary = "what Cursor noted about conversations",
                                .searched = Searched::by_default,
                                .aliases = kAliases,
                                .version = 2,
                                .database = true,
                                .discover = discover,
                                .extract = extract};

}  // namespace cgrep
