// transcripts: what was said in a conversation, beside the IDE's and the CLI's own stores
//   projects/<slug>/agent-transcripts/<id>/<id>.jsonl, or without <id>/, or without <slug>/;
//   older ones end in .json or .txt
// subagents: the same of the agents that an agent started
//   …/agent-transcripts/<parent>/subagents/<id>.jsonl
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "extract/conversation_id.h"
#include "extract/folders.h"
#include "extract/json_reader.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "extract/transcript.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

constexpr int kVersion = 2;
constexpr std::string_view kFolder = "agent-transcripts";
constexpr std::string_view kWhole = "whole";  // mark of a file that is always read as a whole

// Which form of a transcript is read when there are several; the best first.
std::optional<int> preference(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kExtensions = {".jsonl", ".json", ".txt"};
  const auto* const found =
      std::find(kExtensions.begin(), kExtensions.end(), file.extension().string());
  if (found == kExtensions.end() || file.stem().empty()) return std::nullopt;
  return static_cast<int>(found - kExtensions.begin());
}

// The best file of each conversation.
class Best {
 public:
  // `nested`: current builds make a folder for each.
  void offer(const fs::path& file, bool nested) {
    const auto form = preference(file);
    if (!form) return;
    const std::pair rank(*form, !nested);
    auto [place, added] = files_.try_emplace(file.stem().string(), rank, file);
    if (!added && rank < place->second.first) place->second = {rank, file};
  }

  void add_to(std::vector<Source>& found, const Store& store, const fs::path& root) const {
    for (const auto& [id, ranked] : files_)
      found.push_back({.store = &store, .path = ranked.second, .root = root});
  }

 private:
  std::map<std::string, std::pair<std::pair<int, bool>, fs::path>> files_{};
};

// Calls visit(folder, root) for each agent-transcripts folder.
template <typename Visit>
void for_each_folder(const Roots& roots, Folders& folders, const Visit& visit) {
  for (const auto& root : roots.data) {
    const auto projects = root / "projects";
    for (const Entry& project : folders.list(projects, root)) {
      if (project.kind != Entry::Kind::folder) continue;
      if (project.name == kFolder) {
        visit(projects / kFolder, root);
        continue;
      }
      for (const Entry& entry : folders.list(projects / project.name, root))
        if (entry.name == kFolder && entry.kind == Entry::Kind::folder)
          visit(projects / project.name / kFolder, root);
    }
  }
}

void discover_transcripts(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  for_each_folder(roots, folders, [&](const fs::path& folder, const fs::path& root) {
    Best best;
    for (const Entry& entry : folders.list(folder, root)) {
      if (entry.kind == Entry::Kind::file) best.offer(folder / entry.name, false);
      if (entry.kind != Entry::Kind::folder) continue;
      for (const Entry& file : folders.list(folder / entry.name, root))
        if (file.kind == Entry::Kind::file && fs::path(file.name).stem() == entry.name)
          best.offer(folder / entry.name / file.name, true);
    }
    best.add_to(found, *find_store("transcripts"), root);
  });
}

void discover_subagents(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  for_each_folder(roots, folders, [&](const fs::path& folder, const fs::path& root) {
    for (const Entry& parent : folders.list(folder, root)) {
      if (parent.kind != Entry::Kind::folder) continue;
      Best best;
      for (const Entry& entry : folders.list(folder / parent.name, root)) {
        if (entry.name != "subagents" || entry.kind != Entry::Kind::folder) continue;
        const auto subagents = folder / parent.name / entry.name;
        for (const Entry& file : folders.list(subagents, root))
          if (file.kind == Entry::Kind::file) best.offer(subagents / file.name, true);
      }
      best.add_to(found, *find_store("subagents"), root);
    }
  });
}

std::string readable_name(const fs::path& path) {
  return repaired_utf8(path.string());
}

// <root>/projects/[<slug>/]agent-transcripts/…
TranscriptId id_of(const Source& source) {
  TranscriptId id{.store = source.store->name,
                  .conversation = conversation_id(source.path.stem().string())};
  const auto relative = source.path.lexically_relative(source.root / "projects");
  if (!relative.empty() && *relative.begin() != kFolder) id.slug = readable_name(*relative.begin());
  const auto folder = source.path.parent_path();
  if (folder.filename() == "subagents")
    id.parent = conversation_id(folder.parent_path().filename().string());
  return id;
}

std::string extract_jsonl(const Source& source, const InputFile& file, Sink& sink) {
  const auto mark = AppendMark::parse(source.mark);
  auto trail = mark ? AppendTrail::resume(*mark, file) : std::nullopt;
  TranscriptDelivery to(id_of(source),
                        trail ? TranscriptState::parse(mark->state) : TranscriptState(), sink);
  if (trail) {
    to.more();
  } else {
    to.whole();
    trail.emplace();
  }
  read_transcript_jsonl(file.reading(), *trail, to);
  to.claims(file.mtime_ms());
  return trail->mark(file.inode(), to.state().text()).text();
}

// Whether the first line that is not empty is a record.
bool holds_json_lines(std::string_view bytes) {
  LineReader lines(reading(bytes), 0);
  Line line;
  do {
    if (!lines.next(line)) return false;
  } while (is_blank(line.bytes));
  JsonReader json;
  const auto record = json.parse_padded(line.bytes);
  return record && record->is_object();
}

std::string extract_whole(const Source& source, const InputFile& file, Sink& sink) {
  const bool array = source.path.extension() == ".json";
  const auto bytes = file.whole();
  if (bytes && !array && holds_json_lines(*bytes)) return extract_jsonl(source, file, sink);
  TranscriptDelivery to(id_of(source), TranscriptState(), sink);
  if (!bytes)
    to.problem("file over 64 MB", 0);
  else if (array)
    read_transcript_json(*bytes, to);
  else
    read_transcript_txt(*bytes, to);
  to.claims(file.mtime_ms());
  return std::string(kWhole);
}

std::string extract(const Source& source, Sink& sink) {
  const InputFile file(source);
  return source.path.extension() == ".jsonl" ? extract_jsonl(source, file, sink)
                                             : extract_whole(source, file, sink);
}

constexpr std::array<std::string_view, 3> kTranscriptAliases = {"transcript", "transcript-json",
                                                                "transcript-txt"};
constexpr std::array<std::string_view, 1> kSubagentAliases = {"subagent"};

}  // namespace

extern constinit const Store transcripts;
constinit const Store transcripts{.id = 1,
                                  .name = "transcripts",
                                  .summary = "conversations with the agent, as it exports them",
                                  .searched = Searched::by_default,
                                  .aliases = kTranscriptAliases,
                                  .version = kVersion,
                                  .discover = discover_transcripts,
                                  .extract = extract};

extern constinit const Store subagents;
constinit const Store subagents{.id = 2,
                                .name = "subagents",
                                .summary = "conversations of agents that an agent started",
                                .searched = Searched::by_default,
                                .aliases = kSubagentAliases,
                                .version = kVersion,
                                .discover = discover_subagents,
                                .extract = extract};

}  // namespace cgrep
