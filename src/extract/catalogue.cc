// Stores that are listed and counted, and never read
//   canvases     projects/<slug>/canvases/*: sources of generated pages
//   mcps         projects/<slug>/mcps/<server>/: descriptions of the tools of a server
//   cli-state    agent-cli-state.json and ide_state.json
//   search-db    User/globalStorage/conversation-search.db: Cursor's own index of its conversations
//   worktrees    worktrees/<repo>/<name>/: checkouts; what is in them is source code
//   daily-stats  aiCodeTracking.dailyStats.* in the ItemTable of all windows: a key per day
#include <array>

#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/source_database.h"
#include "extract/state_database.h"
#include "extract/stores.h"

namespace cgrep {

namespace {

namespace fs = std::filesystem;

class Search {
 public:
  Search(std::string_view store, Folders& folders, std::vector<Source>& found)
      : store_(*find_store(store)), folders_(folders), found_(found) {}

  void add_each(const fs::path& folder, const fs::path& root, Entry::Kind kind) {
    for (const Entry& entry : folders_.list(folder, root))
      if (entry.kind == kind) add(folder / entry.name, root);
  }

  void add_file(const fs::path& folder, std::string_view name, const fs::path& root) {
    for (const Entry& entry : folders_.list(folder, root))
      if (entry.name == name && entry.kind == Entry::Kind::file) add(folder / entry.name, root);
  }

  template <typename Visit>
  void for_each_folder(const fs::path& folder, const fs::path& root, const Visit& visit) {
    for (const Entry& entry : folders_.list(folder, root))
      if (entry.kind == Entry::Kind::folder) visit(folder / entry.name);
  }

  // What lies in projects/*/<name>.
  void add_of_projects(const Roots& roots, std::string_view name, Entry::Kind kind) {
    for (const auto& root : roots.data)
      for_each_folder(root / "projects", root, [&](const fs::path& project) {
        for (const Entry& entry : folders_.list(project, root))
          if (entry.name == name && entry.kind == Entry::Kind::folder)
            add_each(project / name, root, kind);
      });
  }

 private:
  void add(const fs::path& path, const fs::path& root) {
    found_.push_back({.store = &store_, .path = path, .root = root});
  }

  const Store& store_;
  Folders& folders_;
  std::vector<Source>& found_;
};

void discover_canvases(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  Search("canvases", folders, found).add_of_projects(roots, "canvases", Entry::Kind::file);
}

void discover_mcps(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  Search("mcps", folders, found).add_of_projects(roots, "mcps", Entry::Kind::folder);
}

void discover_cli_state(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  Search search("cli-state", folders, found);
  for (const auto* places : {&roots.data, &roots.config})
    for (const auto& root : *places)
      for (const char* name : {"agent-cli-state.json", "ide_state.json"})
        search.add_file(root, name, root);
}

void discover_search_db(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  Search search("search-db", folders, found);
  for (const auto& root : roots.ide)
    search.add_file(root / "User" / "globalStorage", "conversation-search.db", root);
}

void discover_worktrees(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  Search search("worktrees", folders, found);
  for (const auto& root : roots.data)
    search.for_each_folder(root / "worktrees", root, [&](const fs::path& repository) {
      search.add_each(repository, root, Entry::Kind::folder);
    });
}

void discover_daily_stats(const Roots& roots, Folders& folders, std::vector<Source>& found) {
  discover_state_databases(*find_store("daily-stats"), roots, folders, found, Where::global);
}

// 0 for a database that is damaged: there is nothing to list in it.
template <typename Count>
std::size_t counted(const Source& source, const Count& count) {
  try {
    SourceDatabase database(source);
    return count(database);
  } catch (const SqliteError&) {
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
