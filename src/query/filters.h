// Filters: what a document must be, beside what it must say.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "address.h"
#include "document.h"
#include "extract/store.h"

namespace cgrep {

/// A choice of values: any of `wanted` (empty: all) and none of `unwanted`.
template <typename Value>
struct Choice {
  std::vector<Value> wanted{};
  std::vector<Value> unwanted{};

  bool empty() const { return wanted.empty() && unwanted.empty(); }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// What --here asks for.
struct Here {
  std::vector<std::string> roots{};  // folders that are one project, the nearest first
  std::string folder{};              // the current one
  friend bool operator==(const Here&, const Here&) = default;
};

struct Filters {
  Choice<const Store*> stores{};
  Choice<std::string> projects{};  // path, end of a path, slug, glob, or "none"
  std::optional<Here> here{};
  Choice<Role> roles{};
  Choice<std::string> tools{};  // raw or normalised names, any case
  Choice<Address> conversations{};
  Choice<std::string> models{};
  Choice<std::string> files{};          // paths, ends of paths, globs
  std::optional<std::int64_t> since{};  // ms, inclusive
  std::optional<std::int64_t> until{};  // ms, exclusive
  std::optional<bool> gone{};           // only what is gone, or nothing that is
  bool subagents = true;                // also conversations that another one started
  bool repeated = false;                // also prompts that stand in a conversation as well

  friend bool operator==(const Filters&, const Filters&) = default;
};

}  // namespace cgrep
