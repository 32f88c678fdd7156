// Conversations that answer a question, in order of time: what `log` and `-L` print.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "cli/output.h"
#include "cli/terminal.h"
#include "index/overview.h"
#include "query/searcher.h"
#include "query/selection.h"

namespace cgrep {

class ConversationList {
 public:
  ConversationList(History& history, const Request& request);

  const Conversations& conversations() const { return conversations_; }
  const std::vector<const Conversation*>& listed() const { return listed_; }

  /// Lists those of which a document passes the filters and, if there is a pattern, matches it.
  void find(Searcher& searcher, Outcome& outcome);

  /// Lists those of which documents pass the filters and none matches the pattern.
  void find_without(Searcher& searcher, Outcome& outcome);

  /// Of one that is listed: its documents that pass and match.
  DocumentCounts counts(const Conversation& conversation);

  /// The first of those listed; to be called before counts(). Returns how many it left out.
  std::size_t limit(std::size_t most);

 private:
  bool has_pattern() const;
  void sort();

  History& history_;
  const Request& request_;
  Conversations conversations_;
  Selection selection_;
  std::vector<const Conversation*> listed_{};
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> found_{};  // documents, by pattern
};

/// Its address alone, on a line or with a NUL after it; on a terminal a link to its source.
void print_address(History& history, const Conversation& conversation, const Terminal& terminal,
                   bool null_separator, Output& out);

}  // namespace cgrep
