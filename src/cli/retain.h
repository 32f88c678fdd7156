// For how long the index keeps what Cursor no longer has.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cgrep {

/// `90d`, `12w`, `6mo`, `1y` → ms; `forever` → absent. A month has 30 days, a year 365. Throws
/// Error.
std::optional<std::int64_t> parse_retain(std::string_view text);

}  // namespace cgrep
