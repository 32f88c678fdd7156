#include "cli/counts.h"

#include <fmt/format.h>

#include "cli/chart.h"
#include "cli/display.h"
#include "query/selection.h"

namespace cgrep {
namespace {

constexpr std::size_t kScreenRows = 20;

Chart chart_of(const Tally& tally, std::span<const TallyRow> rows, const std::string& home) {
  Chart chart;
  for (const TallyRow& row : rows) {
    ChartRow& line = chart.rows.emplace_back();
    for (std::size_t i = 0; i < row.values.size(); ++i)
      line.names.push_back(shown_value(*tally.facets()[i], row.values[i], home));
    line.numbers = {grouped_digits(row.documents)};
    line.length = row.documents;
  }
  return chart;
}

}  // namespace

void tally_documents(History& history, Searcher& searcher, const Request& request,
                     const Conversations& conversations, Tally& tally, Outcome& outcome) {
  if (!request.exact && request.query.kind == Query::Kind::everything) {
    std::unordered_set<std::int64_t> seen;
    Selection(history, conversations, request.filters)
        .for_each_document(outcome,
                           [&](const StoredDocument& document, const std::optional<Time>& time) {
                             tally.add(document, time);
                             seen.insert(document.conversation);
                             ++outcome.documents;
                           });
    outcome.conversations = seen.size();
    return;
  }
  for (const Found& found : searcher.find(request, outcome)) {
    const Conversation* conversation = conversations.find(found.conversation);
    for (const std::int64_t row : found.documents) {
      const auto document = history.document(row);
      if (!document) continue;
      auto time = document->time;
      if (!time && conversation != nullptr) time = conversation->fallback;
      tally.add(*document, time);
    }
  }
}

void print_tally(const Tally& tally, std::optional<std::size_t> limit, bool json,
                 const Terminal& terminal, const Environment& environment, Output& out) {
  const auto rows = tally.rows();
  const bool for_people = terminal.is_terminal && !json;
  const auto shown =
      limited(rows, tally.facets().front()->date, limit.value_or(for_people ? kScreenRows : 0));
  if (for_people) {
    print_chart(chart_of(tally, shown, environment("HOME").value_or("")), terminal,
                speaks_utf8(environment), out);
    out.flush();
    if (rows.size() > shown.size())
      warn(fmt::format("{}; --limit 0 shows all", counted(rows.size() - shown.size(), "more row")));
    return;
  }
  for (const TallyRow& row : shown) {
    if (json) {
      out.write(json_count(tally.facets(), row));
      continue;
    }
    out.print("{}", row.documents);
    for (std::size_t i = 0; i < row.values.size(); ++i)
      out.print("\t{}", on_one_line(shown_value(*tally.facets()[i], row.values[i], "")));
    out.write("\n");
  }
}

}  // namespace cgrep
