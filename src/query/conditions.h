// Conditions: what filters and fields demand of a document, made ready for asking often.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <xapian.h>

#include "index/history.h"
#include "query/filters.h"

namespace cgrep {

/// A document as conditions see it: `time` is its own or, without one, its conversation's.
struct Candidate {
  StoredDocument document{};
  std::optional<Time> time{};
};

struct Condition {
  /// Say the same as `holds` by the terms of the runs, where they can: documents with `terms`, and
  /// of these the ones without `unwanted`.
  std::optional<Xapian::Query> terms{};
  Xapian::Query unwanted{};
  std::function<bool(const Candidate&)> holds{};
  bool dates = false;  // asks for a time
  /// Documents without this term need not be asked: it holds for them.
  std::string only_of{};

  /// What of the query's documents has these terms; its weights stay.
  Xapian::Query narrowed(Xapian::Query query) const;
};

/// What `is:` asks for.
enum class Mark : std::uint8_t { gone, orphan, archived, subagent };

std::optional<Mark> mark_named(std::string_view name);

/// Makes conditions for one snapshot of the index.
class Conditions {
 public:
  Conditions(History& history, std::int64_t now_ms) : history_(history), now_ms_(now_ms) {}

  /// One for each filter that is set. Documents of role system are left out unless asked for.
  std::vector<Condition> of_filters(const Filters& filters, bool with_system);

  /// `role:user`, `store:!plans`, `date:2026-08..`. A value that means nothing holds for nothing.
  Condition of_field(std::string_view field, std::string_view value);

  Candidate candidate(StoredDocument&& document);

 private:
  Condition of_roles(const Choice<Role>& roles);
  Condition of_tools(const Choice<std::string>& tools);
  static Condition of_stores(const Choice<const Store*>& stores);
  bool are_all(const Choice<const Store*>& stores);
  Condition of_here(const Here& here);
  Condition of_projects(const Choice<std::string>& projects);
  Condition of_conversations(const Choice<Address>& addresses);
  Condition of_title(std::string_view words);
  Condition of_date(std::string_view field, std::string_view value);
  Condition of_files(const Choice<std::string>& files);
  Condition of_marks(const Choice<Mark>& marks);
  static Condition of_gone(bool gone);

  using Holds = std::function<bool(const History::Attribution&)>;
  Condition of_conversations_that(const Holds& hold);

  using NameOf = std::string_view (*)(const History::Attribution&);
  Condition of_names(const Choice<std::string>& names, NameOf name_of);
  static Condition of_times(std::optional<std::int64_t> since, std::optional<std::int64_t> until);

  /// What addresses name, by rows.
  struct Addressed {
    std::vector<std::int64_t> conversations{};
    std::unordered_set<std::int64_t> documents{};

    bool empty() const { return conversations.empty() && documents.empty(); }
    bool has(const Candidate& candidate) const {
      return documents.contains(candidate.document.row) ||
             std::find(conversations.begin(), conversations.end(),
                       candidate.document.conversation) != conversations.end();
    }
  };
  Addressed addressed(const std::vector<Address>& addresses);
  void add_range(std::int64_t conversation, const Address& address,
                 std::unordered_set<std::int64_t>& documents);

  std::optional<Time> fallback_time(std::int64_t conversation);

  History& history_;
  std::int64_t now_ms_;
  std::unordered_map<std::int64_t, std::optional<Time>> fallbacks_{};  // of conversations
};

}  // namespace cgrep
