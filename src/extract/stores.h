// The registry: every store of Cursor's history, read or not.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "extract/store.h"

namespace cgrep {

/// All stores, in the order in which they are listed.
std::span<const Store* const> all_stores();

/// By name, singular form or alias; null when there is none.
const Store* find_store(std::string_view name);

/// The store whose name is nearest to what was typed; for hints.
const Store& nearest_store(std::string_view name);

}  // namespace cgrep
