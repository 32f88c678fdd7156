// Conditions: what filters and fields demand of a document, made ready for asking often.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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
  /// Says the same as `holds` by the terms of the runs, where they can.
  std::optional<Xapian::Query> terms{};
  std::function<bool(const Candidate&)> holds{};
  bool dates = false;  // asks for a time
};

/// Makes conditions for one snapshot of the index.
class Conditions {
 public:
  Conditions(History& history, std::int64_t now_ms) : history_(history), now_ms_(now_ms) {}

  /// One for each filter that is set. Documents of role system are left out unless asked for.
  std::vector<Condition> of_filters(const Filters& filters, bool with_system);

  /// `role:user`, `store:!plans`, `date:2026-08..`. A value that means nothing holds for nothing.
  Condition of_field(std::string_view field, std::string_view value);

  Candidate candidate(StoredDocument document);

 private:
  Condition of_roles(const Choice<Role>& roles);
  Condition of_tools(const Choice<std::string>& tools);
  Condition of_stores(const Choice<const Store*>& stores);
  Condition of_projects(const Choice<std::string>& projects);
  Condition of_conversations(const Choice<Address>& addresses);
  Condition of_title(const std::string& words);
  static Condition of_times(std::optional<std::int64_t> since, std::optional<std::int64_t> until);
  Condition of_rows(std::vector<bool> rows, std::size_t count);
  std::vector<std::int64_t> rows_of(const std::vector<Address>& addresses);

  History& history_;
  std::int64_t now_ms_;
};

}  // namespace cgrep
