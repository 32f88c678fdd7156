// Tally: how many documents there are of each role, project, month and so on; for --by and stats.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cli/option_table.h"
#include "document.h"
#include "index/overview.h"

namespace cgrep {

/// What documents can be counted by.
struct Facet {
  std::string_view name{};
  bool of_conversation = false;  // all documents of a conversation have the same value
  bool date = false;             // shown in order of time
};

/// In the order in which they are listed.
std::span<const Facet> facets();

/// `role, store, …`, for help and hints.
std::string facet_names();

/// Those that were typed. Throws Error with the nearest for a name that is none.
std::vector<const Facet*> find_facets(const std::vector<std::string>& typed);

/// `--by`.
Option& declare_by(OptionTable& table, std::vector<std::string>& by,
                   const std::string& description);

struct TallyRow {
  std::vector<std::string> values{};  // one for each facet; empty: the document has none
  std::size_t conversations = 0;
  std::size_t documents = 0;
  std::optional<std::int64_t> tokens{};  // known when all facets are of the conversation
};

class FacetValues;

class Tally {
 public:
  Tally(std::vector<const Facet*> facets, const Conversations& conversations);
  ~Tally();
  Tally(Tally&&) noexcept;

  const std::vector<const Facet*>& facets() const { return facets_; }

  /// A document with several values, as one in several stores, counts for each.
  void add(const StoredDocument& document, const std::optional<Time>& time);

  /// In order of time when the first facet is a date; else by documents, most first, then by value.
  std::vector<TallyRow> rows() const;

 private:
  using Key = std::vector<std::uint32_t>;  // numbers of values
  struct Group {
    std::size_t documents = 0;
    std::unordered_set<std::int64_t> conversations{};
  };
  void add(const StoredDocument& document, const std::optional<Time>& time, Key& key);
  std::optional<std::int64_t> tokens_of(const Group& group) const;

  std::vector<const Facet*> facets_;
  const Conversations& conversations_;
  std::vector<std::unique_ptr<FacetValues>> values_{};
  std::map<Key, Group> groups_{};
};

/// The rows that a limit leaves: of dates the newest, else the first. 0: all.
std::span<const TallyRow> limited(const std::vector<TallyRow>& rows, bool dates, std::size_t limit);

/// A value for people: absent ones are `none`, paths begin with `~`.
std::string shown_value(const Facet& facet, const std::string& value, const std::string& home);

/// The event `count`, described in tally.cc.
std::string json_count(const std::vector<const Facet*>& facets, const TallyRow& row);

}  // namespace cgrep
