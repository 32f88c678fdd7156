// summaries: what Cursor noted about conversations, in ai-code-tracking.db (see ai_tracking.h)
//   conversation_summaries is a document each; its bullets are a JSON array, lines with dashes, or
//   just text. Which lines of code a conversation wrote, ai_code_hashes, tells more about it.
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "extract/ai_tracking.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/json_reader.h"
#include "extract/paths.h"
#include "extract/stores.h"
#include "extract/times.h"
#include "extract/utf8.h"
#include "hash.h"

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

constexpr std::string_view kSummaries = "conversation_summaries";
constexpr std::string_view kSummaryPart = "summary ";  // and the conversation

/// What changed since the reading that returned the source's mark. Of each summary it is noted when
/// it was written, and a hash of what it said, which is compared once a day.
class Reader {
 public:
  Reader(const Source& source, SourceDatabase& database, Sink& sink)
      : source_(source), database_(database), hashes_(database, source.mark, sink), sink_(sink) {}

  std::string read() {
    if (source_.mark.empty()) forget_notes();
    auto summaries = group_rows(database_, kSummaries, {"conversationId", "updatedAt"}, sink_,
                                conversation_id_of, "summary of no conversation");
    complete_ = summaries.has_value();
    if (complete_) summaries_ = std::move(*summaries);
    find_changed();
    tracked_ = hashes_.take(changed_);
    changed_.insert(hashes_.changed().begin(), hashes_.changed().end());
    tell_summaries();
    for (const auto& id : changed_)
      if (!summaries_.contains(id)) tell_lines(id);
    if (source_.mark.empty()) sink_.whole({});  // which told of lines of code before version 3
    const auto mark = hashes_.finish();
    return complete_ ? mark : std::string();
  }

 private:
  using Summary = RowGroups::value_type;

  static std::string conversation_id_of(std::string_view text) { return conversation_id(text); }
  static std::string part_of(const std::string& id) {
    return fmt::format("{}{}", kSummaryPart, id);
  }

  void forget_notes() {
    for (const auto& part : sink_.noted_parts())
      if (part.starts_with(kSummaryPart)) sink_.forget_note(part);
  }

  void find_changed() {
    if (!complete_) return;
    for (const auto& part : sink_.noted_parts())
      if (part.starts_with(kSummaryPart))
        if (auto id = part.substr(kSummaryPart.size()); !summaries_.contains(id))
          changed_.insert(std::move(id));
    std::vector<const Summary*> to_compare;
    for (const auto& summary : summaries_) {
      const auto noted = sink_.noted(part_of(summary.first));
      if (!noted || !noted->starts_with(fmt::format("{:x} ", summary.second.written)))
        changed_.insert(summary.first);
      else if (hashes_.compare())
        to_compare.push_back(&summary);
    }
    for_each(to_compare, [&](const Summary& summary, const std::vector<Row>& rows) {
      if (sink_.noted(part_of(summary.first)) != note_of(summary, rows))
        changed_.insert(summary.first);
    });
  }

  void for_each(const std::vector<const Summary*>& summaries,
                const std::function<void(const Summary&, const std::vector<Row>&)>& visit) {
    if (!for_each_group(database_, kSummaries,
                        {"conversationId", "title", "tldr", "overview", "summaryBullets", "model",
                         "mode", "updatedAt"},
                        summaries, sink_, visit))
      complete_ = false;
  }

  static std::string note_of(const Summary& summary, const std::vector<Row>& rows) {
    std::uint64_t hash = 0;
    for (const auto& row : rows)
      for (const auto& value : row.values) hash = hash64(value, hash);
    return fmt::format("{:x} {:x}", summary.second.written, hash);
  }

  void tell_summaries() {
    std::vector<const Summary*> changed;
    for (const auto& summary : summaries_)
      if (changed_.contains(summary.first)) changed.push_back(&summary);
    for_each(changed, [&](const Summary& summary, const std::vector<Row>& rows) {
      const auto& id = summary.first;
      sink_.whole(id);
      // The first that says anything counts.
      for (const auto& row : rows)
        if (tell(row, id)) break;
      sink_.note(part_of(id), note_of(summary, rows));
      claim_lines_of(id);
    });
  }

  // It has no summary, or none any more.
  void tell_lines(const std::string& id) {
    if (!complete_ && sink_.noted(part_of(id))) return;
    sink_.whole(id);
    sink_.forget_note(part_of(id));
    claim_lines_of(id);
  }

  void claim_lines_of(const std::string& id) {
    if (const auto lines = tracked_.find(id); lines != tracked_.end())
      claim_lines(lines->second, Claims(id, sink_));
  }

  bool tell(const Row& row, const std::string& id) {
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
    if (document.text.empty()) return false;
    deliver(std::move(document), sink_);
    const Claims claims(id, sink_);
    claims.add(Fact::title, rung::title::summary, trimmed(row[1]));
    claims.add_model(rung::model::summary, row[5]);
    claims.add(Fact::mode, rung::any::hint, row[6]);
    claims.add_time(Fact::updated, time);
    return true;
  }

  const Source& source_;
  SourceDatabase& database_;
  CodeHashes hashes_;
  Sink& sink_;
  bool complete_ = true;
  RowGroups summaries_{};
  std::set<std::string> changed_{};
  TrackedConversations tracked_{};
};

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    return Reader(source, database, sink).read();
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
                                .version = 3,
                                .database = true,
                                .discover = discover,
                                .extract = extract};

}  // namespace cgrep
