#include "index/values.h"

#include <set>

#include "extract/sqlite.h"
#include "extract/tools.h"
#include "index/history.h"

namespace cgrep {
namespace {

// What a person can look through; and a shell has to take it all in on each Tab.
constexpr const char* kLimit = " LIMIT 500";

std::vector<std::string> texts_of(History& history, const std::string& sql) {
  std::vector<std::string> texts;
  auto rows = history.database().prepare(sql + kLimit);
  while (rows.step()) texts.emplace_back(rows.text(0));
  return texts;
}

}  // namespace

std::vector<std::string> known_projects(History& history) {
  return texts_of(history,
                  "SELECT project FROM conversations WHERE project <> '' GROUP BY project "
                  "ORDER BY max(coalesce(last, fallback, 0)) DESC, project");
}

std::vector<std::string> known_models(History& history) {
  return texts_of(history,
                  "SELECT DISTINCT model FROM conversations WHERE model <> '' ORDER BY model");
}

std::vector<std::string> known_tools(History& history) {
  // All documents of a long history would be too many for a Tab.
  std::set<std::string> names;
  for (const std::string& tool :
       texts_of(history,
                "SELECT DISTINCT tool FROM (SELECT tool FROM documents ORDER BY id DESC LIMIT "
                "20000) WHERE tool <> ''"))
    names.emplace(normalised_tool(tool));
  return {names.begin(), names.end()};
}

std::vector<RecentConversation> recent_conversations(History& history, std::size_t limit) {
  std::vector<std::int64_t> rows;
  auto newest = history.database().prepare(
      "SELECT id FROM conversations WHERE coalesce(last, fallback) IS NOT NULL "
      "ORDER BY coalesce(last, fallback) DESC, key LIMIT ?1");
  newest.bind(1, limit);
  while (newest.step()) rows.push_back(newest.int64(0));
  newest.reset();
  std::vector<RecentConversation> recent;
  recent.reserve(rows.size());
  for (const auto row : rows) {
    Conversation conversation = history.conversation(row);
    recent.push_back({std::move(conversation.address), std::move(conversation.title)});
  }
  return recent;
}

}  // namespace cgrep
