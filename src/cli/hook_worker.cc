#include "cli/hook_worker.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract/input_file.h"
#include "extract/stores.h"
#include "index/files.h"
#include "index/folder.h"
#include "index/ledger.h"
#include "index/update.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;

constexpr auto kLate = std::chrono::seconds(5);  // so much later Cursor may write
constexpr auto kStep = std::chrono::milliseconds(50);
constexpr auto kPatience = std::chrono::seconds(30);  // with another process that writes

constexpr std::string_view kTranscripts = "agent-transcripts";
constexpr std::array<std::string_view, 3> kForms = {".jsonl", ".json", ".txt"};

// The stores that hold a conversation in files of its own, or can be asked for one.
constexpr std::array<std::string_view, 6> kStores = {"transcripts", "subagents", "bubbles",
                                                     "composers",   "chats",     "repo-meta"};

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entries(folder, error), end; !error && entries != end;
       entries.increment(error))
    if (std::error_code other; entries->is_directory(other)) found.push_back(entries->path());
  return found;
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// Files and what they look like; what is not there is left out.
using Looks = std::map<fs::path, Fingerprint>;

void look(const fs::path& path, Looks& looks) {
  if (const auto looks_like = fingerprint_of(path)) looks.emplace(path, *looks_like);
}

// Cursor may name any path; below our roots it names one of its own.
std::optional<fs::path> inside_root(const Places& places, const fs::path& path) {
  std::error_code error;
  if (!path.is_absolute()) return std::nullopt;
  auto place = fs::weakly_canonical(path, error);
  if (error) return std::nullopt;
  const auto& roots = places.roots.data;
  const bool inside = std::any_of(roots.begin(), roots.end(), [&](const fs::path& root) {
    return is_inside(place, root / "projects");
  });
  return inside ? std::optional(place) : std::nullopt;
}

struct TranscriptState {
  std::int64_t size = 0;
  bool ended = false;  // its last line ends a turn, as IDEs write it
};

TranscriptState state_of(const fs::path& transcript) {
  const FileDescriptor file(open(transcript.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (!file.valid() || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  constexpr off_t kTail = 256;
  std::string tail(static_cast<std::size_t>(std::min(status.st_size, kTail)), '\0');
  const auto start = status.st_size - static_cast<off_t>(tail.size());
  const auto read = pread(file.get(), tail.data(), tail.size(), start);
  tail.resize(static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
  while (tail.ends_with('\n') || tail.ends_with('\r')) tail.pop_back();
  tail.erase(0, tail.rfind('\n') + 1);
  return {.size = status.st_size, .ended = tail.find("\"turn_ended\"") != std::string::npos};
}

class Worker {
 public:
  Worker(const Places& places, const HookEvent& event, const std::optional<Turn>& turn,
         fs::path note)
      : places_(places), event_(event), turn_(turn), note_(std::move(note)) {}

  void run();

 private:
  std::optional<fs::path> inside_root(const fs::path& path) const {
    return cgrep::inside_root(places_, path);
  }
  std::vector<fs::path> transcript_folders() const;
  std::vector<fs::path> databases() const;
  std::vector<fs::path> chat_folders() const;
  std::vector<fs::path> paths() const;
  Looks files() const;
  Looks database_files() const;
  bool read(std::chrono::milliseconds patience);
  bool turn_is_whole() const;

  const Places& places_;
  const HookEvent& event_;
  const std::optional<Turn>& turn_;
  fs::path note_;
  const Clock::time_point end_ = Clock::now() + kLate;
};

// The one that Cursor names, else those that hold the conversation.
std::vector<fs::path> Worker::transcript_folders() const {
  if (const auto named = inside_root(event_.transcript))
    for (auto folder = named->parent_path(); folder.has_relative_path();
         folder = folder.parent_path())
      if (folder.filename() == kTranscripts) return {folder};
  std::vector<fs::path> found;
  for (const auto& root : places_.roots.data)
    for (const auto& project : folders_in(root / "projects")) {
      const auto folder = project / kTranscripts;
      const auto name = folder / event_.conversation;
      if (is_there(name) || std::any_of(kForms.begin(), kForms.end(), [&](std::string_view form) {
            return is_there(name.string() + std::string(form));
          }))
        found.push_back(folder);
    }
  return found;
}

std::vector<fs::path> Worker::databases() const {
  std::vector<fs::path> found;
  for (const auto& root : places_.roots.ide)
    found.push_back(root / "User" / "globalStorage" / "state.vscdb");
  for (const auto& root : places_.roots.data) found.push_back(root / "state.vscdb");
  return found;
}

// Where it may be as a session of the command line.
std::vector<fs::path> Worker::chat_folders() const {
  std::vector<fs::path> found;
  for (const auto* roots : {&places_.roots.data, &places_.roots.config})
    for (const auto& root : *roots) {
      for (const auto& chats : folders_in(root / "chats"))
        found.push_back(chats / event_.conversation);
      found.push_back(root / "acp-sessions" / event_.conversation);
    }
  return found;
}

// All that belongs to the conversation, whether it is there or not.
std::vector<fs::path> Worker::paths() const {
  auto paths = databases();
  for (const auto& folder : transcript_folders()) {
    const auto name = folder / event_.conversation;
    paths.push_back(name);
    for (const auto form : kForms) paths.emplace_back(name.string() + std::string(form));
    for (const char* about : {".workspace-trusted", "repo.json"})
      paths.push_back(folder.parent_path() / about);
  }
  for (const auto& named : {event_.transcript, event_.subagent_transcript})
    if (const auto place = inside_root(named)) paths.push_back(*place);
  for (const auto& chat : chat_folders()) paths.push_back(chat);
  return paths;
}

// The transcripts, as they look now.
Looks Worker::files() const {
  Looks looks;
  for (const auto& folder : transcript_folders()) {
    const auto name = folder / event_.conversation;
    for (const auto form : kForms) {
      look(name.string() + std::string(form), looks);
      look(name / (event_.conversation + std::string(form)), looks);
    }
    std::error_code error;
    for (fs::directory_iterator entries(name / "subagents", error), end; !error && entries != end;
         entries.increment(error))
      look(entries->path(), looks);
  }
  for (const auto& named : {event_.transcript, event_.subagent_transcript})
    if (const auto place = inside_root(named)) look(*place, looks);
  return looks;
}

Looks Worker::database_files() const {
  auto all = databases();
  for (const auto& chat : chat_folders()) all.push_back(chat / "store.db");
  Looks looks;
  for (const auto& database : all) {
    look(database, looks);
    look(database.string() + "-wal", looks);
  }
  return looks;
}

// Whether anything was new. Without an index, all is: a search must not take a part for it.
bool Worker::read(std::chrono::milliseconds patience) {
  UpdateOptions options{.exclude = places_.exclude};
  options.patience = patience;
  options.turn = turn_;
  options.note = note_;
  if (index_exists(places_.index)) {
    options.conversation = event_.conversation;
    options.paths = paths();
    for (const Store* store : all_stores())
      if (std::find(kStores.begin(), kStores.end(), store->name) == kStores.end())
        options.without.push_back(store);
  }
  const auto summary = update(places_.index, places_.roots, options);
  if (!summary.busy) note_.clear();
  return summary.by_another || summary.dated ||
         std::any_of(summary.stores.begin(), summary.stores.end(),
                     [](const StoreSummary& store) { return store.documents > 0; });
}

bool Worker::turn_is_whole() const {
  for (const auto& folder : transcript_folders()) {
    const auto name = folder / event_.conversation;
    for (const auto& path : {name / (event_.conversation + ".jsonl"), fs::path(name) += ".jsonl"})
      if (state_of(path).ended) return true;
  }
  return false;
}

void Worker::run() {
  auto seen = files();
  auto databases_seen = database_files();
  // Whoever writes just now is asked to look again; only what a turn dates is waited for.
  constexpr std::chrono::milliseconds kNone(0);
  const std::chrono::milliseconds patience = turn_ ? kPatience : kNone;
  bool news = read(patience);
  const bool only_one = event_.name == "afterAgentResponse";  // its turn goes on
  while (Clock::now() < end_ && !(news && (only_one || turn_is_whole()))) {
    std::this_thread::sleep_for(kStep);
    auto now = files();
    if (now == seen) continue;
    seen = std::move(now);
    databases_seen = database_files();
    news = read(patience) || news;
  }
  // Databases are written later than transcripts.
  if (database_files() != databases_seen) read(kNone);
}

}  // namespace

// A subagent that stopped has ended a turn of its own.
std::optional<Turn> ended_turn(const Places& places, const HookEvent& event) {
  Turn turn{.conversation = event.conversation, .generation = event.generation, .time = event.time};
  auto transcript = inside_root(places, event.transcript);
  if (event.name == "subagentStop") {
    transcript = inside_root(places, event.subagent_transcript);
    if (!transcript) return std::nullopt;
    turn.conversation = transcript->stem().string();
  } else if (event.name != "stop" && event.name != "afterAgentResponse") {
    return std::nullopt;
  }
  if (!transcript || transcript->extension() != ".jsonl") return turn;
  const auto state = state_of(*transcript);
  turn.size = state.size;
  turn.ended = state.ended;
  return turn;
}

void run_hook_worker(const Places& places, const HookEvent& event, const std::optional<Turn>& turn,
                     const fs::path& note) {
  try {
    Worker(places, event, turn, note).run();
  } catch (const std::exception&) {
    // Nobody is there to be told; the next search meets the same trouble, and says so.
    return;
  }
}

}  // namespace cgrep
