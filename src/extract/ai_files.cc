// ai-files: which file a conversation wrote, and when, in ai-code-tracking.db (see ai_tracking.h)
//   One document per conversation and file of ai_code_hashes.
#include <algorithm>
#include <array>
#include <utility>

#include "extract/ai_tracking.h"
#include "extract/delivery.h"
#include "extract/stores.h"

namespace cgrep {

namespace {

using File = std::pair<const std::string, Lines>;

void discover(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_ai_tracking(*find_store("ai-files"), roots, folders, found);
}

// In the order in which they were first written to.
std::vector<const File*> ordered(const TrackedConversation& conversation) {
  std::vector<const File*> files;
  for (const auto& file : conversation.files) files.push_back(&file);
  std::stable_sort(files.begin(), files.end(), [](const File* a, const File* b) {
    return a->second.first.value_or(0) < b->second.first.value_or(0);
  });
  return files;
}

Document document_of(const File& file, const std::string& conversation) {
  const auto& [name, lines] = file;
  Document document{.store = "ai-files", .conversation = conversation, .role = Role::tool_result};
  document.text = name;
  if (const auto model = lines.model(); !model.empty()) document.text += "\n" + model;
  document.files = {name};
  document.identity.key = conversation + "/" + name;
  if (lines.last) document.time = Time{*lines.last};
  return document;
}

std::string extract(const Source& source, Sink& sink) {
  return read_database(source, sink, [&](SourceDatabase& database) {
    CodeHashes hashes(database, source.mark, sink);
    const auto tracked = hashes.take();
    for (const auto& id : hashes.changed()) {
      const auto conversation = tracked.find(id);
      const bool any = conversation != tracked.end() && !conversation->second.files.empty();
      if (any || !source.mark.empty()) sink.whole(id);
      if (!any) continue;
      std::uint64_t position = 0;
      for (const File* file : ordered(conversation->second)) {
        auto document = document_of(*file, id);
        document.position = ++position;
        deliver(std::move(document), sink);
      }
    }
    return hashes.finish();
  });
}

constexpr std::array<std::string_view, 2> kAliases = {"ai-file", "ai-hash"};

}  // namespace

extern constinit const Store ai_files;
constinit const Store ai_files{.id = 14,
                               .name = "ai-files",
                               .summary = "which file the agent wrote, and when",
                               .searched = Searched::when_named,
                               .aliases = kAliases,
                               .version = 2,
                               .database = true,
                               .discover = discover,
                               .extract = extract};

}  // namespace cgrep
