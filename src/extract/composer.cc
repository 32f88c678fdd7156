#include "extract/composer.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "extract/bubble.h"
#include "extract/conversation_id.h"
#include "extract/delivery.h"
#include "extract/rich_text.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

bool is_true(JsonElement value, std::string_view key) {
  const auto found = member(value, key);
  if (!found) return false;
  if (found->is_bool()) return found->get_bool().value();
  return found->is_int64() && found->get_int64().value() != 0;
}

// A branch is a string, or an object that names it.
std::string_view branch_in(JsonElement value, std::string_view key) {
  const auto found = member(value, key);
  if (!found) return {};
  return found->is_string() ? string_of(*found) : text_of(*found, {"branchName", "name"});
}

void claim_projects(JsonElement head, HeadRungs rungs, const Claims& claims) {
  if (const auto worktree = member(head, "gitWorktree"))
    claims.add_path(rung::project::worktree, text_of(*worktree, "worktreePath"));
  std::string path;
  if (const auto workspace = member(head, "workspaceIdentifier")) {
    path = path_in(*workspace);
    claims.add(Fact::workspace, rung::project::header_workspace, text_of(*workspace, "id"));
  }
  const auto location = member(head, "agentLocation");
  const auto environment = location ? member(*location, "environment") : std::nullopt;
  if (path.empty() && environment) path = path_in(*environment);
  claims.add_path(rungs.project, path);
  claims.add_path(rung::project::composer_uri, text_of(head, "workspaceUri"));
  bool first = true;
  for_each_item(head, "trackedGitRepos", [&](JsonElement repository) {
    if (std::exchange(first, false))
      claims.add_path(rung::project::tracked, text_of(repository, {"repoPath", "path"}));
  });
}

}  // namespace

std::vector<BubbleHeader> headers_of(JsonElement composer) {
  std::vector<BubbleHeader> headers;
  std::vector<std::string_view> ids;
  for_each_item(composer, "fullConversationHeadersOnly", [&](JsonElement entry) {
    const auto id = text_of(entry, "bubbleId");
    if (id.empty()) return;
    const auto created = member(entry, "createdAt");
    ids.push_back(id);
    headers.push_back({std::string(id), created ? time_of(*created) : std::nullopt});
  });
  std::sort(ids.begin(), ids.end());
  if (std::adjacent_find(ids.begin(), ids.end()) == ids.end()) return headers;
  std::unordered_set<std::string> seen;
  std::erase_if(headers,
                [&](const BubbleHeader& header) { return !seen.insert(header.id).second; });
  return headers;
}

namespace {

// Of a map `id → bubble` or `id → {"bubbles": […]}`; in the order of the headers, if there are any.
void add_mapped_bubbles(JsonElement composer, std::vector<JsonElement>& bubbles) {
  const auto map = member(composer, "conversationMap");
  simdjson::dom::object entries;
  if (!map || map->get_object().get(entries) != simdjson::SUCCESS) return;
  const auto add = [&](JsonElement bubble) {
    if (bubble.is_object()) bubbles.push_back(bubble);
  };
  for (const auto& [id, value] : entries) {
    if (member(value, "bubbles"))
      for_each_item(value, "bubbles", add);
    else
      add(value);
  }
  std::unordered_map<std::string_view, std::size_t> order;
  const auto headers = headers_of(composer);
  for (const auto& header : headers) order.emplace(header.id, order.size());
  const auto place = [&](JsonElement bubble) {
    const auto found = order.find(text_of(bubble, {"bubbleId", "id"}));
    return found != order.end() ? found->second : order.size();
  };
  std::stable_sort(bubbles.begin(), bubbles.end(),
                   [&](JsonElement a, JsonElement b) { return place(a) < place(b); });
}

}  // namespace

InlineBubbles inline_bubbles_of(JsonElement composer, JsonReader& inner) {
  InlineBubbles found;
  const auto add = [&](JsonElement bubble) {
    if (bubble.is_object()) found.bubbles.push_back(bubble);
  };
  for_each_item(composer, "conversation", add);
  if (found.bubbles.empty())
    for_each_item(composer, "tabs", [&](JsonElement tab) { for_each_item(tab, "bubbles", add); });
  if (found.bubbles.empty()) add_mapped_bubbles(composer, found.bubbles);
  if (found.bubbles.empty() && headers_of(composer).empty()) {
    found.draft = text_of(composer, "text");
    const auto rich = text_of(composer, "richText");
    if (trimmed(found.draft).empty() && !rich.empty()) found.draft = text_of_rich_text(rich, inner);
  }
  return found;
}

std::string parent_of(JsonElement composer) {
  const auto info = member(composer, "subagentInfo");
  return info ? conversation_id(text_of(*info, "parentComposerId")) : std::string();
}

void claim_head(JsonElement head, const std::string& conversation, HeadRungs rungs, Sink& sink) {
  const Claims claims(conversation, sink);
  claims.add(Fact::title, rungs.title, trimmed(text_of(head, "name")));
  const auto subtitle = trimmed(text_of(head, "subtitle"));
  if (subtitle != "New chat") claims.add(Fact::title, rung::title::subtitle, subtitle);
  claim_projects(head, rungs, claims);
  claims.add(Fact::parent, rung::any::sure, parent_of(head));
  claims.add(Fact::mode, rung::any::only, text_of(head, {"unifiedMode", "forceMode"}));
  auto branch = branch_in(head, "createdOnBranch");
  if (const auto worktree = member(head, "gitWorktree"); worktree && branch.empty())
    branch = branch_in(*worktree, "branchName");
  for (const auto* key : {"activeBranch", "committedToBranch"})
    if (branch.empty()) branch = branch_in(head, key);
  claims.add(Fact::branch, rung::any::only, branch);
  claims.add_time(Fact::created, member(head, "createdAt"));
  claims.add_time(Fact::updated, member(head, "lastUpdatedAt"));
  if (is_true(head, "isArchived")) claims.add(Fact::archived, rung::any::only, "1");
}

}  // namespace cgrep
