// What would have helped when nothing was found.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "query/request.h"
#include "query/snapshot.h"

namespace cgrep {

struct Advice {
  enum class Kind : std::uint8_t {
    spelling,  // `words` typed otherwise
    filter,    // without `subject`: an option, or a field of the pattern
    filters,   // without all of them
    store,     // in `subject`, a store that was opted into and not named
    system,    // in documents of role system
  };
  Kind kind = Kind::filter;
  std::string subject{};
  std::vector<std::pair<std::string, std::string>> words{};  // typed, meant
  std::size_t conversations = 0;                             // that would have been found
};

/// How many conversations answer a request.
using CountFound = std::function<std::size_t(const Request&)>;

/// Tries what may help; only what finds something is advised. `stores_named`: by --store.
std::vector<Advice> advise(Snapshot& snapshot, const Request& request, bool stores_named,
                           const CountFound& count);

}  // namespace cgrep
