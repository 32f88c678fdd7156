// Values are numbered as they turn up, so that a document costs a few comparisons of numbers. The
// JSON event:
//   count  by: names of the facets; values: one for each, null where a document has none;
//          conversations, documents: how many; tokens: that the models of these conversations were
//          given, null when unknown or when a facet is not one of conversations
#include "cli/tally.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/display.h"
#include "cli/json_object.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/times.h"
#include "error.h"
#include "extract/stores.h"
#include "extract/tools.h"

namespace cgrep {
namespace {

constexpr auto kFacets = std::to_array<Facet>({
    {"role"},
    {"store"},
    {"project", true},
    {"tool"},
    {"model", true},
    {"mode", true},
    {"branch", true},
    {"surface", true},
    {"conversation", true},
    {"day", false, true},
    {"week", false, true},
    {"month", false, true},
    {"year", false, true},
});

std::string value_of(const Facet& facet, const Conversation& conversation) {
  if (facet.name == "project")
    return conversation.project.empty() ? conversation.slug : conversation.project;
  if (facet.name == "model") return conversation.model;
  if (facet.name == "mode") return conversation.mode;
  if (facet.name == "branch") return conversation.branch;
  if (facet.name == "surface") return conversation.surface;
  return conversation.address;
}

// The week of ISO 8601, as `2026-W31`.
std::string week_of(std::int64_t ms) {
  const auto seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  std::array<char, 16> text{};
  if (localtime_r(&seconds, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%G-W%V", &parts)};
}

std::string date_of(const Facet& facet, std::int64_t ms) {
  if (facet.name == "week") return week_of(ms);
  constexpr std::string_view kDay = "2026-08-01";
  constexpr std::string_view kMonth = "2026-08";
  constexpr std::string_view kYear = "2026";
  const std::size_t length = facet.name == "day"     ? kDay.size()
                             : facet.name == "month" ? kMonth.size()
                                                     : kYear.size();
  return local_time(ms).substr(0, length);
}

}  // namespace

/// The values of one facet, numbered.
class FacetValues {
 public:
  FacetValues(const Facet& facet, const Conversations& conversations)
      : facet_(facet), conversations_(conversations) {}

  const std::string& name(std::uint32_t number) const { return names_[number]; }

  /// The numbers of the document's values; at least one.
  const std::vector<std::uint32_t>& of(const StoredDocument& document,
                                       const std::optional<Time>& time) {
    found_.clear();
    if (facet_.of_conversation)
      found_.push_back(of_conversation(document.conversation));
    else if (facet_.date)
      found_.push_back(time ? of_time(time->ms) : number(""));
    else if (facet_.name == "role")
      found_.push_back(number(std::string(name_of(document.role))));
    else if (facet_.name == "tool")
      found_.push_back(number(std::string(normalised_tool(document.tool))));
    else
      for (const std::string_view store : store_names(document.stores))
        found_.push_back(number(std::string(store)));
    if (found_.empty()) found_.push_back(number(""));
    return found_;
  }

 private:
  std::uint32_t number(const std::string& name) {
    const auto [known, added] =
        numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (added) names_.push_back(name);
    return known->second;
  }

  std::uint32_t of_conversation(std::int64_t row) {
    return remembered(row, [&] {
      const Conversation* conversation = conversations_.find(row);
      return conversation == nullptr ? std::string() : value_of(facet_, *conversation);
    });
  }

  // No time zone changes its date within a quarter of an hour.
  std::uint32_t of_time(std::int64_t ms) {
    constexpr std::int64_t kQuarterHour = 15 * 60 * 1000;
    return remembered(ms / kQuarterHour, [&] { return date_of(facet_, ms); });
  }

  template <typename Value>
  std::uint32_t remembered(std::int64_t key, const Value& value) {
    const auto known = remembered_.find(key);
    if (known != remembered_.end()) return known->second;
    return remembered_.emplace(key, number(value())).first->second;
  }

  const Facet& facet_;
  const Conversations& conversations_;
  std::vector<std::string> names_{};
  std::unordered_map<std::string, std::uint32_t> numbers_{};
  std::unordered_map<std::int64_t, std::uint32_t> remembered_{};
  std::vector<std::uint32_t> found_{};
};

std::span<const Facet> facets() {
  return kFacets;
}

std::string facet_names() {
  std::vector<std::string_view> names;
  names.reserve(kFacets.size());
  for (const Facet& facet : kFacets) names.push_back(facet.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<const Facet*> find_facets(const std::vector<std::string>& typed) {
  std::vector<const Facet*> found;
  for (const std::string& name : typed) {
    const auto facet = std::find_if(kFacets.begin(), kFacets.end(),
                                    [&](const Facet& known) { return known.name == name; });
    if (facet == kFacets.end()) {
      std::vector<std::string> names;
      names.reserve(kFacets.size());
      for (const Facet& known : kFacets) names.emplace_back(known.name);
      throw Error(fmt::format("cannot count by '{}'", name), names_hint(name, names));
    }
    if (std::find(found.begin(), found.end(), &*facet) == found.end()) found.push_back(&*facet);
  }
  return found;
}

Option& declare_by(OptionTable& table, std::vector<std::string>& by,
                   const std::string& description) {
  return table.add_list("--by", by, "FIELD", table.keep(description + facet_names()));
}

Tally::Tally(std::vector<const Facet*> facets, const Conversations& conversations)
    : facets_(std::move(facets)), conversations_(conversations) {
  for (const Facet* facet : facets_)
    values_.push_back(std::make_unique<FacetValues>(*facet, conversations));
}

Tally::~Tally() = default;
Tally::Tally(Tally&&) noexcept = default;

void Tally::add(const StoredDocument& document, const std::optional<Time>& time) {
  Key key;
  key.reserve(values_.size());
  add(document, time, key);
}

void Tally::add(const StoredDocument& document, const std::optional<Time>& time, Key& key) {
  if (key.size() == values_.size()) {
    Group& group = groups_[key];
    ++group.documents;
    group.conversations.insert(document.conversation);
    return;
  }
  for (const std::uint32_t value : values_[key.size()]->of(document, time)) {
    key.push_back(value);
    add(document, time, key);
    key.pop_back();
  }
}

std::optional<std::int64_t> Tally::tokens_of(const Group& group) const {
  std::optional<std::int64_t> tokens;
  if (!std::all_of(facets_.begin(), facets_.end(),
                   [](const Facet* facet) { return facet->of_conversation; }))
    return tokens;
  for (const std::int64_t row : group.conversations) {
    const Conversation* conversation = conversations_.find(row);
    if (conversation != nullptr && conversation->tokens)
      tokens = tokens.value_or(0) + *conversation->tokens;
  }
  return tokens;
}

std::vector<TallyRow> Tally::rows() const {
  std::vector<TallyRow> rows;
  rows.reserve(groups_.size());
  for (const auto& [key, group] : groups_) {
    TallyRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < key.size(); ++i) row.values.push_back(values_[i]->name(key[i]));
    row.conversations = group.conversations.size();
    row.documents = group.documents;
    row.tokens = tokens_of(group);
  }
  const bool dates = facets_.front()->date;
  std::sort(rows.begin(), rows.end(), [dates](const TallyRow& a, const TallyRow& b) {
    if (dates && a.values.front() != b.values.front()) return a.values.front() < b.values.front();
    return a.documents != b.documents ? a.documents > b.documents : a.values < b.values;
  });
  return rows;
}

std::span<const TallyRow> limited(const std::vector<TallyRow>& rows, bool dates,
                                  std::size_t limit) {
  const std::span<const TallyRow> all = rows;
  if (limit == 0 || limit >= rows.size()) return all;
  return dates ? all.last(limit) : all.first(limit);
}

std::string shown_value(const Facet& facet, const std::string& value, const std::string& home) {
  if (value.empty()) return "none";
  return facet.name == "project" ? with_tilde(value, home) : value;
}

std::string json_count(const std::vector<const Facet*>& facets, const TallyRow& row) {
  std::vector<std::string_view> by;
  std::string values = "[";
  for (std::size_t i = 0; i < facets.size(); ++i) {
    by.push_back(facets[i]->name);
    if (i > 0) values += ',';
    values += row.values[i].empty() ? "null" : json_quote(row.values[i]);
  }
  JsonObject data;
  data.texts("by", std::span<const std::string_view>(by))
      .raw("values", values + "]")
      .number("conversations", row.conversations)
      .number("documents", row.documents)
      .number("tokens", row.tokens);
  return json_event("count", data);
}

}  // namespace cgrep
