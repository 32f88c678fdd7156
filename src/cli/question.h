// What is asked: the pattern as it is typed, and as it is meant. The same for all commands that
// take one.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/filter_options.h"
#include "cli/option_table.h"
#include "cli/settings.h"
#include "query/request.h"

namespace cgrep {

/// `-w -F -E -e -i -s -S -x -P`.
struct PatternOptions {
  bool whole_words = false;
  bool literal = false;
  bool regex = false;
  std::vector<std::string> patterns{};
  std::optional<Case> match_case{};
  bool whole_lines = false;
  bool perl = false;

  /// Matched on the text, line by line, instead of by words.
  bool exact() const { return literal || regex || !patterns.empty(); }
};
void declare_pattern(OptionTable& table, PatternOptions& options);

/// The pattern of a command.
struct Question {
  std::string text{};                 // as typed; of several patterns, one per line
  Query query{};                      // words
  std::optional<ExactQuery> exact{};  // instead of words
  std::vector<std::string> unknown_fields{};

  bool empty() const { return !exact && query.kind == Query::Kind::everything; }
};

/// Throws Error when the options and operands do not go together.
Question make_question(const PatternOptions& options, const std::vector<std::string>& operands);

/// The question with its filters, and what is known of who asks.
Request make_request(const Question& question, const FilterOptions& filters,
                     const StoreSelection& stores, const Settings& settings);

/// The operands as one pattern.
std::string joined(const std::vector<std::string>& operands);

/// Now, as dates are counted from it.
std::int64_t current_ms();

}  // namespace cgrep
