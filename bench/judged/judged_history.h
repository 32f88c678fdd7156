// A history in which it is known what should be found: for each topic the conversation that is
// about it, and around it what only has the same words.
//
//   remark     somebody quotes the words in a conversation about something else
//   log        a tool prints them again and again; a tool is called with them
//   beside     the same words, another matter; often newer
//   subagent   an agent was sent to look into it, and repeats the words
//   scattered  a long document has all the words, far apart
//   older      the same was solved before, in an older conversation (every third topic)
//   elsewhere  the same was solved in another project (every third topic); asked in the topic's own
//              project, its own comes first, else either may
//
// The rest is background, to the wanted number of conversations.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cgrep::bench {

struct JudgedPlan {
  std::size_t conversations = 3500;
  std::size_t topics = 1000;  // at most
  std::uint64_t seed = 1;
};

struct JudgedQuery {
  std::string text{};
  std::string kind{};
  std::string here{};                 // the project in which it is asked; may be empty
  bool tuning = false;                // else held out
  std::vector<std::string> wanted{};  // ids: one of these should come first
};

struct JudgedHistory {
  std::size_t conversations = 0;
  std::int64_t now_ms = 0;  // when the queries are asked
  std::vector<JudgedQuery> queries{};
};

/// Writes it into `home`: transcripts, and titles and summaries of most conversations where the IDE
/// and the agent keep them.
JudgedHistory make_judged_history(const JudgedPlan& plan, const std::filesystem::path& home);

}  // namespace cgrep::bench
