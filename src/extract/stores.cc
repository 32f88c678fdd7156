// Stores that are read are defined in their own files, with their extractor; the others here, with
// version 0. Ids are bits in history.db: a new store takes the next one, none is ever given again.
#include "extract/stores.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

namespace cgrep {

extern const Store transcripts;
extern const Store subagents;
extern const Store repo_meta;
extern const Store chats;
extern const Store agentkv;

namespace {

using Names = std::string_view;

constexpr Names kBubbles[] = {"bubble"};
constexpr Names kComposers[] = {"composer", "composer-header"};
constexpr Names kSummaries[] = {"summary", "ai-summary"};
constexpr Names kPrompts[] = {"prompt", "prompt-history", "generation"};
constexpr Names kLegacyChats[] = {"legacy-chat"};
constexpr Names kPlans[] = {"plan"};
constexpr Names kDiffs[] = {"diff"};
constexpr Names kContexts[] = {"context", "request-context"};
constexpr Names kCommits[] = {"commit", "ai-commit"};
constexpr Names kAiFiles[] = {"ai-file", "ai-hash"};
constexpr Names kTerminals[] = {"terminal"};
constexpr Names kAgentTools[] = {"agent-tool"};
constexpr Names kUploads[] = {"upload"};
constexpr Names kNotes[] = {"note"};
constexpr Names kSkills[] = {"skill"};
constexpr Names kCanvases[] = {"canvas"};
constexpr Names kMcps[] = {"mcp"};
constexpr Names kWorktrees[] = {"worktree"};
constexpr Names kDailyStats[] = {"daily-stat"};

constexpr auto by_default = Searched::by_default;
constexpr auto when_named = Searched::when_named;
constexpr auto never = Searched::never;

constexpr Store bubbles{3, "bubbles", "messages of the IDE", by_default, kBubbles};
constexpr Store composers{4, "composers", "titles, summaries, todos and queued prompts of the IDE",
                          by_default, kComposers};
constexpr Store summaries{5, "summaries", "what Cursor noted about conversations", by_default,
                          kSummaries};
constexpr Store prompts{6, "prompts", "prompts that were typed", by_default, kPrompts};
constexpr Store legacy_chats{7, "legacy-chats", "chats of the IDE before it had composers",
                             by_default, kLegacyChats};
constexpr Store plans{8, "plans", "plans that the agent made", by_default, kPlans};
constexpr Store diffs{11, "diffs", "changes that the agent made to files", when_named, kDiffs};
constexpr Store contexts{12, "contexts", "context that was sent with messages", when_named,
                         kContexts};
constexpr Store commits{13, "commits", "commits with the agent's share in them", when_named,
                        kCommits};
constexpr Store ai_files{14, "ai-files", "which file the agent wrote, and when", when_named,
                         kAiFiles};
constexpr Store terminals{15, "terminals", "output of terminals", when_named, kTerminals};
constexpr Store agent_tools{16, "agent-tools",
                            "results of tools that were too large to keep inline", when_named,
                            kAgentTools};
constexpr Store uploads{17, "uploads", "files that were attached", when_named, kUploads};
constexpr Store notes{18, "notes", "notes that the agent keeps", when_named, kNotes};
constexpr Store skills{19, "skills", "instructions that the agent can load", when_named, kSkills};
constexpr Store canvases{20, "canvases", "sources of generated pages", never, kCanvases};
constexpr Store mcps{21, "mcps", "descriptions of MCP servers", never, kMcps};
constexpr Store cli_state{23, "cli-state", "state of the CLI", never, {}};
constexpr Store search_db{24, "search-db", "Cursor's own search index", never, {}};
constexpr Store worktrees{25, "worktrees", "checkouts that the agent works in", never, kWorktrees};
constexpr Store daily_stats{26, "daily-stats", "counts of lines per day", never, kDailyStats};

constexpr std::array kStores = std::to_array<const Store*>(
    {&transcripts, &subagents,   &bubbles,   &composers, &summaries,  &prompts,  &legacy_chats,
     &plans,       &chats,       &agentkv,   &diffs,     &contexts,   &commits,  &ai_files,
     &terminals,   &agent_tools, &uploads,   &notes,     &skills,     &canvases, &mcps,
     &repo_meta,   &cli_state,   &search_db, &worktrees, &daily_stats});

// How many letters must be added, removed or replaced.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::size_t distance_to(const Store& store, std::string_view name) {
  auto nearest = edit_distance(name, store.name);
  for (const auto alias : store.aliases) nearest = std::min(nearest, edit_distance(name, alias));
  return nearest;
}

}  // namespace

std::span<const Store* const> all_stores() {
  return kStores;
}

const Store* find_store(std::string_view name) {
  for (const Store* store : kStores)
    if (store->name == name ||
        std::find(store->aliases.begin(), store->aliases.end(), name) != store->aliases.end())
      return store;
  return nullptr;
}

const Store& nearest_store(std::string_view name) {
  constexpr std::size_t kLongest = 64;  // nobody types more, and the distance costs its square
  name = name.substr(0, kLongest);
  return **std::min_element(kStores.begin(), kStores.end(), [&](const Store* a, const Store* b) {
    return distance_to(*a, name) < distance_to(*b, name);
  });
}

}  // namespace cgrep
