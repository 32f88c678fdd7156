#include "cli/question.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/here.h"
#include "cli/options.h"
#include "error.h"
#include "query/parser.h"

namespace cgrep {
namespace {

/// Whether the query asks for the field anywhere, and not only leaves something out by it.
bool names_field(const Query& query, std::string_view field) {
  if (query.kind == Query::Kind::not_of) return false;
  return (query.kind == Query::Kind::field && query.field == field) ||
         std::any_of(query.children.begin(), query.children.end(),
                     [&](const Query& child) { return names_field(child, field); });
}

void require_sense(const PatternOptions& options, const std::vector<std::string>& operands) {
  if (options.perl)
    throw Error("-P is not supported: it cannot promise to end",
                "-E takes regular expressions without look-around and back-references");
  if (!options.patterns.empty() && !operands.empty())
    throw Error(fmt::format("'{}' stands beside -e", operands.front()),
                "give each pattern with -e, or none");
  if (options.whole_lines && !options.exact())
    throw Error("-x is for exact patterns", "add -F or -E");
  if (options.exact() && options.patterns.empty() && operands.empty())
    throw Error("no pattern", "-F TEXT, -E REGEX or -e REGEX");
}

}  // namespace

void declare_pattern(OptionTable& table, PatternOptions& options) {
  table.group("Search");
  table.add_flag("-w,--whole-words", options.whole_words,
                 "Words as they are typed, no other forms");
  table.add_flag("-F,--fixed-strings", options.literal,
                 "Exactly this text, wherever it stands, also inside words");
  table.add_flag("-E,--extended-regexp", options.regex,
                 "The pattern is a regular expression, matched on lines");
  table.add_list("-e,--regexp", options.patterns, "PATTERN",
                 "A pattern; given several times, any of them; a regular expression unless -F");
  const auto add_case = [&](std::string_view names, Case meant, std::string_view description) {
    table.add_flag(names, description).take = [&options, meant](const Option&, const std::string&) {
      options.match_case = meant;
    };
  };
  add_case("-i,--ignore-case", Case::insensitive, "In any case; the default for words");
  add_case("-s,--case-sensitive", Case::sensitive, "In just the case that is typed");
  add_case("-S,--smart-case", Case::smart,
           "In any case unless a capital letter is typed; the default for exact patterns");
  table.add_flag("-x,--line-regexp", options.whole_lines, "Exact patterns as whole lines");
  table.add_flag("-P,--perl-regexp", options.perl,
                 "Not supported: it cannot promise to end; see -E");
}

Question make_question(const PatternOptions& options, const std::vector<std::string>& operands) {
  require_sense(options, operands);
  Question question{.text = joined(operands)};
  if (!options.exact()) {
    ParsedQuery parsed =
        parse_query(question.text, {.whole = options.whole_words,
                                    .match_case = options.match_case.value_or(Case::insensitive)});
    question.query = std::move(parsed.query);
    question.unknown_fields = std::move(parsed.unknown_fields);
    return question;
  }
  question.exact = ExactQuery{.patterns = options.patterns,
                              .literal = options.literal,
                              .match_case = options.match_case.value_or(Case::smart),
                              .whole_words = options.whole_words,
                              .whole_lines = options.whole_lines};
  auto& patterns = question.exact->patterns;
  if (patterns.empty()) patterns.push_back(question.text);
  question.text = fmt::format("{}", fmt::join(patterns, "\n"));
  return question;
}

Request make_request(const Question& question, const FilterOptions& filters,
                     const StoreSelection& stores, const Settings& settings) {
  Request request{.query = question.query, .exact = question.exact};
  request.filters = make_filters(filters, stores, current_ms());
  leave_out(request.filters, settings.exclude);
  // A pattern that names stores itself decides which.
  if (filters.stores.empty() && names_field(request.query, "store")) {
    request.filters.stores = {};
    request.filters.repeated = true;
  }
  request.here = current_repository();
  return request;
}

std::string joined(const std::vector<std::string>& operands) {
  std::string pattern;
  for (const std::string& operand : operands) pattern += (pattern.empty() ? "" : " ") + operand;
  return pattern;
}

std::int64_t current_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace cgrep
