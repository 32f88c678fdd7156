// Stores are defined in their own files, with their extractor. Ids are bits in history.db: a new
// store takes the next one, none is ever given again.
#include "extract/stores.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "edit_distance.h"

namespace cgrep {

extern const Store transcripts;
extern const Store subagents;
extern const Store bubbles;
extern const Store composers;
extern const Store summaries;
extern const Store prompts;
extern const Store legacy_chats;
extern const Store plans;
extern const Store chats;
extern const Store agentkv;
extern const Store diffs;
extern const Store contexts;
extern const Store commits;
extern const Store ai_files;
extern const Store terminals;
extern const Store agent_tools;
extern const Store uploads;
extern const Store notes;
extern const Store skills;
extern const Store canvases;
extern const Store mcps;
extern const Store repo_meta;
extern const Store cli_state;
extern const Store search_db;
extern const Store worktrees;
extern const Store daily_stats;

namespace {

constexpr std::array kStores = std::to_array<const Store*>(
    {&transcripts, &subagents,   &bubbles,   &composers, &summaries,  &prompts,  &legacy_chats,
     &plans,       &chats,       &agentkv,   &diffs,     &contexts,   &commits,  &ai_files,
     &terminals,   &agent_tools, &uploads,   &notes,     &skills,     &canvases, &mcps,
     &repo_meta,   &cli_state,   &search_db, &worktrees, &daily_stats});

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
