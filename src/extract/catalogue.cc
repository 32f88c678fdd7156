// Stores that are listed and counted, and never read
//   canvases     projects/<slug>/canvases/*: sources of generated pages
//   mcps         projects/<slug>/mcps/<server>/: descriptions of the tools of a server
//   cli-state    agent-cli-state.json and ide_state.json
//   search-db    User/globalStorage/conversation-search.db: Cursor's own index of its conversations
//   worktrees    worktrees/<repo>/<name>/: checkouts; what is in them is source code
//   daily-stats  aiCodeTracking.dailyStats.* in the ItemTable of all windows: a key per day
#include <array>

#include "extract/source_database.h"
#include "extract/source_search.h"
#include "extract/state_database.h"
#include "extract/stores.h"

namespace cgrep {

namespace {

void discover_canvases(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("canvases"), folders, found);
  search.for_each_project_folder(roots, "canvases", [&](const auto& folder, const auto& root) {
    search.add_files(folder, root);
  });
}

void discover_mcps(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("mcps"), folders, found);
  search.for_each_project_folder(roots, "mcps", [&](const auto& folder, const auto& root) {
    search.for_each_folder(folder, root, [&](const auto& server) { search.add(server, root); });
  });
}

void discover_cli_state(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("cli-state"), folders, found);
  for (const auto* places : {&roots.data, &roots.config})
    for (const auto& root : *places)
      for (const char* name : {"agent-cli-state.json", "ide_state.json"})
        search.add_file(root, name, root);
}

void discover_search_db(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("search-db"), folders, found);
  for (const auto& root : roots.ide)
    search.add_file(root / "User" / "globalStorage", "conversation-search.db", root);
}

void discover_worktrees(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  SourceSearch search(*find_store("worktrees"), folders, found);
  for (const auto& root : roots.data)
    search.for_each_folder(root / "worktrees", root, [&](const auto& repository) {
      search.for_each_folder(repository, root,
                             [&](const auto& checkout) { search.add(checkout, root); });
    });
}

void discover_daily_stats(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store("daily-stats"), roots, folders, found, Where::global);
}

// 0 for a database that is damaged or cannot be read now: then, nothing can be listed of it.
template <typename Count>
std::size_t counted(const Source& source, const Count& count) {
  try {
    SourceDatabase database(source);
    return count(database);
  } catch (const SqliteError&) {
    return 0;
  } catch (const Unreadable&) {
    return 0;
  }
}

std::size_t count_conversations(const Source& source) {
  return counted(source, [](SourceDatabase& database) {
    std::size_t count = 0;
    database.snapshot([&](Database& snapshot) {
      count = 0;
      if (columns_of(snapshot, "conversations").empty()) return;
      auto statement = snapshot.prepare("SELECT count(*) FROM conversations");
      if (statement.step()) count = static_cast<std::size_t>(statement.int64(0));
    });
    return count;
  });
}

std::size_t count_days(const Source& source) {
  return counted(source, [](SourceDatabase& database) {
    return KeyedTable(database, "ItemTable").keys_with("aiCodeTracking.dailyStats.").size();
  });
}

constexpr auto never = Searched::never;
constexpr std::array<std::string_view, 1> kCanvases = {"canvas"};
constexpr std::array<std::string_view, 1> kMcps = {"mcp"};
constexpr std::array<std::string_view, 1> kWorktrees = {"worktree"};
constexpr std::array<std::string_view, 1> kDailyStats = {"daily-stat"};

}  // namespace

extern constinit const Store canvases;
constinit const Store canvases{.id = 20,
                               .name = "canvases",
                               .summary = "sources of generated pages",
                               .searched = never,
                               .aliases = kCanvases,
                               .discover = discover_canvases};

extern constinit const Store mcps;
constinit const Store mcps{.id = 21,
                           .name = "mcps",
                           .summary = "descriptions of MCP servers",
                           .searched = never,
                           .aliases = kMcps,
                           .discover = discover_mcps};

extern constinit const Store cli_state;
constinit const Store cli_state{.id = 23,
                                .name = "cli-state",
                                .summary = "state of the CLI",
                                .searched = never,
                                .discover = discover_cli_state};

extern constinit const Store search_db;
constinit const Store search_db{.id = 24,
                                .name = "search-db",
                                .summary = "Cursor's own search index",
                                .searched = never,
                                .database = true,
                                .discover = discover_search_db,
                                .count = count_conversations};

extern constinit const Store worktrees;
constinit const Store worktrees{.id = 25,
                                .name = "worktrees",
                                .summary = "checkouts that the agent works in",
                                .searched = never,
                                .aliases = kWorktrees,
                                .discover = discover_worktrees};

extern constinit const Store daily_stats;
constinit const Store daily_stats{.id = 26,
                                  .name = "daily-stats",
                                  .summary = "counts of lines per day",
                                  .searched = never,
                                  .aliases = kDailyStats,
                                  .database = true,
                                  .discover = discover_daily_stats,
                                  .count = count_days};

}  // namespace cgrep
