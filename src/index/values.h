// What history.db holds that a user may be about to type: for completions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cgrep {

class History;

/// Paths of projects, the one with the newest conversation first.
std::vector<std::string> known_projects(History& history);

/// Names of models, sorted.
std::vector<std::string> known_models(History& history);

/// Names of the tools of the newest documents, as `--tool` takes them, sorted.
std::vector<std::string> known_tools(History& history);

struct RecentConversation {
  std::string address{};
  std::string title{};  // may be empty
};

/// The newest first.
std::vector<RecentConversation> recent_conversations(History& history, std::size_t limit);

}  // namespace cgrep
