// The filters of a search as they are typed, and as they are meant.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/option_table.h"
#include "query/filters.h"
#include "query/searcher.h"

namespace cgrep {

struct FilterOptions {
  std::vector<std::string> stores{};
  std::vector<std::string> projects{};
  bool here = false;
  std::vector<std::string> roles{};
  std::optional<std::string> since{};
  std::optional<std::string> until{};
  std::vector<std::string> conversations{};
  std::vector<std::string> tools{};
  std::vector<std::string> models{};
  std::vector<std::string> files{};
  bool no_subagents = false;
  std::optional<bool> gone{};

  /// No filter was given.
  bool empty() const;
};

void declare_store_option(OptionTable& table, std::vector<std::string>& stores);
void declare_filters(OptionTable& table, FilterOptions& options);

/// The stores that `--store` selects; without it, `plain` (empty: those by default).
struct StoreSelection {
  Choice<const Store*> choice{};       // what a search looks at: never empty, unless `all`
  std::vector<const Store*> opt_in{};  // named, and not read unless somebody names them
  bool named = false;                  // any was, or `all`
};
StoreSelection select_stores(const std::vector<std::string>& values,
                             const std::vector<const Store*>& plain = {});

/// Throws Error when an address of --conversation names none, or several.
void require_known(Searcher& searcher, const Filters& filters);

Filters make_filters(const FilterOptions& options, const StoreSelection& stores,
                     std::int64_t now_ms);

/// `exclude` of the config: no answer has these projects.
void leave_out(Filters& filters, const std::vector<std::string>& projects);

}  // namespace cgrep
